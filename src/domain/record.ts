/** JSON object with unvalidated members. */
export type JsonRecord<Value = unknown> = Readonly<Record<string, Value>>

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Creates a lookup table for untrusted keys, without a prototype. */
export const dictionary = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.freeze(Object.assign(Object.create(null), entries))

export const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
