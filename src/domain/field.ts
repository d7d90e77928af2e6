import { GRANTED_AUDIENCES, isAudienceList } from './audience.ts'
import { isActList, isKeyBasis, LEGAL_BASIS } from './legal-basis.ts'
import { dictionary, isRecord, type JsonRecord } from './record.ts'

export interface Claim {
  /** UNTP conformity topic, such as `recycled-content`. */
  readonly topic: string
  /** UN/ECE Recommendation 20, such as `KGM`. */
  readonly unit: string
}

export type Display = (typeof DISPLAYS)[number]

const DISPLAYS = [
  /** Large, before the section's list. */
  'figure',
  /** Shows group members in the section. */
  'members',
  /** Bar in the chart. */
  'recycled',
  /** A bare month (`2027-02`) is a date, not a part number. */
  'month',
  /** Localizes materials (`/api/v1/materials`). */
  'material',
] as const

export interface Field {
  readonly description?: string
  readonly section?: string
  /** Unit of `Intl.NumberFormat`, locale key below `unit`, or symbol. */
  readonly unit?: string
  readonly display?: Display
  /** Default: schema order. */
  readonly order?: number
  readonly claim?: Claim
  /** IRI, the AAS semantic id. */
  readonly concept?: string
  /** True if it names a person; default: by key name. */
  readonly isPersonal?: boolean
}

/** `further` is the default. */
export const SECTIONS: readonly string[] = [
  'composition',
  'footprint',
  'performance',
  'use',
  'safety',
  'documents',
  'origin',
  'technical',
  'further',
]

export const ANNOTATIONS = [
  'x-section',
  'x-unit',
  'x-display',
  'x-order',
  'x-claim',
  'x-concept',
  'x-personal',
  'x-audience',
  'x-annex',
  'x-due',
  'x-kind',
  'x-without-passport',
  'x-alias-of',
  'x-form-of',
  LEGAL_BASIS,
] as const

/** `pending` depends on a future act. */
const DUES = ['mandatory', 'conditional', 'pending'] as const
export type Due = (typeof DUES)[number]

/**
 * Returns `group/key` for group members.
 * @param common schema with shared definitions
 */
export function fieldsOf(schema: JsonRecord | undefined, common: JsonRecord): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>()
  for (const [path, property] of propertiesOf(schema, common)) {
    if (!fields.has(path)) fields.set(path, fieldOf(property))
  }
  return fields
}

function fieldOf(property: JsonRecord): Field {
  const claim = property['x-claim'] as Partial<Claim> | undefined
  const unit = property['x-unit'] as string | undefined
  const field = {
    description: property.description,
    section: property['x-section'],
    unit,
    display: property['x-display'],
    order: property['x-order'],
    claim: claim && { topic: claim.topic, unit: claim.unit ?? RECOMMENDATION_20[unit ?? ''] },
    concept: property['x-concept'],
    isPersonal: property['x-personal'],
  }
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined))
}

/** UN/ECE Recommendation 20. */
const RECOMMENDATION_20 = dictionary<string>({
  celsius: 'CEL',
  centimeter: 'CMT',
  gram: 'GRM',
  kilogram: 'KGM',
  liter: 'LTR',
  meter: 'MTR',
  milliliter: 'MLT',
  millimeter: 'MMT',
  month: 'MON',
  percent: 'P1',
  year: 'ANN',
})

export function* annotationFaults(
  schema: JsonRecord,
  common: JsonRecord,
  sections: readonly string[],
): Iterable<string> {
  yield* misplaced(schema)
  const basis = schema[LEGAL_BASIS]
  if (basis !== undefined && !isActList(basis)) yield `${LEGAL_BASIS} ${JSON.stringify(basis)} must be a list of acts.`
  const properties = [...propertiesOf(schema, common)]
  const kinds = properties.flatMap(([, property]) => kindsOf(property))
  const keys = new Set(properties.map(([, , trail]) => keyOf(trail)))
  for (const [path, property] of properties) {
    for (const keyword of ANNOTATIONS) {
      const value = property[keyword]
      const fault = value === undefined ? undefined : FAULTS[keyword](value, property, { path, sections, kinds, keys })
      if (fault !== undefined) yield `${path}: ${keyword} ${JSON.stringify(value)} ${fault}.`
    }
  }
}

