import { describe, expect, test } from 'vitest'
import { CONTRACT_VERSION } from '../../src/root.ts'
import { sqlOf } from '../../src/storage/migrate.ts'
import { breakingChanges } from '../support/breaking-changes.ts'
import { takenAway } from '../support/expand-only.ts'
import { promisedBy } from '../support/promised-contract.ts'
import { type Released, releasable, released } from '../support/released.ts'

// Promises of the last release and the present state. Before the first release the promise is a recorded state.

const before = released()
const now = await releasable()

/** True if a version precedes or equals another (Semantic Versioning 2.0.0, 11, without comparing pre-releases). */
const isUpTo = (version: string, other: string) => {
  const [one = [], two = []] = [version, other].map((text) => text.split('-')[0]?.split('.').map(Number))
  const different = one.findIndex((number, index) => number !== two[index])
  return different === -1 || (one[different] ?? 0) < (two[different] ?? 0)
}
const majorOf = (version: string) => Number(version.split('.')[0])

describe('a migration', () => {
  const landed = Object.keys(before.migrations)
  const fresh = Object.keys(now.migrations).filter((name) => !landed.includes(name))

  test('that has landed runs what it ran', () => {
    for (const [name, hash] of Object.entries(before.migrations)) {
      expect([name, now.migrations[name]]).toEqual([name, hash])
    }
  })

  test('that is new comes after all that have landed', () => {
    const setOf = (name: string) => name.split('/')[0]
    for (const name of fresh) {
      const last = landed.filter((other) => setOf(other) === setOf(name)).sort()
      expect([name, name > (last.at(-1) ?? '')]).toEqual([name, true])
    }
  })

  test('that is new takes nothing away that the last release uses', async () => {
    for (const name of fresh) {
      const migration = now.classes.get(name)
      const taken = migration === undefined ? [] : takenAway(await sqlOf(migration))
      const isUnused = migration?.unusedSince !== undefined && isUpTo(migration.unusedSince, before.version)
      expect([name, isUnused ? [] : taken]).toEqual([name, []])
    }
  })

  test.each([
    ['alter table a drop column b'],
    ['drop table a'],
    ['drop function a'],
    ['alter table a rename column b to c'],
    ['alter table a rename to b'],
    ['alter table a alter column b set not null'],
    ['alter table a alter column b type bigint'],
    ['alter table a alter column b drop default'],
    ['alter table a add column b int, add column c text not null, add column d int'],
    ["alter table a add check (b <> '')"],
    ['alter table a add constraint b unique (c)'],
    ['create unique index on a (b)'],
    ['create index b on a (b)'],
    ['revoke select on a from dpp_app'],
    ['delete from a'],
    ['create function f() returns int language sql as $$ select 1 $$; drop table a'],
  ])('would be found: %s', (text) => {
    expect(takenAway([text.toUpperCase()])).toHaveLength(1)
  })

  test.each([
    ['alter table a add column b int not null default 7, add column c text check (c > d)'],
    ['alter table a add column b bigint not null generated always as identity'],
    ['alter table a alter column b drop not null'],
    ['alter table a drop constraint b, add constraint b check (c in (1, 2, 3))'],
    ['create table a (b int primary key, c text not null); create unique index on a (c); alter table a add unique (b)'],
    ['create or replace function f() returns int language plpgsql as $$ begin delete from a; drop table b; end $$'],
    ['drop trigger a on b'],
    ['create index concurrently b on a (b)'],
    ['create table a (b int); create index c on a (b)'],
    ['revoke all on function f from public'],
    ['update a set b = c'],
  ])('may: %s', (text) => {
    expect(takenAway(text.split(/;(?! drop| end)/))).toEqual([])
  })

  test('counts by versions, and not by their spelling', () => {
    expect(['1.9.0', '1.14.9', '1.15.0', '1.15.0-alpha.1'].filter((one) => isUpTo(one, '1.15.0'))).toHaveLength(4)
    expect(['1.15.1', '1.16.0', '2.0.0'].filter((one) => isUpTo(one, '1.15.0'))).toEqual([])
  })
})

