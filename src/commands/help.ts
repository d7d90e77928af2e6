import { styleText } from 'node:util'
import type { Command, Commands, Table } from './command.ts'

/** Bold on a terminal that shows it, and where NO_COLOR does not forbid it. */
const bold = (text: string) => styleText('bold', text, { stream: process.stdout })

/** Every command, by group. */
export function helpOfAll(commands: Commands): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary])
  return [
    `${bold('Usage:')} dpp COMMAND [options] [--json]`,
    '',
    ...aligned(rows),
    '',
    'dpp COMMAND --help: its options. dpp GROUP --help: the commands of a group. dpp --version.',
    'The commands of a group "passport", login, logout and whoami speak to the gateway of "dpp login", or of DPP_URL and DPP_KEY;',
    'the others work on an installation, and take its environment variables.',
    'Ends with 0: done; 1: no; 2: wrong usage; 3: cannot be read or reached; 4: undecided.',
  ].join('\n')
}

/** The commands that begin with one word; undefined where none does. */
export function helpOfGroup(commands: Commands, group: string): string | undefined {
  const rows = Object.entries(commands)
    .filter(([name]) => name.startsWith(`${group} `))
    .map(([name, { summary }]) => [name, summary])
  if (rows.length === 0) return undefined
  return [`${bold('Usage:')} dpp ${group} COMMAND [options] [--json]`, '', ...aligned(rows)].join('\n')
}

/** What one command is for, and what it takes. */
export function helpOfCommand(name: string, command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([option, { value, meaning, ...more }]) => [
    `--${option}${value === undefined ? '' : ` ${value}`}`,
    [
      meaning,
      more.values && `one of ${more.values.join(', ')}`,
      more.default && `default: ${more.default}`,
      more.needed && 'needed',
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

/** How a command is called, in one line. */
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

/** Rows of two cells, the second ones below each other. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([first = '']) => first.length))
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`.trimEnd())
}

/** A table: with headings and in columns on a terminal, otherwise with tabs between cells and nothing else. */
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

/** The word of a list that is meant by one with a slip in it, if one is near. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  if (word.length > MOST_LETTERS) return undefined
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of words) {
    const distance = slips(word, candidate)
    if (distance >= least) continue
    least = distance
    best = candidate
  }
  return best
}

const MOST_LETTERS = 60

/** How many letters have to be put in, left out, changed or exchanged with the next (optimal string alignment). */
function slips(from: string, to: string): number {
  let older: number[] = []
  let before = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const now = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const steps = [
        (before[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (isSame ? 0 : 1),
        ...(isSwapped ? [(older[column - 2] ?? 0) + 1] : []),
      ]
      now.push(Math.min(...steps))
    }
    older = before
    before = now
  }
  return before[to.length] ?? 0
}
