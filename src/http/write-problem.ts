import { STATUS_CODES } from 'node:http'
import type { ErrorRequestHandler, Request, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import { correctedNumber } from '../domain/identifiers.ts'
import { negotiate } from '../domain/negotiate.ts'
import { Problem, unavailable } from '../domain/problem.ts'
import { isRecord } from '../domain/record.ts'
import { beginningOf } from '../domain/text.ts'
import type { RequestedResource } from '../plugin/contracts.ts'
import { isPassing } from '../storage/database-errors.ts'
import { storageRefusal } from '../workspaces/quota.ts'
import { type BodyViolation, refusalOf } from './body-rules.ts'
import type { Operation } from './contract.ts'
import { JSON_TYPE } from './default-headers.ts'
import { pageHeaders } from './rendition-response.ts'

/** Renders errors in the formats of specification 7.1. */
export function writeProblem({ config, log, renditions, plugins }: Cradle): ErrorRequestHandler {
  const { representations, modules } = plugins
  return (error, req, res, next) => {
    if (res.headersSent) return next(error)
    const problem = storageRefusal(error, config.baseUrl) ?? toProblem(error, req)
    if (problem.status >= 500 && problem.status !== 501) {
      log.error({ err: problem.cause ?? error }, problem.message)
    }
    // The server has responded to a request that timed out.
    if (!req.socket.writable) return void res.destroy()
    const { operation } = req.gateway
    res.status(problem.status)
    for (const [name, value] of Object.entries(problem.fields.headers ?? {})) res.setHeader(name, value)
    const { code } = problem.fields
    if (code !== undefined) res.appendHeader('Link', `<${config.baseUrl}/docs/errors#${code}>; rel="help"`)
    if (operation === undefined || operation.problemPages.has(problem.status)) {
      const shown = representations.filter((plugin) => plugin.renderProblem !== undefined)
      const choice = negotiate(req.headers.accept, representations)
      const page = shown.find(({ name }) => name === choice?.name)
      if (page?.renderProblem !== undefined) {
        const rendered = page.renderProblem(
          problem,
          renditions.contextFor(page, req.gateway.language),
          requestedResource(req),
        )
        for (const [name, value] of Object.entries(pageHeaders(rendered.body))) res.setHeader(name, value)
        res.setHeader('Content-Type', rendered.contentType ?? page.mediaTypes[0])
        res.end(rendered.body)
        return
      }
    }
    const own = modules.find(({ api }) => api !== undefined && req.path.startsWith(`${api.prefix}/`))?.api
    sendJson(res, own?.problem(problem, req.gateway.id) ?? problemBody(problem, operation, req.gateway.id))
  }
}

const MAX_REQUESTED_CHARACTERS = 120

const OF_PASSPORTS = /^\/(?:passport|unit|credentials|01|8003)\//

function requestedResource({ path, gateway: { pathParameters, isPathBroken } }: Request): RequestedResource {
  const [key] = Object.values(pathParameters)
  const text = key ?? (isPathBroken ? path : decodeURI(path))
  return {
    kind: OF_PASSPORTS.test(path) ? 'passport' : 'page',
    text: beginningOf(text, MAX_REQUESTED_CHARACTERS),
    corrected: path.startsWith('/01/') ? correctedNumber(text) : undefined,
  }
}

export function sendJson(res: Response, body: unknown): void {
  res.setHeader('Content-Type', JSON_TYPE)
  res.end(JSON.stringify(body))
}

/** The problem selects the shape; the operation selects the format of errors before its handler. */
function problemBody(problem: Problem, operation: Operation | undefined, requestId: string): object {
  const { status, message } = problem
  const { title, code, extra, issues, category, warnings, rows, framework, isBare } = problem.fields
  const phrase = title ?? STATUS_CODES[status] ?? 'Error'
  if (framework !== undefined) {
    // 413 and 429 keep the framework form everywhere (traps 2 and 13).
    if (operation?.problemForm === 'bare' && (status === 400 || status === 415)) return { error: phrase, message }
    const isPlain = operation?.problemForm === 'framework-plain' && framework === 'FW_ERR_CTP_INVALID_JSON_BODY'
    return { statusCode: status, code: framework === true || isPlain ? undefined : framework, error: phrase, message }
  }
  const success = isBare || operation?.isPublic || operation?.bareStatuses.has(status) ? {} : { success: false }
  if (issues !== undefined) {
    return {
      ...success,
      error: 'Validation Failed',
      message,
      category,
      errors: issues,
      warnings: warnings?.length === 0 ? undefined : warnings,
    }
  }
  if (rows !== undefined) return { ...success, error: phrase, errors: rows }
  if (title === undefined) return { success: false, message }
  return {
    ...success,
    error: title,
    message,
    code,
    requestId: status >= 500 ? requestId : undefined,
    ...extra,
  }
}

interface ValidatorError {
  readonly status: number
  readonly errors?: readonly BodyViolation[]
  readonly message: string
}

function toProblem(error: unknown, req: Request): Problem {
  // Temporary database failures override the operation's message.
  if (error instanceof Problem) return error.status === 500 && isPassing(error.cause) ? unexpected(error.cause) : error
  const { status, message, errors } = error as ValidatorError
  switch (status) {
    case 400:
      return refused(req, errors?.[0], missingMembers(req, errors?.[0]) ?? sentence(message))
    case 415:
      return new Problem(415, 'Unsupported Content-Type. Send application/json.', { framework: true })
    default:
      return unexpected(error)
  }
}

function refused({ gateway, body }: Request, violation: BodyViolation | undefined, message: string): Problem {
  const { operation } = gateway
  const own = violation && operation && refusalOf(operation.bodyRules, violation, message)
  if (own === undefined) return new Problem(400, message, { framework: 'FW_ERR_VALIDATION' })
  const [, , name = ''] = violation?.path.split('/') ?? []
  const value = isRecord(body) ? body[name] : undefined
  const isForm = violation?.errorCode?.startsWith('format') === true
  const corrected = isForm && typeof value === 'string' ? correctedNumber(value) : undefined
  return corrected === undefined
    ? own
    : new Problem(own.status, `${own.message} Did you mean ${corrected}?`, own.fields)
}

/** The validator stops at the first missing member. */
function missingMembers({ gateway, body }: Request, violation: BodyViolation | undefined): string | undefined {
  if (!violation?.errorCode?.startsWith('required') || !/^\/body\/[^/]+$/.test(violation.path) || !isRecord(body))
    return undefined
  const missing = gateway.operation?.bodyRules.required.filter((name) => !Object.hasOwn(body, name)) ?? []
  return missing.length > 1
    ? `body must have required properties ${missing.map((name) => `'${name}'`).join(', ')}`
    : undefined
}

/** Returns 503 if the database is temporarily unavailable, else a generic 500. */
function unexpected(cause: unknown): Problem {
  if (isPassing(cause)) {
    return unavailable('The database is temporarily unavailable. Retry later.', 2, cause)
  }
  return new Problem(500, 'An unexpected error occurred', { title: 'Internal Server Error', cause })
}

const sentence = (message: string) =>
  message
    .replace(/^request\/?/, '')
    .replaceAll('request/', '')
    .trim()
    .replaceAll('must match format "uuid"', 'must be a UUID as returned by this API')
    .replace(/must match pattern ".*/, 'has an invalid character or format')
    .replace(/^must have required property 'body'$/, 'The request body is missing. Send JSON.')
