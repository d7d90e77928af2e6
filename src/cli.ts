import { createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { LAYOUTS } from './carriers/layouts.ts'
import { ERROR_CORRECTIONS, SYMBOLOGIES } from './carriers/matrix.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import type { Cradle } from './cradle.ts'
import { isUuid } from './domain/identifiers.ts'
import { Problem } from './domain/problem.ts'
import { dictionary } from './domain/record.ts'
import { isSecret, newSecret, signedHeaders } from './domain/webhooks.ts'
import { openGateway } from './gateway.ts'
import { loadContract } from './http/contract.ts'
import { folderDocuments, readSubject, Unreadable, webDocuments } from './outside/documents.ts'
import { ANYWHERE, Outgoing } from './outside/outgoing.ts'
import { loadContexts, loadPlugins, PluginError } from './plugin/loader.ts'
import type { LabelReport, LabelRequest } from './services/labels.ts'
import { certificatesOf } from './verify/certificate.ts'
import { verify } from './verify/index.ts'
import { headline, isUnreadable, nextStep } from './verify/outcome.ts'
import type { Check, Verdict } from './verify/verification.ts'

type Options = Record<string, string | boolean | undefined>

/** What a command answers: an object for `--json`, and lines for people. */
interface Outcome {
  readonly json: object
  readonly lines: readonly string[]
  /** 0 unless said otherwise. */
  readonly exitCode?: number
}

interface CommandInput {
  readonly words: readonly string[]
  readonly options: Options
  readonly config: Config
  /** Prints at once what does not wait for the end: the line for people, or the object with `--json`. */
  print(json: object, line: string): void
  /** Opens the gateway's database, which brings its schema up to date; commands that need none do not ask. */
  open(): Promise<{ cradle: Cradle; migrated: readonly string[] }>
}

interface Command {
  readonly usage: string
  readonly summary: string
  /** Options with a value, and flags. */
  readonly options?: readonly string[]
  readonly flags?: readonly string[]
  /** Number of words after the command's name. */
  readonly words?: number
  run(input: CommandInput): Promise<Outcome>
}

class UsageError extends Error {}

const COMMANDS = dictionary<Command>({
  'workspace create': {
    usage: '--name N [--legal-name L --country DE --subdomain s --plan growth --with-key]',
    summary: 'Create a workspace; --with-key makes its seal key at once',
    options: ['name', 'legal-name', 'country', 'subdomain', 'plan'],
    flags: ['with-key'],
    async run({ options, open }) {
      const workspace = await (await open()).cradle.workspaces.create({
        name: required(options, 'name'),
        legalName: text(options, 'legal-name'),
        country: text(options, 'country'),
        subdomain: text(options, 'subdomain'),
        plan: text(options, 'plan'),
        withKey: options['with-key'] === true,
      })
      return { json: workspace, lines: [`Workspace ${workspace.name} (plan ${workspace.plan}): ${workspace.id}`] }
    },
  },
  'workspace set': {
    usage:
      'ID [--plan p --subscription active|grace|lapsed --passport-limit n --storage-limit bytes --row-limit n --require-mfa on|off]',
    summary: 'Change plan, subscription, limits ("none": those of the plan) or MFA of a workspace',
    options: ['plan', 'subscription', 'passport-limit', 'storage-limit', 'row-limit', 'require-mfa'],
    words: 1,
    async run({ words, options, open }) {
      const workspace = await (await open()).cradle.workspaces.set(word(words, 'ID'), {
        plan: text(options, 'plan'),
        subscription: text(options, 'subscription'),
        passportLimit: limitOf(options, 'passport-limit'),
        storageLimit: limitOf(options, 'storage-limit', 15),
        rowLimit: limitOf(options, 'row-limit'),
        requireMfa: onOff(text(options, 'require-mfa'), 'require-mfa'),
      })
      return { json: workspace, lines: [JSON.stringify(workspace, null, 2)] }
    },
  },
  'operator bind': {
    usage: '--operator ID --workspace ID',
    summary: 'Let a workspace act for an economic operator of another',
    options: ['operator', 'workspace'],
    async run({ options, open }) {
      const bound = await (await open()).cradle.workspaces.bindOperator(
        required(options, 'operator'),
        required(options, 'workspace'),
      )
      return { json: bound, lines: [`Operator ${bound.operatorId} is bound to workspace ${bound.workspaceId}.`] }
    },
  },
  'key create': {
    usage: '--workspace ID --role R [--permissions a,b --operator ID --expires ISO --name n]',
    summary: 'Create an API key; it is shown this once',
    options: ['workspace', 'role', 'permissions', 'operator', 'expires', 'name'],
    async run({ options, open }) {
      const permissions = text(options, 'permissions')
      const created = await (await open()).cradle.workspaces.createKey({
        workspaceId: required(options, 'workspace'),
        role: required(options, 'role'),
        permissions: permissions
          ?.split(',')
          .map((permission) => permission.trim())
          .filter((permission) => permission !== ''),
        operatorId: text(options, 'operator'),
        expiresAt: text(options, 'expires'),
        name: text(options, 'name'),
      })
      return { json: created, lines: [`Key ${created.id}, shown this once:`, created.key] }
    },
  },
  'key list': {
    usage: '',
    summary: 'List API keys, without their secrets',
    async run({ open }) {
      const keys = await (await open()).cradle.workspaces.listKeys()
      return {
        json: { keys },
        lines: keys.map(({ id, role, workspace, name, revokedAt, expiresAt }) =>
          [id, role, workspace, name ?? '', stateOf(revokedAt, expiresAt)].join('  ').trimEnd(),
        ),
      }
    },
  },
  'key revoke': {
    usage: 'ID',
    summary: 'Revoke an API key, at once and in every process',
    words: 1,
    async run({ words, open }) {
      const revoked = await (await open()).cradle.workspaces.revokeKey(word(words, 'ID'))
      return { json: revoked, lines: [`Key ${revoked.id} is revoked.`] }
    },
  },
  'session create': {
    usage: '--workspace ID --user U --role R [--mfa]',
    summary: 'Create a console session of at most 12 hours',
    options: ['workspace', 'user', 'role'],
    flags: ['mfa'],
    async run({ options, open }) {
      const session = await (await open()).cradle.workspaces.createSession({
        workspaceId: required(options, 'workspace'),
        user: required(options, 'user'),
        role: required(options, 'role'),
        mfa: options.mfa === true,
      })
      return {
        json: session,
        lines: [`Token: ${session.token}`, `Cookie: ${session.cookie}`, `X-CSRF-Token: ${session.csrf}`],
      }
    },
  },
  'grant authority': {
    usage: '--scope PASSPORT|UNIT|TENANT --target ID --expires ISO [--name N]',
    summary: 'Mint a token that shows an authority the restricted values; it is shown this once',
    options: ['scope', 'target', 'expires', 'name'],
    async run({ options, open }) {
      const minted = await (await open()).cradle.grants.issueAuthority({
        scope: required(options, 'scope'),
        target: required(options, 'target'),
        expires: required(options, 'expires'),
        name: text(options, 'name'),
      })
      return { json: minted, lines: [`Grant ${minted.id}, its token shown this once:`, minted.token] }
    },
  },
  'webhook replay': {
    usage: '--delivery ID | --workspace ID --from ISO --to ISO [--subscription ID]',
    summary: 'Send webhook deliveries that have ended once more, under the same webhook-id',
    options: ['delivery', 'workspace', 'from', 'to', 'subscription'],
    async run({ options, open }) {
      const delivery = text(options, 'delivery')
      const target =
        delivery === undefined
          ? {
              workspace: required(options, 'workspace'),
              from: required(options, 'from'),
              to: required(options, 'to'),
              subscription: text(options, 'subscription'),
            }
          : { delivery }
      const { cradle } = await open()
      await cradle.boss.start()
      const deliveries = await cradle.webhooks.replayAll(target)
      return { json: { deliveries }, lines: [`Deliveries that wait again: ${deliveries.length}.`, ...deliveries] }
    },
  },
  'webhook listen': {
    usage: '--workspace ID [--forward http://localhost:4000/hook --secret whsec_…]',
    summary: "Show a workspace's events as they happen, and send them to an address of yours, signed; for development",
    options: ['workspace', 'forward', 'secret'],
    async run({ options, open, print }) {
      const workspace = required(options, 'workspace')
      const forward = text(options, 'forward')
      const secret = text(options, 'secret') ?? newSecret()
      if (forward !== undefined && !/^https?:\/\//.test(forward)) {
        throw new UsageError('--forward must be an http or https address.')
      }
      if (!isSecret(secret)) throw new UsageError('--secret must be whsec_ and the Base64 of 24 to 64 bytes.')
      const { cradle } = await open()
      const ending = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
      const events = cradle.webhooks.listen(workspace, ending.signal, () => pause(LOOKED_EVERY_MS, ending.signal))
      const outgoing = new Outgoing(ANYWHERE)
      let heard = 0
      print({ listening: workspace, secret }, `Listening. What is forwarded is signed with ${secret}`)
      for await (const { id, type, body } of events) {
        heard += 1
        const outcome = forward === undefined ? undefined : await forwarded(outgoing, forward, { id, body }, secret)
        const line = [new Date().toISOString(), id, type.padEnd(23), outcome ?? ''].join('  ').trimEnd()
        print({ id, outcome, ...JSON.parse(body) }, line)
      }
      return { json: { heard }, lines: [`Events: ${heard}.`] }
    },
  },
  'prefix claim': {
    usage: '--workspace ID --prefix 0950600',
    summary: 'Keep the GTINs and GRAIs of a GS1 company prefix for a workspace',
    options: ['workspace', 'prefix'],
    async run({ options, open }) {
      const claim = await (await open()).cradle.companyPrefixes.claim(
        required(options, 'workspace'),
        required(options, 'prefix'),
      )
      return {
        json: claim,
        lines: [
          `Prefix ${claim.prefix} is kept for workspace ${claim.workspaceId}.`,
          ...claim.others.map(
            ({ id, productId, workspaceId }) =>
              `Passport ${id} (${productId}) of workspace ${workspaceId} is under it and stays.`,
          ),
        ],
      }
    },
  },
  'prefix list': {
    usage: '',
    summary: 'List the claimed GS1 company prefixes',
    async run({ open }) {
      const prefixes = await (await open()).cradle.companyPrefixes.list()
      return {
        json: { prefixes },
        lines: prefixes.map(({ prefix, workspaceId, workspace, claimedAt }) =>
          [prefix.padEnd(12), workspaceId, toIso(claimedAt), workspace].join('  '),
        ),
      }
    },
  },
  'prefix release': {
    usage: 'PREFIX',
    summary: 'Give a GS1 company prefix up',
    words: 1,
    async run({ words, open }) {
      const released = await (await open()).cradle.companyPrefixes.release(word(words, 'PREFIX'))
      return { json: released, lines: [`Prefix ${released.prefix} is free.`] }
    },
  },
  labels: {
    usage:
      '--workspace ID (--passport ID[,ID…] | --unit ID[,ID…] | --units-of ID [--from S --to S]) --out FILE\n' +
      '[--format pdf|png|svg --layout L7160 --symbology qr|datamatrix --ecl M|Q|H --size 128…2048 --hri]\n' +
      'png and svg are a ZIP with a file of each code and manifest.json',
    summary: 'Print the codes of passports and battery units: sheets of labels, or a file of each',
    options: [
      ...['workspace', 'passport', 'unit', 'units-of', 'from', 'to'],
      ...['out', 'format', 'layout', 'symbology', 'ecl', 'size'],
    ],
    flags: ['hri'],
    async run({ options, open }) {
      const request = labelRequest(options)
      const workspace = required(options, 'workspace')
      if (!isUuid(workspace)) throw new UsageError('--workspace must be a UUID.')
      const out = required(options, 'out')
      const { labels } = (await open()).cradle
      const report: LabelReport = { included: 0, skipped: [] }
      const pieces = labels.draw({ tenantId: workspace, operatorId: null }, request, report)
      const bytes = await writeWhole(out, withProgress(pieces, report))
      return {
        json: { file: out, bytes, ...report },
        lines: [
          `${report.included} labels: ${out}`,
          ...report.skipped.map(({ id, reason }) => `${reason.padEnd(10)} ${printable(id)}`),
        ],
        exitCode: report.included === 0 ? 1 : 0,
      }
    },
  },
  verify: {
    usage:
      'FILE|URL|- [--offline DIR --seal-ca FILE --tsa-ca FILE --allow-unknown-status --allow-localhost]\n' +
      'Ends with 0: valid; 1: not valid; 2: wrong usage; 3: cannot be read; 4: fits, but owner or status is unknown',
    summary: 'Say what a document is and whether it holds; nothing is fetched with --offline',
    options: ['offline', 'seal-ca', 'tsa-ca'],
    flags: ['allow-unknown-status', 'allow-localhost'],
    words: 1,
    async run({ words, options, config }) {
      const offline = text(options, 'offline')
      if (offline !== undefined && !existsSync(offline))
        throw new UsageError(`--offline: there is no folder ${offline}.`)
      const folder = offline === undefined ? undefined : folderDocuments(offline)
      const seals = { sealCa: pem(options, 'seal-ca'), timestampCa: pem(options, 'tsa-ca') }
      const verification = await verify(await readSubject(word(words, 'FILE, URL or -')), {
        documents: folder ?? webDocuments({ allowLocalhost: options['allow-localhost'] === true }),
        contexts: loadContexts(config.plugins),
        vocabulary: folder,
        now: new Date(),
        allowUnknownStatus: options['allow-unknown-status'] === true,
        seals,
      })
      const { verdict, checks } = verification
      return {
        json: verification,
        lines: [headline(verification), ...checks.flatMap(linesOf)],
        exitCode: isUnreadable(verification) ? EXIT.unreadable : EXIT_OF[verdict],
      }
    },
  },
  openapi: {
    usage: '[--yaml]',
    summary: 'Print the contract, media types of the plugins included',
    flags: ['yaml'],
    async run({ options, config }) {
      const contract = await loadContract(await loadPlugins(config.plugins))
      const shown = options.yaml === true ? contract.yaml : JSON.stringify(contract.document, null, 2)
      return { json: contract.document, lines: [shown.trimEnd()] }
    },
  },
  plugins: {
    usage: '',
    summary: 'List the plugins that PLUGINS names',
    async run({ config }) {
      const { list } = await loadPlugins(config.plugins)
      return {
        json: { plugins: list },
        lines: list.map(({ kind, name, folder }) => `${kind.padEnd(14)}  ${name.padEnd(14)}  ${folder}`),
      }
    },
  },
  migrate: {
    usage: '',
    summary: 'Bring the database schema up to date',
    async run({ open }) {
      const { migrated } = await open()
      return {
        json: { migrated },
        lines: migrated.length === 0 ? ['The schema is up to date.'] : migrated.map((name) => `Migrated: ${name}`),
      }
    },
  },
})

/** How often it is looked for new events. */
const LOOKED_EVERY_MS = 500
/** As receivers of subscriptions have it. */
const FORWARDED_WITHIN_MS = 15_000

const pause = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  sleep(milliseconds, undefined, { signal }).catch(() => {})

/** Sends an event to an address that the caller has named; @returns what was answered, for people */
async function forwarded(
  outgoing: Outgoing,
  url: string,
  message: { readonly id: string; readonly body: string },
  secret: string,
): Promise<string> {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...signedHeaders(message, [secret], new Date()) }
  const asked = { url, headers, body: message.body, withinMs: FORWARDED_WITHIN_MS, mostBytes: 65_536 }
  return outgoing.notify(asked).then(
    ({ status }) => `HTTP ${status}`,
    (error) => printable(error.message || error.code),
  )
}

