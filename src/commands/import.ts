import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { isUuid } from '../domain/identifiers.ts'
import type { Principal } from '../domain/principal.ts'
import { CHARSETS, FORMATS, type Format } from '../tables/table.ts'
import { type Commands, type Options, printable, required, text, UsageError, word, writeWhole } from './command.ts'

/** As much as the operation takes. */
const MOST_FILE_BYTES = 32 * 1024 * 1024

/** Catalogues as files: in, out, and empty ones to fill in. */
export const IMPORT_COMMANDS: Commands = {
  import: {
    summary: 'Take passports in from a spreadsheet, a file of lines or an AASX package',
    words: ['FILE'],
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'The workspace' },
      category: { value: 'NAME', meaning: 'Category of rows that name none' },
      charset: { value: 'NAME', meaning: 'How the letters of a CSV file are written', values: CHARSETS },
      lang: { value: 'LANGUAGE', meaning: 'Language of what is said of rows', default: 'en' },
      'dry-run': { meaning: 'Say what would happen, and store nothing' },
      anew: { meaning: 'Take the same file in once more' },
      watch: { meaning: 'Say how far it is' },
    },
    notes: [
      'FILE is .csv, .xlsx, .jsonl or .aasx. What broke off goes on when the same file is given again. Ends with 1 where rows were refused.',
    ],
    async run({ words, options, open, print }) {
      const name = word(words, 'FILE')
      const format = formatOf(extname(name).slice(1).toLowerCase(), FORMATS)
      const file = await contentOf(name)
      const charset = text(options, 'charset')
      if (charset !== undefined && !CHARSETS.some((known) => known === charset)) {
        throw new UsageError(`--charset must be one of: ${CHARSETS.join(', ')}.`)
      }
      const { imports, identity, boss } = (await open()).cradle
      // What is announced are jobs, which a gateway does.
      await boss.start()
      const principal = await operatorOf(identity, options)
      const lang = text(options, 'lang') ?? 'en'
      const request = { format, file, charset, lang, category: text(options, 'category') }
      const flags = { dryRun: options['dry-run'] === true, anew: options.anew === true }
      const added = await imports.add(principal, { ...request, ...flags }, false)
      await imports.work(principal.tenantId, added.import.id, new AbortController().signal, (progress) => {
        const { read, total, refused } = progress.rows
        if (options.watch === true) print(progress, `${read} of ${total} rows, ${refused} refused …`)
      })
      const found = (await imports.find(principal, added.import.id)).import
      const { rows, errors, remarks, failure } = found
      return {
        json: { ...found, isRepeated: added.isRepeated },
        lines: [
          ...(added.isRepeated ? ['The same file was taken in before; --anew takes it in again.'] : []),
          failure ??
            `${rows.created} of ${rows.total} rows ${found.dryRun ? 'could become' : 'have become'} passports, ${rows.refused} are refused.`,
          ...errors.map(
            ({ row, productId = '', message }) => `  ${row}  ${printable(productId)}: ${printable(message)}`,
          ),
          ...remarks.map(({ code, count, place = '', message = '' }) =>
            `  ${code}, ${count} in all, first ${printable(place)}: ${printable(message)}`.replace(
              /(?:, first )?: $/,
              '',
            ),
          ),
        ],
        exitCode: failure === undefined && rows.refused === 0 ? 0 : 1,
      }
    },
  },
  export: {
    summary: 'Write the catalogue of a workspace as a file that import reads',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'The workspace' },
      out: { value: 'FILE', needed: true, meaning: 'Where to write: .csv, .xlsx, .jsonl or .aasx' },
      category: { value: 'NAME', meaning: 'Passports of this category alone' },
    },
    async run({ options, open }) {
      const out = required(options, 'out')
      const format = formatOf(extname(out).slice(1).toLowerCase(), FORMATS)
      const { passportTables, identity } = (await open()).cradle
      const principal = await operatorOf(identity, options)
      const { body } = passportTables.exported(principal, format, { category: text(options, 'category') })
      const bytes = await writeWhole(out, body)
      return { json: { file: out, bytes }, lines: [`${out}: ${bytes} bytes`] }
    },
  },
  template: {
    summary: 'Write the empty table of a category, to be filled in and imported',
    words: ['CATEGORY'],
    options: {
      out: { value: 'FILE', needed: true, meaning: 'Where to write: .csv or .xlsx' },
      lang: { value: 'LANGUAGE', meaning: 'Language of the headings', default: 'en' },
    },
    async run({ words, options, open }) {
      const out = required(options, 'out')
      const format = formatOf(extname(out).slice(1).toLowerCase(), ['csv', 'xlsx'] as const)
      const { passportTables } = (await open()).cradle
      const { body } = passportTables.template(word(words, 'CATEGORY'), format, text(options, 'lang') ?? 'en')
      const bytes = await writeWhole(out, body)
      return { json: { file: out, bytes }, lines: [`${out}: ${bytes} bytes`] }
    },
  },
}

/** Whoever works at the machine does what the owner of the workspace may. @throws UsageError where there is no such workspace */
async function operatorOf(
  { stillOf }: { stillOf(caller: Pick<Principal, 'tenantId' | 'actor' | 'role'>): Promise<Principal | undefined> },
  options: Options,
): Promise<Principal> {
  const tenantId = required(options, 'workspace')
  if (!isUuid(tenantId)) throw new UsageError('--workspace must be a UUID.')
  const principal = await stillOf({ tenantId, actor: 'command-line', role: 'BRAND_OPERATOR' })
  if (principal === undefined) throw new UsageError('There is no such workspace.')
  return principal
}

function formatOf<T extends Format>(extension: string, formats: readonly T[]): T {
  const found = formats.find((format) => format === extension)
  if (found === undefined)
    throw new UsageError(`The file must end with ${formats.map((one) => `.${one}`).join(' or ')}.`)
  return found
}

/** @throws Unreadable for what cannot be read, or is too large */
async function contentOf(name: string): Promise<Buffer> {
  const { Unreadable } = await import('../outside/documents.ts')
  try {
    if (statSync(name).size > MOST_FILE_BYTES) throw new Error(`it has more than ${MOST_FILE_BYTES} bytes`)
    return readFileSync(name)
  } catch (error) {
    throw new Unreadable(`${name}: ${(error as Error).message}`)
  }
}
