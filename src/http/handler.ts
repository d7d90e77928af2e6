import { pipeline } from 'node:stream/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import type { Principal } from '../domain/principal.ts'
import { type Advisory, Problem } from '../domain/problem.ts'
import type { operations } from '../generated/openapi.ts'
import { isPage } from '../renditions/rendition.ts'
import type { RenditionResult } from '../resolution/rendition-result.ts'
import type { WriteScope } from '../storage/transaction.ts'
import { takesBrotli } from './encoding.ts'
import { attachmentOf, formOf } from './form.ts'
import { matches, renditionHeaders, sendRendition } from './rendition-response.ts'
import { sendJson } from './write-problem.ts'

export type OperationId = keyof operations

interface Described {
  parameters: object
  requestBody?: unknown
  responses: object
}

type Parameters<D extends Described, In extends string> = D['parameters'] extends { [K in In]?: infer P }
  ? [P] extends [undefined]
    ? Record<string, never>
    : NonNullable<P>
  : Record<string, never>

type LowerCase<H> = { [K in keyof H as Lowercase<K & string>]: H[K] }

/** Files are bytes; an absent optional body is an empty object. */
export type RequestBody<O extends OperationId> = BodyOf<operations[O]>

type BodyOf<D> =
  NonNullable<D extends { requestBody?: infer B } ? B : undefined> extends { content: infer C }
    ? unknown extends C[keyof C]
      ? Buffer
      : C[keyof C]
    : undefined

type Bytes = string | Uint8Array | AsyncIterable<Uint8Array>

type ContentOf<R> = R extends { content: infer C } ? C : undefined

type JsonBody<B> = B extends { success: true } ? Omit<B, 'success'> : B

type ResultOf<S, R> =
  ContentOf<R> extends { 'application/json': infer B }
    ?
        | { status: S; body: JsonBody<B>; headers?: Record<string, string> }
        | { status: S; body: Bytes; contentType: string; headers?: Readonly<Record<string, string>> }
    : { status: S; body?: Bytes; contentType?: string; headers?: Readonly<Record<string, string>> }

/** Renditions have an entity tag, so only operations with 304 may return one. */
type RenditionOf<R> = R extends { 304: unknown } ? RenditionResult : never

type Answer<R> = { [S in keyof R]: ResultOf<S, R[S]> }[keyof R] | RenditionOf<R>

export type Result<O extends OperationId> = Answer<operations[O]['responses']>

interface OperationRequest<D extends Described> {
  readonly path: Parameters<D, 'path'>
  readonly query: Parameters<D, 'query'>
  readonly headers: LowerCase<Parameters<D, 'header'>>
  readonly body: BodyOf<D>
  readonly bodyType: string | undefined
  readonly lang: string
  /** The parameter `format`, else the Accept header. */
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
  readonly ip: string
  /** Counts work in a separate thread against an anonymous caller's address. @throws Problem 429 */
  readonly countSlowWork?: () => Promise<void>
  /** Path and query with their original escapes. */
  readonly target: string
  /** Capability token; only public operations accept it (specification 5.10). */
  readonly grant?: string
  /** Absent on public operations without a valid credential. */
  readonly principal?: Principal
}

type Operations<All> = { [Id in keyof All]: Described }
type PendingAnswer<D extends Described> = Promise<Answer<D['responses']>> | Answer<D['responses']>

export type PublicHandler<Id extends keyof All, All extends Operations<All> = operations> = (
  request: OperationRequest<All[Id]>,
) => PendingAnswer<All[Id]>
export type Handler<Id extends keyof All, All extends Operations<All> = operations> = (
  request: OperationRequest<All[Id]> & { readonly principal: Principal },
) => PendingAnswer<All[Id]>
/** Handler of an operation with `x-idempotent`; it writes in the given scope. */
export type IdempotentHandler<Id extends keyof All, All extends Operations<All> = operations> = (
  request: OperationRequest<All[Id]> & { readonly principal: Principal; readonly scope: WriteScope },
) => PendingAnswer<All[Id]>

// biome-ignore lint/suspicious/noExplicitAny: the set of handlers is checked by name against the contract at start-up.
export type OperationHandler = (request: any) => any

