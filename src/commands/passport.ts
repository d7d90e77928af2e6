import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { DppError, type Parameters } from '../client/index.ts'
import { dictionary } from '../domain/record.ts'
import {
  type Commands,
  EXIT,
  type Options,
  type Outcome,
  printable,
  readRecord,
  required,
  text,
  UsageError,
  word,
} from './command.ts'
import { lineOfIssue, REMOTE_OPTIONS, remoteOf } from './remote.ts'

/** Forms of a passport, by the names that people have for them. */
const FORMS = dictionary({
  'json-ld': 'application/ld+json',
  aas: 'application/aas+json',
  aasx: 'application/aas+zip',
  'vc-jwt': 'application/vc+jwt',
  vc: 'application/vc+ld+json',
  'sd-jwt': 'application/dc+sd-jwt',
  html: 'text/html',
  pdf: 'application/pdf',
} as const)

/** Passports at a gateway, by its API. */
export const PASSPORT_COMMANDS: Commands = {
  'passport list': {
    summary: 'List passports, newest first',
    options: {
      category: { value: 'NAME', meaning: 'Only those of a category' },
      country: { value: 'CODE', meaning: 'Only those of a country of origin' },
      limit: { value: 'NUMBER', meaning: 'How many at most', default: '30' },
      all: { meaning: 'As many as there are' },
      ...REMOTE_OPTIONS,
    },
    async run({ options, env }) {
      const { dpp } = remoteOf(options, env)
      const most = options.all === true ? Number.POSITIVE_INFINITY : numberOf(options, 'limit', 30)
      const asked = {
        category: text(options, 'category'),
        originCountry: text(options, 'country'),
        limit: Math.min(most, PAGE_SIZE),
      }
      const passports = []
      for await (const passport of dpp.each.listPassports(asked)) {
        passports.push(passport)
        if (passports.length >= most) break
      }
      return {
        json: { passports },
        table: {
          headings: ['ID', 'PRODUCT', 'CATEGORY', 'STATUS', 'SEALED', 'OPERATOR', 'CHANGED'],
          rows: passports.map(({ id, productId, metadata, status, digitalSeal, economicOperator, updatedAt }) =>
            [
              ...[id, productId, metadata.category ?? '', status],
              ...[digitalSeal === null ? 'no' : 'yes', economicOperator.name, updatedAt],
            ].map((cell) => printable(String(cell))),
          ),
        },
      }
    },
  },
  'passport get': {
    summary: 'Print a passport, as you may see it',
    words: ['ID|PRODUCT'],
    options: {
      as: { value: 'FORM', meaning: 'In which form', values: Object.keys(FORMS), default: 'json-ld' },
      out: { value: 'FILE', meaning: 'Where to write', default: 'standard output' },
      lang: { value: 'LANGUAGE', meaning: 'Language of texts' },
      ...REMOTE_OPTIONS,
    },
    async run({ words, options, env }) {
      const { dpp } = remoteOf(options, env)
      const form = FORMS[(text(options, 'as') ?? 'json-ld') as keyof typeof FORMS]
      const id = word(words, 'ID')
      const document = await dpp.getPassport({ id, lang: text(options, 'lang') }, { accept: form })
      return handedOver(document, options)
    },
  },
  'passport create': {
    summary: 'Create a passport of a file that has productId and metadata',
    words: ['FILE|URL|-'],
    options: {
      operator: { value: 'ID', meaning: 'For which economic operator', default: 'the first of the workspace' },
      facility: { value: 'ID', meaning: 'Where it is made' },
      draft: { meaning: 'Keep a draft, which is not checked and not public' },
      key: { value: 'TEXT', meaning: 'Idempotency-Key: with the same one again nothing is made twice' },
      ...REMOTE_OPTIONS,
    },
    async run({ words, options, env }) {
      const { dpp } = remoteOf(options, env)
      const body = {
        ...(await readRecord(word(words, 'FILE, URL or -'))),
        ...given('operatorId', text(options, 'operator')),
        ...given('facilityId', text(options, 'facility')),
        ...given('draft', options.draft === true ? true : undefined),
      } as Parameters<'createPassport'>['body']
      const { passport, warnings } = await dpp.createPassport({ body }, { idempotencyKey: text(options, 'key') })
      return {
        json: { passport, warnings },
        lines: [
          `${passport.status === 'DRAFT' ? 'Draft' : 'Passport'} ${passport.id}: ${passport.digitalLinkUri}`,
          ...warnings.map(lineOfIssue).map(printable),
        ],
      }
    },
  },
  'passport validate': {
    summary: 'Check a passport without storing it',
    words: ['FILE|URL|-'],
    options: { lang: { value: 'LANGUAGE', meaning: 'Language of findings' }, ...REMOTE_OPTIONS },
    notes: ['Ends with 0: nothing is wrong; 1: something is, and is told; 3: the file or the gateway cannot be read.'],
    async run({ words, options, env }) {
      const { dpp } = remoteOf(options, env)
      const body = (await readRecord(word(words, 'FILE, URL or -'))) as Parameters<'validatePassport'>['body']
      return dpp.validatePassport({ body, lang: text(options, 'lang') }).then(
        ({ category, warnings = [] }): Outcome => ({
          json: { valid: true, category, errors: [], warnings },
          lines: [`Valid: ${printable(category)}.`, ...warnings.map(lineOfIssue).map(printable)],
        }),
        (error): Outcome => {
          if (!(error instanceof DppError) || error.title !== 'Validation Failed') throw error
          return {
            json: { valid: false, errors: error.issues },
            lines: [`Not valid: ${printable(error.message)}`, ...error.issues.map(lineOfIssue).map(printable)],
            exitCode: EXIT.no,
          }
        },
      )
    },
  },
  'passport seal': {
    summary: 'Seal a passport; what is sealed can only be revised',
    words: ['ID|PRODUCT'],
    options: REMOTE_OPTIONS,
    async run({ words, options, env }) {
      const { passport, digitalSeal } = await remoteOf(options, env).dpp.sealPassport({ id: word(words, 'ID') })
      return {
        json: { id: passport.id, digitalSeal, merkleRoot: passport.proof?.merkleRoot, passport },
        lines: [`Passport ${passport.id} is sealed: root ${passport.proof?.merkleRoot}.`],
      }
    },
  },
  'passport open': {
    summary: 'Open the page of a passport in a browser; print its address where there is no terminal',
    words: ['ID|PRODUCT'],
    options: REMOTE_OPTIONS,
    async run({ words, options, env, isTerminal }) {
      const { dpp, url } = remoteOf(options, env)
      const { id } = await dpp.getPassport({ id: word(words, 'ID') })
      const page = `${url.replace(/\/$/, '')}/passport/${encodeURIComponent(id)}`
      if (isTerminal) openInBrowser(page)
      return { json: { id, url: page }, lines: [page] }
    },
  },
  'passport qr': {
    summary: 'Get the code of a passport, to print it',
    words: ['ID|PRODUCT'],
    options: {
      out: { value: 'FILE', meaning: 'Where to write; needed for png', default: 'standard output' },
      format: { value: 'FORMAT', meaning: 'Which picture', values: ['svg', 'png'], default: 'svg' },
      size: { value: 'PIXELS', meaning: 'Its width, 128 to 2048' },
      ...REMOTE_OPTIONS,
    },
    async run({ words, options, env }) {
      const { dpp } = remoteOf(options, env)
      const format = text(options, 'format') === 'png' ? 'png' : 'svg'
      const size = text(options, 'size')
      const picture = await dpp.getPassportQr({ id: word(words, 'ID'), format, ...given('size', size) })
      return handedOver(picture, options)
    },
  },
}

