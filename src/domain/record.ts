/** An object with members, such as JSON.parse gives; what the members are, nobody has judged unless it is said. */
export type JsonRecord<Value = unknown> = Readonly<Record<string, Value>>

/** Whether a decoded value is an object with members, and neither a list nor null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A table that is asked by words which somebody else chose. It has no prototype, so that it knows what was put into it
 * and no `constructor`.
 */
export const dictionary = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.freeze(Object.assign(Object.create(null), entries))

/** An object without its members that are undefined, for formats in which a member is there or not. */
export const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
