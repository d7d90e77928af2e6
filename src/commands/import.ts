import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { isUuid } from '../domain/identifiers.ts'
import type { Principal } from '../domain/principal.ts'
import { Unreadable } from '../outside/documents.ts'
import { CHARSETS } from '../tables/csv.ts'
import { FORMATS, type Format } from '../tables/read-table.ts'
import { type Commands, type Options, printable, required, text, UsageError, word, writeWhole } from './command.ts'

/** As much as the operation takes. */
const MOST_FILE_BYTES = 32 * 1024 * 1024

/** Catalogues as files: in, out, and empty ones to fill in. */
export const IMPORT_COMMANDS: Commands = {
  import: {
    usage:
      'FILE --workspace ID [--category C] [--charset windows-1252] [--lang de] [--dry-run] [--anew] [--watch]\n' +
      'FILE is .csv, .xlsx or .jsonl. What broke off goes on when the same file is given again. Ends with 1 where rows were refused',
    summary: 'Take passports in from a spreadsheet or a file of lines',
    options: ['workspace', 'category', 'charset', 'lang'],
    flags: ['dry-run', 'anew', 'watch'],
    words: 1,
    async run({ words, options, open, print }) {
      const name = word(words, 'FILE')
      const format = formatOf(extname(name).slice(1).toLowerCase(), FORMATS)
      const file = contentOf(name)
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
      const { rows, errors, failure } = found
      return {
        json: { ...found, isRepeated: added.isRepeated },
        lines: [
          ...(added.isRepeated ? ['The same file was taken in before; --anew takes it in again.'] : []),
          failure ??
            `${rows.created} of ${rows.total} rows ${found.dryRun ? 'could become' : 'have become'} passports, ${rows.refused} are refused.`,
          ...errors.map(
            ({ row, productId = '', message }) => `  ${row}  ${printable(productId)}: ${printable(message)}`,
          ),
        ],
        exitCode: failure === undefined && rows.refused === 0 ? 0 : 1,
      }
    },
  },
  export: {
    usage: '--workspace ID --out FILE [--category C]\nFILE ends with .csv, .xlsx or .jsonl',
    summary: 'Write the catalogue of a workspace as a file that import reads',
    options: ['workspace', 'out', 'category'],
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
    usage: 'CATEGORY --out FILE [--lang de]\nFILE ends with .csv or .xlsx',
    summary: 'Write the empty table of a category, to be filled in and imported',
    options: ['out', 'lang'],
    words: 1,
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
function contentOf(name: string): Buffer {
  try {
    if (statSync(name).size > MOST_FILE_BYTES) throw new Error(`it has more than ${MOST_FILE_BYTES} bytes`)
    return readFileSync(name)
  } catch (error) {
    throw new Unreadable(`${name}: ${(error as Error).message}`)
  }
}
