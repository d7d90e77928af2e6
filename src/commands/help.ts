import { styleText } from 'node:util'
import type { Command, Commands, Table } from './command.ts'

/** Respects NO_COLOR. */
const bold = (text: string) => styleText('bold', text, { stream: process.stdout })

export function helpOfAll(commands: Commands): string {
  const sorted = Object.entries(commands).sort(([a], [b]) => a.localeCompare(b, 'en'))
  const rows = sorted.map(([name, { summary, options = {} }]) => ({
    row: [name, summary],
    isRemote: Object.hasOwn(options, 'profile'),
  }))
  const width = Math.max(...rows.map(({ row: [name = ''] }) => name.length))
  const section = (isRemote: boolean) =>
    aligned(
      rows.filter((each) => each.isRemote === isRemote).map(({ row }) => row),
      width,
    )
  return [
    `${bold('Usage:')} dpp COMMAND [options] [--json]`,
    '',
    bold('Call a gateway over HTTP (dpp login, or DPP_URL and DPP_KEY):'),
    ...section(true),
    '',
    bold('Work with files, or on an installation (its environment variables):'),
    ...section(false),
    '',
    'dpp COMMAND --help: options. dpp GROUP --help: commands of a group. dpp --version.',
    'Exit codes: 0 success, 1 check failed or rejected, 2 usage error, 3 input or gateway cannot be read, 4 undecided.',
  ].join('\n')
}

export function helpOfGroup(commands: Commands, group: string): string | undefined {
  const rows = Object.entries(commands)
    .filter(([name]) => name.startsWith(`${group} `))
    .map(([name, { summary }]) => [name, summary])
  if (rows.length === 0) return undefined
  return [`${bold('Usage:')} dpp ${group} COMMAND [options] [--json]`, '', ...aligned(rows)].join('\n')
}

export function helpOfCommand(name: string, command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([option, { value, meaning, ...more }]) => [
    `--${option}${value === undefined ? '' : ` ${value}`}`,
    [
      meaning,
      more.values && `one of ${more.values.join(', ')}`,
      more.default && `default: ${more.default}`,
      more.needed && 'required',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  return [
    `${command.summary}.`,
    '',
    `${bold('Usage:')} ${usageOf(name, command)}`,
    '',
    ...aligned([...options, ['--json', 'Print one JSON object instead of text']]),
    ...(command.notes === undefined ? [] : ['', ...command.notes]),
  ].join('\n')
}

export function usageOf(name: string, { words = [], options = {} }: Command): string {
  const needed = Object.entries(options).filter(([, option]) => option.needed === true)
  const isMore = Object.keys(options).length > needed.length
  return [
    'dpp',
    name,
    ...words,
    ...needed.map(([option, { value }]) => `--${option} ${value}`),
    ...(isMore ? ['[options]'] : []),
  ].join(' ')
}

function aligned(
  rows: readonly (readonly string[])[],
  width = Math.max(...rows.map(([first = '']) => first.length)),
): string[] {
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`.trimEnd())
}

export function linesOf({ headings, rows }: Table, isTerminal: boolean): string[] {
  if (!isTerminal) return rows.map((row) => row.join('\t'))
  if (rows.length === 0) return ['Nothing found.']
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [bold(line(headings)), ...rows.map(line)]
}
