import type { Check, Verdict, Verification } from './verification.ts'

/** A check that found what it should. */
export const passed = (name: Check['name'], detail: string): Check => ({ name, ok: true, detail })
/** A check that found something wrong. */
export const failed = (name: Check['name'], detail: string, code?: string): Check => ({
  name,
  ok: false,
  detail,
  ...(code === undefined ? {} : { code }),
})
/** A check that could not be made. */
export const open = (name: Check['name'], detail: string, code?: string): Check => ({
  name,
  ok: null,
  detail,
  ...(code === undefined ? {} : { code }),
})

/** Without these no credential is valid. */
const OF_A_CREDENTIAL: readonly Check['name'][] = ['form', 'content', 'issuer', 'key', 'signature']

/**
 * What the checks come to: `not valid` where one failed, `valid` where all of `needed` passed, else `undecided`. What is
 * not known is never valid.
 */
export function conclude(
  form: string,
  checks: readonly Check[],
  needed: readonly Check['name'][] = OF_A_CREDENTIAL,
): Verification {
  const isMade = needed.every((name) => checks.some((check) => check.name === name && check.ok === true))
  const isWrong = checks.some(({ ok }) => ok === false)
  const verdict: Verdict = isWrong ? 'not valid' : isMade ? 'valid' : 'undecided'
  return { form, verdict, valid: verdict === 'valid', checks }
}

/** Whose answer is missing where a check is open; what is not named here leaves nothing undecided. */
const UNKNOWN: Partial<Record<Check['name'], string>> = {
  certificate: 'owner',
  issuer: 'owner',
  key: 'owner',
  signature: 'owner',
  status: 'status',
}

/** The verdict in one line for people, such as `sealed passport: fits, but its owner is unknown`. */
export function headline({ form, verdict, checks }: Verification): string {
  if (verdict === 'valid') return `${form}: valid`
  if (verdict === 'not valid') return `${form}: NOT VALID`
  const unknown = new Set(checks.flatMap(({ name, ok }) => (ok === null ? (UNKNOWN[name] ?? []) : [])))
  return `${form}: fits, but its ${[...unknown].join(' and its ') || 'content'} ${unknown.size > 1 ? 'are' : 'is'} unknown`
}
