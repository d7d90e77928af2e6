import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadContract } from '../../../src/http/contract.ts'
import { loadCommands } from '../../../src/plugin/commands.ts'
import { loadPlugins } from '../../../src/plugin/loader.ts'
import { PluginError } from '../../../src/plugin/locate.ts'
import { ROOT } from '../../../src/root.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpp-plugins-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = async (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}
const category = (name: string, more = '') => `export default { kind: 'category', name: '${name}', ${more} }`
const module = (name: string, more = '') => `export default { kind: 'module', name: '${name}', ${more} }`
const representation = (name: string, mediaType: string, more = '') =>
  `export default { kind: 'representation', name: '${name}', mediaTypes: ['${mediaType}'], render: () => ({ body: '' }), ${more} }`

describe('loaded plugins', () => {
  test('a folder of plugin folders stands for the plugins in it, in the order of their names', async () => {
    await write({ 'b/index.js': category('second'), 'a/deep/index.js': category('first'), 'a/notes.txt': '' })
    const { list } = await loadPlugins([folder])
    expect(list.map(({ name }) => name)).toEqual(['first', 'second'])
  })

  test('an array of plugins is one folder with several', async () => {
    await write({ 'index.js': `export default [{ kind: 'category', name: 'one' }, { kind: 'category', name: 'two' }]` })
    expect([...(await loadPlugins([folder])).categories.keys()]).toEqual(['one', 'two'])
  })

  test('a package is found by its name from where the gateway runs', async () => {
    await write({
      'package.json': '{}',
      'node_modules/dpp-shoes/package.json': '{ "name": "dpp-shoes", "main": "main.js", "type": "module" }',
      'node_modules/dpp-shoes/main.js': category('shoes'),
      'node_modules/dpp-shoes/schemas/shoes.json': '{ "title": "Shoes" }',
    })
    const { categories } = await loadPlugins(['dpp-shoes'], folder)
    expect(categories.get('shoes')).toMatchObject({ published: true, schema: { title: 'Shoes' } })
  })

  test('media types of representations and components of plugins enter the contract', async () => {
    await write({
      'index.js': representation('poem', 'application/poem'),
      'openapi.yaml': 'components: { schemas: { Poem: { type: string } } }',
    })
    const { document } = await loadContract(await loadPlugins([folder]))
    expect(document.paths['/passport/{id}'].get.responses['200'].content).toHaveProperty(['application/poem'])
    expect(document.components.schemas.Poem).toEqual({ type: 'string' })
  })

  test('types of notifications of modules enter the contract', async () => {
    await write({ 'index.js': module('dunning', "notificationTypes: { 'dunning.sent': 'key:read' }") })
    const { document } = await loadContract(await loadPlugins([join(ROOT, 'plugins'), folder]))
    expect(document.components.schemas.NotificationType.enum).toEqual(
      expect.arrayContaining(['access.requested', 'dunning.sent']),
    )
  })
})

describe('the order of representations', () => {
  test('is that of specification 4.1, and what has no rank comes last', async () => {
    await write({ 'a/index.js': representation('poem', 'application/poem') })
    const { representations, defaultRepresentation } = await loadPlugins([folder, join(ROOT, 'plugins')])
    const names = [
      'aas',
      'untp-vc-jwt',
      'data-integrity',
      'sd-jwt-vc',
      'html',
      'jsonld',
      'json',
      'poem',
      'aasx',
      'aasx-xml',
      'pdf',
    ]
    expect(representations.map(({ name }) => name)).toEqual(names)
    expect(defaultRepresentation?.name).toBe('jsonld')
  })

  test('is settled by rank, and none is the default that does not say so', async () => {
    await write({
      'a/index.js': representation('second', 'a/b', 'rank: 2'),
      'b/index.js': representation('first', 'c/d', 'rank: -1'),
    })
    const { representations, defaultRepresentation } = await loadPlugins([folder])
    expect(representations.map(({ name }) => name)).toEqual(['first', 'second'])
    expect(defaultRepresentation).toBeUndefined()
  })
})

