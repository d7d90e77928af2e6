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

/** What the stages learn about a request, one after the other. */
interface GatewayRequest {
  readonly id: string
  /** Address of the caller; of the proxy's client where `TRUST_PROXY` says so. */
  readonly ip: string
  readonly language: string
  /** The path has escapes that stand for no text; it is matched as it was written, and then refused. */
  readonly isPathBroken: boolean
  /** Its answer has gone, or its caller. */
  isOver: boolean
  /** Set by the match stage. */
  operation?: Operation
  /** Set by the match stage: what stands in the path, without escapes. */
  pathParameters: Record<string, string>
  /** Set by the match stage: pages of some origins may read the answer, and those of others may not. */
  variesByOrigin?: boolean
  /** Set by the rate limit stage: which budget the request counts against. */
  countedAs?: 'anonymous' | 'address' | 'own'
  /** Set by the rate limit stage: tells who waits for it that the credential has been looked up. */
  answered?: () => void
  /** True if the address holds a capability token: neither it nor the response may get into a cache or a Referer header. */
  readonly hasToken: boolean
  /** Set after the body has been judged: members that the operation does not have. */
  unknownMembers?: readonly UnknownKey[]
  /** Set by the security stage. */
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

/** A caller's well-formed `X-Request-Id` is adopted (specification 4); it goes into logs, so its form is strict. */
export function requestId(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && WELL_FORMED_ID.test(header) ? header : randomUUID()
}

/** First stage: identity of the request, its language, its cookies, and the headers that every answer has. */
export function openRequest(languages: ReadonlySet<string>, forwarding: Forwarding): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const id = requestId(req.headers['x-request-id'])
    res.setHeader('X-Request-Id', id)
    for (const name in DEFAULT_HEADERS) res.setHeader(name, DEFAULT_HEADERS[name] as string)
    const isPathBroken = !isDecodable(req.path)
    // The validator would refuse before it knows the operation, whose form the refusal must have.
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
    // HEAD is GET without a body, which Node sees to (RFC 9110, 9.3.2).
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

/** The `lang` parameter of a request target, or null. */
function languageParameter(url: string): string | null {
  const query = url.indexOf('?')
  return query === -1 ? null : new URLSearchParams(url.slice(query)).get('lang')
}

/** The first value of a parameter that may be there several times. */
export const firstOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value[0] : value

/** The token of `Authorization: Bearer`. */
function bearerOf(req: Request): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(req.headers.authorization ?? '')?.[1]
}

/** How the caller says who it is: an Authorization header decides alone, whatever cookies come with it. */
export const schemeOf = (req: Request): Scheme => (req.headers.authorization === undefined ? 'cookie' : 'bearer')

/** What the security stage will look up, of what the operation takes. */
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
 * Ahead of the validator: it keeps one compiled validator for every distinct Content-Type, parameters included, and
 * never drops one (express-openapi-validator 5.6.2, openapi.request.validator.js, `middlewareCache`). So only the media
 * type goes on, and nothing at all where there is no body.
 */
export function normaliseContentType({ operations }: Contract): RequestHandler {
  const taken = new Set([...operations.values()].flatMap(({ bodyType, bodyAliases }) => [bodyType, ...bodyAliases]))
  return (req, _res, next) => {
    const header = req.headers['content-type']
    const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
    if (!hasBody) delete req.headers['content-type']
    else {
      const mediaType = header?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
      // What no operation takes is refused alike, so it needs no name of its own.
      req.headers['content-type'] = taken.has(mediaType) ? mediaType : 'application/octet-stream'
    }
    next()
  }
}
