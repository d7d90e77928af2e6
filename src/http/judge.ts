import { createRequire } from 'node:module'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import * as openApiValidator from 'express-openapi-validator'
import { isIsoDate } from '../domain/grants.ts'
import { isGln13 } from '../domain/identifiers.ts'
import { dictionary } from '../domain/record.ts'
import { isEmail } from '../domain/text.ts'
import type { Contract, Operation } from './contract.ts'

/** Formats of the document that JSON Schema does not know, or judges otherwise. */
const FORMATS = dictionary({
  gln: { type: 'string' as const, validate: isGln13 },
  email: { type: 'string' as const, validate: isEmail },
  'iso-8601': { type: 'string' as const, validate: isIsoDate },
})

/** A schema as the library has compiled it. */
interface Compiled {
  (data: object): boolean
  readonly schema: { readonly properties: Readonly<Record<string, object & { readonly _discriminator?: object }>> }
}

/** What is relied on of the library's judge (express-openapi-validator 5.6.2, openapi.request.validator.js). */
interface LibraryJudge {
  /** What it has compiled, by method, path and media type. */
  readonly middlewareCache: Readonly<Record<string, unknown>>
  readonly ajv: { getSchema(key: string): Compiled | undefined }
  readonly ajvBody: { getSchema(key: string): Compiled | undefined }
  validate(req: Request, res: object, next: NextFunction): void
}

