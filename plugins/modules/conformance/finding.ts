/** A fault, or undefined if the service passes. */
export type Finding = string | undefined

/** The check does not apply; the message is the reason. */
export class Skipped extends Error {
  override name = 'Skipped'
}

/** The limit of requests, bytes or time is reached. */
export class Exhausted extends Skipped {}

/** The service fails the check. */
export class Fault extends Error {
  override name = 'Fault'
}

/** Undefined instead of a fault or a skipped part. @throws Exhausted */
export async function orUndefined<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending
  } catch (error) {
    if (error instanceof Exhausted || !(error instanceof Fault || error instanceof Skipped)) throw error
    return undefined
  }
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
