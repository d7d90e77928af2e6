import type { Check, Verdict, Verification } from './verification.ts'

export const passed = (name: Check['name'], detail: string): Check => ({ name, ok: true, detail })
export const failed = (name: Check['name'], detail: string, code?: string): Check => ({
  name,
  ok: false,
  detail,
  code,
})
export const open = (name: Check['name'], detail: string, code?: string): Check => ({
  name,
  ok: null,
  detail,
  code,
})

/** Checks required for `valid`. */
export const OF_A_CREDENTIAL: readonly Check['name'][] = ['form', 'content', 'issuer', 'key', 'signature', 'validity']

/** Returns `not valid` if a check failed, `valid` if all `needed` checks passed, else `undecided`. */
export function conclude(
  form: string,
  checks: readonly Check[],
  needed: readonly Check['name'][] = OF_A_CREDENTIAL,
): Verification {
  const verdict = verdictOf(checks, needed)
  return { form, verdict, valid: verdict === 'valid', checks }
}

function verdictOf(checks: readonly Check[], needed: readonly Check['name'][]): Verdict {
  if (checks.some(({ ok }) => ok === false)) return 'not valid'
  const isMade = needed.every((name) => checks.some((check) => check.name === name && check.ok === true))
  return isMade ? 'valid' : 'undecided'
}

export const unreadable = (detail: string): Verification => conclude('unknown', [failed('form', detail, 'unreadable')])

/** Not a forgery: there is nothing to verify. */
export const unsigned = (form: string): Verification =>
  conclude(form, [open('form', 'It has neither a seal nor a signature.', 'unsigned')])

export const isUnreadable = ({ checks }: Verification) => checks.some(({ code }) => code === 'unreadable')

/** Unlisted checks do not affect the verdict. */
const UNKNOWN: Partial<Record<Check['name'], string>> = {
  certificate: 'owner',
  revocation: 'owner',
  issuer: 'owner',
  key: 'owner',
  signature: 'owner',
  status: 'status',
}

/** Example: `sealed passport: fits, but its owner is unknown`. */
export function headline({ form, verdict, checks }: Verification): string {
  if (verdict === 'valid') return `${form}: valid`
  if (checks.some(({ code }) => code === 'unreadable')) return 'This cannot be read'
  if (verdict === 'not valid') return `${form}: NOT VALID`
  if (checks.some(({ code }) => code === 'unsigned')) return `${form}: not signed, so there is nothing to verify`
  const unknown = new Set(checks.flatMap(({ name, ok }) => (ok === null ? (UNKNOWN[name] ?? []) : [])))
  return `${form}: fits, but its ${[...unknown].join(' and its ') || 'content'} ${unknown.size > 1 ? 'are' : 'is'} unknown`
}

const NEXT: Partial<Record<Check['name'], { readonly wrong?: string; readonly unknown?: string }>> = {
  form: { wrong: 'Get it again as its issuer publishes it, whole, in a form that is verified here.' },
  content: {
    wrong: 'Do not rely on it, and tell its issuer.',
    unknown: 'Have it judged by a verifier that takes larger documents.',
  },
  subject: { wrong: 'Do not trust it: the seal is of something else than what this says it is.' },
  certificate: { wrong: 'Do not trust it: the seal CA that you named does not vouch for its owner.' },
  revocation: {
    wrong: 'Do not trust it: the key was no longer its owner’s.',
    unknown:
      'Get a list that is in force from the address in the certificate, or the passport itself once more: it may be sealed anew.',
  },
  timestamp: { wrong: 'Do not trust its date.' },
  issuer: { wrong: 'Do not trust it: it is in the name of another.' },
  key: {
    wrong: 'Ask its issuer which key is meant, or for a new one of these.',
    unknown: 'Try again when that can be read, or keep what it needs in a folder and name that with --offline.',
  },
  signature: { wrong: 'Do not trust it. Get it again from its issuer.' },
  schema: { wrong: 'Tell its issuer.' },
  status: {
    wrong: 'Do not rely on it. Ask its issuer why.',
    unknown: 'Try again later, or do without: --allow-unknown-status.',
  },
}

/** Returns the remedy; undefined if there is none, or `detail` includes it. */
export function nextStep({ name, ok, code }: Check): string | undefined {
  if (ok === true) return undefined
  if (code === 'unsigned')
    return 'Verify the sealed passport (application/ld+json) or a credential of the same product or unit.'
  if (code === 'expired') return 'Ask its issuer for a newer one.'
  if (code === 'notYetValid') return 'Try again then.'
  return ok === null ? NEXT[name]?.unknown : NEXT[name]?.wrong
}

const MAX_SHOWN_CHARACTERS = 200
/** Truncates untrusted input for messages. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
}
