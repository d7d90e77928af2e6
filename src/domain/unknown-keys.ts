import { keyOf, propertiesOf } from './field.ts'
import { isRecord, type JsonRecord } from './record.ts'

const MAX_WORD_CHARACTERS = 64

/** Returns the word probably meant, ignoring case: at most one edit per four characters, or the only word with that beginning. */
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

function completed(beginning: string, words: readonly string[]): string | undefined {
  if (beginning.length < MIN_BEGINNING) return undefined
  const begun = words.filter((word) => word.toLowerCase().startsWith(beginning))
  return begun.length === 1 ? begun[0] : undefined
}

const MIN_BEGINNING = 4

/** Optimal string alignment distance, up to `maxDistance`. A table of bytes takes a third of the time of arrays. */
function slipsBetween(from: string, to: string, maxDistance: number): number {
  const width = to.length + 1
  const table = new Uint8Array((from.length + 1) * width)
  const at = (place: number) => table[place] as number
  for (let column = 1; column < width; column += 1) table[column] = column
  for (let row = 1; row <= from.length; row += 1) {
    let least = row
    table[row * width] = row
    for (let column = 1; column < width; column += 1) {
      const place = row * width + column
      const [letter, other] = [from.charCodeAt(row - 1), to.charCodeAt(column - 1)]
      const before = at(place - width - 1)
      let slips = letter === other ? before : 1 + Math.min(before, at(place - width), at(place - 1))
      const isSwapped = letter === to.charCodeAt(column - 2) && other === from.charCodeAt(row - 2)
      if (isSwapped) slips = Math.min(slips, at(place - 2 * width - 2) + 1)
      table[place] = slips
      least = Math.min(least, slips)
    }
    if (least >= maxDistance) return maxDistance
  }
  return at(table.length - 1)
}

/** Described members by group trail; absent groups accept any member. */
export type KnownMembers = ReadonlyMap<string, ReadonlySet<string>>

export function knownMembers(schemas: readonly (JsonRecord | undefined)[], common: JsonRecord): KnownMembers {
  const known = new Map<string, Set<string>>([['', new Set()]])
  const open = new Set<string>()
  for (const schema of schemas) {
    for (const [, property, trail] of propertiesOf(schema, common)) {
      const group = keyOf(trail.slice(0, -1))
      const members = known.get(group) ?? new Set()
      known.set(group, members.add(trail.at(-1) ?? ''))
      if (acceptsAnyKey(property)) open.add(keyOf(trail))
      if (isRecord(property.items) && acceptsAnyKey(property.items)) open.add(`${keyOf(trail)}[]`)
    }
  }
  for (const group of open) known.delete(group)
  return known
}

const acceptsAnyKey = ({ additionalProperties, patternProperties }: JsonRecord): boolean =>
  isRecord(additionalProperties) || isRecord(patternProperties)

export interface UnknownKey {
  readonly path: string
  readonly suggestion: string | undefined
}

/** @param isElsewhere true for top-level keys described elsewhere */
export function unknownKeys(
  metadata: object,
  {
    known,
    isElsewhere,
    maxFindings,
  }: { known: KnownMembers; isElsewhere: (key: string) => boolean; maxFindings: number },
): UnknownKey[] {
  const found: UnknownKey[] = []
  const visit = (value: unknown, group: string, path: string): void => {
    if (found.length === maxFindings) return
    if (Array.isArray(value)) {
      for (const [index, entry] of value.entries()) visit(entry, `${group}[]`, `${path}[${index}]`)
      return
    }
    const members = known.get(group)
    if (members === undefined || !isRecord(value)) return
    for (const [key, inner] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`
      if (members.has(key)) visit(inner, group === '' ? key : `${group}.${key}`, place)
      else if (found.length < maxFindings && !(path === '' && isElsewhere(key))) {
        found.push({
          path: place,
          // Lazy: comparing all members takes 60 µs.
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
