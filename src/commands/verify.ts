import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readInput, Unreadable, utf8 } from '../outside/files.ts'
import { MAX_BYTES } from '../verify/documents.ts'
import { headline, isUnreadable, nextStep } from '../verify/outcome.ts'
import type { Revocations } from '../verify/revocation.ts'
import type { Check, Verdict, Verification } from '../verify/verification.ts'
import {
  type CommandInput,
  type Commands,
  EXIT,
  type Options,
  type Outcome,
  printable,
  text,
  UsageError,
} from './command.ts'

export const VERIFY_COMMANDS: Commands = {
  verify: {
    summary: 'Verify sealed passports and credentials',
    words: ['FILE|FOLDER|URL|-…'],
    anyWords: true,
    options: {
      from: { value: 'FILE', meaning: 'List of files and addresses, one per line; "#" begins a comment' },
      csv: { meaning: 'Print CSV: document, verdict, format, reason' },
      offline: {
        value: 'FOLDER',
        meaning: 'Folder with all required documents, as downloaded by wget -x; nothing is fetched',
      },
      'seal-ca': { value: 'FILE', meaning: 'Trusted seal CA certificates (PEM)' },
      crl: {
        value: 'FILE',
        meaning: 'Certificate revocation lists of the seal CAs (DER or PEM)',
        default: 'not checked',
      },
      'tsa-ca': { value: 'FILE', meaning: 'Trusted timestamp authority certificates (PEM)' },
      'allow-unknown-status': { meaning: 'Accept credentials with an unreadable status' },
      'allow-localhost': { meaning: 'Allow fetching documents from this machine, for development' },
    },
    notes: [
      'Signed formats: sealed passports (JSON-LD), vc+jwt, Data Integrity and SD-JWT credentials, and presentations of them.',
      'AAS, AASX, PDF, HTML, link sets and JSON-LD of units have no signature: exit code 4.',
      'Rate-limited addresses (429) are retried after the time set by their server.',
      'Exit codes: 0 valid, 1 not valid, 2 usage error, 3 cannot be read, 4 undecided: owner or status unknown, or not signed.',
      'Exit code for several documents: the first of 1, 3, 4 that occurs.',
    ],
    async run(input) {
      const { options, words, tell } = input
      const verifyOne = await verifierOf(input)
      const [only, ...others] = words
      if (
        only !== undefined &&
        others.length === 0 &&
        !isFolder(only) &&
        options.from === undefined &&
        options.csv !== true
      ) {
        return outcomeOfOne(await verifyOne(only))
      }
      const results: Result[] = []
      for (const document of documentsOf(words, text(options, 'from'))) {
        results.push(
          await verifyOne(document).then(
            (verification) => ({ document, ...verification, verdict: wordOf(verification) }),
            (error: Error) => {
              if (!(error instanceof Unreadable)) throw error
              return { document, form: '', verdict: 'unreadable' as const, checks: [], error: error.message }
            },
          ),
        )
      }
      if (options.csv === true) return csvOf(results)
      tell(summaryOf(results))
      return {
        json: { documents: results, counts: countsOf(results) },
        table: {
          headings: ['VERDICT', 'FORMAT', 'DOCUMENT', 'REASON'],
          rows: results.map((result) => rowOf(result).map(printable)),
        },
        exitCode: exitOf(results),
      }
    },
  },
}

const MAX_CRL_BYTES = 16 * 1024 * 1024

type Word = Verdict | 'unreadable'

interface Result extends Pick<Verification, 'form' | 'checks'> {
  readonly document: string
  readonly verdict: Word
  readonly error?: string
}

const EXIT_OF: Readonly<Record<Word, number>> = {
  'not valid': EXIT.no,
  unreadable: EXIT.unreadable,
  undecided: EXIT.undecided,
  valid: 0,
}

const wordOf = (verification: Verification): Word => (isUnreadable(verification) ? 'unreadable' : verification.verdict)

function outcomeOfOne(verification: Verification): Outcome {
  const lines = [headline(verification), ...verification.checks.flatMap(linesOf)]
  return { json: verification, lines, exitCode: EXIT_OF[wordOf(verification)] }
}

