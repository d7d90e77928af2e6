import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Cradle } from '../cradle.ts'
import { isGrai, isGtin14, isUuid } from '../domain/identifiers.ts'
import { chooseLanguage } from '../domain/language.ts'
import { memoize } from '../domain/memoize.ts'
import type { ProductLevel } from '../domain/product-level.ts'
import { dictionary } from '../domain/record.ts'
import { type PublicRequest, variantOf } from '../renditions/negotiated-format.ts'
import type { CachedRendition } from '../renditions/public-cache.ts'
import { isPage, type WireRendition } from '../renditions/rendition.ts'
import { type Column, kindAt } from '../renditions/rendition-statements.ts'
import type { RequestCounter } from '../telemetry/counters.ts'
import type { Contract } from './contract.ts'
import { takesBrotli } from './encoding.ts'
import { sendRendition } from './rendition-response.ts'
import { requestId } from './request.ts'

type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void

const KEYS = dictionary<{ isKey: (text: string) => boolean; column: Column }>({
  resolvePublicPassport: { isKey: isUuid, column: 'id' },
  resolveGs1Gtin: { isKey: isGtin14, column: 'gtin' },
  resolveGs1Grai: { isKey: isGrai, column: 'grai' },
  resolvePublicBatteryUnit: { isKey: isUuid, column: 'unit' },
})

interface Entrance {
  readonly operationId: string
  readonly prefix: string
  readonly column: Column
  /** True if the unescaped value is a valid key and meets the contract's schema. */
  accepts(value: string): boolean
}

interface LaneRequest extends PublicRequest {
  readonly requests: RequestCounter
  /** Key in the public cache. */
  readonly key: string
}

interface PendingResponse {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly laneRequest: LaneRequest
  /** From `performance.now`. */
  readonly began: number
  readonly found: CachedRendition
}

const LINK = /^\/(?:01|8003)\//
const ONLY_LANGUAGE = /^lang=([A-Za-z-]{2,11})$/
const HEADER_CACHE = { entries: 500, characters: 512 }
/** Wait for the database if a stale rendition can be served. */
const STALE_AFTER_MS = 300
const REQUEST_CACHE = { entries: 10_000, characters: 512 }

/**
 * Serves anonymous resolution from stored renditions before Express, with the same bytes. Unusual requests and errors go to the pipeline.
 */
