import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import {
  assertCleanText,
  JsonGuardError,
  type JsonLimits,
  parseGuardedJson,
  parseGuardedJsonYielding,
} from '../domain/json-guard.ts'
import { Problem, unavailable } from '../domain/problem.ts'
import type { BodyShare } from './body-budget.ts'
import { prepareBody } from './body-rules.ts'
import type { Operation } from './contract.ts'
import { brokenPath } from './match.ts'

/** Larger bodies are parsed with yielding. */
const LARGE_BYTES = 131_072
const FORM = 'application/x-www-form-urlencoded'

/** Reads and parses at most `x-body-limit` bytes. */
export function readBody(budget: Cradle['bodyBudget']): RequestHandler {
  return (req: Request, _res: Response, next: NextFunction) => {
    const { operation, ip, principal } = req.gateway
    if (operation === undefined) throw new Error(`No operation for ${req.path}.`)
    guardParameters(req)
    if (operation.bodyType === undefined) return next()
    const share = budget.open(ip, principal === undefined)
    return read(req, operation, share).finally(share.close).then(next)
  }
}

async function read(req: Request, operation: Operation, share: BodyShare): Promise<void> {
  const bytes = takeWhole(req, operation.bodyLimit, share) ?? (await collect(req, operation, share))
  req.body = prepareBody(operation.bodyRules, await parseAs(operation, req, bytes))
}

function takeWhole(req: Request, limit: number, share: BodyShare): Buffer | undefined {
  // No header announces a body (`optimizeEmptyRequests`).
  if (req.readableEnded) return Buffer.alloc(0)
  const size = req.readableLength
  if (!req.complete || req.destroyed || size > limit || !share.take(size)) return undefined
  return req.read() ?? Buffer.alloc(0)
}

function parseAs(
  { bodyType = 'application/json', bodyAliases, jsonLimits }: Operation,
  req: Request,
  bytes: Buffer,
): unknown | Promise<unknown> {
  if (bytes.length === 0) {
    // The validator would report an unknown type instead.
    req.headers['content-type'] = bodyType
    if (bodyType === 'application/json') return undefined
    return bodyType === FORM ? {} : bytes
  }
  const encoding = req.headers['content-encoding'] ?? 'identity'
  const declared = req.headers['content-type'] ?? ''
  if ((declared !== bodyType && !bodyAliases.has(declared)) || encoding !== 'identity') {
    const types = [bodyType, ...bodyAliases]
    const named = types.length === 1 ? bodyType : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`
    throw new Problem(415, `Unsupported Content-Type or Content-Encoding. Send ${named}, without a content encoding.`, {
      framework: true,
    })
  }
  if (bodyType === 'application/json') return parse(bytes, jsonLimits)
  return bodyType === FORM ? parseForm(bytes) : bytes
}

async function parse(bytes: Buffer, limits: JsonLimits): Promise<unknown> {
  try {
    if (bytes.length <= LARGE_BYTES) return parseGuardedJson(bytes, limits)
    return await parseGuardedJsonYielding(bytes, limits)
  } catch (error) {
    const message = (error as Error).message
    if (error instanceof JsonGuardError)
      throw new Problem(400, message, { framework: 'FW_ERR_VALIDATION', cause: error })
    throw new Problem(400, message, { framework: 'FW_ERR_CTP_INVALID_JSON_BODY', cause: error })
  }
}

/** Parses a form (URL Standard, 5.1). The first of repeated fields counts. */
function parseForm(bytes: Buffer): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  try {
    for (const [name, value] of new URLSearchParams(bytes.toString())) {
      assertCleanText(name, 'body')
      assertCleanText(value, `body/${name}`)
      fields[name] ??= value
    }
  } catch (error) {
    throw new Problem(400, (error as Error).message, { framework: 'FW_ERR_VALIDATION', cause: error })
  }
  return fields
}

async function collect(req: Request, { bodyLimit, isEmptyIfTooLarge }: Operation, share: BodyShare): Promise<Buffer> {
  const tooLarge = () =>
    new Problem(413, `The body is larger than the ${bodyLimit} bytes that this operation accepts.`, {
      title: 'Payload Too Large',
      framework: 'FW_ERR_CTP_BODY_TOO_LARGE',
    })
  const declared = Number(req.headers['content-length'] ?? 0)
  if (declared > bodyLimit && isEmptyIfTooLarge) return Buffer.alloc(0)
  if (declared > bodyLimit) throw tooLarge()
  if (!share.hasCapacityFor(declared)) throw busy()
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > bodyLimit) throw tooLarge()
      if (!share.take(chunk.length)) throw busy()
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    // A disconnected caller must not be logged as a failure of the gateway.
    throw new Problem(400, 'The request ended before its body did.', { framework: 'FW_ERR_VALIDATION', cause })
  }
  return Buffer.concat(chunks)
}

const busy = () => unavailable('Too many request bodies are being read. Retry later.', 1)

function guardParameters(req: Request): void {
  if (req.gateway.isPathBroken) throw brokenPath()
  try {
    for (const [name, value] of Object.entries(req.gateway.pathParameters)) assertCleanText(value, `path/${name}`)
    if (!req.url.includes('?')) return
    for (const [name, value] of Object.entries(req.query)) {
      assertCleanText(name, 'query')
      for (const text of [value].flat()) assertCleanText(String(text), `query/${name}`)
    }
  } catch (error) {
    throw new Problem(400, (error as Error).message, { framework: 'FW_ERR_VALIDATION', cause: error })
  }
}
