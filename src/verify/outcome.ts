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
  conclude(form, [open('form', 'The document has neither a seal nor a signature.', 'unsigned')])

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

export function headline({ form, verdict, checks }: Verification): string {
  if (verdict === 'valid') return `${form}: valid`
  if (checks.some(({ code }) => code === 'unreadable')) return 'The document cannot be read'
  if (verdict === 'not valid') return `${form}: NOT VALID`
  if (checks.some(({ code }) => code === 'unsigned')) return `${form}: not signed, nothing to verify`
  const unknown = new Set(checks.flatMap(({ name, ok }) => (ok === null ? (UNKNOWN[name] ?? []) : [])))
  return `${form}: fits, but its ${[...unknown].join(' and its ') || 'content'} ${unknown.size > 1 ? 'are' : 'is'} unknown`
}

const NEXT: Partial<Record<Check['name'], { readonly wrong?: string; readonly unknown?: string }>> = {
  form: { wrong: 'Download the complete document from its issuer again, in a signed format.' },
  content: {
    wrong: 'Do not rely on this document. Inform its issuer.',
    unknown: 'Use a verifier that accepts larger documents.',
  },
  subject: { wrong: 'Do not trust this document: the seal belongs to another passport, product or operator.' },
  certificate: { wrong: 'Do not trust this document: the given seal CA does not certify its owner.' },
  revocation: {
    wrong: 'Do not trust this document: its key was revoked.',
    unknown:
      'Download a current revocation list from the address in the certificate, or the passport again: it may have a new seal.',
  },
  timestamp: { wrong: 'Do not trust the date of the seal.' },
  issuer: { wrong: 'Do not trust this document: its issuer is forged.' },
  key: {
    wrong: 'Ask the issuer for a new credential.',
    unknown: 'Retry later, or put the required documents into a folder and set --offline to it.',
  },
  signature: { wrong: 'Do not trust this document. Download it from its issuer again.' },
  schema: { wrong: 'Inform the issuer.' },
  status: {
    wrong: 'Do not rely on this document. Ask its issuer for the reason.',
    unknown: 'Retry later, or accept an unknown status with --allow-unknown-status.',
  },
}

/** Returns the remedy; undefined if there is none, or `detail` includes it. */
export function nextStep({ name, ok, code }: Check): string | undefined {
  if (ok === true) return undefined
  if (code === 'unsigned')
    return 'Verify the sealed passport (application/ld+json) or a credential of the same product or unit.'
  if (code === 'expired') return 'Ask the issuer for a new credential.'
  if (code === 'notYetValid') return 'Verify it again after that time.'
  return ok === null ? NEXT[name]?.unknown : NEXT[name]?.wrong
}

const MAX_SHOWN_CHARACTERS = 200
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
}
