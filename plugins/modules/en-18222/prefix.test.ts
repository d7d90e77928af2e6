import { afterAll, expect, test } from 'vitest'
import { Variables } from '../../../src/start/variables.ts'
import { enClient, idOf } from '../../../test/support/en-client.ts'
import { createWorkspace, newGtin, startTestGateway, textile } from '../../../test/support/gateway.ts'
import { expectStatus } from '../../../test/support/passport-client.ts'
import { settings } from './settings.ts'

const gateway = await startTestGateway({ EN_PREFIX: '/dpp/v1' })
afterAll(() => gateway.close())

test('EN_PREFIX moves the interface, its contract and its errors', async () => {
  const { as } = await createWorkspace(gateway)
  const en = enClient(gateway, '/dpp/v1')
  const gtin = newGtin()
  const created = expectStatus(201, await en.create({ uniqueProductIdentifier: gtin, ...textile() }, as))
  const id = created.body.digitalProductPassportId
  expect(created.headers.location).toContain('/dpp/v1/dpps/')
  for (let read = 0; read < 2; read += 1) expect((await en.byProduct(gtin)).body.digitalProductPassportId).toBe(id)
  expect((await en.element(id, '$.category')).body).toBe('textiles')
  const paths = Object.keys(JSON.parse((await gateway.request('GET', '/openapi.json')).text).paths)
  expect(paths).toContain('/dpp/v1/dpps/{dppId}')
  expect(paths.filter((path) => path.startsWith('/v1/'))).toEqual([])
  expect((await gateway.client.send('GET', '/dpp/v1/nothing')).body.statusCode).toBe('ClientErrorResourceNotFound')
  expect((await gateway.client.send('GET', `/v1/dpps/${idOf('x')}`)).body).toMatchObject({ statusCode: 404 })
})

test.each(['v1', '/v1/', '/V1', '/a b', '/'])('EN_PREFIX must not be %s', (value) =>
  expect(() => settings.parse(new Variables({ EN_PREFIX: value }))).toThrow('Invalid EN_PREFIX'),
)
