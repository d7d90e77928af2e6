import { keyOf, propertiesOf } from './field.ts'
import { isRecord, type JsonRecord } from './record.ts'

/** Longer words are no slips of the finger any more, and cost too much to compare. */
const MAX_WORD_CHARACTERS = 64

/**
 * The one of `words` that somebody probably meant who wrote `given`; undefined where none is near enough, which is a slip for
 * every four characters, or that alone begins like it. Capitals are not told apart.
 */
export function nearestOf(given: string, words: Iterable<string>): string | undefined {
  if (given.length > MAX_WORD_CHARACTERS) return undefined
  const from = given.toLowerCase()
  let least = Math.max(1, Math.floor(given.length / 4)) + 1
  let nearest: string | undefined
  const candidates = [...words]
  for (const word of candidates) {
    if (word.length > MAX_WORD_CHARACTERS || Math.abs(word.length - given.length) >= least) continue
    const slips = slipsBetween(from, word.toLowerCase(), least)
    if (slips >= least) continue
    least = slips
    nearest = word
  }
  return nearest ?? completed(from, candidates)
}

/** The only word that begins like this, if enough of it was given. */
function completed(beginning: string, words: readonly string[]): string | undefined {
  if (beginning.length < MIN_BEGINNING) return undefined
  const begun = words.filter((word) => word.toLowerCase().startsWith(beginning))
  return begun.length === 1 ? begun[0] : undefined
}

const MIN_BEGINNING = 4

/**
 * How many letters are to be put in, left out, replaced or swapped with their neighbour (the optimal string alignment
 * distance); `most` or more where it is not less.
 */
function slipsBetween(from: string, to: string, most: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...current) >= most) return most
    beforeLast = last
    last = current
  }
  return last[to.length] ?? most
}

/** The members that schemas describe of each group, by the group's trail; in a group that is missing anything may stand. */
export type KnownMembers = ReadonlyMap<string, ReadonlySet<string>>

/** What the schemas describe, each group by the name that `keyOf` gives it; the top is the empty name. */
export function knownMembers(schemas: readonly (JsonRecord | undefined)[], common: JsonRecord): KnownMembers {
  const known = new Map<string, Set<string>>([['', new Set()]])
  const open = new Set<string>()
  for (const schema of schemas) {
    for (const [, property, trail] of propertiesOf(schema, common)) {
      const group = keyOf(trail.slice(0, -1))
      const members = known.get(group) ?? new Set()
      known.set(group, members.add(trail.at(-1) ?? ''))
      if (takesAnyKey(property)) open.add(keyOf(trail))
      if (isRecord(property.items) && takesAnyKey(property.items)) open.add(`${keyOf(trail)}[]`)
    }
  }
  for (const group of open) known.delete(group)
  return known
}

/** A map, such as that of languages, names its members itself. */
const takesAnyKey = ({ additionalProperties, patternProperties }: JsonRecord): boolean =>
  isRecord(additionalProperties) || isRecord(patternProperties)

/** A key that nobody describes, and the known one beside it that it may have been meant for. */
export interface UnknownKey {
  readonly path: string
  readonly suggestion: string | undefined
}

/**
 * The first `most` keys of `metadata`, in groups too, that `known` does not have.
 * @param isElsewhere whether it is one of the top-level keys that others describe, which is no slip
 */
export function unknownKeys(
  metadata: object,
  { known, isElsewhere, most }: { known: KnownMembers; isElsewhere: (key: string) => boolean; most: number },
): UnknownKey[] {
  const found: UnknownKey[] = []
  const visit = (value: unknown, group: string, path: string): void => {
    if (found.length === most) return
    if (Array.isArray(value)) {
      for (const [index, entry] of value.entries()) visit(entry, `${group}[]`, `${path}[${index}]`)
      return
    }
    const members = known.get(group)
    if (members === undefined || !isRecord(value)) return
    for (const [key, inner] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`
      if (members.has(key)) visit(inner, group === '' ? key : `${group}.${key}`, place)
      else if (found.length < most && !(path === '' && isElsewhere(key))) {
        found.push({
          path: place,
          // Made when it is read: of many rows of a file only one is told it, and comparing with all members takes 60 µs.
          get suggestion() {
            return nearestOf(key, members)
          },
        })
      }
    }
  }
  visit(metadata, '', '')
  return found
}
