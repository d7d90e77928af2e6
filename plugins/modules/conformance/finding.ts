/** A fault, or undefined if the service passes. */
export type Finding = string | undefined

/** The check does not apply; the message is the reason. */
export class Skipped extends Error {
  override name = 'Skipped'
}

/** The service fails the check. */
export class Fault extends Error {
  override name = 'Fault'
}

/** @throws Skipped if the value is absent */
export function needed<T>(value: T | undefined, reason: string): T {
  if (value === undefined) throw new Skipped(reason)
  return value
}

const MAX_SHOWN = 5
const MAX_VALUE_CHARACTERS = 120

export const unless = (isFine: boolean, fault: string): Finding => (isFine ? undefined : fault)

export const firstOf = (...findings: readonly Finding[]): Finding => findings.find((finding) => finding !== undefined)

/** Joins the faults of one rule. */
export function joined(faults: readonly string[]): Finding {
  if (faults.length === 0) return undefined
  const more = faults.length - MAX_SHOWN
  return [...faults.slice(0, MAX_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join('; ')
}

/** Shows any value in a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text
}
