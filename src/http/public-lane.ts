import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cradle } from '../cradle.ts'
import { memoize } from '../domain/memoize.ts'
import type { CachedRendition } from '../renditions/public-cache.ts'
import { isPage, type WireRendition } from '../renditions/rendition.ts'
import { takesBrotli } from './encoding.ts'
import { HEADER_CACHE, type LaneRequest, laneRequests } from './lane-requests.ts'
import { renditionHeaders, sendRendition } from './rendition-response.ts'
import { requestId } from './request.ts'

type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void

interface PendingResponse {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly laneRequest: LaneRequest
  /** From `performance.now`. */
  readonly began: number
  readonly found: CachedRendition
}

/** Wait for the database if a stale rendition can be served. */
const STALE_AFTER_MS = 300

/**
 * Serves anonymous resolution from stored renditions before Express, with the same bytes. Unusual requests and errors go to the pipeline.
 */
export function publicLane(
  cradle: Cradle,
  addressOf: (req: IncomingMessage) => string,
  pipeline: NodeHandler,
): NodeHandler {
  const { renditionStore, publicCache, accessAudit, rateLimits, compressedPages } = cradle
  const { sharedMaxAge } = cradle.config
  const { lane } = cradle.counters
  const requestIn = laneRequests(cradle)
  const acceptsBrotli = memoize(takesBrotli, HEADER_CACHE)

  return (req, res) => {
    const { method, headers } = req
    if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return pipeline(req, res)
    const laneRequest = requestIn(req.url ?? '', headers.accept ?? '', headers['accept-language'] ?? '')
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
    const reading = renditionStore.findPublic(laneRequest)
    ;(stale === undefined ? reading : inTime(reading)).then(
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

  function headersOf({ choice, value }: LaneRequest, found: CachedRendition, rendition: WireRendition): string[] {
    const isLocalised = !choice.isSigned && choice.plugin.localised === true
    const tags = [value, found.passportId, ...(found.unitId === null ? [] : [found.unitId])]
    return renditionHeaders(rendition, 'public', { maxAge: sharedMaxAge, tags, isLocalised })
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
    if (found.headers?.of !== rendition)
      found.headers = { of: rendition, list: headersOf(laneRequest, found, rendition) }
    sendRendition(req, res, requestId(req.headers['x-request-id']), rendition, found.headers.list)
    if (found.count === undefined) accessAudit.record(found, found.representation, 'public', addressOf(req))
    else found.count(addressOf(req))
    count(res, laneRequest, began)
  }
}

/** Rejects a late result. */
const inTime = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, sleep(STALE_AFTER_MS, undefined, { ref: false }).then(rejectLate)])

function rejectLate(): never {
  throw new Error('The database does not respond in time.')
}