test('the schema of a representation describes passports in the contract, and not its problems', async () => {
  const shown = `schema: { type: 'object', title: 'Poem' }, renderProblem: () => ({ body: '' })`
  await write({ 'index.js': representation('poem', 'application/poem', shown) })
  const { document } = await loadContract(await loadPlugins([folder]))
  const { responses } = document.paths['/passport/{id}'].get
  expect(responses['200'].content['application/poem'].schema).toEqual({ type: 'object', title: 'Poem' })
  const problems = Object.values<{ content?: Record<string, unknown> }>(document.components.responses)
    .map(({ content }) => content?.['application/poem'])
    .filter((content) => content !== undefined)
  expect(problems.length).toBeGreaterThan(0)
  for (const problem of problems) expect(problem).toEqual({ schema: { type: 'string' } })
})

describe('contexts', () => {
  const address = 'https://shoes.example/context/v1'
  const W3C = 'https://w3id.org/security/multikey/v1'

  test('of plugins are merged with those of the gateway: a file, one of a package, and one that is not shipped', async () => {
    await write({
      'index.js': category('shoes'),
      'contexts/index.json': JSON.stringify({
        [address]: './shoes.jsonld',
        'https://boots.example/': 'boots',
        'https://vocabulary.example/': null,
      }),
      'contexts/shoes.jsonld': '{ "@context": { "sole": "https://shoes.example/#sole" } }',
      'node_modules/boots/index.cjs': `exports.contexts = new Map([['https://boots.example/', { '@context': {} }]])`,
      'node_modules/boots/package.json': '{ "main": "index.cjs" }',
    })
    const { contexts } = await loadPlugins([folder])
    expect(contexts.get(address)).toEqual({ '@context': { sole: 'https://shoes.example/#sole' } })
    expect(contexts.get('https://boots.example/')).toEqual({ '@context': {} })
    expect(contexts.get('https://vocabulary.example/')).toBeNull()
    expect(contexts.get(W3C)).toHaveProperty('@context')
    expect(contexts.get('{base}/context/v1')).toHaveProperty('@context')
  })

  const failing: [string, object, RegExp][] = [
    ['an address that the gateway has', { [W3C]: null }, /multikey\/v1 already exists/],
    ['an address of the gateway', { '{base}/context/v9': null }, /is reserved for the gateway/],
    ['what is no address', { shoes: null }, /shoes is not a URL/],
    ['a place that is none', { [address]: 5 }, /must be a file, a package or null/],
    ['a file that is not there', { [address]: './none.jsonld' }, /no such file/],
    ['a package that is not there', { [address]: 'no-such-package' }, /Cannot find module/],
    ['a package that does not have it', { [address]: 'did-context' }, /did-context has no context/],
    ['an index that is no object', [], /index\.json is not a JSON object/],
  ]
  test.each(failing)('%s ends the start', async (_, index, message) => {
    await write({ 'index.js': category('shoes'), 'contexts/index.json': JSON.stringify(index) })
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await expect(loadPlugins([folder])).rejects.toThrow(message)
    await expect(loadPlugins([folder])).rejects.toThrow(PluginError)
  })
})

describe('commands of modules', () => {
  const command = (name: string) => `export default { '${name}': { summary: 'Greet', run: async () => undefined } }`

  test('are found without loading the modules', async () => {
    await write({ 'a/index.js': 'throw new Error()', 'a/commands/greet.js': command('greet') })
    expect(Object.keys(await loadCommands([folder]))).toEqual(['greet'])
  })

  test('of two modules must not have the same name', async () => {
    await write({
      ...{ 'a/index.js': module('a'), 'a/commands/greet.js': command('greet') },
      ...{ 'b/index.js': module('b'), 'b/commands/hello.js': command('greet') },
    })
    await expect(loadCommands([folder])).rejects.toThrow(/hello\.js: command "greet" already exists/)
  })

  test('must not have the name of a command of the gateway', async () => {
    await write({ 'a/index.js': module('a'), 'a/commands/greet.js': command('doctor') })
    await expect(loadCommands([folder], ['doctor'])).rejects.toThrow(/command "doctor" already exists/)
  })
})

