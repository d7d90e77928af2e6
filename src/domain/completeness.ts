import { type Due, ENTRY, keyOf, kindsOf, propertiesOf } from './field.ts'
import { actsAskingFor, isActList, type KeyBasis, keyBases, LEGAL_BASIS } from './legal-basis.ts'
import { isRecord, type JsonRecord } from './record.ts'

/** What the law asks of a product, as the annotations of a schema say it. */
interface Attribute {
  /** Where it stands, such as `circularityAndDisassembly.sparePartSources[].phone`. */
  readonly key: string
  readonly trail: readonly string[]
  /** Points of the law, such as `XIII 1(h)`. */
  readonly points: readonly string[]
  /** One answer for every product, or by kind. */
  readonly due: Due | Readonly<Record<string, Due>>
  readonly description: string
  /** The gateway gives it by itself. */
  readonly isGiven: boolean
  /** Other trails under which it may stand. */
  readonly aliases: readonly (readonly string[])[]
}

/** An attribute that is due for one kind of product, now, where it applies, or later. */
interface DueAttribute extends Attribute {
  readonly now: Due
}

/** What a schema asks of products, in its order: every key that has `x-due`. */
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
        // An alias of a group has the members of the group.
        aliases: aliases.flatMap((alias) => {
          const length = trail.findIndex((_, place) => keyOf(trail.slice(0, place + 1)) === alias.of) + 1
          return length === 0 ? [] : [[...alias.trail, ...trail.slice(length)]]
        }),
      },
    ]
  })
}

/** A key for which acts ask, of which nobody says whether it is mandatory. */
interface AskedKey {
  readonly key: string
  readonly description: string
  readonly basis: KeyBasis
  /** Keys that state the same in another form. */
  readonly forms: readonly string[]
}

/**
 * The keys that a schema itself describes, and those of the common one that name acts: what is said of every product under
 * every act is no list of any act. Neither what is always the same, nor another name or form of a key, is asked for.
 */
export function askedKeysOf(schema: JsonRecord | undefined, common: JsonRecord): AskedKey[] {
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

/** Those of the keys that the acts of a passport ask for: due where they apply, by those acts. */
export const askedBy = (keys: readonly AskedKey[], acts: readonly string[]): DueAttribute[] =>
  keys.flatMap(({ key, description, basis, forms }) => {
    const points = actsAskingFor(basis, acts)
    if (points.length === 0) return []
    const aliases = forms.map((form) => [form])
    return [{ key, trail: [key], points, due: 'conditional', now: 'conditional', description, isGiven: false, aliases }]
  })

/** The key that says which kind of product it is, and the kinds that it tells apart. */
export interface KindKey {
  readonly key: string
  readonly kinds: readonly string[]
  /** Those of them that need a passport. */
  readonly ofPassports: readonly string[]
}

/** The key of the metadata that the schema marks as that of kinds, if any. */
export function kindKeyOf(schema: JsonRecord | undefined, common: JsonRecord): KindKey | undefined {
  return [...propertiesOf(schema, common)]
    .filter(([, , trail]) => trail.length === 1)
    .map(([key, property]) => {
      const kinds = kindsOf(property)
      const without = [property['x-without-passport']].flat()
      return { key, kinds, ofPassports: kinds.filter((kind) => !without.includes(kind)) }
    })
    .find(({ kinds }) => kinds.length > 0)
}

/** The kind of product that metadata say they are of; null where they do not. */
export function kindOf(kindKey: KindKey | undefined, metadata: JsonRecord): string | null {
  const stated = kindKey === undefined ? undefined : metadata[kindKey.key]
  const kind = typeof stated === 'string' ? stated.toLowerCase() : ''
  return kindKey?.kinds.includes(kind) === true ? kind : null
}

/**
 * Those attributes that are due for a kind of product. Where the kind is unknown, those that are due for every product, and
 * those that are due alike for each of `kinds`, of which it will be one.
 */
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

/** Whether `record` states the attribute, under its own name or another; what is empty states nothing. */
export const isMet = ({ trail, aliases, isGiven }: Attribute, record: JsonRecord): boolean =>
  isGiven || [trail, ...aliases].some((one) => states(record, one))

/** Of a list every entry has to state it. */
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

/** Attributes of each sort that are due, and that are met. */
type Counts = Readonly<Record<Due, { readonly due: number; readonly met: number }>>

/** The counts of several passports together. */
export const sumOf = (all: readonly Counts[]): Counts => {
  const sum = (sort: Due) => ({
    due: all.reduce((total, counts) => total + counts[sort].due, 0),
    met: all.reduce((total, counts) => total + counts[sort].met, 0),
  })
  return { mandatory: sum('mandatory'), conditional: sum('conditional'), pending: sum('pending') }
}

/** Sorts the least complete first: by what is mandatory, then by what is due where it applies. */
export const byCompleteness = (a: Counts, b: Counts): number =>
  shareOf(a.mandatory) - shareOf(b.mandatory) || shareOf(a.conditional) - shareOf(b.conditional)

const shareOf = ({ due, met }: Counts[Due]): number => (due === 0 ? 1 : met / due)

/** What is due and nothing states: of the passport, or of so many of its units. */
export interface MissingAttribute {
  readonly attribute: DueAttribute
  /** Units that lack it; absent for what the passport states. */
  readonly units?: number
}

/** How much of what is due is stated. */
interface Completeness {
  readonly missing: readonly MissingAttribute[]
  readonly counts: Counts
  /** Units that lack something mandatory. */
  readonly incompleteUnits: number
}

/**
 * What of that which is due is missing. An attribute of units is met where every unit states it; without units none of them
 * counts.
 * @param units the keys that each unit states
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
