import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import * as validator from 'express-openapi-validator'
import type { Cradle } from '../cradle.ts'
import { isIsoDate } from '../domain/grants.ts'
import { isGln13 } from '../domain/identifiers.ts'
import { dictionary } from '../domain/record.ts'
import { isEmail } from '../domain/text.ts'
import { readBody } from './body.ts'
import type { Contract, Operation } from './contract.ts'
import { CORS_HEADERS } from './default-headers.ts'
import { Forwarding } from './forwarding.ts'
import { checkGates } from './gates.ts'
import { answer, type OperationHandler } from './handler.ts'
import { idempotent } from './idempotent.ts'
import { answerPreflight } from './preflight.ts'
import { normaliseContentType, openRequest } from './request.ts'
import { securityHandlers } from './security.ts'
import { memoiseRouteLookup } from './validator-shim.ts'
import { writeProblem } from './write-problem.ts'

/** The way of a request, top to bottom. */
export function createApp(cradle: Cradle, handlers: ReadonlyMap<string, OperationHandler>): Express {
  const { config, contract, identity, rateLimits, bodyBudget, translator } = cradle
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', 'simple')
  app.set('trust proxy', config.trustProxy)
  app.enable('case sensitive routing')
  app.enable('strict routing')

  const forwarding = new Forwarding(app.get('trust proxy fn'))
  const stage = validatorStages(contract, identity, rateLimits)
  app.use(openRequest(translator.languages, forwarding))
  app.use(answerPreflight(contract))
  app.use(normaliseContentType(contract))
  app.use(stage('pathParamsMiddleware'))
  app.use(stage('metadataMiddleware')) // match: the operation, or 404
  app.use(attachOperation(contract))
  app.use(rateLimits.perAddress(), rateLimits.perAddressUnmatched()) // 429
  app.use(stage('securityMiddleware')) // who, and may they: 401, 403
  app.use(checkGates(config, forwarding, rateLimits))
  app.use(readBody(bodyBudget))
  app.use(stage('requestMiddleware')) // parameters and body against the document: 400
  app.use(answer(idempotent(cradle, handlers)))
  app.use(writeProblem(cradle))
  return app
}

/** Formats of the document that JSON Schema does not know, or judges otherwise. */
const FORMATS = dictionary({
  gln: { type: 'string' as const, validate: isGln13 },
  email: { type: 'string' as const, validate: isEmail },
  'iso-8601': { type: 'string' as const, validate: isIsoDate },
})

/** The validator's stages by name, each of which must be there: ours stand between them. */
function validatorStages(
  contract: Contract,
  identity: Cradle['identity'],
  rateLimits: Cradle['rateLimits'],
): (name: string) => RequestHandler[] {
  memoiseRouteLookup()
  const stages = validator.middleware({
    apiSpec: contract.enforced,
    validateApiSpec: false, // swagger-parser has checked it
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    formats: FORMATS,
    validateResponses: false,
    validateSecurity: { handlers: securityHandlers(identity, rateLimits) },
    fileUploader: false,
  })
  const rest = new Map(stages.map((handler) => [handler.name, handler]))
  return (name) => {
    const handler = rest.get(name)
    if (handler === undefined) throw new Error(`express-openapi-validator has no stage ${name} any more.`)
    return [handler as unknown as RequestHandler]
  }
}

function attachOperation(contract: Contract): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const operation: Operation | undefined = contract.operations.get(req.openapi?.schema.operationId ?? '')
    if (operation === undefined) throw new Error(`No operation for ${req.method} ${req.path}.`)
    req.gateway.operation = operation
    if (operation.isShared) for (const name in CORS_HEADERS) res.setHeader(name, CORS_HEADERS[name] as string)
    next()
  }
}
