import type { Check, Verification } from './verification.ts'

/** A check that found what it should. */
export const passed = (name: Check['name'], detail: string): Check => ({ name, ok: true, detail })
/** A check that found something wrong. */
export const failed = (name: Check['name'], detail: string): Check => ({ name, ok: false, detail })
/** A check that could not be made. */
export const open = (name: Check['name'], detail: string): Check => ({ name, ok: null, detail })

/** Without these nothing can be called valid. */
const NEEDED: readonly Check['name'][] = ['form', 'content', 'issuer', 'key', 'signature']

/** What the checks of a credential come to. */
export function conclude(form: string, checks: readonly Check[]): Verification {
  const isMade = NEEDED.every((name) => checks.some((check) => check.name === name && check.ok === true))
  return { form, valid: isMade && checks.every(({ ok }) => ok !== false), checks }
}