/** As many as the gateway gives at once. */
const PAGE_SIZE = 100

/** Written to `--out`, or printed. @throws UsageError for bytes that a terminal cannot show */
async function handedOver(document: object | string | Uint8Array, options: Options): Promise<Outcome> {
  const out = text(options, 'out')
  const isJson = typeof document !== 'string' && !(document instanceof Uint8Array)
  if (out === undefined) {
    if (document instanceof Uint8Array) throw new UsageError(`--out is missing: these are bytes.`)
    return {
      json: isJson ? document : { document },
      lines: [isJson ? JSON.stringify(document, null, 2) : String(document).trimEnd()],
    }
  }
  const content = isJson ? `${JSON.stringify(document, null, 2)}\n` : document
  await writeFile(required(options, 'out'), content).catch((error: Error) => {
    throw new UsageError(`--out: ${error.message}`)
  })
  const bytes = Buffer.byteLength(content)
  return { json: { file: out, bytes }, lines: [`${out}: ${bytes} bytes.`] }
}

function numberOf(options: Options, name: string, otherwise: number): number {
  const value = text(options, name)
  if (value === undefined) return otherwise
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageError(`--${name} must be a whole number.`)
  return Number(value)
}

/** A member that is there where it has a value. */
const given = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value }

/** Hands an address to whatever opens addresses here. That there is none harms nobody: the address was printed. */
function openInBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const opener = spawn(command as string, [...args, url], { stdio: 'ignore', detached: true })
  opener.on('error', () => {})
  opener.unref()
}
