import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Commands,
  type Documents,
  dictionary,
  EXIT,
  type Outcome,
  printable,
  REMOTE_OPTIONS,
  readInput,
  remoteList,
  remoteOf,
  required,
  text,
  UsageError,
  word,
  writeWhole,
} from '../../../../src/plugin/command.ts'
import { CHARSETS, FORMATS } from '../tables/table.ts'

const MAX_FILE_BYTES = 32 * 1024 * 1024
const TRANSFER_MS = 10 * 60_000
const FIRST_POLL_MS = 250
const MAX_POLL_MS = 4000

const TYPES = dictionary({
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson',
  aasx: 'application/aas+zip',
} as const)
type Format = keyof typeof TYPES

export default {
  import: {
    summary: 'Import passports from a table or an AASX package',
    words: ['FILE'],
    options: {
      category: { value: 'NAME', meaning: 'Category of rows without one' },
      charset: { value: 'NAME', meaning: 'Character encoding of a CSV file', values: CHARSETS },
      lang: { value: 'LANGUAGE', meaning: 'Language of the findings' },
      'dry-run': { meaning: 'Validate all rows without storing them' },
      anew: { meaning: 'Import a file again' },
      watch: { meaning: 'Show the progress' },
      ...REMOTE_OPTIONS,
    },
    notes: [
      'FILE ends with .csv, .xlsx, .jsonl or .aasx. The import continues at the gateway if this command is interrupted. Exit code 1 if rows were rejected.',
    ],
    async run({ words, options, env, print }) {
      const name = word(words, 'FILE')
      const format = formatOf(name, FORMATS)
      const { dpp } = remoteOf(options, env)
      const body = new Uint8Array(readInput(name, MAX_FILE_BYTES))
      const flags = {
        ...(options['dry-run'] ? { dryRun: 'true' as const } : {}),
        ...(options.anew ? { anew: 'true' as const } : {}),
      }
      const given = {
        lang: text(options, 'lang'),
        category: text(options, 'category'),
        charset: text(options, 'charset'),
      }
      const started = await dpp.importPassports(
        { body, contentType: TYPES[format], ...given, ...flags } as Parameters<typeof dpp.importPassports>[0],
        { timeoutMs: TRANSFER_MS },
      )
      let found = started.import
      for (let pauseMs = FIRST_POLL_MS; found.status === 'waiting' || found.status === 'working'; pauseMs *= 1.5) {
        const { read, total, refused } = found.rows
        if (options.watch) print(found, `${read} of ${total ?? 'unknown'} rows, ${refused} rejected …`)
        await sleep(Math.min(pauseMs, MAX_POLL_MS))
        found = (await dpp.getImport({ id: found.id })).import
      }
      return outcomeOf(found, started.isRepeated)
    },
  },
  imports: remoteList('listImports', {
    summary: 'List the last imports of the workspace, newest first',
    name: 'imports',
    columns: {
      ID: ({ id }) => id,
      STATUS: ({ status, dryRun }) => (dryRun ? `${status} (dry run)` : status),
      FORMAT: ({ format }) => format,
      ROWS: ({ rows }) => rows.total,
      CREATED: ({ rows }) => rows.created,
      REJECTED: ({ rows }) => rows.refused,
      TIME: ({ createdAt }) => createdAt,
      FAILURE: ({ failure }) => failure,
    },
  }),
  export: {
    summary: 'Export the catalogue of the workspace as a file for import',
    options: {
      out: { value: 'FILE', needed: true, meaning: 'Output file: .csv, .xlsx, .jsonl or .aasx' },
      category: { value: 'NAME', meaning: 'Category to export' },
      ...REMOTE_OPTIONS,
    },
    async run({ options, env }) {
      const out = required(options, 'out')
      const format = formatOf(out, FORMATS)
      const { dpp } = remoteOf(options, env)
      const response = await dpp.exportPassports(
        { format, category: text(options, 'category') },
        { as: 'response', timeoutMs: TRANSFER_MS },
      )
      return written(out, await writeWhole(out, Readable.fromWeb(response.body as never)))
    },
  },
  template: {
    summary: 'Write an empty import table for a category',
    words: ['CATEGORY'],
    options: {
      out: { value: 'FILE', needed: true, meaning: 'Output file: .csv or .xlsx' },
      lang: { value: 'LANGUAGE', meaning: 'Language of the headings' },
      ...REMOTE_OPTIONS,
    },
    async run({ words, options, env }) {
      const category = word(words, 'CATEGORY')
      const out = required(options, 'out')
      const format = formatOf(out, ['csv', 'xlsx'])
      const { dpp } = remoteOf(options, env)
      const response = await dpp.getImportTemplate(
        { category, format, lang: text(options, 'lang') },
        { as: 'response' },
      )
      return written(out, await writeWhole(out, Readable.fromWeb(response.body as never)))
    },
  },
} satisfies Commands

function outcomeOf(found: Documents['Import'], isRepeated: boolean): Outcome {
  const { rows, errors, remarks, failure, dryRun } = found
  return {
    json: { ...found, isRepeated },
    lines: [
      ...(isRepeated ? ['This file was already imported. To import it again: --anew'] : []),
      failure ??
        `${rows.created} of ${rows.total} rows ${dryRun ? 'can become' : 'became'} passports, ${rows.refused} rejected.`,
      ...errors.map(({ row, productId = '', message }) => `  ${row}  ${printable(productId)}: ${printable(message)}`),
      ...remarks.map(
        ({ code, count, place = '', message = '' }) =>
          `  ${code}, ${count} in all${place && `, first ${printable(place)}`}${message && `: ${printable(message)}`}`,
      ),
    ],
    exitCode: failure === undefined && rows.refused === 0 ? 0 : EXIT.no,
  }
}

const written = (file: string, bytes: number): Outcome => ({
  json: { file, bytes },
  lines: [`${file}: ${bytes} bytes.`],
})

function formatOf<T extends Format>(file: string, formats: readonly T[]): T {
  const extension = extname(file).slice(1).toLowerCase()
  const found = formats.find((format) => format === extension)
  if (found === undefined) {
    throw new UsageError(`The file must end with ${formats.map((one) => `.${one}`).join(' or ')}.`)
  }
  return found
}