/** What the options of `dpp labels` ask for. */
function labelRequest(options: Options): LabelRequest {
  const sources = ['passport', 'unit', 'units-of'].filter((name) => options[name] !== undefined)
  if (sources.length !== 1) throw new UsageError('Give one of --passport, --unit and --units-of.')
  const idsOf = (name: string) => (text(options, name) ?? '').split(',').map((id) => id.trim())
  const size = text(options, 'size')
  if (size !== undefined && !/^\d{1,9}$/.test(size)) throw new UsageError('--size must be a whole number of pixels.')
  const looks = {
    format: choice(options, 'format', ['pdf', 'png', 'svg']) ?? 'pdf',
    symbology: choice(options, 'symbology', SYMBOLOGIES),
    ecl: choice(options, 'ecl', ERROR_CORRECTIONS),
    layout: choice(options, 'layout', Object.keys(LAYOUTS)),
    size: size === undefined ? undefined : Number(size),
    hri: options.hri === true,
  }
  const range = { from: text(options, 'from'), to: text(options, 'to') }
  if (options.passport !== undefined) return { subject: 'passport', ids: idsOf('passport'), ...looks }
  if (options.unit !== undefined) return { subject: 'unit', ids: idsOf('unit'), ...range, ...looks }
  return { subject: 'unit', passportId: text(options, 'units-of'), ...range, ...looks }
}

