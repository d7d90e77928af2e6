import { createDpp, type Dpp, DppError, type DppIssue } from '../client/index.ts'
import { EXIT, type Options, type Outcome, printable, text, UsageError } from './command.ts'
import { readProfiles } from './profiles.ts'

/** Which gateway a command speaks to, and by which key. */
interface Remote {
  readonly dpp: Dpp
  readonly url: string
  /** The stored login; undefined where the environment says who calls. */
  readonly profile: string | undefined
}

/** The option that every command has which speaks to a gateway. */
export const REMOTE_OPTIONS = {
  profile: { value: 'NAME', meaning: 'Login to use', default: 'DPP_URL and DPP_KEY, else the last login' },
} as const

/**
 * The gateway that is meant: that of `--profile`, that of `DPP_URL` and `DPP_KEY`, or that of the last login. A key that was
 * stored goes to the gateway that it was stored for, and to no other.
 * @throws UsageError where none is known
 */
export function remoteOf(options: Options, env: NodeJS.ProcessEnv): Remote {
  const named = text(options, 'profile')
  const { DPP_URL, DPP_KEY } = env
  if (named === undefined && DPP_URL) {
    return { url: DPP_URL, profile: undefined, dpp: clientOf(DPP_URL, DPP_KEY || undefined, env) }
  }
  const { current, profiles } = readProfiles(env)
  const profile = named ?? current
  const found = profile === undefined ? undefined : profiles.get(profile)
  if (found !== undefined) {
    const key = named === undefined && DPP_KEY ? DPP_KEY : found.key
    return { url: found.url, profile, dpp: clientOf(found.url, key, env) }
  }
  const known = [...profiles.keys()].join(', ') || 'none'
  throw new UsageError(
    named === undefined
      ? 'No gateway is known: dpp login --url URL, or set DPP_URL and DPP_KEY.'
      : `There is no login "${named}"; known: ${known}.`,
  )
}

/** @throws UsageError for an address that is none */
export function clientOf(url: string, key: string | undefined, env: NodeJS.ProcessEnv): Dpp {
  try {
    return createDpp({ baseUrl: url, key, language: languageOf(env) })
  } catch (error) {
    throw new UsageError(`${url}: ${(error as Error).message}`)
  }
}

/** The language of a terminal (POSIX, 8.2), as HTTP spells it. */
function languageOf({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string | undefined {
  const [, language] = /^([a-z]{2})(?:_|\.|$)/.exec(LC_ALL || LC_MESSAGES || LANG || '') ?? []
  return language
}

/** What another gateway has refused, or that it has not answered; undefined for any other error. */
export function failureOf(error: unknown): Outcome | undefined {
  if (!(error instanceof DppError)) return undefined
  const { status, code, message, issues, requestId } = error
  return {
    json: { error: message, status, code, issues, requestId },
    lines: [message, ...issues.map(lineOfIssue)].map(printable),
    exitCode: status === 0 ? EXIT.unreadable : EXIT.no,
  }
}

/** What is wrong with a value, for people. */
export function lineOfIssue({ path, message, friendlyMessage }: DppIssue): string {
  return `  ${path === undefined ? '' : `${path}: `}${friendlyMessage ?? message}`
}
