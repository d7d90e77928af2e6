import {
  type Block,
  dictionary,
  type Entry,
  type Piece,
  type ReferenceWords as Words,
} from '../../../src/plugin/index.ts'
import { follow, type Node, nameOf, type Source } from './document.ts'
import { description } from './layout.ts'
import { between, plain, wordOf } from './words.ts'

/** Deeper and recursive schemas are links. */
const MAX_LEVELS = 3
const MAX_VALUES = 16

const code = (text: string): Piece => ({ text, isCode: true })
const json = (value: unknown): Piece => code(JSON.stringify(value))

export function typeOf(schema: Node, source: Source): Words {
  return between([kindOf(schema, source), ...limitsOf(schema)], ' · ')
}

function kindOf(schema: Node, source: Source): Words {
  const name = nameOf(schema)
  if (name !== undefined) return [wordOf(name, source.explained)]
  if (schema.const !== undefined) return [json(schema.const)]
  const values: readonly unknown[] | undefined = schema.enum
  if (values !== undefined) {
    if (values.length > MAX_VALUES) return plain(`one of ${values.length} strings`)
    return between(
      values.map((value) => [json(value)]),
      ' | ',
    )
  }
  const alternatives: readonly Node[] | undefined = schema.anyOf ?? schema.oneOf
  if (alternatives?.every(hasType) === true) {
    return between(
      alternatives.map((one) => kindOf(one, source)),
      ' or ',
    )
  }
  const types: readonly string[] = [schema.type ?? (isObject(schema) ? 'object' : [])].flat()
  if (types.length === 0) return plain('any value')
  return between(
    types.map((type) => {
      if (type === 'array' && schema.items !== undefined)
        return [{ text: 'array of ' }, ...kindOf(schema.items, source)]
      const values = schema.additionalProperties
      if (type !== 'object' || schema.properties !== undefined || !isSchema(values)) return plain(type)
      return [{ text: 'object of ' }, ...kindOf(values, source)]
    }),
    ' or ',
  )
}

const isSchema = (value: Node): boolean => typeof value === 'object' && Object.keys(value).length > 0
const isObject = (schema: Node): boolean =>
  schema.properties !== undefined || schema.allOf !== undefined || schema.required !== undefined
const hasType = (schema: Node): boolean =>
  schema.type !== undefined || schema.$ref !== undefined || schema.const !== undefined || schema.enum !== undefined

const MEASURES: readonly (readonly [key: string, before: string, things: string])[] = [
  ['minLength', 'at least ', 'characters'],
  ['maxLength', 'at most ', 'characters'],
  ['minimum', 'from ', ''],
  ['maximum', 'to ', ''],
  ['minItems', 'at least ', 'entries'],
  ['maxItems', 'at most ', 'entries'],
  ['minProperties', 'at least ', 'members'],
  ['maxProperties', 'at most ', 'members'],
]

const ONE = dictionary<string>({ characters: '1 character', entries: '1 entry', members: '1 member' })
const counted = (count: number, things: string): string =>
  (count === 1 ? ONE[things] : undefined) ?? `${count.toLocaleString('en')} ${things}`.trim()

function limitsOf(schema: Node): Words[] {
  const limits: Words[] = []
  if (schema.format !== undefined) limits.push(plain(schema.format))
  for (const [key, before, things] of MEASURES) {
    if (schema[key] !== undefined) limits.push(plain(`${before}${counted(schema[key], things)}`))
  }
  if (schema.uniqueItems === true) limits.push(plain('unique entries'))
  if (schema.pattern !== undefined) limits.push([{ text: 'pattern ' }, code(schema.pattern)])
  if (schema.default !== undefined) limits.push([{ text: 'default ' }, json(schema.default)])
  const lenient: readonly string[] | undefined = schema['x-lenient']
  if (lenient !== undefined) limits.push([{ text: 'tolerated: ' }, code(lenient.join(', '))])
  if (schema['x-error-code'] !== undefined) limits.push([{ text: 'refused as ' }, code(schema['x-error-code'])])
  if (schema['x-validate'] === false) limits.push(plain('described, not enforced'))
  if (schema['x-provisional'] === true) limits.push(plain('provisional'))
  return limits
}

/** Returns the members or alternatives of a schema; empty if {@link typeOf} says everything. */
export function treeOf(schema: Node, source: Source, within: readonly string[] = []): Block[] {
  const name = nameOf(schema)
  if (name !== undefined) {
    if (within.includes(name) || within.length >= MAX_LEVELS) return []
    return treeOf(follow(source.document, schema), source, [...within, name])
  }
  const entries = membersOf(schema, source, within)
  const blocks: Block[] = entries.length === 0 ? [] : [{ kind: 'entries', entries }]
  if (schema.items !== undefined) blocks.push(...treeOf(schema.items, source, within))
  else if (isSchema(schema.additionalProperties) && schema.properties === undefined) {
    blocks.push(...treeOf(schema.additionalProperties, source, within))
  }
  for (const one of schema.anyOf ?? schema.oneOf ?? []) {
    const inner = treeOf(one, source, within)
    if (inner.length > 0) blocks.push({ kind: 'fold', summary: `As ${titleOf(one)}`, blocks: inner })
  }
  return blocks
}

const titleOf = (schema: Node): string =>
  nameOf(schema) ?? schema.title ?? [schema.type ?? 'object'].flat().join(' or ')

function membersOf(schema: Node, source: Source, within: readonly string[]): Entry[] {
  const required: ReadonlySet<string> = new Set(schema.required)
  const own = Object.entries<Node>(schema.properties ?? {}).map(([name, member]) =>
    memberOf(name, member, required.has(name), source, within),
  )
  const parts: readonly Node[] = schema.allOf ?? []
  return [...parts.flatMap((part) => inherited(part, source, within)), ...own]
}

function inherited(part: Node, source: Source, within: readonly string[]): Entry[] {
  const name = nameOf(part)
  if (name === undefined) return membersOf(part, source, within)
  return within.includes(name) ? [] : membersOf(follow(source.document, part), source, [...within, name])
}

function memberOf(name: string, member: Node, isRequired: boolean, source: Source, within: readonly string[]): Entry {
  const inner = treeOf(member, source, within)
  const count = inner.reduce((sum, block) => sum + (block.kind === 'entries' ? block.entries.length : 1), 0)
  return {
    name: [code(name)],
    facts: between([...(isRequired ? [plain('required')] : []), typeOf(member, source)], ' · '),
    blocks: [
      ...description(source, member),
      ...(inner.length === 0
        ? []
        : [{ kind: 'fold', summary: count === 1 ? '1 member' : `${count} members`, blocks: inner } as const]),
    ],
  }
}
