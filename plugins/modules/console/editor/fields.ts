import { isRecord, type JsonRecord, SECTIONS } from '../../../../src/plugin/index.ts'
import { ENTRY } from '../../../../src/plugin/module.ts'

/** One value in one control. */
export interface Scalar {
  readonly kind:
    | 'text'
    | 'number'
    | 'integer'
    | 'truth'
    | 'choice'
    | 'country'
    | 'language'
    | 'date'
    | 'month'
    | 'address'
    | 'email'
    /** Number, yes or no, or text, as typed. */
    | 'mixed'
  readonly options?: readonly string[]
  readonly maxLength?: number
  readonly takes: ReadonlySet<string>
}

/** Metadata key in a form. It may take several forms: `scalar`, `words`, `members` and `entries`. */
export interface Field {
  readonly key: string
  /** Keys from the top; `[]` stands for any entry of a list. */
  readonly trail: readonly string[]
  readonly isRequired: boolean
  readonly description: string
  readonly unit: string | undefined
  readonly section: string
  readonly order: number
  /** Points of the law. */
  readonly points: readonly string[]
  /** True if another key has the same content: shown only if stored. */
  readonly isOtherForm: boolean
  /** True if the gateway supplies the value: never edited. */
  readonly isGiven: boolean
  readonly isKind: boolean
  readonly scalar?: Scalar
  /** Text in several languages, or a list of such texts. */
  readonly words?: 'one' | 'many'
  readonly members?: readonly Field[]
  readonly entries?: Field
  /** Member that a text stands for: entries are a text or a group in which only this member is required. */
  readonly brief?: string
}

export interface FormModel {
  readonly fields: readonly Field[]
  /** Names of the sections with fields, in the order of the schema. */
  readonly sections: readonly string[]
}

export const ofSection = ({ fields }: FormModel, name: string): readonly Field[] =>
  fields.filter(({ section }) => section === name)

const PRODUCT_SECTION = 'product'
const PRODUCT_KEYS: ReadonlySet<string> = new Set([
  ...['productName', 'brand', 'originCountry', 'modelIdentifier', 'gtin', 'grai'],
])

/** Describes the form of a category. The category's own keys take precedence over those of `common`. */
export function formOf(schema: JsonRecord | undefined, common: JsonRecord): FormModel {
  const fields = new Map<string, Field>()
  const roots = [common, ...(schema === undefined || schema === common ? [] : [schema])]
  const required = new Set(roots.flatMap((root) => listOf(root.required)))
  for (const root of roots) {
    for (const [key, stated] of Object.entries(recordOf(root.properties))) {
      if (!isRecord(stated) || stated.const !== undefined || key === 'category') continue
      const place = { root, common, trail: [key], isRequired: required.has(key) }
      fields.set(key, fieldOf(key, { ...displayOf(recordOf(common.properties)[key]), ...stated }, place))
    }
  }
  const sorted = [...fields.values()].toSorted((a, b) => a.order - b.order).map(inOwnSection)
  const used = new Set(sorted.map(({ section }) => section))
  const names = [PRODUCT_SECTION, ...SECTIONS, ...used].flatMap((name) => [
    name,
    ...[...used].filter((one) => one.startsWith(`${name}.`)),
  ])
  return { fields: sorted, sections: [...new Set(names)].filter((name) => used.has(name)) }
}

/** Controls above which a group has a separate page: pages stay below 60 KB. */
const MAX_SHARED = 18

/** A section `use.circularity` has one field of the section `use`. */
const inOwnSection = (field: Field): Field =>
  countOf(field) > MAX_SHARED ? { ...field, section: `${field.section}.${field.key}` } : field

const countOf = ({ members = [], entries }: Field): number =>
  1 + [...members, ...(entries === undefined ? [] : [entries])].reduce((sum, field) => sum + countOf(field), 0)

const displayOf = (property: unknown): JsonRecord =>
  Object.fromEntries(
    Object.entries(recordOf(property)).filter(([keyword]) => ['x-section', 'x-unit', 'x-order'].includes(keyword)),
  )

interface Place {
  readonly root: JsonRecord
  readonly common: JsonRecord
  readonly trail: readonly string[]
  readonly isRequired: boolean
}

const MAX_DEPTH = 12

function fieldOf(key: string, stated: JsonRecord, place: Place): Field {
  const property = resolved(stated, place)
  const { trail } = place
  return {
    key,
    trail,
    isRequired: place.isRequired,
    description: textOf(stated.description) ?? textOf(property.description) ?? '',
    unit: textOf(property['x-unit']),
    section: textOf(property['x-section']) ?? (PRODUCT_KEYS.has(key) ? PRODUCT_SECTION : 'further'),
    order: typeof property['x-order'] === 'number' ? property['x-order'] : 0,
    points: [property['x-annex'] ?? []].flat().map(String),
    isOtherForm: property['x-alias-of'] !== undefined || property['x-form-of'] !== undefined,
    isGiven: property.readOnly === true,
    isKind: property['x-kind'] === true,
    ...formsOf(property, place),
  }
}