/** The value of an option that has to be one of these. */
function choice<T extends string>(options: Options, name: string, values: readonly T[]): T | undefined {
  const value = text(options, name)
  const found = values.find((each) => each === value)
  if (value !== undefined && found === undefined) {
    throw new UsageError(`--${name} must be one of: ${values.join(', ')}.`)
  }
  return found
}

/** How many labels are drawn between two words about it. */
const PROGRESS_LABELS = 1000

/** Says beside the output how far it is. */
async function* withProgress(pieces: AsyncIterable<Uint8Array>, report: LabelReport): AsyncGenerator<Uint8Array> {
  let told = 0
  for await (const piece of pieces) {
    yield piece
    if (report.included - told < PROGRESS_LABELS) continue
    told = report.included - (report.included % PROGRESS_LABELS)
    console.error(`${told} labels …`)
  }
}

/** Writes a file, which has its name only once it is whole. @returns its size in bytes */
async function writeWhole(file: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const unfinished = `${file}.part`
  try {
    const stream = createWriteStream(unfinished)
    await pipeline(pieces, stream)
    renameSync(unfinished, file)
    return stream.bytesWritten
  } catch (error) {
    rmSync(unfinished, { force: true })
    if ((error as NodeJS.ErrnoException).path !== unfinished) throw error
    throw new UsageError(`--out: ${(error as Error).message}`)
  }
}

