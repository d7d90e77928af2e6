import { randomUUID } from 'node:crypto'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { chooseLanguage } from '../domain/language.ts'
import { hasGrant, queryOf } from '../domain/link-query.ts'
import type { Principal } from '../domain/principal.ts'
import type { UnknownKey } from '../domain/unknown-keys.ts'
import type { Contract, Operation } from './contract.ts'
import { DEFAULT_HEADERS } from './default-headers.ts'
import type { Forwarding } from './forwarding.ts'
import { type Scheme, SESSION_COOKIE } from './security-rules.ts'

interface GatewayRequest {
  readonly id: string
  /** Address of the caller, by `TRUST_PROXY`. */
  readonly ip: string
  readonly language: string
  /** True if percent escapes are invalid. */
  readonly isPathBroken: boolean
  isOver: boolean
  operation?: Operation
  pathParameters: Record<string, string>
  /** True if only some origins may read the response. */
  variesByOrigin?: boolean
  countedAs?: 'anonymous' | 'address' | 'own'
  answered?: () => void
  /** True if the address contains a capability token, which must not enter caches or Referer headers. */
  readonly hasToken: boolean
  unknownMembers?: readonly UnknownKey[]
  principal?: Principal
}

declare global {
  namespace Express {
    interface Request {
      gateway: GatewayRequest
      cookies: Record<string, string>
    }
  }
}

const WELL_FORMED_ID = /^[A-Za-z0-9._-]{1,64}$/

/** Returns a well-formed `X-Request-Id` (specification 4), else a new id. Strict, because it enters logs. */
export function requestId(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && WELL_FORMED_ID.test(header) ? header : randomUUID()
}

export function openRequest(languages: ReadonlySet<string>, forwarding: Forwarding): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const id = requestId(req.headers['x-request-id'])
    res.setHeader('X-Request-Id', id)
    for (const name in DEFAULT_HEADERS) res.setHeader(name, DEFAULT_HEADERS[name] as string)
    const isPathBroken = !isDecodable(req.path)
    // The validator would reject before the operation's error format is known.
    if (isPathBroken) req.url = req.originalUrl = req.url.replaceAll('%', '%25')
    const hasToken = hasGrant(queryOf(req.originalUrl))
    if (hasToken) res.setHeader('Referrer-Policy', 'no-referrer')
    req.gateway = {
      id,
      hasToken,
      ip: forwarding.addressOf(req),
      language: chooseLanguage(languageParameter(req.url), req.headers['accept-language'], languages),
      isPathBroken,
      isOver: false,
      pathParameters: {},
    }
    req.cookies = parseCookies(req.headers.cookie)
    // Node omits the body of HEAD (RFC 9110, 9.3.2).
    if (req.method === 'HEAD') req.method = 'GET'
    next()
  }
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function languageParameter(url: string): string | null {
  const query = url.indexOf('?')
  return query === -1 ? null : new URLSearchParams(url.slice(query)).get('lang')
}

export const firstOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value[0] : value

function bearerOf(req: Request): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(req.headers.authorization ?? '')?.[1]
}

/** Returns the credential scheme; an Authorization header overrides cookies. */
export const schemeOf = (req: Request): Scheme => (req.headers.authorization === undefined ? 'cookie' : 'bearer')

export function credentialOf(req: Request): string | undefined {
  const scheme = schemeOf(req)
  if (req.gateway.operation?.permissions.has(scheme) !== true) return undefined
  return scheme === 'bearer' ? bearerOf(req) : req.cookies[SESSION_COOKIE]
}

function parseCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null)
  if (header === undefined) return cookies
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0) cookies[pair.slice(0, equals).trim()] ??= pair.slice(equals + 1).trim()
  }
  return cookies
}

/**
 * Removes Content-Type parameters: the validator caches a validator per distinct value and never evicts it (express-openapi-validator
 * 5.6.2, openapi.request.validator.js, `middlewareCache`).
 */
export function normaliseContentType({ operations }: Contract): RequestHandler {
  const taken = new Set([...operations.values()].flatMap(({ bodyType, bodyAliases }) => [bodyType, ...bodyAliases]))
  return (req, _res, next) => {
    const header = req.headers['content-type']
    const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
    if (!hasBody) delete req.headers['content-type']
    else {
      const mediaType = header?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
      req.headers['content-type'] = taken.has(mediaType) ? mediaType : 'application/octet-stream'
    }
    next()
  }
}
