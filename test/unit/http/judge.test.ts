import { createRequire } from 'node:module'
import express, { type Request, type RequestHandler, type Response } from 'express'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { prepareBody } from '../../../src/http/body-rules.ts'
import { loadContract, type Operation } from '../../../src/http/contract.ts'
import { judgeRequest } from '../../../src/http/judge.ts'
import { loadPlugins } from '../../../src/plugin/loader.ts'
import { fuzzRequests, NASTY } from '../../support/fuzz-requests.ts'

const contract = await loadContract(await loadPlugins(loadConfig({}).plugins))
const fromLibrary = createRequire(createRequire(import.meta.url).resolve('express-openapi-validator'))
const library = fromLibrary('./middlewares/openapi.request.validator')
const { RequestValidator } = library
const { validate } = RequestValidator.prototype

/** The library's judge, as the stage that was made last asks it, and how often. */
const asked: { judge?: { apiDoc: typeof contract.enforced; validate: RequestHandler }; times: number } = { times: 0 }
RequestValidator.prototype.validate = function (...input: unknown[]) {
  asked.judge = this
  asked.times += 1
  return validate.apply(this, input)
}
afterEach(() => {
  library.RequestValidator = RequestValidator
})

/** What the validation stage is given of a request. */
interface Given {
  readonly operation: Operation
  readonly query?: string
  readonly path?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

describe('the validation stage judges as express-openapi-validator does', async () => {
  const stage = await judgeRequest(contract)
  const { judge } = asked

  /** The verdict, and what has become of the request. */
  function verdictOf(decide: RequestHandler, given: Given): unknown {
    const { operation } = given
    const req = requestFor(given)
    req.openapi = {
      expressRoute: operation.path,
      schema: judge?.apiDoc.paths[operation.path][operation.method.toLowerCase()],
      pathParams: req.gateway.pathParameters,
    }
    let refusal: unknown = 'no verdict'
    const next = (error?: unknown) => {
      refusal = error
    }
    try {
      decide(req, {} as Response, next)
    } catch (error) {
      refusal = error
    }
    const { status, message, errors } = (refusal ?? {}) as { status?: number; message?: string; errors?: unknown }
    const { query, headers, body, gateway } = req
    return structuredClone({
      status,
      message,
      errors,
      query: { ...query },
      headers,
      body,
      path: gateway.pathParameters,
    })
  }

  const compiled = new Set<string>()

  /** Both verdicts, and whether the library had to be asked for ours. */
  function bothOn(given: Given): { verdict: unknown; isAsked: boolean } {
    // The first one of an operation is always the library's, since it compiles then.
    if (!compiled.has(given.operation.operationId)) verdictOf(stage, given)
    compiled.add(given.operation.operationId)
    const before = asked.times
    const verdict = verdictOf(stage, given)
    const isAsked = asked.times > before
    const theirs = verdictOf((...input) => judge?.validate(...input), given)
    expect([given.operation.operationId, given, verdict]).toEqual([given.operation.operationId, given, theirs])
    return { verdict, isAsked }
  }

  test('on requests of every operation, most of them odd', { timeout: 120_000 }, () => {
    const requests = fuzzRequests(contract.document, [...contract.operations.values()])
    let [accepted, refused, alone] = [0, 0, 0]
    for (const { operation, path, query, headers, body } of fc.sample(requests, { numRuns: 1500, seed: 42 })) {
      const given = {
        operation,
        path: path.map((value) => ('text' in value ? value.text : String(value.known))),
        query: query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&'),
        headers,
        body: jsonOf(body?.text),
      }
      const { verdict, isAsked } = bothOn(given)
      if ((verdict as { status?: number }).status === undefined) accepted += 1
      else refused += 1
      if (!isAsked) alone += 1
    }
    expect([accepted > 550, refused > 110, alone > 350]).toEqual([true, true, true])
  })

  test('on queries as people write them', () => {
    const names = [
      'page',
      'limit',
      'category',
      'originCountry',
      'lang',
      'grant',
      'archived',
      'passport',
      'kind',
      'x',
      '',
    ]
    const values = [
      '1',
      '0',
      '-1',
      'abc',
      '',
      'true',
      'de',
      ...NASTY.slice(0, 20).map(escaped),
      'a:b',
      '[]',
      '{}',
      '+',
      '1=2',
      'a,b',
    ]
    const brackets = [
      'page[]=1',
      'page[a]=1',
      'page%5B%5D=1',
      'page%5ba%5d=1',
      'lang=de&lang=fr',
      'page=1&page=2',
      '&&',
      '=',
      'page',
      'a?b=c',
    ]
    let at = 0
    for (const operation of contract.operations.values()) {
      if (operation.bodyType !== undefined) continue
      const own = new Set(operation.parameters.map(({ name }) => name))
      // Of the names that an operation does not know, one in four has to do.
      const known = names.filter((name, index) => own.has(name) || index % 4 === at % 4)
      at += 1
      const queries = known.flatMap((name) => values.map((value) => `${name}=${value}`))
      for (const query of [...queries, ...brackets]) bothOn({ operation, query })
    }
  })

  test('a request with nothing to take apart is accepted without the library, once it has compiled', () => {
    for (const operation of contract.operations.values()) {
      const { verdict, isAsked } = bothOn({ operation, body: undefined })
      const isAccepted = (verdict as { status?: number }).status === undefined
      // The audiences of a document are a list, which the library takes apart.
      const hasList = operation.operationId === 'uploadPassportMedia'
      expect([operation.operationId, isAsked]).toEqual([operation.operationId, hasList || !isAccepted])
    }
  })
})

describe('fails loudly at start when the library', () => {
  const refusal = /src\/http\/judge\.ts/

  test('has its judge elsewhere', async () => {
    library.RequestValidator = undefined
    await expect(judgeRequest(contract)).rejects.toThrow(refusal)
  })

  test('does not keep what it has compiled', async () => {
    library.RequestValidator = class extends RequestValidator {
      validate(...input: unknown[]) {
        validate.apply(this, input)
        Object.assign(this, { middlewareCache: {} })
      }
    }
    await expect(judgeRequest(contract)).rejects.toThrow(refusal)
  })

  test.each(['ajv', 'ajvBody'])('compiles with another %s', async (name) => {
    library.RequestValidator = class extends RequestValidator {
      validate(...input: unknown[]) {
        validate.apply(this, input)
        Object.assign(this, { [name]: { getSchema: () => undefined } })
      }
    }
    await expect(judgeRequest(contract)).rejects.toThrow(refusal)
  })

  test('compiles what accepts anything', async () => {
    library.RequestValidator = class extends RequestValidator {
      validate(...input: unknown[]) {
        validate.apply(this, input)
        const anything = Object.assign(() => true, { schema: { properties: { body: {} } } })
        Object.assign(this, { ajv: { getSchema: () => anything } })
      }
    }
    await expect(judgeRequest(contract)).rejects.toThrow(refusal)
  })

  test.each([
    ['has lost an operation', {}],
    ['cannot read the document', { '/x': { $ref: '#/nothing' } }],
  ])('%s', async (_, paths) => {
    await expect(judgeRequest({ ...contract, enforced: { ...contract.enforced, paths } })).rejects.toThrow(refusal)
  })
})

const app = express()
app.set('query parser', 'simple')

function requestFor({ operation, query = '', path = [], headers = {}, body }: Given): Request {
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  const target = query === '' ? operation.path : `${operation.path}?${query}`
  const type = operation.bodyType === undefined ? {} : { 'content-type': operation.bodyType }
  return Object.assign(Object.create(app.request), {
    method: operation.method,
    url: target,
    originalUrl: target,
    headers: { ...headers, ...type },
    cookies: Object.create(null),
    params: {},
    body: operation.bodyType === undefined ? undefined : prepareBody(operation.bodyRules, structuredClone(body)),
    gateway: { operation, pathParameters: Object.fromEntries(names.map((name, at) => [name, path[at] ?? 'x'])) },
  })
}

const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