export function publicLane(
  {
    contract,
    digitalLinks,
    renditions,
    renditionStore,
    publicCache,
    accessAudit,
    rateLimits,
    translator,
    counters,
    compressedPages,
    plugins: { levels },
    config: { sharedMaxAge },
  }: Cradle,
  addressOf: (req: IncomingMessage) => string,
  pipeline: NodeHandler,
): NodeHandler {
  const entrances = compileEntrances(contract, levels)
  const { lane } = counters
  const kinds = [...new Set(entrances.map(({ column }) => kindAt(column)))]
  const choiceFor = new Map(
    kinds.map((kind) => [kind, memoize((accept: string) => renditions.choose(accept, kind), HEADER_CACHE)]),
  )
  const requestIn = memoize(readRequest, REQUEST_CACHE)
  const acceptsBrotli = memoize(takesBrotli, HEADER_CACHE)

  return (req, res) => {
    const { method, headers } = req
    if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return pipeline(req, res)
    // These values contain no line break.
    const laneRequest = requestIn(`${req.url}\n${headers.accept ?? ''}\n${headers['accept-language'] ?? ''}`)
    if (laneRequest === undefined) return pipeline(req, res)
    const began = performance.now()
    if (!rateLimits.isOn) return answer(req, res, laneRequest, began)
    // The pipeline counts again, so it rejects too.
    rateLimits.countResolution(req, addressOf(req)).then(
      () => answer(req, res, laneRequest, began),
      () => pipeline(req, res),
    )
  }

  /** Hot path: plain numbers only. */
  function count(res: ServerResponse, { requests }: LaneRequest, began: number): void {
    const { statusCode } = res
    if (statusCode === 304) lane.notModified += 1
    requests.observe(statusCode, performance.now() - began)
  }

  function leave(req: IncomingMessage, res: ServerResponse): void {
    lane.left += 1
    pipeline(req, res)
  }

  /** Undefined if the pipeline must handle the request. */
  function readRequest(text: string): LaneRequest | undefined {
    const [url, accept, acceptLanguage] = text.split('\n') as [string, string, string]
    const entrance = entrances.find(({ prefix }) => url.startsWith(prefix))
    if (entrance === undefined || isOtherLink(url, accept)) return undefined
    const query = url.indexOf('?')
    const value = url.slice(entrance.prefix.length, query === -1 ? undefined : query)
    const language = query === -1 ? null : ONLY_LANGUAGE.exec(url.slice(query + 1))?.[1]
    const choose = choiceFor.get(kindAt(entrance.column))
    const choice = language === undefined || !entrance.accepts(value) ? undefined : choose?.(accept)
    if (language === undefined || choice === undefined) return undefined
    const variant = variantOf(choice, () => chooseLanguage(language, acceptLanguage, translator.languages))
    if (variant === undefined) return undefined
    const key = `${entrance.prefix}${value} ${choice.plugin.name} ${variant}`
    const requests = counters.requestsOf(entrance.operationId)
    return { requests, column: entrance.column, value, choice, variant, key }
  }

  /** True for a GS1 Digital Link that is malformed or does not resolve to a passport. */
  function isOtherLink(target: string, accept: string): boolean {
    if (!LINK.test(target)) return false
    try {
      return digitalLinks.isOther({ target, accept })
    } catch {
      return true
    }
  }

  function answer(req: IncomingMessage, res: ServerResponse, laneRequest: LaneRequest, began: number): void {
    const { key } = laneRequest
    const cached = publicCache.get(key)
    if (cached !== undefined) {
      lane.hit += 1
      sendCompressed({ req, res, laneRequest, began, found: cached })
      return
    }
    const epoch = publicCache.epoch()
    const stale = publicCache.isOn() ? undefined : publicCache.getStale(key)
    read(laneRequest, stale !== undefined).then(
      (found) => {
        if (found === undefined) return leave(req, res)
        lane.miss += 1
        publicCache.set(key, found, epoch)
        sendCompressed({ req, res, laneRequest, began, found })
      },
      () => {
        const last = stale ?? publicCache.getStale(key)
        if (last === undefined) return leave(req, res)
        lane.hit += 1
        // Negative: seconds since it expired (RFC 9211, 2.4).
        res.setHeader('Cache-Status', `dpp-gateway; hit; ttl=-${last.age}`)
        sendCompressed({ req, res, laneRequest, began, found: last.found })
      },
    )
  }

  /** @param isImpatient true to fail soon, because a stale rendition can be served */
  function read(laneRequest: LaneRequest, isImpatient: boolean): Promise<CachedRendition | undefined> {
    const found = renditionStore.findPublic(laneRequest)
    if (!isImpatient) return found
    let timer: NodeJS.Timeout
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The database does not respond in time.')), STALE_AFTER_MS)
    })
    return Promise.race([found, late]).finally(() => clearTimeout(timer))
  }

  function sendCompressed(answered: PendingResponse): void {
    const { rendition } = answered.found
    if (!isPage(rendition) || !acceptsBrotli(answered.req.headers['accept-encoding'] ?? '')) {
      send(answered, rendition)
      return
    }
    compressedPages.of(rendition).then(
      (compressed) => send(answered, compressed),
      () => send(answered, rendition),
    )
  }

  function send({ req, res, laneRequest, began, found }: PendingResponse, rendition: WireRendition): void {
    const { plugin, isSigned } = laneRequest.choice
    const isLocalised = !isSigned && plugin.localised === true
    const tags = [laneRequest.value, found.passportId, ...(found.unitId === null ? [] : [found.unitId])]
    sendRendition(req, res, requestId(req.headers['x-request-id']), rendition, 'public', {
      maxAge: sharedMaxAge,
      tags,
      isLocalised,
    })
    found.count ??= accessAudit.counterOf(found, found.representation, 'public')
    found.count(addressOf(req))
    count(res, laneRequest, began)
  }
}

function compileEntrances({ operations }: Contract, levels: readonly ProductLevel[]): Entrance[] {
  // swagger-parser has validated the schemas; a second validation costs 60 ms.
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  return [...operations.values()]
    .filter(({ isInPublicLane }) => isInPublicLane)
    .map(({ operationId, path, parameters }) => {
      const level = levels.find(({ name }) => path.startsWith(`/${name}/`))
      const key = level === undefined ? KEYS[operationId] : { isKey: isUuid, column: level.name }
      const parameter = parameters.find((candidate) => candidate.in === 'path')
      const prefix = path.slice(0, path.indexOf('{'))
      if (key === undefined || parameter === undefined || path !== `${prefix}{${parameter.name}}`) {
        throw new Error(`The public lane cannot serve ${operationId} at ${path}.`)
      }
      const meetsSchema = ajv.compile(parameter.schema)
      return {
        operationId,
        prefix,
        column: key.column,
        accepts: (value: string) => key.isKey(value) && meetsSchema(value),
      }
    })
}
