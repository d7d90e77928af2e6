import { spawn } from 'node:child_process'
import {
  type Commands,
  countsLine,
  DppError,
  type DppIssue,
  dictionary,
  EXIT,
  lineOfIssue,
  type Outcome,
  type Parameters,
  printable,
  REMOTE_OPTIONS,
  readRecord,
  remote,
  remoteList,
  remoteOf,
  segment,
  text,
  word,
} from '../../../../src/plugin/command.ts'
import { handedOver } from '../hand-over.ts'

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

const CHANGEABLE = ['metadata', 'changeReason', 'draft', 'facilityId', 'enrichment']
const FROM_GET = 'FILE contains metadata, as written by "dpp passport get ID --out FILE".'
const IDEMPOTENCY_KEY = {
  value: 'TEXT',
  meaning: 'Idempotency-Key: a repeated call with the same key has no second effect',
  fills: 'idempotencyKey',
} as const

const warned = (warnings: readonly DppIssue[] | undefined) => (warnings ?? []).map(lineOfIssue).map(printable)

export default {
  'passport list': remoteList('listPassports', {
    summary: 'List passports, newest first',
    name: 'passports',
    options: {
      category: { value: 'NAME', meaning: 'Category to list', fills: 'category' },
      country: { value: 'CODE', meaning: 'Country of origin to list', fills: 'originCountry' },
    },
    columns: {
      ID: ({ id }) => id,
      PRODUCT: ({ productId }) => productId,
      CATEGORY: ({ metadata }) => metadata.category,
      STATUS: ({ status }) => status,
      SEALED: ({ digitalSeal }) => (digitalSeal === null ? 'no' : 'yes'),
      OPERATOR: ({ economicOperator }) => economicOperator.name,
      CHANGED: ({ updatedAt }) => updatedAt,
    },
    notes: ['SEALED: electronic seal. OPERATOR: economic operator. CHANGED: time of the last change.'],
  }),
  'passport get': {
    summary: 'Print a passport with all values visible to the key',
    words: ['ID|PRODUCT'],
    options: {
      as: { value: 'FORM', meaning: 'Format', values: Object.keys(FORMS), default: 'json-ld' },
      out: { value: 'FILE', meaning: 'Output file', default: 'standard output' },
      lang: { value: 'LANGUAGE', meaning: 'Language of texts' },
      ...REMOTE_OPTIONS,
    },
    async run({ words, options, env }) {
      const { dpp } = remoteOf(options, env)
      const form = FORMS[(text(options, 'as') ?? 'json-ld') as keyof typeof FORMS]
      const id = segment(words, 'ID')
      const document = await dpp.getPassport({ id, lang: text(options, 'lang') }, { accept: form })
      return handedOver(document, options)
    },
  },
  'passport create': remote('createPassport', {
    summary: 'Create a passport from a file with productId and metadata',
    file: 'required',
    options: {
      operator: {
        value: 'ID',
        meaning: 'Economic operator',
        default: 'first operator of the workspace',
        fills: 'body.operatorId',
      },
      facility: { value: 'ID', meaning: 'Manufacturing facility', fills: 'body.facilityId' },
      draft: { meaning: 'Create a draft, which is neither validated nor public', fills: 'body.draft' },
      key: IDEMPOTENCY_KEY,
    },
    show: ({ passport, warnings }) => ({
      json: { passport, warnings },
      lines: [
        `${passport.status === 'DRAFT' ? 'Draft' : 'Passport'} ${passport.id}: ${passport.digitalLinkUri}`,
        ...warned(warnings),
      ],
    }),
  }),
  'passport update': remote('updatePassport', {
    summary: 'Replace the metadata of a passport that is not sealed',
    words: { ID: 'id' },
    file: 'required',
    members: CHANGEABLE,
    options: {
      reason: { value: 'TEXT', meaning: 'Reason, for the history', fills: 'body.changeReason' },
      facility: { value: 'ID', meaning: 'Manufacturing facility', fills: 'body.facilityId' },
      draft: { meaning: 'Change it to a draft, which is not public', fills: 'body.draft' },
    },
    notes: [FROM_GET],
    show: ({ passport, warnings }) => ({
      json: { passport, warnings },
      lines: [`Passport ${passport.id} is updated: ${passport.status}.`, ...warned(warnings)],
    }),
  }),
  'passport revise': remote('revisePassport', {
    summary: 'Correct a sealed passport and seal it again',
    words: { ID: 'id' },
    file: 'required',
    members: CHANGEABLE,
    options: {
      reason: {
        value: 'TEXT',
        meaning: 'Reason, for the history (required unless the file has changeReason)',
        fills: 'body.changeReason',
      },
      key: IDEMPOTENCY_KEY,
    },
    notes: [FROM_GET],
    show: ({ passport, digitalSeal }) => ({
      json: { passport, digitalSeal },
      lines: [`Passport ${passport.id} is revised and sealed: root ${passport.proof?.merkleRoot}.`],
    }),
  }),
  'passport validate': {
    summary: 'Validate a passport without storing it',
    words: ['FILE|URL|-'],
    options: { lang: { value: 'LANGUAGE', meaning: 'Language of findings' }, ...REMOTE_OPTIONS },
    notes: [
      'Exit codes: 0 valid, 1 not valid, 3 file or gateway cannot be read.',
      'For missing attributes required by law: dpp completeness FILE.',
    ],
    async run({ words, options, env }) {
      const { dpp } = remoteOf(options, env)
      const body = (await readRecord(word(words, 'FILE, URL or -'))) as Parameters<'validatePassport'>['body']
      return dpp.validatePassport({ body, lang: text(options, 'lang') }).then(
        ({ category, warnings = [], completeness }): Outcome => ({
          json: { valid: true, category, errors: [], warnings, completeness },
          lines: [
            `Valid: ${printable(category)}.`,
            ...warned(warnings),
            ...(completeness === undefined ? [] : [`Required by law: ${countsLine(completeness.counts)}.`]),
          ],
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
  'passport seal': remote('sealPassport', {
    summary: 'Seal a passport',
    words: { 'ID|PRODUCT': 'id' },
    show: ({ passport, digitalSeal }) => ({
      json: { id: passport.id, digitalSeal, merkleRoot: passport.proof?.merkleRoot, passport },
      lines: [`Passport ${passport.id} is sealed: root ${passport.proof?.merkleRoot}.`],
    }),
  }),
  'passport status': remote('updatePassportStatus', {
    summary: 'Recall, decommission or reactivate a passport',
    words: { ID: 'id', 'ACTIVE|RECALLED|DECOMMISSIONED': 'body.status' },
    options: {
      reason: { value: 'TEXT', meaning: 'Reason of a recall, shown on the page', fills: 'body.recall.reason' },
      contact: { value: 'TEXT', meaning: 'Contact for a recall, shown on the page', fills: 'body.recall.contact' },
      url: { value: 'URL', meaning: 'Web address with details of a recall', fills: 'body.recall.url' },
    },
    show: ({ passport, status }) => ({
      json: { id: passport.id, status, passport },
      lines: [`Passport ${passport.id} is ${status}.`],
    }),
  }),
  'passport delete': remote('deleteDraftPassport', {
    summary: 'Delete a draft',
    words: { ID: 'id' },
    show: ({ message }) => ({ json: { message }, lines: [message] }),
  }),
  'passport history': remoteList('getPassportHistory', {
    summary: 'List the versions of a passport, newest first',
    name: 'versions',
    words: { ID: 'id' },
    columns: {
      VERSION: ({ version }) => version,
      TIME: ({ createdAt }) => createdAt,
      STATUS: ({ status }) => status,
      SEALED: ({ seal }) => (seal === null ? 'no' : 'yes'),
      CHANGES: ({ changes }) => changes?.length,
      BY: ({ changedBy }) => changedBy,
      REASON: ({ changeReason }) => changeReason,
    },
    notes: ['--json includes the changes as JSON Patch.'],
  }),
  'passport statistics': remote('getPassportStatistics', {
    summary: 'Count reads of a passport per day',
    words: { ID: 'id' },
    options: {
      from: { value: 'DATE', meaning: 'First day', fills: 'from' },
      to: { value: 'DATE', meaning: 'Last day', fills: 'to' },
    },
    show: (statistics) => ({
      json: statistics,
      table: {
        headings: ['DAY', 'READ'],
        rows: statistics.days.map(({ day, total }) => [day, String(total)]),
      },
    }),
  }),
  'passport open': {
    summary: 'Open the page of a passport in a browser (in a pipe: print its address)',
    words: ['ID|PRODUCT'],
    options: REMOTE_OPTIONS,
    async run({ words, options, env, isTerminal }) {
      const { dpp, url } = remoteOf(options, env)
      const { id } = await dpp.getPassport({ id: segment(words, 'ID') })
      const page = `${url.replace(/\/$/, '')}/passport/${encodeURIComponent(id)}`
      if (isTerminal) openInBrowser(page)
      return { json: { id, url: page }, lines: [page] }
    },
  },
  'passport qr': {
    summary: 'Get the QR code or DataMatrix of a passport',
    words: ['ID|PRODUCT'],
    options: {
      out: { value: 'FILE', meaning: 'Output file (required for png)', default: 'standard output' },
      format: { value: 'FORMAT', meaning: 'Format of the picture', values: ['svg', 'png'], default: 'svg' },
      size: { value: 'PIXELS', meaning: 'Width, 128 to 2048' },
      ...REMOTE_OPTIONS,
    },
    async run({ words, options, env }) {
      const { dpp } = remoteOf(options, env)
      const format = text(options, 'format') === 'png' ? 'png' : 'svg'
      const size = text(options, 'size')
      const picture = await dpp.getPassportQr({ id: segment(words, 'ID'), format, size })
      return handedOver(picture, options)
    },
  },
} satisfies Commands

/** Errors are ignored: the address was printed. */
function openInBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const opener = spawn(command as string, [...args, url], { stdio: 'ignore', detached: true })
  opener.on('error', () => {})
  opener.unref()
}