describe('the contract', () => {
  test('keeps what the last release promised, or is of a new major version', () => {
    const broken =
      majorOf(CONTRACT_VERSION) > majorOf(before.version) ? [] : breakingChanges(before.contract, now.contract)
    expect(broken).toEqual([])
  })

  type Change = (contract: Released['contract']) => void
  const changed = (change: Change) => {
    const contract = structuredClone(now.contract)
    change(contract)
    return contract
  }
  const schemas = (contract: Released['contract']) => contract.components.schemas
  const PASSPORTS = '/api/v1/passports'
  const SCHEMAS = '/api/v1/schemas/{category}'

  test.each<[what: string, change: Change, expected: string]>([
    ['an operation is gone', ({ paths }) => delete paths[PASSPORTS].get, 'GET /api/v1/passports is gone'],
    ['a path is gone', ({ paths }) => delete paths[SCHEMAS], `GET ${SCHEMAS} is gone`],
    [
      'an operation has another name',
      ({ paths }) => (paths[PASSPORTS].get.operationId = 'findPassports'),
      'GET /api/v1/passports is called findPassports',
    ],
    [
      'it asks for another permission',
      ({ paths }) => paths[PASSPORTS].get.security[0].bearer.push('audit:read'),
      'GET /api/v1/passports asks for more than {"bearer":["passport:read"]}',
    ],
    [
      'it asks for a credential',
      ({ paths }) => (paths[SCHEMAS].get.security = [{ bearer: [] }]),
      `GET ${SCHEMAS} asks for more than {}`,
    ],
    [
      'a parameter is gone',
      ({ paths }) => paths[PASSPORTS].get.parameters.pop(),
      'GET /api/v1/passports: query originCountry is gone',
    ],
    [
      'a parameter is required',
      ({ paths }) => (paths[PASSPORTS].get.parameters[0].required = true),
      'GET /api/v1/passports: query page is required',
    ],
    [
      'there is a new one, and it is required',
      ({ paths }) => paths[PASSPORTS].get.parameters.push({ in: 'query', name: 'n', required: true }),
      'GET /api/v1/passports: query n is required',
    ],
    [
      'a parameter takes fewer values',
      ({ paths }) => (paths[PASSPORTS].get.parameters[0].schema.maxLength = 2),
      'GET /api/v1/passports: query page no longer takes more than maxLength 2',
    ],
    [
      'a status is gone',
      ({ paths }) => delete paths[PASSPORTS].get.responses[403],
      'GET /api/v1/passports: 403 is gone',
    ],
    [
      'a media type is gone',
      ({ paths }) => (paths[PASSPORTS].get.responses[200].content = {}),
      'GET /api/v1/passports: 200: application/json is gone',
    ],
    [
      'a header is gone',
      ({ paths }) => delete paths[PASSPORTS].get.responses[200].headers['X-Request-Id'],
      'GET /api/v1/passports: 200: header X-Request-Id is gone',
    ],
    ['a webhook is gone', ({ webhooks }) => delete webhooks['passport.sealed'], 'webhook passport.sealed is gone'],
    [
      'a member of a request is required',
      (contract) => schemas(contract).NewPassport.required.push('operatorId'),
      'NewPassport (request) no longer takes a document without operatorId',
    ],
    [
      'a member of a request is gone',
      (contract) => delete schemas(contract).NewPassport.properties.operatorId,
      'NewPassport (request).operatorId is gone',
    ],
    [
      'a request is closed',
      (contract) => (schemas(contract).NewPassport.additionalProperties = false),
      'NewPassport (request) no longer takes other members',
    ],
    [
      'a member of an answer is gone',
      (contract) => delete schemas(contract).PassportPage.properties.page,
      'PassportPage (answer).page is gone',
    ],
    [
      'a member of an answer may be missing',
      (contract) => schemas(contract).PassportPage.required.pop(),
      'PassportPage (answer) now gives a document without',
    ],
    [
      'a member of an answer has another type',
      (contract) => (schemas(contract).PassportPage.properties.page.type = ['integer', 'null']),
      'PassportPage (answer).page now gives another type than integer',
    ],
  ])('would be broken where %s', (_, change, expected) => {
    expect(breakingChanges(now.contract, changed(change))).toContainEqual(expect.stringContaining(expected))
  })

  const one = (schema: object, way: 'request' | 'answer') => {
    const content = { 'application/json': { schema } }
    const operation =
      way === 'request' ? { requestBody: { content }, responses: {} } : { responses: { 200: { content } } }
    return { paths: { '/a': { post: operation } } }
  }

  test.each<[old: object, next: object, broken: readonly ('request' | 'answer')[]]>([
    [{ enum: ['a', 'b'] }, { enum: ['a'] }, ['request']],
    [{ enum: ['a'] }, { enum: ['a', 'b'] }, ['answer']],
    [{ const: 'a' }, { enum: ['a', 'b'] }, ['answer']],
    [{ type: 'integer' }, { type: 'number' }, ['answer']],
    [{ type: 'string' }, { type: 'integer' }, ['request', 'answer']],
    [{ type: 'string' }, {}, ['answer']],
    [{ maxLength: 5 }, { maxLength: 6 }, ['answer']],
    [{ minItems: 1 }, { minItems: 2 }, ['request']],
    [{ pattern: 'a' }, { pattern: 'b' }, ['request', 'answer']],
    [{ format: 'date' }, {}, ['answer']],
    [{ items: { type: 'string' } }, { items: { type: ['string', 'null'] } }, ['answer']],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { anyOf: [{ type: 'string' }] }, ['request']],
    [{ anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'null' }, { type: 'string' }] }, ['answer']],
    [{ allOf: [{ maxLength: 3 }] }, { allOf: [{ maxLength: 3 }, { minLength: 1 }] }, ['request']],
    [{ properties: { a: {} } }, { properties: { a: {}, b: {} } }, []],
    [{ required: ['a', 'b'] }, { required: ['b', 'a'] }, []],
  ])('%j that becomes %j breaks %j', (old, next, broken) => {
    const ways = (['request', 'answer'] as const).filter(
      (way) => breakingChanges(one(old, way), one(next, way)).length > 0,
    )
    expect(ways).toEqual(broken)
  })

  test('may have more: operations, statuses, members, codes of errors', () => {
    const more = changed((contract) => {
      contract.paths['/new'] = { get: { operationId: 'n', responses: {} } }
      contract.paths[PASSPORTS].get.responses[418] = {}
      contract.paths[PASSPORTS].get.parameters.push({ in: 'query', name: 'n', schema: {} })
      schemas(contract).NewPassport.properties.n = { type: 'string' }
      schemas(contract).PassportPage.properties.n = { type: 'string' }
      schemas(contract).ErrorCode.enum.push('NEW')
    })
    expect(breakingChanges(now.contract, more)).toEqual([])
  })

  test('promises nothing that is provisional', () => {
    const schema = { required: ['a', 'b'], properties: { a: {}, b: { 'x-provisional': true } } }
    const operation = (more: object) => ({
      post: { responses: { 200: { content: { t: { schema: { $ref: '#/components/schemas/S' } } } } }, ...more },
    })
    const { paths, components } = promisedBy({
      paths: { '/a': operation({}), '/b': operation({ 'x-provisional': true }) },
      webhooks: {},
      components: { schemas: { S: schema, T: {} } },
    })
    expect(Object.keys(paths)).toEqual(['/a'])
    expect(components.schemas).toEqual({ S: { required: ['a'], properties: { a: {} } } })
  })
})
