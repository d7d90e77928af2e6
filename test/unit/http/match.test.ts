import express, { type Request, type RequestHandler, type Response } from 'express'
import * as openApiValidator from 'express-openapi-validator'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { meansDigitalLink } from '../../../src/domain/digital-link.ts'
import { loadContract, type Operation } from '../../../src/http/contract.ts'
import { matchOperation } from '../../../src/http/match.ts'
import { Routes } from '../../../src/http/routes.ts'
import { loadPlugins } from '../../../src/plugin/loader.ts'
import { loadConfig } from '../../../src/start/config.ts'
import { anySegment } from '../../support/any-text.ts'

const contract = await loadContract(await loadPlugins(loadConfig({}).plugins))
const templates = [...new Set([...contract.operations.values()].map(({ path }) => path))]

/** Matched operation of a request, or its rejection. */
type Found =
  | { readonly operationId: string | undefined; readonly parameters: object }
  | { readonly status: number; readonly allow: string | undefined }

const stage = matchOperation(new Routes(contract.operations.values()), { open: () => false })
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']

/** A malformed GS1 Digital Link is rejected as such, not as an unknown page. */
function expectedOf(path: string, found: Found): Found {
  // The library takes any number of slashes for the root.
  if (/^\/{2,}(?:[?#]|$)/.test(path)) return { status: 404, allow: undefined }
  const isNothing = 'status' in found && found.status === 404
  // The library omits HEAD, which is available wherever GET is.
  if ('status' in found && found.allow !== undefined) {
    return { ...found, allow: found.allow.replace(/\bGET\b/, 'GET, HEAD') }
  }
  return isNothing && meansDigitalLink(path.split('?', 1)[0] ?? '') ? { ...found, status: 400 } : found
}

describe('the match stage finds what express-openapi-validator finds', () => {
  const SEGMENTS = [
    ...new Set(templates.flatMap((path) => path.split('/').filter((segment) => segment !== '' && segment[0] !== '{'))),
    ...['x', '', '.', '..', '%20', 'a%2Fb', '%c3%a4', '%C3%A4', '%25zz', '%2e', 'passport%73', 'PASSPORT', 'Health'],
    ...['constructor', '__proto__', '{id}', ':id', '*', '(a)', 'a;b', 'a,b', '00000000-0000-4000-8000-000000000001'],
  ]

  test('for every path of the contract, and similar paths', { timeout: 120_000 }, async () => {
    const around = templates.flatMap((template) => {
      const filled = SEGMENTS.map((segment) => template.replaceAll(/\{[^}]+\}/g, segment))
      const path = template.replaceAll(/\{([^}]+)\}/g, '$1')
      const beside = [
        `${path}/`,
        `/${path}`,
        path.replaceAll('/', '//'),
        path.toUpperCase(),
        `${path}/x`,
        path.slice(0, -1),
      ]
      return [...filled, ...beside, ...beside.map((other) => `${other}?a=/b&c`), `${path}#x`, `${path}?`, `${path}%`]
    })
    const requests = [...new Set(around)]
      .filter((target) => target.startsWith('/'))
      // Methods alternate: the path decides before the method.
      .map((path, index) => ({
        method: index % 2 === 0 ? 'GET' : (METHODS[(index >> 1) % METHODS.length] ?? ''),
        path,
      }))
    const found = new Set<string>()
    for (const { method, path } of [...contract.operations.values(), ...requests]) {
      const ours = await findWith(stage, method, path)
      expect([method, path, ours]).toEqual([method, path, expectedOf(path, await findWith(libraryStage, method, path))])
      if ('operationId' in ours) found.add(ours.operationId ?? '')
    }
    expect(found).toEqual(new Set(contract.operations.keys()))
  })

  test('for paths of any segments', { timeout: 120_000 }, async () => {
    const segment = fc.oneof(
      fc.constantFrom(...SEGMENTS),
      anySegment,
      fc.string({ unit: 'grapheme-ascii', maxLength: 5 }),
    )
    const target = fc.array(segment, { maxLength: 8 }).map((segments) => `/${segments.join('/')}`)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), target, async (method, path) => {
        const expected = expectedOf(path, await findWith(libraryStage, method, path))
        expect(await findWith(stage, method, path)).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})

describe('Routes', () => {
  const operation = (method: string, path: string) => ({ method, path }) as Operation

  test('a literal segment wins over a parameter, whatever the order, and another path is tried where it leads nowhere', () => {
    for (const paths of [
      ['/a/{x}', '/a/b', '/a/{y}/c'],
      ['/a/{y}/c', '/a/b', '/a/{x}'],
    ]) {
      const routes = new Routes(paths.map((path) => operation('GET', path)))
      const find = (path: string) => [routes.find(path)?.route.path, routes.find(path)?.parameters]
      expect(find('/a/b')).toEqual(['/a/b', {}])
      expect(find('/a/z')).toEqual(['/a/{x}', { x: 'z' }])
      expect(find('/a/b/c')).toEqual(['/a/{y}/c', { y: 'b' }])
      expect(find('/a/b/d')).toEqual([undefined, undefined])
    }
  })

  test('the path decides before the method', () => {
    const routes = new Routes([operation('GET', '/a/{x}'), operation('POST', '/a/b')])
    expect(routes.find('/a/b')?.route.allow).toBe('POST')
  })

  test.each([
    ['parameters that only their names tell apart', ['/a/{x}', '/a/{y}']],
    ['a parameter in part of a segment', ['/a/{x}.json']],
    ['an empty segment', ['/a/']],
  ])('refuses %s at start', (_, paths) => {
    expect(() => new Routes(paths.map((path) => operation('GET', path)))).toThrow(/openapi\.yaml/)
  })
})

const app = express()
app.enable('case sensitive routing')
app.enable('strict routing')

const libraryStage = openApiValidator
  .middleware({
    apiSpec: structuredClone(contract.document),
    validateApiSpec: false,
    validateSecurity: false,
    validateFormats: false,
    fileUploader: false,
  })
  .find(({ name }) => name === 'metadataMiddleware') as unknown as RequestHandler

interface Refusal {
  readonly status: number
  readonly headers?: { readonly Allow?: string }
  readonly fields?: { readonly headers?: { readonly Allow?: string } }
}

function findWith(stage: RequestHandler, method: string, target: string): Promise<Found> {
  const path = target.split(/[?#]/, 1)[0] ?? ''
  const req = { app, method, path, originalUrl: target, url: target, baseUrl: '', gateway: {} } as unknown as Request
  return new Promise((resolve) => {
    const refused = ({ status, headers, fields }: Refusal) =>
      resolve({ status, allow: (headers ?? fields?.headers)?.Allow })
    try {
      stage(req, { setHeader: () => {} } as unknown as Response, (error?: unknown) => {
        const found = (req as { openapi?: unknown }).openapi as
          | { schema?: { operationId: string }; pathParams?: object }
          | undefined
        const operationId = req.gateway.operation?.operationId ?? found?.schema?.operationId
        if (error === undefined)
          resolve({ operationId, parameters: req.gateway.pathParameters ?? found?.pathParams ?? {} })
        else refused(error as Refusal)
      })
    } catch (error) {
      refused(error as Refusal)
    }
  })
}
