import { isDeepStrictEqual } from 'node:util'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules.
type Node = any

/** Direction of a document: callers write requests and read responses. */
type Way = 'request' | 'answer'

/** Lists that are documented as extensible. */
const OPEN_LISTS = new Set(['ErrorCode', 'AdvisoryCode'].map((name) => `#/components/schemas/${name}`))
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
/** Keywords compared as a whole. */
const WHOLE = [
  'pattern',
  'format',
  'multipleOf',
  'uniqueItems',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'prefixItems',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
]

/** Lists the breaking changes from `old` to `now` for a caller, one line each. Additions are not breaking. */
export function breakingChanges(old: Node, now: Node): string[] {
  const found: string[] = []
  const compared = new Set<string>()
  const resolved = (document: Node, node: Node): Node => {
    if (typeof node?.$ref !== 'string') return node
    const [kind, name] = node.$ref.split('/').slice(-2)
    const { $ref, ...beside } = node
    return { ...resolved(document, document.components?.[kind]?.[name]), ...beside }
  }
  const gone = (place: string) => found.push(`${place} is gone`)

  for (const [path, item] of Object.entries<Node>(old.paths)) operations(item, now.paths[path], path)
  for (const [name, item] of Object.entries<Node>(old.webhooks ?? {})) {
    const [was, is] = [item.post, now.webhooks?.[name]?.post]
    if (is === undefined) gone(`webhook ${name}`)
    else content(resolved(old, was.requestBody), resolved(now, is.requestBody), `webhook ${name}`, 'answer')
  }
  return [...new Set(found)]

  function operations(was: Node, is: Node, path: string): void {
    for (const [method, operation] of Object.entries<Node>(was)) {
      if (method === 'parameters') continue
      const place = `${method.toUpperCase()} ${path}`
      const other = is?.[method]
      if (other === undefined) {
        gone(place)
        continue
      }
      if (operation.operationId !== other.operationId) found.push(`${place} is called ${other.operationId}`)
      rights(operation.security ?? [], other.security ?? [], place)
      const all = (document: Node, of: Node, common: Node = []) =>
        [...common, ...(of.parameters ?? [])].map((each) => resolved(document, each))
      parameters(all(old, operation, was.parameters), all(now, other, is.parameters), place)
      body(resolved(old, operation.requestBody), resolved(now, other.requestBody), place)
      answers(operation.responses, other.responses, place)
    }
  }

  /** Holders of the rights of one alternative must still have them. */
  function rights(was: readonly Node[], is: readonly Node[], place: string): void {
    const suffices = (demanded: Node, had: Node) =>
      Object.entries<string[]>(demanded).every(
        ([scheme, names]) => had[scheme] !== undefined && names.every((name) => had[scheme].includes(name)),
      )
    if (is.length === 0) return
    const unmet = (was.length === 0 ? [{}] : was).filter((had) => !is.some((demanded) => suffices(demanded, had)))
    for (const had of unmet) found.push(`${place} asks for more than ${JSON.stringify(had)}`)
  }

  function parameters(was: readonly Node[], is: readonly Node[], place: string): void {
    const same = (one: Node) => (other: Node) => one.in === other.in && one.name === other.name
    for (const parameter of was) {
      const other = is.find(same(parameter))
      const at = `${place}: ${parameter.in} ${parameter.name}`
      if (other === undefined) gone(at)
      else {
        if (other.required && !parameter.required) found.push(`${at} is required`)
        schemas(parameter.schema, other.schema, at, 'request')
      }
    }
    for (const parameter of is) {
      if (parameter.required && !was.some(same(parameter)))
        found.push(`${place}: ${parameter.in} ${parameter.name} is required`)
    }
  }

  function body(was: Node, is: Node, place: string): void {
    if (is?.required && !was?.required) found.push(`${place}: a body is required`)
    if (was !== undefined) content(was, is ?? {}, `${place}: body`, 'request')
  }

  function answers(was: Node, is: Node, place: string): void {
    for (const [status, answer] of Object.entries<Node>(was)) {
      const at = `${place}: ${status}`
      const [one, other] = [resolved(old, answer), resolved(now, is[status])]
      if (other === undefined) gone(at)
      else {
        content(one, other, at, 'answer')
        for (const name of Object.keys(one.headers ?? {}))
          if (other.headers?.[name] === undefined) gone(`${at}: header ${name}`)
      }
    }
  }

  function content(was: Node, is: Node, place: string, way: Way): void {
    for (const [type, { schema }] of Object.entries<Node>(was.content ?? {})) {
      const other = is.content?.[type]
      if (other === undefined) gone(`${place}: ${type}`)
      else schemas(schema, other.schema, place, way)
    }
  }

  /** Accepted values must still be accepted, returned values must still be valid. */
  function schemas(was: Node = {}, is: Node = {}, place: string, way: Way): void {
    const isNamed = typeof was.$ref === 'string' && typeof is.$ref === 'string'
    if (isNamed) {
      // Reports a fault of a named schema once, under the name.
      const pair = `${way} ${was.$ref} ${is.$ref}`
      if (compared.has(pair)) return
      compared.add(pair)
    }
    const at = isNamed ? `${was.$ref.split('/').at(-1)} (${way})` : place
    const isOpen = way === 'answer' && OPEN_LISTS.has(is.$ref)
    const [one, other] = [schemaOf(resolved(old, was)), schemaOf(resolved(now, is))]
    const [narrow, wide] = way === 'request' ? [one, other] : [other, one]
    const wrong = (what: string) => found.push(`${at} ${way === 'request' ? 'no longer takes' : 'now gives'} ${what}`)

    const types = (schema: Node): string[] | undefined => (schema.type === undefined ? undefined : [schema.type].flat())
    const [some, allowed] = [types(narrow), types(wide)]
    const fits = (type: string) => allowed?.includes(type) || (type === 'integer' && allowed?.includes('number'))
    if (allowed !== undefined && !(some?.every(fits) ?? valuesOf(narrow) !== undefined))
      wrong(`another type than ${allowed.join(', ')}`)
    const [values, known] = [valuesOf(narrow), valuesOf(wide)]
    if (known !== undefined && !isOpen) {
      const others = values?.filter((value) => !known.some((each) => isDeepStrictEqual(each, value))) ?? ['any value']
      if (others.length > 0) wrong(`${others.join(', ')}, which is not in its list`)
    }
    for (const word of UPPER_LIMITS)
      if (wide[word] < (narrow[word] ?? Number.POSITIVE_INFINITY)) wrong(`more than ${word} ${wide[word]}`)
    for (const word of LEAST)
      if (wide[word] > (narrow[word] ?? Number.NEGATIVE_INFINITY)) wrong(`less than ${word} ${wide[word]}`)
    for (const word of WHOLE) {
      if (wide[word] !== undefined && !isDeepStrictEqual(narrow[word], wide[word])) wrong(`another ${word}`)
    }
    const missing = (wide.required ?? []).filter((name: string) => !narrow.required?.includes(name))
    for (const name of missing) wrong(`a document without ${name}`)
    if (way === 'request' && wide.additionalProperties === false && narrow.additionalProperties !== false)
      wrong('other members')

    for (const [name, schema] of Object.entries<Node>(one.properties ?? {})) {
      if (other.properties?.[name] === undefined) gone(`${at}.${name}`)
      else schemas(schema, other.properties[name], `${at}.${name}`, way)
    }
    for (const [word, sign] of [
      ['items', '[]'],
      ['additionalProperties', '{}'],
    ] as const) {
      if (typeof one[word] === 'object' && typeof other[word] === 'object')
        schemas(one[word], other[word], `${at}${sign}`, way)
      else if (typeof wide[word] === 'object') wrong(`other ${word}`)
    }
    for (const word of ['anyOf', 'oneOf', 'allOf']) {
      const [before, after] = [one[word], other[word]]
      if (before === undefined && after === undefined) continue
      alternatives(before ?? [one], after ?? [other], { at, way, isAll: word === 'allOf' })
    }
  }

  /** Each narrower alternative must be within a wider one; for `allOf` the other way round. */
  function alternatives(was: Node[], is: Node[], { at, way, isAll }: { at: string; way: Way; isAll: boolean }): void {
    const [requested, given] = (way === 'request') === isAll ? [is, was] : [was, is]
    for (const schema of requested) {
      const isFound = given.some((other) => {
        const pair = requested === was ? [schema, other] : [other, schema]
        return quietly(() => schemas(pair[0], pair[1], at, way))
      })
      if (!isFound) found.push(`${at}: ${schema.$ref?.split('/').at(-1) ?? JSON.stringify(schema)} has no counterpart`)
    }
  }

  /** True if a comparison finds nothing. Findings are not reported. */
  function quietly(compare: () => void): boolean {
    const [length, known] = [found.length, new Set(compared)]
    compare()
    const isFine = found.length === length
    found.length = length
    if (!isFine) {
      compared.clear()
      for (const pair of known) compared.add(pair)
    }
    return isFine
  }
}

/** A schema may be a boolean (JSON Schema 2020-12, 4.3.2). */
const schemaOf = (node: Node): Node => (typeof node === 'boolean' ? (node ? {} : { not: {} }) : node)

const valuesOf = (schema: Node): readonly unknown[] | undefined =>
  'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined)
