import { createDpp, type Dpp, DppError, type DppIssue } from '../client/index.ts'
import { EXIT, type Options, type Outcome, printable, text, UsageError } from './command.ts'
import { readProfiles } from './profiles.ts'

interface Remote {
  readonly dpp: Dpp
  readonly url: string
  /** Stored login; undefined if set by environment. */
  readonly profile: string | undefined
}

export const REMOTE_OPTIONS = {
  profile: { value: 'NAME', meaning: 'Stored login to use', default: 'DPP_URL and DPP_KEY, or the last login' },
} as const

/**
 * Order: `--profile`, `DPP_URL` and `DPP_KEY`, last login. A stored key is sent only to its own gateway.
 * @throws UsageError if none is configured
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
      ? 'No gateway is set. Run dpp login --url URL, or set DPP_URL and DPP_KEY.'
      : `Login "${named}" not found. Stored logins: ${known}.`,
  )
}

export function clientOf(url: string, key: string | undefined, env: NodeJS.ProcessEnv): Dpp {
  try {
    return createDpp({ baseUrl: url, key, language: languageOf(env) })
  } catch (error) {
    throw new UsageError(`${url}: ${(error as Error).message}`)
  }
}

/** POSIX, 8.2. */
function languageOf({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string | undefined {
  const [, language] = /^([a-z]{2})(?:_|\.|$)/.exec(LC_ALL || LC_MESSAGES || LANG || '') ?? []
  return language
}

export function failureOf(error: unknown): Outcome | undefined {
  if (!(error instanceof DppError)) return undefined
  const { status, code, message, issues, requestId } = error
  return {
    json: { error: message, status, code, issues, requestId },
    lines: [message, ...issues.map(lineOfIssue)].map(printable),
    exitCode: status === 0 ? EXIT.unreadable : EXIT.no,
  }
}

export function lineOfIssue({ path, message, friendlyMessage }: DppIssue): string {
  return `  ${path === undefined ? '' : `${path}: `}${friendlyMessage ?? message}`
}
