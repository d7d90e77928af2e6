import express, { type Express } from 'express'
import type { Cradle } from '../cradle.ts'
import { readBody } from './body.ts'
import { crossOrigin } from './cross-origin.ts'
import type { Forwarding } from './forwarding.ts'
import { checkGates } from './gates.ts'
import { answer, type OperationHandler } from './handler.ts'
import { idempotent } from './idempotent.ts'
import { matchOperation } from './match.ts'
import { observe } from './observe.ts'
import { answerOptions } from './preflight.ts'
import { normaliseContentType, openRequest } from './request.ts'
import { Routes } from './routes.ts'
import { authenticate } from './security.ts'
import { rejectUnknown } from './unknown-parts.ts'
import { validateRequests } from './validate.ts'
import { writeProblem } from './write-problem.ts'

/** Stages run top to bottom. */
export function createApp(
  cradle: Cradle,
  handlers: ReadonlyMap<string, OperationHandler>,
  forwarding: Forwarding,
): Express {
  const { config, contract, identity, rateLimits, bodyBudget, translator } = cradle
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', 'simple')
  app.enable('case sensitive routing')

  const routes = new Routes(contract.operations.values())
  const others = crossOrigin(config.corsOrigins, contract)
  app.use(openRequest(translator.languages, forwarding))
  app.use(observe(cradle))
  app.use(answerOptions(cradle, routes, others))
  app.use(normaliseContentType(contract))
  app.use(matchOperation(routes, others)) // 404, 405
  app.use(rateLimits.perAddress(), rateLimits.perAddressUnmatched()) // 429
  app.use(authenticate(identity, rateLimits)) // 401, 403
  app.use(checkGates(config, forwarding, rateLimits))
  app.use(readBody(bodyBudget))
  app.use(validateRequests(contract)) // 400
  app.use(rejectUnknown())
  app.use(answer(idempotent(cradle, handlers), cradle))
  app.use(writeProblem(cradle))
  return app
}
