import fc from 'fast-check'
import type { Json, Metadata } from '../../src/domain/metadata.ts'
import { dictionary } from '../../src/domain/record.ts'
import { COMMON_SCHEMA } from '../../src/plugin/common-schema.ts'
import { anySegment, anyText } from './any-text.ts'
import { categoryNames, plugins, validator } from './categories.ts'

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema
  readonly required?: readonly string[]
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

const COMMON = COMMON_SCHEMA as JsonSchema
const PERCENTAGES = new Set(['materialComposition', 'fiberComposition'])

/** Awkward names and texts. */
const AWKWARD = [
  '',
  'x',
  '1st',
  'age-grade',
  'ä ö',
  '__x',
  '[1]',
  ' {"a":1}',
  '"quoted"',
  '\u0001\ufffe',
  '😀',
  'a.b/c',
]

const text = fc.oneof(
  fc.constantFrom(...AWKWARD),
  anyText({ maxLength: 20 }).map((value) => value.replaceAll('\0', '')),
)
const key = fc.oneof(fc.constantFrom(...AWKWARD), anyText({ maxLength: 12 })).map((name) => {
  const plain = name.replaceAll('\0', '')
  // Names that the guard rejects.
  return /^(?:__proto__|constructor|prototype|@.*)$/s.test(plain) ? `own ${plain}` : plain
})
const url = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.array(anySegment, { maxLength: 3 }))
  .map(([scheme, host, segments]) => [`${scheme}://${host}`, ...segments].join('/'))
const anything = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

/** Languages of translated texts. */
const LANGUAGE = fc.constantFrom('en', 'id', 'pl', 'pt-BR', 'zh-Hant-TW', 'xx')

/** Values that JavaScript fails to convert to text or number. */
const ODD: readonly Json[] = [
  { toString: 1, valueOf: 1 },
  { toString: null },
  JSON.parse('{"toJSON": 1, "then": 1, "length": 3}'),
  [[[]]],
  [{ toString: 1, valueOf: 1 }],
  'toString',
  '__proto__',
  -0.5,
  1e308,
]
const odd = fc.oneof({ arbitrary: fc.constantFrom(...ODD), weight: 2 }, { arbitrary: anything, weight: 1 })

/** Metadata of a draft: any value under keys that schemas, representations and lookups use. */
export function oddMetadata(): fc.Arbitrary<Metadata> {
  const schemas = [...plugins.categories.values()].map(({ schema }) => schema as JsonSchema)
  const known = new Set([
    ...[COMMON, ...schemas].flatMap((schema) => Object.keys(schema?.properties ?? {})),
    ...[
      'gtin',
      'grai',
      'productId',
      'serialNumber',
      '21',
      'brand',
      'model',
      'modelIdentifier',
      'productName',
      'facilityDetails',
    ],
  ])
  known.delete('category')
  return fc
    .tuple(
      fc.option(fc.oneof(fc.constantFrom<Json>(...categoryNames), odd), { nil: undefined }),
      fc.uniqueArray(fc.tuple(fc.constantFrom(...known), odd), { maxLength: 25, selector: ([name]) => name }),
    )
    .map(([category, entries]) => {
      const metadata = { ...(category === undefined ? {} : { category }), ...Object.fromEntries(entries) }
      return JSON.parse(JSON.stringify(metadata)) as Metadata
    })
}

/** Metadata by the schema of a category, with additional keys; `judged` returns the errors of the rules. */
function drafts(category: string, schema: JsonSchema | undefined, isRich: boolean): fc.Arbitrary<Metadata> {
  const properties = { ...COMMON.properties, ...schema?.properties }
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [
      name,
      (IN_ORDER[name] ?? arbitraryOf(of, schema, isRich)).map(
        PERCENTAGES.has(name) ? sharing : name === 'parties' ? identified : (value) => value,
      ),
    ]),
  )
  return fc
    .tuple(
      fc.record(known, isRich ? {} : { requiredKeys: ['originCountry'] }),
      fc.dictionary(key, anything, { maxKeys: isRich ? 0 : 4, noNullPrototype: true }),
    )
    .map(([record, unknown]) => {
      const free = Object.entries(unknown).filter(([name]) => !Object.hasOwn(properties, name))
      return JSON.parse(JSON.stringify({ ...record, category, ...Object.fromEntries(free) })) as Metadata
    })
}

/** Shares with a total of 100. */
function sharing(entries: Json): Json {
  if (!Array.isArray(entries)) return entries
  return entries.map((entry, index) => ({
    ...entry,
    percentage: index === 0 ? 100 - (entries.length - 1) * 10 : 10,
  }))
}