/** How a command ends where it neither did what was asked nor says no, which is 1. */
const EXIT = { usage: 2, unreadable: 3 } as const
/** How `dpp verify` ends. */
const EXIT_OF: Readonly<Record<Verdict, number>> = { valid: 0, 'not valid': 1, undecided: 4 }

/** A check for people: what was found, and what to do about it. */
function linesOf(check: Check): string[] {
  const mark = { true: 'ok  ', false: 'FAIL', null: '?   ' }[`${check.ok}`]
  const next = nextStep(check)
  return [
    `  ${mark}  ${check.name.padEnd(11)} ${printable(check.detail)}`,
    ...(next === undefined ? [] : [`${' '.repeat(20)}${next}`]),
  ]
}

/** What a stranger wrote, without what a terminal would obey, or would turn round. */
const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')

async function main(args: readonly string[]): Promise<number> {
  const name = Object.keys(COMMANDS).find((candidate) =>
    candidate.split(' ').every((part, index) => args[index] === part),
  )
  const isJson = args.includes('--json')
  if (name === undefined) {
    const wantsHelp = args.length === 0 || ['help', '--help', '-h'].includes(args[0] ?? '')
    if (!wantsHelp) console.error(`There is no command "${args.filter((part) => !part.startsWith('-')).join(' ')}".\n`)
    console.log(help())
    return wantsHelp ? 0 : EXIT.usage
  }
  const command = COMMANDS[name] as Command
  if (args.includes('--help')) {
    console.log(`dpp ${name} ${command.usage}\n${command.summary}.`)
    return 0
  }
  let close = async () => {}
  try {
    const { values, positionals } = parse(name, command, args)
    // Whatever the commands print is for pipes; progress goes beside it, and warnings stay quiet unless asked for.
    const config = loadConfig({ LOG_LEVEL: 'fatal', ...process.env })
    const open = async () => {
      const gateway = await openGateway(config, { say: (message) => console.error(message), withJobs: false })
      close = gateway.close
      return { cradle: gateway.container.cradle, migrated: gateway.migrated }
    }
    const print = (json: object, line: string) => console.log(isJson ? JSON.stringify(json) : line)
    const outcome = await command.run({ words: positionals, options: values, config, open, print })
    console.log(isJson ? JSON.stringify(outcome.json) : outcome.lines.join('\n'))
    return outcome.exitCode ?? 0
  } catch (error) {
    return fail(error, isJson, `dpp ${name} ${command.usage}`)
  } finally {
    await close()
  }
}

