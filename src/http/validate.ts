import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express'
import { middleware } from 'express-openapi-validator'
import { isIsoDate } from '../domain/grants.ts'
import { isGln13 } from '../domain/identifiers.ts'
import { once } from '../domain/once.ts'
import { dictionary } from '../domain/record.ts'
import { isEmail } from '../domain/text.ts'
import { inSequence } from './body-rules.ts'
import type { Contract, Operation } from './contract.ts'
import { type Document, follow, usedIn } from './document.ts'

/** Formats of the document that JSON Schema does not define, or defines otherwise. */
const FORMATS = dictionary({
  gln: { type: 'string' as const, validate: isGln13 },
  email: { type: 'string' as const, validate: isEmail },
  'iso-8601': { type: 'string' as const, validate: isIsoDate },
})

/** Gateways of one process share their contract, and what is compiled of it. */
const shared = new WeakMap<Contract, Validators>()

export function validateRequests(contract: Contract): RequestHandler {
  const { accepts, library } = validatorsOf(contract)
  return (req: Request, res: Response, next: NextFunction) => {
    if (accepts(req)) next()
    else library(req, res, next)
  }
}

interface Validators {
  /** Sets up express-openapi-validator, which takes 0.3 s of processor time; otherwise the first request that needs it does. */
  readonly prepare: () => void
  readonly library: RequestHandler
  readonly accepts: Accepts
}

/** True if the request meets the contract; false is not a verdict. */
type Accepts = (req: Request) => boolean

/**
 * express-openapi-validator validates, except for requests in the simplest form that Ajv accepts by the same schemas: the library
 * compiles the path of every operation for each request.
 */
export function validatorsOf(contract: Contract): Validators {
  const made = shared.get(contract) ?? makeValidators(contract)
  shared.set(contract, made)
  return made
}

function makeValidators(contract: Contract): Validators {
  const enforced = enforcedDocument(contract)
  const acceptanceOf = acceptances(enforced)
  const known = new Map<Operation, Accepts>()
  const library = once(() =>
    Router().use(
      middleware({
        apiSpec: structuredClone(enforced),
        validateApiSpec: false, // swagger-parser has checked it
        validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
        formats: FORMATS,
        validateResponses: false,
        validateSecurity: false, // src/http/security.ts
        fileUploader: false,
      }),
    ),
  )
  const accepts: Accepts = (req) => {
    const { operation } = req.gateway
    if (operation === undefined) throw new Error(`No operation for ${req.path}.`)
    const acceptance = known.get(operation) ?? acceptanceOf(operation)
    known.set(operation, acceptance)
    return acceptance(req)
  }
  return { prepare: library, library: (req, res, next) => library()(req, res, next), accepts }
}

/** Accepts requests with plain parameters and a body of JSON or of a form, if the library would. */
function acceptances(enforced: Document): (operation: Operation) => Accepts {
  const options = { strict: false, validateSchema: false, useDefaults: true }
  const ofParameters = withFormats(new Ajv2020({ ...options, coerceTypes: true }))
  const ofBodies = withFormats(new Ajv2020(options)).addSchema(enforced, 'openapi')
  return (operation) => {
    const { bodyType, parameters } = operation
    const isFile = bodyType !== undefined && !PARSED.test(bodyType)
    if (isFile || !parameters.every(isPlain)) return () => false
    const meets = ofParameters.compile(parametersOf(operation))
    const meetsBody = ofBodies.compile(bodyOf(enforced, operation))
    return (req) => {
      const { originalUrl, headers, body, gateway } = req
      const queryStart = originalUrl.indexOf('?')
      if (queryStart !== -1 && !PLAIN_QUERY.test(originalUrl.slice(queryStart + 1))) return false
      const query = queryStart === -1 ? Object.create(null) : req.query
      if (!meets({ query, header: headers, path: gateway.pathParameters }) || !meetsBody({ body })) return false
      // With the defaults of the document; Express would parse the query again.
      Object.defineProperty(req, 'query', { value: query })
      return true
    }
  }
}

function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv, { mode: 'fast' })
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format)
  return ajv
}

/** Media types of bodies that are parsed: JSON and forms. */
const PARSED = /json$|urlencoded$/

/** Without escaped brackets and the characters that the library rejects, or reads as the syntax of an object. */
const PLAIN_QUERY = /^(?:[\w.~&=-]|%(?!5[Bb]))*$/

/** True for a parameter that is validated as text: no list, no object, and no combination that may contain one. */
function isPlain({ in: place, schema }: Operation['parameters'][number]): boolean {
  // A parameter with `content` has no schema.
  const { type = '', ...keywords }: { type?: string | string[] } = schema ?? { type: 'object' }
  const isCombined = ['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in keywords)
  return PLACES.includes(place) && type !== 'array' && type !== 'object' && !isCombined
}

const PLACES = ['query', 'header', 'path']

function parametersOf({ parameters }: Operation): object {
  const schemaOf = (place: string) => {
    const found = parameters.filter((parameter) => parameter.in === place)
    const nameOf = ({ name }: (typeof found)[number]) => (place === 'header' ? name.toLowerCase() : name)
    return {
      properties: Object.fromEntries(found.map((parameter) => [nameOf(parameter), parameter.schema])),
      required: found.filter(({ required }) => required).map(nameOf),
    }
  }
  return { properties: Object.fromEntries(PLACES.map((place) => [place, schemaOf(place)])) }
}

/** Refers to the schema of the operation's body in the document. */
function bodyOf(enforced: Document, { path, method, bodyType }: Operation): object {
  if (bodyType === undefined) return {}
  const { requestBody } = enforced.paths[path][method.toLowerCase()]
  const place = requestBody.$ref ?? `#/paths/${escaped(path)}/${method.toLowerCase()}/requestBody`
  const $ref = `openapi${place}/content/${escaped(bodyType)}/schema`
  return { properties: { body: { $ref } }, required: follow(enforced, requestBody).required ? ['body'] : [] }
}

/** RFC 6901, section 6. */
const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

/**
 * The document without responses, examples and unused components; `x-validate: false` accepts any value, and the members of a form are
 * in turn.
 */
function enforcedDocument({ document: { openapi, info, paths, components }, operations }: Contract): Document {
  const enforced: Document = { openapi, info, paths: {} }
  for (const { path, method, bodyType, bodyRules } of operations.values()) {
    const name = method.toLowerCase()
    const operation = copyOf({ ...paths[path][name], responses: {} })
    if (bodyType !== undefined && bodyRules.form !== undefined) {
      const media = operation.requestBody.content[bodyType]
      media.schema = inSequence(copyOf(follow({ components }, media.schema)))
    }
    enforced.paths[path] = { parameters: paths[path].parameters ?? [], ...enforced.paths[path], [name]: operation }
  }
  return { ...enforced, components: copyOf(usedIn(enforced, components)) }
}

function copyOf(node: Document): Document {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(copyOf)
  if (node['x-validate'] === false) return {}
  const members = Object.entries(node).filter(([key]) => key !== 'examples')
  return Object.fromEntries(members.map(([key, value]) => [key, copyOf(value)]))
}