/** A category `x` with one annotated key. */
const annotated = (property: object, locales: object = {}) => ({
  'index.js': category('x'),
  'schemas/x.json': JSON.stringify({ properties: { heel: property } }),
  'locales/en.json': JSON.stringify(locales),
})

test.each<[property: object, locales?: object]>([
  [{ 'x-section': 'fit' }, { section: { fit: 'Fit' } }],
  [{ 'x-section': 'performance', 'x-unit': 'millimeter', 'x-display': 'figure', 'x-order': -1 }],
  [{ 'x-unit': 'percent', 'x-claim': { topic: 'recycled-content' } }],
  [{ 'x-claim': { topic: 'water-conservation', unit: 'LTR' }, 'x-concept': 'urn:example:heel', 'x-personal': false }],
  // The definition in the common schema has the unit.
  [{ $ref: 'urn:dpp-gateway:schema:common#/$defs/percentage', 'x-claim': { topic: 'recycled-content' } }],
  [{ type: 'object', properties: { sheet: { 'x-section': 'documents' } } }],
  [{ 'x-audience': ['authority', 'legitimateInterest'] }],
  [{ 'x-annex': ['XIII 1(h)', 'VI A 5'], 'x-due': 'pending' }],
  [{ enum: ['ev', 'EV'], 'x-kind': true, 'x-annex': 'VI A 2', 'x-due': { ev: 'mandatory' } }],
  [{ properties: { toe: { 'x-alias-of': 'heel.tip' }, tip: {} } }],
  // A property name and values that look like the annotation.
  [{ properties: { 'x-audience': { const: { 'x-audience': 1 }, examples: [{ 'x-audience': 2 }] } } }],
])('annotations of a schema are taken as they are: %j', async (property, locales) => {
  await write(annotated(property, locales))
  expect((await loadPlugins([folder])).categories.get('x')?.schema).toEqual({ properties: { heel: property } })
})