/** A valid number of each scheme. */
const NUMBERS = dictionary<string>({
  EORI: 'DE6480562',
  VAT: 'ATU14189108',
  LEI: '529900T8BM49AURSDO55',
  GLN: '5412345000013',
  DID: 'did:web:example.com',
  DUNS: '150483782',
})

/** Companies with valid numbers; importers with the required scheme. */
function identified(parties: Json): Json {
  if (!Array.isArray(parties)) return parties
  return parties.map((party) => {
    const scheme = party.role === 'importer' ? 'EORI' : party.identifier?.scheme
    return scheme === undefined ? party : { ...party, identifier: { scheme, value: NUMBERS[scheme] } }
  })
}

/** A group without members whose required companions are missing. */
const withoutLonely = (record: Record<string, Json>, needs: JsonSchema['dependentRequired'] = {}): Json =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => needs[name]?.every((other) => Object.hasOwn(record, other)) ?? true),
  )

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** Ordered members; random values would hardly ever be in order. */
const IN_ORDER = dictionary<fc.Arbitrary<Json>>({
  minC: between(-40, 0),
  maxC: between(0, 80),
  minimumVoltage: between(1, 100),
  nominalVoltage: between(100, 200),
  maximumVoltage: between(200, 300),
  placedOnMarketAt: fc.constantFrom('2027-02-18', '2027-12-31'),
  lastPlacedAt: fc.constantFrom('2027-12-31', '2031-12-31'),
})

function arbitraryOf(schema: JsonSchema, root: JsonSchema | undefined, isRich: boolean): fc.Arbitrary<Json> {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    if (name === 'countryCode') return fc.constantFrom('DE', 'PT', 'NO')
    if (name === 'gtin') return fc.constantFrom('09506000134352', '09506000134369')
    if (name === 'grai') return fc.constant('09506000134352A1')
    if (name === 'languageTag') return LANGUAGE
    if (name === 'monthOrDate') return fc.constantFrom('2026-11', '2027-01-31')
    const found = schema.$ref.startsWith('#') ? root?.$defs?.[name] : undefined
    return arbitraryOf(found ?? (COMMON.$defs?.[name] as JsonSchema), found === undefined ? COMMON : root, isRich)
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? 'string'].flat()
  return fc.oneof(...types.map((type) => ofType(type, schema, root, isRich)))
}

function ofType(type: string, schema: JsonSchema, root: JsonSchema | undefined, isRich: boolean): fc.Arbitrary<Json> {
  const min = schema.minimum ?? (schema.exclusiveMinimum === undefined ? -1e6 : schema.exclusiveMinimum + 0.5)
  const max = schema.maximum ?? 1e6
  switch (type) {
    case 'integer':
      return fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
    case 'number':
      return fc.double({ min, max, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value))
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, root, isRich), {
        minLength: Math.max(schema.minItems ?? 0, isRich ? 1 : 0),
        maxLength: 3,
      })
    case 'object': {
      if (schema.additionalProperties !== undefined) {
        const texts = arbitraryOf(schema.additionalProperties, root, isRich)
        return fc.dictionary(LANGUAGE, texts, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
      }
      const members: Record<string, fc.Arbitrary<Json>> = {}
      for (const [name, of] of Object.entries(schema.properties ?? {}))
        members[name] = IN_ORDER[name] ?? arbitraryOf(of, root, isRich)
      const requiredKeys = isRich ? Object.keys(members) : [...(schema.required ?? [])]
      return fc
        .record(members, { requiredKeys, noNullPrototype: true })
        .map((record) => withoutLonely(record, schema.dependentRequired))
    }
    default:
      if (schema.format === 'uuid') return fc.uuid()
      if (schema.format === 'uri') return url.filter((address) => address.length < 200)
      if (schema.format === 'email') return fc.constantFrom('office@example.com', 'x.y@sub.example.org')
      if (schema.format === 'date') return fc.constantFrom('2027-02-18', '2031-12-31')
      if (schema.pattern !== undefined) return matching(schema.pattern)
      return schema.minLength === undefined ? text : text.filter((value) => value !== '')
  }
}

/** Texts by pattern: building the arbitrary takes longer than generating. */
const byPattern = new Map<string, fc.Arbitrary<string>>()

function matching(pattern: string): fc.Arbitrary<string> {
  const arbitrary = byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  byPattern.set(pattern, arbitrary)
  return arbitrary
}

/** Valid metadata of every category; rich ones have every key of the schemas. */
export function randomMetadata(isRich = false): Readonly<Record<string, fc.Arbitrary<Metadata>>> {
  const entries = [...plugins.categories].map(([name, { schema }]) => {
    const arbitrary = drafts(name, schema as JsonSchema | undefined, isRich)
    return [name, arbitrary.filter((metadata) => validator.validate(metadata, 'en').errors.length === 0)] as const
  })
  return Object.fromEntries(entries)
}
