import { isRecord, type JsonRecord } from '../../../src/plugin/index.ts'
import {
  actsAskingFor,
  type Due,
  ENTRY,
  isActList,
  type KeyBasis,
  keyBases,
  keyOf,
  LEGAL_BASIS,
  propertiesOf,
} from '../../../src/plugin/module.ts'

interface Attribute {
  /** Path such as `circularityAndDisassembly.sparePartSources[].phone`. */
  readonly key: string
  readonly trail: readonly string[]
  readonly points: readonly string[]
  readonly due: Due | Readonly<Record<string, Due>>
  readonly description: string
  /** True if the gateway supplies the value. */
  readonly isGiven: boolean
  readonly aliases: readonly (readonly string[])[]
}

interface DueAttribute extends Attribute {
  readonly now: Due
}

/** Includes every key with `x-due`, in schema order. */
export function attributesOf(schema: JsonRecord | undefined, common: JsonRecord): Attribute[] {
  const properties = [...propertiesOf(schema, common)]
  const aliases = properties.flatMap(([, property, trail]) =>
    typeof property['x-alias-of'] === 'string' ? [{ of: property['x-alias-of'], trail }] : [],
  )
  return properties.flatMap(([, property, trail]): Attribute[] => {
    if (property['x-due'] === undefined) return []
    return [
      {
        key: keyOf(trail),
        trail,
        points: [property['x-annex']].flat() as string[],
        due: property['x-due'] as Attribute['due'],
        description: String(property.description ?? ''),
        isGiven: property.readOnly === true,
        aliases: aliases.flatMap((alias) => {
          const length = trail.findIndex((_, place) => keyOf(trail.slice(0, place + 1)) === alias.of) + 1
          return length === 0 ? [] : [[...alias.trail, ...trail.slice(length)]]
        }),
      },
    ]
  })
}

/** Key that acts name; the obligation is unknown. */
interface ActKey {
  readonly key: string
  readonly description: string
  readonly basis: KeyBasis
  readonly forms: readonly string[]
}

/** Returns the category's keys, and common keys that name acts. Excludes constants, aliases and alternative forms. */
export function readActKeys(schema: JsonRecord | undefined, common: JsonRecord): ActKey[] {
  const bases = keyBases([common, schema])
  const own = propertiesIn(schema)
  const shared = propertiesIn(common).filter(
    ([key, property]) => isActList(property[LEGAL_BASIS]) && !own.some(([other]) => other === key),
  )
  const all = [...own, ...shared]
  return all
    .filter(([, property]) => property.const === undefined)
    .filter(([, property]) => property['x-alias-of'] === undefined && property['x-form-of'] === undefined)
    .map(([key, { description }]) => ({
      key,
      description: String(description ?? ''),
      basis: bases.get(key) ?? [],
      forms: all.filter(([, property]) => property['x-form-of'] === key).map(([form]) => form),
    }))
}

const propertiesIn = (schema: JsonRecord | undefined): [string, JsonRecord][] =>
  Object.entries(isRecord(schema?.properties) ? schema.properties : {}).filter((entry): entry is [string, JsonRecord] =>
    isRecord(entry[1]),
  )

export const dueUnderActs = (keys: readonly ActKey[], acts: readonly string[]): DueAttribute[] =>
  keys.flatMap(({ key, description, basis, forms }) => {
    const points = actsAskingFor(basis, acts)
    if (points.length === 0) return []
    const aliases = forms.map((form) => [form])
    return [{ key, trail: [key], points, due: 'conditional', now: 'conditional', description, isGiven: false, aliases }]
  })

/** Returns the attributes due for a kind. If `kind` is null: those equally due for all `kinds`. */
export const dueFor = (
  attributes: readonly Attribute[],
  kind: string | null,
  kinds: readonly string[] = [],
): DueAttribute[] =>
  attributes.flatMap((attribute) => {
    const { due } = attribute
    const ofKind = (one: string) => (typeof due === 'string' ? due : Object.hasOwn(due, one) ? due[one] : undefined)
    const [now, ...others] = new Set(
      typeof due === 'string' ? [due] : (kind === null ? kinds : [kind]).map((one) => ofKind(one)),
    )
    return now === undefined || others.length > 0 ? [] : [{ ...attribute, now }]
  })

export const isMet = ({ trail, aliases, isGiven }: Attribute, record: JsonRecord): boolean =>
  isGiven || [trail, ...aliases].some((one) => states(record, one))

/** Every entry of a list must state it. */
function states(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return !isEmpty(value)
  if (key === ENTRY) return Array.isArray(value) && value.length > 0 && value.every((entry) => states(entry, rest))
  return isRecord(value) && Object.hasOwn(value, key) && states(value[key], rest)
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && Object.keys(value).length === 0)

type Counts = Readonly<Record<Due, { readonly due: number; readonly met: number }>>

export const sumOf = (all: readonly Counts[]): Counts => {
  const sum = (sort: Due) => ({
    due: all.reduce((total, counts) => total + counts[sort].due, 0),
    met: all.reduce((total, counts) => total + counts[sort].met, 0),
  })
  return { mandatory: sum('mandatory'), conditional: sum('conditional'), pending: sum('pending') }
}

export const byCompleteness = (a: Counts, b: Counts): number =>
  shareOf(a.mandatory) - shareOf(b.mandatory) || shareOf(a.conditional) - shareOf(b.conditional)

const shareOf = ({ due, met }: Counts[Due]): number => (due === 0 ? 1 : met / due)

export interface MissingAttribute {
  readonly attribute: DueAttribute
  /** Units without the attribute; absent for passport attributes. */
  readonly units?: number
}

interface Completeness {
  readonly missing: readonly MissingAttribute[]
  readonly counts: Counts
  readonly incompleteUnits: number
}

/**
 * Unit attributes must be in every unit, and count only if there are units.
 * @param units keys that each unit states
 */
export function completenessOf(
  { ofModel, ofUnits }: { readonly ofModel: readonly DueAttribute[]; readonly ofUnits: readonly DueAttribute[] },
  metadata: JsonRecord,
  units: readonly ReadonlySet<string>[],
): Completeness {
  const lacks =
    (unit: ReadonlySet<string>) =>
    ({ key, isGiven }: Attribute) =>
      !isGiven && !unit.has(key)
  const due = [...ofModel, ...(units.length === 0 ? [] : ofUnits)]
  const missing = [
    ...ofModel.filter((attribute) => !isMet(attribute, metadata)).map((attribute) => ({ attribute })),
    ...ofUnits
      .map((attribute) => ({ attribute, units: units.filter((unit) => lacks(unit)(attribute)).length }))
      .filter((each) => each.units > 0),
  ]
  const count = (now: Due) => {
    const all = due.filter((attribute) => attribute.now === now).length
    return { due: all, met: all - missing.filter(({ attribute }) => attribute.now === now).length }
  }
  const mandatory = ofUnits.filter(({ now }) => now === 'mandatory')
  return {
    missing,
    counts: { mandatory: count('mandatory'), conditional: count('conditional'), pending: count('pending') },
    incompleteUnits: units.filter((unit) => mandatory.some(lacks(unit))).length,
  }
}