describe('errors of the start', () => {
  const failing: [string, Record<string, string>, RegExp][] = [
    ['no plugin in the folder', { 'readme.txt': '' }, /has no plugin/],
    ['a module that throws', { 'index.js': `throw new Error('no network')` }, /cannot be loaded: no network/],
    ['no default export', { 'index.js': 'export const a = 1' }, /default export is not an object/],
    ['an unknown kind', { 'index.js': `export default { kind: 'theme', name: 'x' }` }, /kind must be .* not "theme"/],
    ['a name that is none', { 'index.js': category('Über') }, /name must be lower-case .* not "Über"/],
    [
      'a representation without render',
      { 'index.js': `export default { kind: 'representation', name: 'x', mediaTypes: ['a/b'] }` },
      /function render is missing/,
    ],
    [
      'a representation without media types',
      { 'index.js': `export default { kind: 'representation', name: 'x', mediaTypes: [], render() {} }` },
      /mediaTypes/,
    ],
    ['a check that is no function', { 'index.js': category('x', 'check: 5') }, /check is not a function/],
    [
      'two categories of one name',
      { 'a/index.js': category('x'), 'b/index.js': category('x') },
      /category with this name already exists/,
    ],
    [
      'two owners of a media type',
      { 'a/index.js': representation('x', 'a/b'), 'b/index.js': representation('y', 'a/b') },
      /x already has the media type a\/b/,
    ],
    [
      'two defaults',
      {
        'a/index.js': representation('x', 'a/b', 'isDefault: true'),
        'b/index.js': representation('y', 'c/d', 'isDefault: true'),
      },
      /y .*: x is already the default/,
    ],
    [
      'a default that is signed',
      { 'index.js': representation('x', 'a/b', `isDefault: true, isSigned: true, profiles: ['p']`) },
      /a signed representation cannot be the default/,
    ],
    ['a rank that is no number', { 'index.js': representation('x', 'a/b', `rank: 'first'`) }, /rank must be/],
    ['a schema that is not JSON', { 'index.js': category('x'), 'schemas/x.json': '{' }, /schemas\/x\.json is not JSON/],
    ['two schemas of one category', { 'index.js': category('x', 'schema: {}'), 'schemas/x.json': '{}' }, /Remove one/],
    [
      'reports by a way that is not encrypted',
      { 'index.js': category('x', "reportUrl: 'http://x.example/'") },
      /reportUrl must be/,
    ],
    [
      'tracking that is neither allowed nor not',
      { 'index.js': category('x', "isUntracked: 'no'") },
      /isUntracked must be/,
    ],
    [
      'a section that nobody names',
      annotated({ 'x-section': 'fit' }, { section: { fitt: 'Fit' } }),
      /in the schema of x, heel: x-section "fit" must be one of composition, .* or a text under "section"/,
    ],
    [
      'a section inside a group',
      annotated({ items: { properties: { a: { 'x-section': 'use' } } } }),
      /heel\/a: x-section "use" must be "documents" inside a group\./,
    ],
    ['no point of the law', annotated({ 'x-annex': [''] }), /heel: x-annex .* must be a point of the law/],
    ['what is due without a point', annotated({ 'x-due': 'mandatory' }), /heel: x-due "mandatory" needs x-annex/],
    [
      'a due that is no such word',
      annotated({ 'x-annex': 'A', 'x-due': 'often' }),
      /x-due "often" must be one of mandatory/,
    ],
    [
      'a due of a kind that is none',
      annotated({ 'x-annex': 'A', 'x-due': { ev: 'mandatory' } }),
      /has the unknown kind ev/,
    ],
    [
      'a due of a kind in no such word',
      annotated({ enum: ['ev'], 'x-kind': true, 'x-annex': 'A', 'x-due': { ev: true } }),
      /x-due .* must have one of mandatory/,
    ],
    [
      'kinds without an enum',
      annotated({ type: 'string', 'x-kind': true }),
      /x-kind true must be true, on a key with an enum/,
    ],
    ['an alias of nothing', annotated({ 'x-alias-of': 'toe' }), /x-alias-of "toe" must be another key/],
    ['a unit that is no text', annotated({ 'x-unit': 5 }), /heel: x-unit 5 must be a non-empty string\./],
    ['an unknown display', annotated({ 'x-display': 'big' }), /x-display "big" must be one of figure, /],
    ['an order that is no number', annotated({ 'x-order': 'first' }), /x-order "first" must be a number\./],
    ['a claim without a topic', annotated({ 'x-claim': { unit: 'KGM' } }), /x-claim .* must be an object with a topic/],
    [
      'a claim with a member that is not known',
      annotated({ 'x-claim': { topic: 'a', unit: 'KGM', name: 'b' } }),
      /x-claim .* must be an object with a topic/,
    ],
    [
      'a claim without a unit',
      annotated({ 'x-unit': 'flexes', 'x-claim': { topic: 'a' } }),
      /x-claim .* needs a unit of UN\/ECE Recommendation 20/,
    ],
    ['a concept that is no IRI', annotated({ 'x-concept': 'heel' }), /x-concept "heel" must be an absolute IRI\./],
    [
      'an audience that there is not',
      annotated({ 'x-audience': ['customs'] }),
      /heel: x-audience \["customs"\] must be a list of legitimateInterest and authority, or of one of them\./,
    ],
    ['no audience', annotated({ 'x-audience': [] }), /heel: x-audience \[\] must be a list of/],
    [
      'an audience inside a key',
      annotated({ items: { properties: { a: { 'x-audience': ['authority'] } } } }),
      /\/properties\/heel\/items\/properties\/a: x-audience is allowed only on a metadata key/,
    ],
    [
      'an audience of a definition',
      {
        'index.js': category('x'),
        'schemas/x.json': JSON.stringify({ $defs: { secret: { 'x-audience': ['authority'] } } }),
        'locales/en.json': '{}',
      },
      /in the schema of x, \/\$defs\/secret: x-audience is allowed only on a metadata key/,
    ],
    [
      'an audience of the whole schema',
      {
        'index.js': category('x'),
        'schemas/x.json': JSON.stringify({ 'x-audience': ['authority'] }),
        'locales/en.json': '{}',
      },
      /in the schema of x, \/: x-audience is allowed only/,
    ],
    ['a person that is a text', annotated({ 'x-personal': 'yes' }), /x-personal "yes" must be true or false\./],
    [
      'a component kind that is not for plugins',
      { 'index.js': category('x'), 'openapi.yaml': 'components: { responses: {} }' },
      /Remove components\.responses/,
    ],
    [
      'paths of a plugin that is not a module',
      { 'index.js': category('x'), 'openapi.yaml': 'paths: { /x: {} }' },
      /only components\.schemas and components\.examples are allowed\. Remove paths/,
    ],
    [
      'an unknown part of the document of a module',
      { 'index.js': module('x'), 'openapi.yaml': 'servers: []' },
      /only paths and components are allowed\. Remove servers/,
    ],
    [
      'a queue without a worker',
      { 'index.js': module('x', "queues: [{ name: 'q', table: 't' }]") },
      /each queue needs a name and a worker/,
    ],
    [
      'a queue whose table is an expression',
      { 'index.js': module('x', "queues: [{ name: 'q', table: 'job; drop table passport', worker: 'w' }]") },
      /"job; drop table passport" is not a table name/,
    ],
    [
      'two queues of one name',
      {
        'a/index.js': module('a', "queues: [{ name: 'q', table: 't', worker: 'w' }]"),
        'b/index.js': module('b', "queues: [{ name: 'q', table: 'u', worker: 'w' }]"),
      },
      /the queue q already exists/,
    ],
    [
      'two demo workspaces',
      { 'a/index.js': module('a', 'demoWorkspace: {}'), 'b/index.js': module('b', 'demoWorkspace: {}') },
      /another module already has a demoWorkspace/,
    ],
    [
      'two exports of traces',
      { 'a/index.js': module('a', 'openTracing() {}'), 'b/index.js': module('b', 'openTracing() {}') },
      /another module already has openTracing/,
    ],
    [
      'settings without variables',
      { 'index.js': module('x', 'settings: { parse() {} }') },
      /settings need variables and a function parse/,
    ],
    [
      'two searches for a subject',
      { 'a/index.js': module('a', 'findSubject() {}'), 'b/index.js': module('b', 'findSubject() {}') },
      /another module already has findSubject/,
    ],
    [
      'a retention without days',
      { 'index.js': module('x', "retention: [{ table: 't', days: '9 days' }]") },
      /the retention of t must be a number of days/,
    ],
    [
      'a type of notifications that exists already',
      { 'index.js': module('x', "notificationTypes: { 'access.requested': 'passport:read' }") },
      /the notification type access\.requested already exists/,
    ],
    [
      'a migration without a class',
      { 'index.js': category('x'), 'migrations/1.js': 'export default 1' },
      /no migration class/,
    ],
  ]
  test.each(failing)('%s', async (_, files, message) => {
    await write(files)
    await expect(loadPlugins([folder])).rejects.toThrow(message)
    await expect(loadPlugins([folder])).rejects.toThrow(folder)
  })

  test.each([
    ['a path', 'paths: { /health: { get: { operationId: x } } }', '/health already exists'],
    ['an operation', 'paths: { /x: { get: { operationId: getHealth } } }', 'the operation getHealth already exists'],
    ['a component', 'components: { parameters: { csrf: {} } }', 'components.parameters.csrf already exists'],
    [
      'a property',
      'components: { schemas: { ValidationPassed: { x-extends: true, properties: { category: {} } } } }',
      'components.schemas.ValidationPassed.category already exists',
    ],
  ])('%s of a module that exists already', async (_, openapi, message) => {
    await write({ 'index.js': module('x'), 'openapi.yaml': openapi })
    await expect(loadContract(await loadPlugins([folder]))).rejects.toThrow(`Plugin x: ${message}`)
  })

  test('an extended schema that does not exist', async () => {
    await write({ 'index.js': module('x'), 'openapi.yaml': 'components: { schemas: { None: { x-extends: true } } }' })
    await expect(loadContract(await loadPlugins([folder]))).rejects.toThrow(
      'Plugin x: components.schemas.None not found',
    )
  })

  test('a component that exists already', async () => {
    await write({ 'index.js': category('x'), 'openapi.yaml': 'components: { schemas: { Passport: {} } }' })
    await expect(loadContract(await loadPlugins([folder]))).rejects.toThrow(
      'components.schemas.Passport already exists',
    )
  })
})