export function answer(
  handlers: ReadonlyMap<string, OperationHandler>,
  {
    config,
    rateLimits,
    translator,
    compressedPages,
  }: Pick<Cradle, 'config' | 'rateLimits' | 'translator' | 'compressedPages'>,
): RequestHandler {
  return async (req: Request, res: Response) => {
    const { operation, pathParameters, principal, language, ip, id, hasToken } = req.gateway
    const handler = handlers.get(operation?.operationId ?? '')
    if (operation === undefined || handler === undefined) throw new Error(`No handler for ${req.path}.`)
    if (!operation.isPublic && principal === undefined)
      throw new Error(`The caller of ${req.path} was not authenticated.`)
    const form = formOf(operation.forms, req.query.format)
    const result = await handler({
      path: pathParameters,
      query: req.query,
      headers: req.headers,
      body: req.body,
      bodyType: req.headers['content-type'],
      lang: language,
      accept: form?.mediaType ?? req.headers.accept,
      acceptLanguage: req.headers['accept-language'],
      ip,
      countSlowWork: principal === undefined ? () => rateLimits.countSlowWork(ip) : undefined,
      target: req.originalUrl,
      grant: operation.isPublic ? grantOf(req) : undefined,
      principal,
    })
    if (result === undefined) throw new Problem(500, 'An unexpected error occurred', { title: 'Internal Server Error' })
    if (result.rendition !== undefined) {
      const { rendition, isPublic, reader, ids = [], isLocalised = false } = result as RenditionResult
      if (form !== undefined) res.setHeader('Content-Disposition', attachmentOf(req.path, form))
      if (operation.isPublic && reader === 'public' && sendsCredential(req)) res.setHeader('X-Access-Note', NO_MORE)
      const forAll = isPublic && operation.isPublic && !hasToken
      const isCompressed =
        forAll && reader === 'public' && isPage(rendition) && takesBrotli(req.headers['accept-encoding'])
      const sent = isCompressed ? await compressedPages.of(rendition) : rendition
      const tags = [Object.values(pathParameters)[0] ?? '', ...ids].filter((tag) => tag !== '')
      const shared = forAll ? { maxAge: config.sharedMaxAge, tags, isLocalised } : undefined
      return sendRendition(req, res, id, sent, renditionHeaders(sent, reader, shared))
    }
    res.status(Number(result.status))
    if (operation.maxAge !== undefined) keepFor(res, operation.maxAge)
    for (const [name, value] of Object.entries(result.headers ?? {})) res.setHeader(name, value as string)
    if (hasToken) res.setHeader('Cache-Control', 'private, no-store')
    if (req.gateway.variesByOrigin) res.vary('Origin')
    const etag = res.getHeader('ETag')
    if (req.method === 'GET' && typeof etag === 'string' && matches(req.headers['if-none-match'], etag)) {
      return void res.status(304).end()
    }
    const location = res.getHeader('Location')
    if (typeof location === 'string') await rateLimits.rewardRedirect(req, ip, location)
    if (result.body === undefined) return void res.end()
    if (result.contentType === undefined) {
      const body = withWarnings(result, req, translator)
      sendJson(res, operation.successes.has(Number(result.status)) ? { success: true, ...body } : body)
    } else {
      res.setHeader('Content-Type', result.contentType)
      await sendBytes(res, result.body)
    }
  }
}

const NO_MORE = 'The credential does not open more than the public view.'
const sendsCredential = ({ headers, gateway }: Request) => headers.authorization !== undefined || gateway.hasToken

const MAX_WARNINGS = 100

function withWarnings(
  { status, body }: { readonly status: number; readonly body: { readonly warnings?: readonly Advisory[] } },
  { gateway: { unknownMembers = [], language } }: Request,
  translator: Cradle['translator'],
): object {
  if (unknownMembers.length === 0 || Number(status) >= 300) return body
  const found = unknownMembers.map(({ path, suggestion }) =>
    translator.advisory({ code: 'UNKNOWN_MEMBER', path, params: { field: path, suggestion } }, language),
  )
  return { ...body, warnings: [...(body.warnings ?? []), ...found].slice(0, MAX_WARNINGS) }
}

async function sendBytes(res: Response, body: Bytes): Promise<void> {
  if (typeof body === 'string' || body instanceof Uint8Array) return void res.end(body)
  await pipeline(body, res).catch((error) => {
    if (!res.destroyed) throw error
  })
}

function keepFor(res: Response, seconds: number): void {
  res.setHeader('Cache-Control', `public, max-age=${seconds}`)
  res.setHeader('Vary', 'Accept, Accept-Language')
}

function grantOf(req: Request): string | undefined {
  const bearer = /^bearer +(dpp_(?:li|auth)_[^\s]+)$/i.exec(req.headers.authorization ?? '')?.[1]
  return bearer ?? (typeof req.query.grant === 'string' ? req.query.grant : undefined)
}