type Rule = (
  value: unknown,
  property: JsonRecord,
  place: {
    readonly path: string
    readonly sections: readonly string[]
    readonly kinds: readonly string[]
    /** In {@link keyOf} format. */
    readonly keys: ReadonlySet<string>
  },
) => string | undefined

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const FAULTS: Readonly<Record<(typeof ANNOTATIONS)[number], Rule>> = {
  'x-section': (value, _, { path, sections }) => {
    if (path.includes('/')) return value === 'documents' ? undefined : 'must be "documents" inside a group'
    if (SECTIONS.includes(value as string) || sections.includes(value as string)) return undefined
    return `must be one of ${SECTIONS.join(', ')}, or a text under "section" in locales/en.json`
  },
  'x-unit': (value) => (isText(value) ? undefined : 'must be a non-empty string'),
  'x-display': (value) => (DISPLAYS.includes(value as Display) ? undefined : `must be one of ${DISPLAYS.join(', ')}`),
  'x-order': (value) => (typeof value === 'number' ? undefined : 'must be a number'),
  'x-claim': (value, property) => {
    const { topic, unit = RECOMMENDATION_20[property['x-unit'] as string], ...others } = isRecord(value) ? value : {}
    if (!isText(topic) || !/^[a-z]+(-[a-z]+)*$/.test(topic) || Object.keys(others).length > 0)
      return 'must be an object with a topic such as "recycled-content", and a unit'
    return isText(unit) ? undefined : 'needs a unit of UN/ECE Recommendation 20, such as "KGM"'
  },
  'x-concept': (value) => (isText(value) && URL.canParse(value) ? undefined : 'must be an absolute IRI'),
  'x-personal': (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  'x-annex': (value) => {
    const points = [value].flat()
    return points.length > 0 && points.every(isText) ? undefined : 'must be a point of the law, or a list of them'
  },
  'x-due': (value, property, { kinds }) => {
    if (property['x-annex'] === undefined) return 'needs x-annex, the point of the law'
    if (isDue(value)) return undefined
    if (!isRecord(value)) return `must be one of ${DUES.join(', ')}, or an object with one of them for each kind`
    const unknown = Object.keys(value).find((kind) => !kinds.includes(kind))
    if (unknown !== undefined) return `has the unknown kind ${unknown}: no key with x-kind lists it`
    return Object.values(value).every(isDue) ? undefined : `must have one of ${DUES.join(', ')} for each kind`
  },
  'x-kind': (value, property) =>
    value === true && kindsOf(property).length > 0 ? undefined : 'must be true, on a key with an enum of strings',
  'x-without-passport': (value, property) => {
    const kinds = kindsOf(property)
    return isKindList(value, kinds)
      ? undefined
      : `must be a list of kinds: ${kinds.join(', ') || 'the key has no x-kind'}`
  },
  'x-alias-of': isOtherKey,
  'x-form-of': isOtherKey,
  'x-audience': (value) =>
    isAudienceList(value) ? undefined : `must be a list of ${GRANTED_AUDIENCES.join(' and ')}, or of one of them`,
  [LEGAL_BASIS]: (value) => (isKeyBasis(value) ? undefined : 'must be "voluntary" or a list of acts'),
}

function isOtherKey(
  value: unknown,
  _: JsonRecord,
  { keys }: { readonly keys: ReadonlySet<string> },
): string | undefined {
  return keys.has(value as string) ? undefined : 'must be another key of the schema'
}

const isKindList = (value: unknown, kinds: readonly string[]): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((kind) => kinds.includes(kind))

/** Valid on whole keys only; acts also on a whole schema. */
const OF_WHOLE_KEYS = ['x-audience', LEGAL_BASIS] as const

function* misplaced(schema: JsonRecord): Iterable<string> {
  const keys = isRecord(schema.properties) ? Object.keys(schema.properties) : []
  const places = new Set(keys.map((key) => `/properties/${key}`))
  for (const [place, part] of schemasIn(schema)) {
    for (const keyword of OF_WHOLE_KEYS) {
      if (part[keyword] === undefined || places.has(place) || (place === '' && keyword === LEGAL_BASIS)) continue
      yield `${place || '/'}: ${keyword} is allowed only on a metadata key in the schema's own "properties". Move it there.`
    }
  }
}

const NAMED_PARTS = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
const VALUES = ['const', 'enum', 'default', 'examples']

function* schemasIn(schema: unknown, place = '', hasNames = false): Iterable<[place: string, schema: JsonRecord]> {
  if (typeof schema !== 'object' || schema === null) return
  const isSchema = isRecord(schema) && !hasNames
  if (isSchema) yield [place, schema]
  for (const [name, part] of Object.entries(schema)) {
    if (isSchema && VALUES.includes(name)) continue
    yield* schemasIn(part, `${place}/${name}`, isSchema && NAMED_PARTS.includes(name))
  }
}

const isDue = (value: unknown): value is Due => DUES.includes(value as Due)

/** Returns product kinds in lower case; empty without `x-kind`. */
export const kindsOf = (property: JsonRecord): string[] =>
  property['x-kind'] === true && Array.isArray(property.enum)
    ? [...new Set(property.enum.filter(isText).map((kind) => kind.toLowerCase()))]
    : []

export const ENTRY = '[]'

/** Formats a trail, such as `fastenings[].count`. */
export const keyOf = (trail: readonly string[]): string => trail.join('.').replaceAll(`.${ENTRY}`, ENTRY)

/** Merges properties with their definitions. */
export function* propertiesOf(
  schema: JsonRecord | undefined,
  common: JsonRecord,
  trail: readonly string[] = [],
  root: JsonRecord | undefined = schema,
  seen: readonly unknown[] = [],
): Iterable<[path: string, property: JsonRecord, trail: readonly string[]]> {
  if (schema === undefined || seen.includes(schema)) return
  const within = [...seen, schema]
  const group = trail.findLast((key) => key !== ENTRY)
  for (const [key, stated] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
    if (!isRecord(stated)) continue
    const definition = definitionOf(stated, root, common)
    const inside = [...trail, key]
    yield [group === undefined ? key : `${group}/${key}`, { ...definition, ...stated }, inside]
    for (const one of [stated, definition]) yield* propertiesOf(one, common, inside, root, within)
  }
  for (const part of [schema.items, schema.allOf, schema.anyOf, schema.oneOf].flat()) {
    if (!isRecord(part)) continue
    const inside = part === schema.items ? [...trail, ENTRY] : trail
    for (const one of [part, definitionOf(part, root, common)]) yield* propertiesOf(one, common, inside, root, within)
  }
}

function definitionOf({ $ref }: JsonRecord, root: JsonRecord | undefined, common: JsonRecord): JsonRecord | undefined {
  const [address, name] = String($ref).split('#/$defs/')
  if (name === undefined) return undefined
  let schema: JsonRecord | undefined
  if (address === '') schema = root
  else if (address === common.$id) schema = common
  const definitions = schema?.$defs
  const definition = isRecord(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined
  return isRecord(definition) ? definition : undefined
}