function parse(name: string, command: Command, args: readonly string[]): { values: Options; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(name.split(' ').length),
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries((command.options ?? []).map((option) => [option, { type: 'string' as const }])),
        ...Object.fromEntries((command.flags ?? []).map((flag) => [flag, { type: 'boolean' as const }])),
      },
    })
    if (positionals.length > (command.words ?? 0)) throw new UsageError(`"${positionals.at(-1)}" is one word too many.`)
    return { values: values as Options, positionals }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function fail(error: unknown, isJson: boolean, usage: string): number {
  const isPlain = [UsageError, Unreadable, Problem, ConfigError, PluginError].some((kind) => error instanceof kind)
  const message = isPlain ? (error as Error).message : String((error as Error)?.stack ?? error)
  if (isJson) console.log(JSON.stringify({ error: message }))
  else console.error(error instanceof UsageError ? `${message}\nUsage: ${usage}` : message)
  if (error instanceof UsageError) return EXIT.usage
  return error instanceof Unreadable ? EXIT.unreadable : 1
}

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(18)}${summary}`)
  return `Usage: dpp COMMAND [options] [--json]\n\n${rows.join('\n')}\n\nOptions of a command: dpp COMMAND --help. The environment variables are those of the gateway.`
}

function required(options: Options, name: string): string {
  const value = text(options, name)
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`)
  return value
}