/** The document as the library has prepared it for its judge. */
interface Prepared {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/** Whether the request meets the contract; false is no verdict. */
type Accepts = (req: Request) => boolean

/**
 * The validation stage: parameters and body against the document, or 400. The library compiles the document and words
 * every refusal. A request that its compiled schemas accept as it was sent goes on without the rest of its work, which
 * is for parameters that have to be taken apart first and costs many times the schemas.
 * @throws Error when the library no longer has the shape that this relies on
 */
export async function judgeRequest(contract: Contract): Promise<RequestHandler> {
  const { judge, document } = await makeJudge(contract)
  const known = new Map<string, Accepts>()
  const schemaOf = ({ path, method }: Operation) => document.paths[path]?.[method.toLowerCase()]
  for (const operation of contract.operations.values()) if (schemaOf(operation) === undefined) throw changed()
  assertShape(judge, contract, schemaOf)

  return (req: Request, res: Response, next: NextFunction) => {
    const { operation, pathParameters } = req.gateway
    if (operation === undefined) throw new Error(`No operation for ${req.path}.`)
    const key = keyOf(operation, req.headers['content-type'])
    let accepts = known.get(key)
    // The library compiles at the first request.
    if (accepts === undefined && judge.middlewareCache[key] !== undefined) {
      accepts = acceptanceOf(operation, compiled(judge.ajv, key), compiled(judge.ajvBody, key))
      known.set(key, accepts)
    }
    if (accepts?.(req)) return next()
    req.openapi = { expressRoute: operation.path, schema: schemaOf(operation), pathParams: pathParameters }
    judge.validate(req, res, next)
  }
}

/** Stages by contract: gateways of one process share what the library compiles, 150 ms and some more for each operation. */
const stages = new Map<string, Promise<RequestHandler>>()

/** {@link judgeRequest}, made once for each contract. */
export function sharedJudge(contract: Contract): Promise<RequestHandler> {
  const stage = stages.get(contract.json) ?? judgeRequest(contract)
  stages.set(contract.json, stage)
  return stage
}

/** The library's judge, made as the library makes it, of what the library has made of the document. */
function makeJudge(contract: Contract): Promise<{ judge: LibraryJudge; document: Prepared }> {
  const stages = openApiValidator.middleware({
    apiSpec: contract.enforced,
    validateApiSpec: false, // swagger-parser has checked it
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    formats: FORMATS,
    validateResponses: false,
    validateSecurity: false, // src/http/security.ts
    fileUploader: false,
  })
  const stage = stages.find(({ name }) => name === 'requestMiddleware') as unknown as RequestHandler | undefined
  const library = (openApiValidator.middleware as unknown as { _oav?: Library })._oav
  const fromLibrary = createRequire(createRequire(import.meta.url).resolve('express-openapi-validator'))
  const { RequestValidator } = fromLibrary('./middlewares/openapi.request.validator')
  return new Promise((resolve, reject) => {
    const isKnown = typeof library?.requestValidationMiddleware === 'function' && typeof RequestValidator === 'function'
    if (!isKnown || stage === undefined) throw changed()
    // Its stage asks for this when the document has been read, with the document.
    library.requestValidationMiddleware = (document) => {
      resolve({ judge: new RequestValidator(document, library.ajvOpts.request), document })
      return (_req, _res, next) => next()
    }
    stage({} as Request, {} as Response, (error) => reject(changed(error)))
  })
}

interface Library {
  readonly ajvOpts: { readonly request: object }
  requestValidationMiddleware(document: Prepared): RequestHandler
}

const changed = (cause?: unknown) =>
  new Error('express-openapi-validator judges requests in a new way; look at src/http/judge.ts.', { cause })

/** The key under which the library keeps what it has compiled. */
const keyOf = ({ method, path }: Operation, mediaType = 'not_provided') => `${method}-${path}-${mediaType}`

function compiled(ajv: LibraryJudge['ajv'], key: string): Compiled {
  const found = ajv.getSchema(key)
  if (found === undefined) throw changed()
  return found
}

/**
 * What of the library's verdict can be had from its compiled schemas alone: that a request is accepted which needs nothing
 * taken apart. All else is the library's.
 */
function acceptanceOf({ parameters }: Operation, meets: Compiled, meetsBody: Compiled): Accepts {
  // The library chooses the schema by a member of the body.
  const isChosen = meetsBody.schema.properties.body?._discriminator !== undefined
  if (isChosen || !parameters.every(isPlain)) return () => false
  return (req) => {
    const queryStart = req.originalUrl.indexOf('?')
    if (queryStart !== -1 && !PLAIN_QUERY.test(req.originalUrl.slice(queryStart + 1))) return false
    const query = queryStart === -1 ? Object.create(null) : req.query
    const { headers, cookies, body } = req
    const data = { query, headers, params: req.gateway.pathParameters, cookies, body }
    if (!meets(data) || !meetsBody(data)) return false
    // With the defaults of the document; Express would take the query apart anew.
    Object.defineProperty(req, 'query', { value: query })
    return true
  }
}

/** Neither an escape nor a sign with which the library would refuse a value, or take it for a part of an object. */
const PLAIN_QUERY = /^(?:[\w.~&=-]|%(?!5[Bb]))*$/

/** A parameter that is judged as the text that it is: no list, no object, and nothing that could be one. */
function isPlain(parameter: Operation['parameters'][number]): boolean {
  // One with `content` has no schema.
  const schema: { type?: string | string[] } = parameter.schema ?? { type: 'object' }
  const isOther = ['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema)
  return PLAIN_PLACES.has(parameter.in) && schema.type !== 'array' && schema.type !== 'object' && !isOther
}

const PLAIN_PLACES: ReadonlySet<string> = new Set(['path', 'query', 'header'])

/** Lets the library judge a request, and looks whether what it has compiled then is where it is looked for, and judges. */
function assertShape(
  judge: LibraryJudge,
  { operations }: Contract,
  schemaOf: (operation: Operation) => object | undefined,
) {
  const operation = [...operations.values()].find(
    ({ parameters, bodyType }) => !parameters.length && bodyType === undefined,
  )
  if (operation === undefined) throw new Error('openapi.yaml has no operation that takes nothing.')
  const { method, path } = operation
  const sent = { query: {}, headers: {}, params: {} }
  const openapi = { expressRoute: path, schema: schemaOf(operation), pathParams: {} }
  let verdict: unknown = 'none'
  judge.validate({ method, originalUrl: path, openapi, ...sent } as unknown as Request, {}, (error) => {
    verdict = error
  })
  const key = keyOf(operation)
  const [meets, meetsBody] = [judge.ajv.getSchema(key), judge.ajvBody.getSchema(key)]
  const isKnown =
    verdict === undefined &&
    judge.middlewareCache[key] !== undefined &&
    meets?.(sent) === true &&
    meets({}) === false &&
    meetsBody?.(sent) === true &&
    meetsBody.schema.properties.body !== undefined
  if (!isKnown) throw changed()
}
