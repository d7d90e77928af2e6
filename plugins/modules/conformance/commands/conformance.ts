import {
  type CommandInput,
  type Commands,
  EXIT,
  type Options,
  type Outcome,
  readInput,
  text,
  Unreadable,
  UsageError,
  word,
} from '../../../../src/plugin/command.ts'
import type { Run } from '../run.ts'

const MAX_DOCUMENT_BYTES = 3 * 1024 * 1024

export default {
  conformance: {
    summary: 'Test a passport service from outside against EN 18216 to EN 18223, GS1, AAS, UNTP and others',
    words: ['URL'],
    options: {
      api: {
        value: 'URL',
        meaning: 'Base of the EN 18222 interface',
        default: 'URL if it ends with /v1, else /v1 of its host',
      },
      passport: { value: 'ID', meaning: 'Identifier of the passport', default: 'that of the passport at URL' },
      product: { value: 'ID', meaning: 'Identifier of the product', default: 'that of the passport at URL' },
      element: { value: 'PATH', meaning: 'JSONPath of a data element', default: 'a value of the passport' },
      only: { value: 'LIST', meaning: 'Groups or checks, separated by commas, such as gs1,http.head' },
      key: { value: 'KEY', meaning: 'API key, for restricted values and writes', default: 'DPP_CONFORMANCE_KEY' },
      grant: { value: 'TOKEN', meaning: 'Access token, for restricted values', default: 'DPP_CONFORMANCE_GRANT' },
      'seal-ca': { value: 'FILE', meaning: 'Trusted seal CA certificates (PEM)' },
      'tsa-ca': { value: 'FILE', meaning: 'Trusted timestamp authority certificates (PEM)' },
      write: { meaning: 'Run checks that send writes' },
      create: { value: 'FILE', meaning: 'Document for CreateDPP (with --write and --key)' },
      list: { meaning: 'List the checks without running them' },
      all: { meaning: 'Print passed and skipped checks too' },
      junit: { meaning: 'Print JUnit XML' },
      'max-requests': { value: 'NUMBER', meaning: 'Limit of requests', default: '1000' },
      'allow-localhost': { meaning: 'Allow addresses on this machine in documents, for development' },
    },
    notes: [
      'URL: a passport, a product link, a page that links to a passport, or the base of an EN 18222 interface (/v1).',
      'Reads need no credentials. A service that does not offer what a check needs is skipped with the reason.',
      'Checks of recommendations give warnings. Documents of third parties are read from public HTTPS addresses only.',
      'Without --write, only GET, HEAD, OPTIONS, TRACE, an unknown method and searches by POST are sent.',
      'Exit codes: 0 no check failed, 1 a check failed, 2 usage error, 3 no response, 4 nothing was tested, or a limit was reached.',
    ],
    async run(input) {
      const { options } = input
      const { selected, unknownNames } = await import('../run.ts')
      const only = text(options, 'only')
        ?.split(',')
        .map((name) => name.trim())
      const unknown = unknownNames(only ?? [])
      if (unknown.length > 0) throw new UsageError(`--only: no check is named ${unknown.join(', ')}. Run with --list.`)
      if (options.list !== true) return tested(input, only)
      const checks = selected(only).map(({ id, clause, title }) => ({ id, clause, title }))
      return {
        json: { checks },
        table: {
          headings: ['CHECK', 'CLAUSE', 'TITLE'],
          rows: checks.map(({ id, clause, title }) => [id, clause, title]),
        },
      }
    },
  },
} satisfies Commands

async function tested(input: CommandInput, only: readonly string[] | undefined): Promise<Outcome> {
  const { options, words, config, tell } = input
  const url = addressOf(word(words, 'URL'), 'URL')
  const api = text(options, 'api')
  const addresses = [url, ...(api === undefined ? [] : [addressOf(api, '--api')])]
  const secrets = { key: secretOf(input, 'key', addresses), grant: secretOf(input, 'grant', addresses) }
  const { runChecks } = await import('../run.ts')
  const { loadContexts } = await import('../../../../src/plugin/module.ts')
  const { Fault } = await import('../check.ts')
  try {
    const run = await runChecks({
      ...{ url, only, tell, ...secrets },
      api,
      product: text(options, 'product'),
      passport: text(options, 'passport'),
      element: text(options, 'element'),
      newDocument: contentOf(options, 'create'),
      sealTrust: { sealCa: contentOf(options, 'seal-ca'), timestampCa: contentOf(options, 'tsa-ca') },
      allowLocalhost: options['allow-localhost'] === true,
      isWriting: options.write === true,
      maxRequests: limitOf(options),
      contexts: loadContexts((await config()).plugins),
    })
    return await outcomeOf(run, options)
  } catch (error) {
    if (error instanceof Fault) throw new Unreadable(`${url}: ${error.message}`)
    throw error
  }
}

async function outcomeOf(run: Run, options: Options): Promise<Outcome> {
  const { countsOf, jsonOf, junitOf, linesOf, skippedLines, summaryOf } = await import('../report.ts')
  const { pass, fail, warn } = countsOf(run.results)
  const isUndecided = pass + fail + warn === 0 || run.exhausted !== undefined
  const exitCode = fail > 0 ? EXIT.no : isUndecided ? EXIT.undecided : 0
  if (options.junit === true) return { json: jsonOf(run), lines: junitOf(run), exitCode }
  const shown = run.results.filter(({ verdict }) => options.all === true || verdict === 'fail' || verdict === 'warn')
  const skipped = options.all === true ? [] : skippedLines(run.results)
  return { json: jsonOf(run), lines: [...shown.flatMap(linesOf), ...skipped, summaryOf(run)], exitCode }
}

/** @throws UsageError */
function addressOf(given: string, name: string): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new UsageError(`${name} must be a web address such as https://passports.example.com/01/09506000134352.`)
  const { username, password, hash } = new URL(given)
  if (username !== '' || password !== '' || hash !== '')
    throw new UsageError(`${name} must not contain a user name, password or fragment.`)
  return given
}

/** @throws UsageError if the credential would be sent unencrypted */
function secretOf({ options, env }: CommandInput, name: 'key' | 'grant', addresses: readonly string[]) {
  const given = text(options, name) ?? env[`DPP_CONFORMANCE_${name.toUpperCase()}`]
  if (given === undefined || given === '') return undefined
  const isHere = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (addresses.map((address) => new URL(address)).some((one) => one.protocol === 'http:' && !isHere(one)))
    throw new UsageError(`--${name} needs an https URL, because http is not encrypted.`)
  if (!/^[\x21-\x7e]{1,4096}$/.test(given)) throw new UsageError(`--${name} must be ASCII characters without spaces.`)
  return given
}

/** @throws Unreadable */
function contentOf(options: Options, name: string): string | undefined {
  const file = text(options, name)
  return file === undefined ? undefined : readInput(file, MAX_DOCUMENT_BYTES).toString('utf8')
}

/** @throws UsageError */
function limitOf(options: Options): number | undefined {
  const given = text(options, 'max-requests')
  if (given === undefined) return undefined
  const limit = Number(given)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100_000)
    throw new UsageError('--max-requests must be a number from 1 to 100000.')
  return limit
}