function word(words: readonly string[], name: string): string {
  const [value] = words
  if (value === undefined) throw new UsageError(`${name} is missing.`)
  return value
}

const text = (options: Options, name: string) =>
  typeof options[name] === 'string' ? (options[name] as string) : undefined

function pem(options: Options, name: string): string | undefined {
  const file = text(options, name)
  if (file === undefined) return undefined
  try {
    const certificates = readFileSync(file, 'utf8')
    certificatesOf(certificates)
    return certificates
  } catch (error) {
    throw new UsageError(`--${name} must be a file of certificates in PEM: ${(error as Error).message}`)
  }
}

function limitOf(options: Options, name: string, digits = 9): number | null | undefined {
  const value = text(options, name)
  if (value === undefined) return undefined
  if (value === 'none') return null
  if (!/^\d+$/.test(value) || value.length > digits) {
    throw new UsageError(`--${name} must be a whole number of at most ${digits} digits, or "none".`)
  }
  return Number(value)
}

function onOff(value: string | undefined, name: string): boolean | undefined {
  if (value === undefined) return undefined
  if (value !== 'on' && value !== 'off') throw new UsageError(`--${name} must be on or off.`)
  return value === 'on'
}

const toIso = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

process.exitCode = await main(process.argv.slice(2))

function stateOf(revokedAt: unknown, expiresAt: unknown): string {
  if (revokedAt) return 'revoked'
  return expiresAt ? `expires ${toIso(expiresAt)}` : ''
}