async function verifierOf({
  options,
  config,
  tell,
}: CommandInput): Promise<(subject: string) => Promise<Verification>> {
  const { folderDocuments, readSubject, webDocuments } = await import('../outside/documents.ts')
  const { loadContexts } = await import('../plugin/loader.ts')
  const { verify } = await import('../verify/index.ts')
  const offline = text(options, 'offline')
  if (offline !== undefined && !existsSync(offline)) throw new Unreadable(`--offline: folder ${offline} not found.`)
  const folder = offline === undefined ? undefined : folderDocuments(offline)
  const now = new Date()
  const revocations = await revocationsOf(options, now)
  const seals = {
    sealCa: await pem(options, 'seal-ca'),
    timestampCa: await pem(options, 'tsa-ca'),
    ...(revocations === undefined ? {} : { revocations }),
  }
  const given = {
    documents: folder ?? webDocuments({ allowLocalhost: options['allow-localhost'] === true }),
    contexts: loadContexts((await config()).plugins),
    vocabulary: folder,
    now,
    allowUnknownStatus: options['allow-unknown-status'] === true,
    seals,
  }
  return async (subject) => verify(await readSubject(subject, tell), given)
}

/** @throws UsageError if empty */
function documentsOf(words: readonly string[], list: string | undefined): string[] {
  const listed = list === undefined ? [] : utf8(readInput(list, MAX_BYTES), list).split(/\r?\n/)
  const entries = listed.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  const documents = [...words, ...entries].flatMap((each) => (isFolder(each) ? filesIn(each) : [each]))
  if (documents.length === 0) throw new UsageError('FILE, FOLDER, URL or - is missing.')
  return documents
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory()

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()

const reasonOf = ({ checks, error, verdict }: Result): string =>
  error ??
  (verdict === 'valid'
    ? ''
    : ((checks.find(({ ok }) => ok === false) ?? checks.find(({ ok }) => ok === null))?.detail ?? ''))

const rowOf = (result: Result) => [result.verdict, result.form, result.document, reasonOf(result)]

async function csvOf(results: readonly Result[]): Promise<Outcome> {
  const { csvLine } = await import('../domain/csv-line.ts')
  const rows = results.map((result) => [result.document, result.verdict, result.form, reasonOf(result)])
  return {
    json: { documents: results, counts: countsOf(results) },
    lines: [['document', 'verdict', 'format', 'reason'], ...rows].map((row) => csvLine(row).trimEnd()),
    exitCode: exitOf(results),
  }
}

const countsOf = (results: readonly Result[]) =>
  Object.fromEntries(
    (Object.keys(EXIT_OF) as Word[]).map((word) => [word, results.filter(({ verdict }) => verdict === word).length]),
  )

function summaryOf(results: readonly Result[]): string {
  const counts = Object.entries(countsOf(results)).filter(([, count]) => count > 0)
  return `${results.length} documents: ${counts.map(([word, count]) => `${count} ${word}`).join(', ')}.`
}

const exitOf = (results: readonly Result[]): number =>
  EXIT_OF[(Object.keys(EXIT_OF) as Word[]).find((word) => results.some(({ verdict }) => verdict === word)) ?? 'valid']

function linesOf(check: Check): string[] {
  const mark = { true: 'ok  ', false: 'FAIL', null: '?   ' }[`${check.ok}`]
  const next = nextStep(check)
  return [
    `  ${mark}  ${check.name.padEnd(11)} ${printable(check.detail)}`,
    ...(next === undefined ? [] : [`${' '.repeat(20)}${next}`]),
  ]
}

async function revocationsOf(options: Options, now: Date): Promise<Revocations | undefined> {
  const file = text(options, 'crl')
  if (file === undefined) return undefined
  const { revocationsOf: read } = await import('../verify/revocation.ts')
  const lists = readInput(file, MAX_CRL_BYTES)
  try {
    return read(lists, now)
  } catch (error) {
    throw new Unreadable(`--crl: ${file} does not contain certificate revocation lists: ${(error as Error).message}`)
  }
}

async function pem(options: Options, name: string): Promise<string | undefined> {
  const file = text(options, name)
  if (file === undefined) return undefined
  const { certificatesOf } = await import('../verify/certificate.ts')
  const certificates = utf8(readInput(file, MAX_BYTES), file)
  try {
    certificatesOf(certificates)
    return certificates
  } catch (error) {
    throw new Unreadable(`--${name}: ${file} does not contain PEM certificates: ${(error as Error).message}`)
  }
}
