import express, { type Request, type RequestHandler, type Response } from 'express'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prepareBody } from '../../../src/http/body-rules.ts'
import { loadContract, type Operation } from '../../../src/http/contract.ts'
import { validatorsOf } from '../../../src/http/validate.ts'
import { loadPlugins } from '../../../src/plugin/loader.ts'
import { loadConfig } from '../../../src/start/config.ts'
import { fuzzRequests, NASTY } from '../../support/fuzz-requests.ts'

const contract = await loadContract(await loadPlugins(loadConfig({}).plugins))

/** Input of the validation step. */
interface Given {
  readonly operation: Operation
  readonly query?: string
  readonly path?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

describe('the validation stage validates as express-openapi-validator does', () => {
  const { accepts, library } = validatorsOf(contract)

  /** Verdict, and the request afterwards. */
  async function verdictOf(validate: RequestHandler, given: Given): Promise<unknown> {
    const req = requestFor(given)
    const rejection = await new Promise<unknown>((resolve) => validate(req, {} as Response, resolve))
    const { status, message, errors } = (rejection ?? {}) as { status?: number; message?: string; errors?: unknown }
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

  /** Verdict of both, and Ajv's. */
  async function bothOn(given: Given): Promise<{ isRejected: boolean; isAccepted: boolean }> {
    let isAccepted = false
    const stage: RequestHandler = (req, res, next) => {
      isAccepted = accepts(req)
      if (isAccepted) next()
      else library(req, res, next)
    }
    const [verdict, theirs] = [await verdictOf(stage, given), await verdictOf(library, given)]
    expect([given.operation.operationId, given, verdict]).toEqual([given.operation.operationId, given, theirs])
    return { isRejected: (verdict as { status?: number }).status !== undefined, isAccepted }
  }

  test('on requests of every operation, most of them odd', { timeout: 120_000 }, async () => {
    const requests = fuzzRequests(contract.document, [...contract.operations.values()])
    let [accepted, refused, acceptedByValidator] = [0, 0, 0]
    for (const { operation, path, query, headers, body } of fc.sample(requests, { numRuns: 800, seed: 42 })) {
      const given = {
        operation,
        path: path.map((value) => ('text' in value ? value.text : String(value.known))),
        query: query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&'),
        headers,
        body: jsonOf(body?.text),
      }
      const { isRejected, isAccepted } = await bothOn(given)
      if (isRejected) refused += 1
      else accepted += 1
      if (isAccepted) acceptedByValidator += 1
    }
    expect([accepted > 290, refused > 60, acceptedByValidator > 190]).toEqual([true, true, true])
  })

  test('on queries as people write them', async () => {
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
      // Tests one in four unknown names with one in four values.
      const tried = names.filter((name, index) => own.has(name) || index % 4 === at % 4)
      at += 1
      const queries = tried.flatMap((name) =>
        values.filter((_, index) => own.has(name) || index % 4 === at % 4).map((value) => `${name}=${value}`),
      )
      for (const query of [...queries, ...brackets]) await bothOn({ operation, query })
    }
  })

  test('Ajv accepts every request of an operation without a body', async () => {
    for (const operation of contract.operations.values()) {
      if (operation.bodyType !== undefined) continue
      const { isRejected, isAccepted } = await bothOn({ operation })
      expect([operation.operationId, isAccepted]).toEqual([operation.operationId, !isRejected])
    }
  })
})

const app = express()
app.set('query parser', 'simple')
app.enable('case sensitive routing')

function requestFor({ operation, query = '', path = [], headers = {}, body }: Given): Request {
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  const address = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name) => escaped(path[names.indexOf(name)] || 'x'))
  const target = query === '' ? address : `${address}?${query}`
  const type = operation.bodyType === undefined ? {} : { 'content-type': operation.bodyType }
  return Object.assign(Object.create(app.request), {
    app,
    method: operation.method,
    baseUrl: '',
    url: target,
    originalUrl: target,
    headers: { ...headers, ...type },
    cookies: Object.create(null),
    params: {},
    body: operation.bodyType === undefined ? undefined : prepareBody(operation.bodyRules, structuredClone(body)),
    gateway: { operation, pathParameters: Object.fromEntries(names.map((name, at) => [name, path[at] || 'x'])) },
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
