import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlias, parseDocument, visit } from 'yaml'
import { ROOT } from '../../../src/root.ts'
import { servedContract } from '../../support/served-contract.ts'

const { document } = await servedContract()
const source = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules.
type Document = any

const METHODS = ['get', 'put', 'post', 'delete', 'patch']
const follow = (node: Document): Document => {
  const [, , kind, name] = node?.$ref?.split('/') ?? []
  return name === undefined ? node : document.components[kind][name]
}
const operations: Document[] = Object.values<Document>(document.paths).flatMap((item) =>
  METHODS.flatMap((method) =>
    item[method] === undefined
      ? []
      : [{ ...item[method], parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])] }],
  ),
)

interface Place {
  readonly at: string
  readonly schema: Document
}

/** Every schema of the contract with its place. */
function* schemas(): Iterable<Place> {
  for (const [name, schema] of Object.entries<Document>(document.components.schemas)) yield* within(name, schema)
  for (const { operationId, parameters, requestBody, responses } of operations) {
    for (const parameter of parameters.map(follow)) yield* within(`${operationId} ${parameter.name}`, parameter.schema)
    for (const [status, node] of [['request', requestBody ?? {}], ...Object.entries<Document>(responses)]) {
      const { content = {}, headers = {} } = follow(node)
      for (const [type, media] of Object.entries<Document>(content)) {
        // Bytes have no schema (OpenAPI 3.1); files with many rows are accepted as bytes in their own encoding.
        const taken =
          status === 'request' &&
          /^(text\/csv|application\/(x-ndjson|jsonl|asset-administration-shell-package(\+xml)?))$/.test(type)
        if (!taken && !/^image\/(jpeg|png|webp)$|(zip|package\+xml|pdf|spreadsheetml\.sheet|pkix-crl)$/.test(type))
          yield* within(`${operationId} ${status} ${type}`, media.schema)
      }
      for (const [name, header] of Object.entries<Document>(headers)) {
        yield* within(`${operationId} ${status} ${name}`, follow(header).schema)
      }
    }
  }
}

function* within(at: string, schema: Document): Iterable<Place> {
  yield { at, schema }
  for (const [name, member] of Object.entries<Document>(schema?.properties ?? {}))
    yield* within(`${at}.${name}`, member)
  for (const key of ['items', 'additionalProperties']) {
    if (typeof schema?.[key] === 'object') yield* within(`${at}[]`, schema[key])
  }
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    for (const part of schema?.[key] ?? []) yield* within(at, part)
  }
}

// An alternative of a typed union may declare only its required members.
const TYPE_KEYWORDS = ['type', '$ref', 'const', 'enum', 'anyOf', 'oneOf', 'allOf', 'required']

test('every member has a type', () => {
  const places = [...schemas()]
  expect(places.length).toBeGreaterThan(500)
  const untyped = places.filter(({ schema }) => !TYPE_KEYWORDS.some((keyword) => schema?.[keyword] !== undefined))
  expect(untyped.map(({ at }) => at)).toEqual([])
})

test('every member of every object, every parameter and every header has a description', () => {
  const described = (node: Document) => node.description !== undefined || follow(node).description !== undefined
  const members = [...schemas()].flatMap(({ at, schema }) =>
    Object.entries<Document>(schema?.properties ?? {}).map(([name, member]) => ({ at: `${at}.${name}`, member })),
  )
  expect(members.length).toBeGreaterThan(300)
  expect(members.filter(({ member }) => !described(member)).map(({ at }) => at)).toEqual([])
  const named = Object.entries<Document>(document.components.schemas).filter(([, schema]) => !described(schema))
  expect(named.map(([name]) => name)).toEqual([])
  for (const { operationId, parameters, responses } of operations) {
    const headers = Object.values<Document>(responses).flatMap((node) =>
      Object.entries<Document>(follow(node).headers ?? {}),
    )
    const silent = [...parameters.map(follow).map((node: Document) => [node.name, node]), ...headers]
      .filter(([, node]) => !described(node))
      .map(([name]) => name)
    expect([operationId, silent]).toEqual([operationId, []])
  }
})

test('every operation has its own summary and description', () => {
  const silent = operations.filter(({ summary, description }) => !summary || !description || summary === description)
  expect(silent.map(({ operationId }) => operationId)).toEqual([])
})

test('JSON bodies and good answers have a name', () => {
  const isNamed = ({ $ref, anyOf = [] }: Document): boolean =>
    $ref !== undefined || (anyOf.length > 0 && anyOf.every(isNamed))
  const inline = operations.flatMap(({ operationId, requestBody, responses }) =>
    [['request', requestBody ?? {}], ...Object.entries<Document>(responses).filter(([status]) => /^[23]/.test(status))]
      .flatMap(([status, node]) =>
        Object.entries<Document>(follow(node).content ?? {}).map(([type, { schema }]) => ({ status, type, schema })),
      )
      .filter(({ type, schema }) => type === 'application/json' && !isNamed(schema))
      .map(({ status }) => `${operationId} ${status}`),
  )
  expect(inline).toEqual([])
})

test('the document is YAML 1.2, without merge keys and aliases', () => {
  const found: string[] = []
  visit(parseDocument(source), {
    Pair: (_, { key }) => void (String(key) === '<<' && found.push('<<')),
    Node: (_, node) => void (isAlias(node) && found.push(`*${node.source}`)),
  })
  expect(found).toEqual([])
})

test('every operation that takes Idempotency-Key says so, and no other', () => {
  const declared = operations.filter((operation) => operation['x-idempotent']).map(({ operationId }) => operationId)
  const takes = operations
    .filter(({ parameters }) => parameters.some((node: Document) => follow(node).name === 'Idempotency-Key'))
    .map(({ operationId }) => operationId)
  expect(declared).toEqual(takes)
  expect(declared).toContain('createPassport')
})

test('an answer is negotiated only where it can be revalidated, as handlers may give a rendition only there', () => {
  const negotiated = operations.filter(({ responses }) => follow(responses['200'] ?? {})['x-representations'] === true)
  expect(negotiated.length).toBeGreaterThan(3)
  expect(negotiated.filter(({ responses }) => responses['304'] === undefined)).toEqual([])
})

test('every code of the contract is given by something, and explained', () => {
  const files = ['src', 'plugins/modules'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/(^|\/)generated|\.test\.ts$/.test(name))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  )
  const given = (code: string) =>
    source.includes(`x-error-code: ${code}\n`) || files.some((text) => text.includes(`'${code}'`))
  for (const name of ['ErrorCode', 'AdvisoryCode', 'FrameworkCode']) {
    const { enum: codes, description } = document.components.schemas[name] as { enum: string[]; description: string }
    expect(codes.length).toBeGreaterThan(3)
    expect(codes.filter((code) => !given(code))).toEqual([])
    expect(codes.filter((code) => !description.includes(`\`${code}\``))).toEqual([])
  }
})
