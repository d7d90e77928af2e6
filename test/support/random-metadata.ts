import fc from 'fast-check'
import { categoryEntry, categoryNames, commonSchema, validatorOf } from '../../plugins/categories/testing.ts'
import type { Json, Metadata } from '../../src/domain/metadata.ts'

interface Schema {
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
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly $defs?: Readonly<Record<string, Schema>>
}

const COMMON = commonSchema as Schema
const PERCENTAGES = new Set(['materialComposition', 'fiberComposition'])

/** Names and texts that formats stumble over. */
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
  fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.replaceAll('\0', '')),
)
const key = fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ unit: 'binary', maxLength: 12 })).map((name) => {
  const plain = name.replaceAll('\0', '')
  return ['__proto__', 'constructor', 'prototype'].includes(plain) || plain.startsWith('@') ? `own ${plain}` : plain
})
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

/** Metadata of one category as its schema describes it, with keys beyond it; `judged` says what the rules refuse. */
function drafts(category: string, schema: Schema | undefined, isRich: boolean): fc.Arbitrary<Metadata> {
  const properties = { ...COMMON.properties, ...schema?.properties }
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [
      name,
      PERCENTAGES.has(name) ? arbitraryOf(of, schema, isRich).map(sharing) : arbitraryOf(of, schema, isRich),
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

/** Shares that make 100 together. */
function sharing(entries: Json): Json {
  if (!Array.isArray(entries)) return entries
  return entries.map((entry, index) => ({
    ...entry,
    percentage: index === 0 ? 100 - (entries.length - 1) * 10 : 10,
  }))
}

function arbitraryOf(schema: Schema, root: Schema | undefined, isRich: boolean): fc.Arbitrary<Json> {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    if (name === 'countryCode') return fc.constantFrom('DE', 'PT', 'NO')
    if (name === 'gtin') return fc.constantFrom('09506000134352', '09506000134369')
    if (name === 'grai') return fc.constant('09506000134352A1')
    const found = schema.$ref.startsWith('#') ? root?.$defs?.[name] : undefined
    return arbitraryOf(found ?? (COMMON.$defs?.[name] as Schema), found === undefined ? COMMON : root, isRich)
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? 'string'].flat()
  return fc.oneof(...types.map((type) => ofType(type, schema, root, isRich)))
}

function ofType(type: string, schema: Schema, root: Schema | undefined, isRich: boolean): fc.Arbitrary<Json> {
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
      const members: Record<string, fc.Arbitrary<Json>> = {}
      for (const [name, of] of Object.entries(schema.properties ?? {})) members[name] = arbitraryOf(of, root, isRich)
      const requiredKeys = isRich ? Object.keys(members) : [...(schema.required ?? [])]
      return fc.record(members, { requiredKeys, noNullPrototype: true })
    }
    default:
      if (schema.format === 'uri') return fc.webUrl().filter((url) => url.length < 200)
      if (schema.format === 'date') return fc.constantFrom('2027-02-18', '2031-12-31')
      if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
      return schema.minLength === undefined ? text : text.filter((value) => value !== '')
  }
}

/** Valid metadata of every category in the repository, by name; rich ones have every key that the schemas name. */
export async function randomMetadata(isRich = false): Promise<Readonly<Record<string, fc.Arbitrary<Metadata>>>> {
  const validator = await validatorOf()
  const entries = await Promise.all(
    categoryNames.map(async (name) => {
      const { schema } = await categoryEntry(name)
      const arbitrary = drafts(name, schema as Schema | undefined, isRich)
      return [name, arbitrary.filter((metadata) => validator.validate(metadata, 'en').errors.length === 0)] as const
    }),
  )
  return Object.fromEntries(entries)
}