function formsOf(
  property: JsonRecord,
  { root, common, trail }: Place,
): Pick<Field, 'scalar' | 'words' | 'members' | 'entries' | 'brief'> {
  if (trail.length > MAX_DEPTH) return {}
  const words = wordsOf(property, { root, common, trail, isRequired: false })
  if (words !== undefined) return { words }
  const types = typesOf(property)
  const required = new Set(listOf(property.required))
  const members = Object.entries(recordOf(property.properties)).flatMap(([key, stated]) =>
    isRecord(stated)
      ? [fieldOf(key, stated, { root, common, trail: [...trail, key], isRequired: required.has(key) })]
      : [],
  )
  const takesGroup = types.has('object') && members.length > 0
  const [brief, ...others] = required
  const isBrief = takesGroup && types.has('string') && brief !== undefined && others.length === 0
  const scalar = isBrief ? undefined : scalarOf(property, types)
  return {
    ...(scalar === undefined ? {} : { scalar }),
    ...(takesGroup ? { members } : {}),
    ...(isBrief ? { brief } : {}),
    ...(types.has('array') && isRecord(property.items)
      ? { entries: fieldOf(ENTRY, property.items, { root, common, trail: [...trail, ENTRY], isRequired: false }) }
      : {}),
  }
}

/** Translations are a map by language tag. */
function wordsOf(property: JsonRecord, place: Place): Field['words'] {
  const isMap = isRecord(property.propertyNames) && isRecord(property.additionalProperties)
  if (!isMap || !typesOf(property).has('string')) return undefined
  const items = isRecord(property.items) ? resolved(property.items, place) : {}
  return isRecord(items.propertyNames) ? 'many' : 'one'
}

function scalarOf(property: JsonRecord, types: ReadonlySet<string>): Scalar | undefined {
  const takes = new Set(['string', 'number', 'integer', 'boolean'].filter((type) => types.has(type)))
  if (takes.size === 0) return undefined
  const { maxLength } = property
  const limit = typeof maxLength === 'number' ? { maxLength } : {}
  const options = optionsOf(property)
  if (options !== undefined) return { kind: 'choice', options, takes }
  if (takes.size > 1 && !(takes.size === 2 && takes.has('integer') && takes.has('number'))) {
    return { kind: 'mixed', takes, ...limit }
  }
  if (takes.has('boolean')) return { kind: 'truth', takes }
  if (takes.has('number')) return { kind: 'number', takes }
  if (takes.has('integer')) return { kind: 'integer', takes }
  return { kind: kindOfText(property), takes, ...limit }
}

const DEFINED_KINDS: ReadonlyMap<string, Scalar['kind']> = new Map([
  ['countryCode', 'country'],
  ['languageTag', 'language'],
  ['monthOrDate', 'month'],
])

function kindOfText({ format, $ref }: JsonRecord): Scalar['kind'] {
  const defined = DEFINED_KINDS.get(/#\/\$defs\/([^/]+)$/.exec(String($ref))?.[1] ?? '')
  if (defined !== undefined) return defined
  if (format === 'date') return 'date'
  if (format === 'uri') return 'address'
  return format === 'email' ? 'email' : 'text'
}

/** Returns one spelling per option. */
function optionsOf({ enum: values }: JsonRecord): readonly string[] | undefined {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return undefined
  const folded = values.map((value) => value.toLowerCase())
  return values.filter((value, place) => folded.indexOf(value.toLowerCase()) === place)
}

function typesOf({ type, enum: values, properties }: JsonRecord): ReadonlySet<string> {
  if (type !== undefined) return new Set([type].flat().map(String))
  if (Array.isArray(values)) return new Set(values.map((value) => typeof value))
  return new Set(properties === undefined ? [] : ['object'])
}

/** Merges a property with its definition; its own keywords take precedence. */
function resolved(stated: JsonRecord, { root, common }: Place): JsonRecord {
  let merged = stated
  for (let left = 4, at: unknown = stated.$ref; typeof at === 'string' && left > 0; left -= 1) {
    const [address, name = ''] = at.split('#/$defs/')
    const home = address === '' && Object.hasOwn(recordOf(root.$defs), name) ? root : common
    const definition = recordOf(home.$defs)[name]
    if (!isRecord(definition)) break
    merged = { ...definition, ...merged }
    at = definition.$ref
  }
  return merged
}

const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {})
const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
