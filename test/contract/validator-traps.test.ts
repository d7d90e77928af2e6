import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { newGtin, textile } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

// Known defects of express-openapi-validator 5.6.2 and Express 5.3, checked in use.

const fromHere = createRequire(import.meta.url)
const fromValidator = createRequire(fromHere.resolve('express-openapi-validator'))
const paths: { pathToRegexp(...input: unknown[]): unknown } = fromValidator('path-to-regexp')
const { RequestValidator } = fromValidator('./middlewares/openapi.request.validator')

let compilations = 0
const validators = new Set<{ middlewareCache: Record<string, unknown>; ajv: object }>()

watchTheLibrary()
const { gateway, workspace } = await useGateway()
// The library validates this query itself, even if an earlier file of this worker had all schemas compiled.
await gateway.request('GET', '/api/v1/whoami?x=%5B', { headers: workspace.as })

function watchTheLibrary(): void {
  const compile = paths.pathToRegexp
  paths.pathToRegexp = (...input) => {
    compilations += 1
    return compile(...input)
  }
  const { validate } = RequestValidator.prototype
  RequestValidator.prototype.validate = function (...input: unknown[]) {
    validators.add(this)
    return validate.apply(this, input)
  }
}

const cached = () => [...validators].flatMap(({ middlewareCache }) => Object.keys(middlewareCache))

const validate = (contentType: string) =>
  gateway.client.send('POST', '/api/v1/passports/validate-only', {
    headers: { ...workspace.as, 'content-type': contentType },
    json: { productId: newGtin(), metadata: textile() },
  })

test('no request makes the validator look for its route, which it would compile every pattern for', async () => {
  const before = compilations
  for (let count = 0; count < 50; count += 1) {
    await gateway.request('GET', '/health')
    await gateway.request('GET', `/nothing/${count}`)
  }
  expect(compilations).toBe(before)
})

test('200 different Content-Type headers leave no compiled validator behind', async () => {
  expect((await validate('application/json')).status).toBe(200)
  await gateway.request('POST', '/api/v1/passports/validate-only?x=%5B', { headers: workspace.as, json: {} })
  await validate('text/plain')
  const before = cached()
  expect(before).toContain('POST-/api/v1/passports/validate-only-application/json')
  for (let count = 0; count < 100; count += 1) {
    const answers = [await validate(`application/json; charset=utf-8; x=${count}`), await validate(`text/x-${count}`)]
    expect(answers.map(({ status }) => status)).toEqual([200, 415])
  }
  expect(cached()).toEqual(before)
})

test('a Content-Type on a request without a body leaves none behind either', async () => {
  const read = (contentType: string) =>
    gateway.client.send('GET', '/api/v1/whoami', { headers: { ...workspace.as, 'content-type': contentType } })
  await read('text/plain')
  const before = cached()
  for (let count = 0; count < 50; count += 1) expect((await read(`text/x-${count}`)).status).toBe(200)
  expect(cached()).toEqual(before)
})
