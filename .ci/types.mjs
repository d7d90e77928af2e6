// Generates the types of `openapi.yaml` and of the modules, and the table of the typed client. `--check` writes nothing and fails if a
// file is out of date.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { runCommandLine } from '../src/command-line.ts'
import { addPart } from '../src/http/document.ts'

const TABLE = 'src/generated/client-operations.ts'
/** Headers that the client sets itself. Conditional reads are left to caches. */
const OWN_HEADERS = new Set(['x-csrf-token', 'idempotency-key', 'if-none-match'])
const isCheck = process.argv.includes('--check')

execFileSync(
  'node_modules/.bin/openapi-typescript',
  [
    'openapi.yaml',
    '--immutable',
    '--default-non-nullable',
    'false',
    '-o',
    'src/generated/openapi.ts',
    ...(isCheck ? ['--check'] : []),
  ],
  { stdio: 'inherit' },
)

const MODULES = 'plugins/modules'
// Commands of other modules may need types that do not exist yet.
const env = { ...process.env, PLUGINS: join(MODULES, 'scaffold') }
const options = { env, isTerminal: false, print: () => {}, tell: (text) => console.error(text) }
const modules = readdirSync(MODULES).filter((name) => existsSync(join(MODULES, name, 'openapi.yaml')))
for (const name of modules) {
  // In this process: each start takes 2 s of processor time.
  const code = await runCommandLine(['plugin', 'types', join(MODULES, name), ...(isCheck ? ['--check'] : [])], options)
  if (code !== 0) {
    console.error(`The types of the module ${name} are not what its openapi.yaml makes: npm run types`)
    process.exit(code)
  }
}

const document = parse(readFileSync('openapi.yaml', 'utf8'))
for (const name of modules) {
  const { paths, components = {} } = parse(readFileSync(join(MODULES, name, 'openapi.yaml'), 'utf8'))
  addPart(document, { plugin: name, paths, components })
}
const table = tableOf(document)
if (!isCheck) writeFileSync(TABLE, table)
else if (readFileSync(TABLE, 'utf8') !== table) {
  console.error(`${TABLE} is not what openapi.yaml makes: npm run types`)
  process.exit(1)
}

function tableOf({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, operation]) => ({ path, method, item, operation })),
  )
  const parts = ['gateway', ...modules.map(identifierOf)]
  return [
    '/**',
    ' * This file was made of openapi.yaml and of the modules by .ci/types.mjs.',
    ' * Do not make direct changes to the file.',
    ' */',
    '',
    "import type * as gateway from './openapi.ts'",
    ...modules.map(
      (name) => `import type * as ${identifierOf(name)} from '../../plugins/modules/${name}/generated.ts'`,
    ),
    '',
    `export type operations = ${parts.map((name) => `${name}.operations`).join(' & ')}`,
    `export type Schemas = ${parts.map((name) => `${name}.components['schemas']`).join(' & ')}`,
    '',
    '/** The request and the answer of each operation, as the client needs them. */',
    'export const OPERATIONS = {',
    ...operations.map((each) => `    ${each.operation.operationId}: ${JSON.stringify(rowOf(each))},`),
    '} as const',
    '',
    '/** What each operation is for, as editors show it. */',
    'export interface Summaries {',
    ...operations.map(
      ({ operation: { operationId, summary } }) =>
        `    /** ${summary.replaceAll('*/', '* /')} */\n    readonly ${operationId}: unknown`,
    ),
    '}',
    '',
  ].join('\n')
}

function identifierOf(name) {
  return name.replace(/-./g, (part) => part[1].toUpperCase())
}

function rowOf({ path, method, item, operation }) {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(followed)
  // An operation that is not offered has no success.
  const [status, answer] = Object.entries(operation.responses).find(([code]) => /^(?:20[0-9]|501)$/.test(code)) ?? []
  if (status === undefined) throw new Error(`${operation.operationId} promises no answer.`)
  const bodies = Object.keys(followed(operation.requestBody)?.content ?? {})
  const forms = followed(answer)['x-representations']
  const accept = forms === undefined ? acceptOf(operation) : 'application/ld+json'
  return {
    method: method.toUpperCase(),
    path,
    headers: nonEmpty(
      parameters
        .filter(({ in: place, name }) => place === 'header' && !OWN_HEADERS.has(name.toLowerCase()))
        .map(({ name }) => name),
    ),
    body: bodies.length === 0 ? undefined : isFile(bodies[0]) ? 'file' : bodies[0],
    once: operation['x-idempotent'],
    accept: accept === 'application/json' || accept === '' ? undefined : accept,
    forms: forms === true ? 'passports' : forms,
    pages: method === 'get' ? pagesOf(followed(answer), parameters) : undefined,
  }
}

/** Media types of an operation's responses, in its order. */
function acceptOf({ responses }) {
  const types = Object.entries(responses)
    .filter(([code]) => /^20[0-9]$/.test(code))
    .flatMap(([, response]) => Object.keys(followed(response).content ?? {}))
  return [...new Set(types)].join(', ')
}

/** Pagination of a list: members of the items and the cursor, and the query parameter. */
function pagesOf(answer, parameters) {
  const schema = followed(answer.content?.['application/json']?.schema)
  const names = new Set(parameters.filter((one) => one.in === 'query').map(({ name }) => name))
  const [items] = listsIn(schema)
  if (items === undefined) return undefined
  if (answer.headers?.Link !== undefined && names.has('nextPageToken')) {
    return { items, by: 'nextPageToken', from: 'Link' }
  }
  const by = ['cursor', 'before'].find((name) => names.has(name))
  const from = Object.keys(schema.properties).find((name) => /^next/.test(name))
  if (by !== undefined && from !== undefined) return { items, by, from }
  return names.has('page') && names.has('limit') ? { items, by: 'page', from: 'page' } : undefined
}

/** Paths of object lists in a response, with dots. */
function listsIn(schema, path = []) {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, value]) => {
    const inner = followed(value)
    if (inner.type === 'array') return followed(inner.items)?.anyOf === undefined ? [[...path, name].join('.')] : []
    return path.length > 3 ? [] : listsIn(inner, [...path, name])
  })
}

function isFile(type) {
  return !['application/json', 'application/x-www-form-urlencoded'].includes(type)
}

function nonEmpty(list) {
  return list.length === 0 ? undefined : list
}

function followed(node) {
  if (node?.$ref === undefined) return node
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((found, key) => found[key], document)
}
