import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Cradle } from '../cradle.ts'
import { isGrai, isGtin14, isUuid } from '../domain/identifiers.ts'
import { chooseLanguage } from '../domain/language.ts'
import { memoize } from '../domain/memoize.ts'
import { dictionary } from '../domain/record.ts'
import { type PublicRequest, variantOf } from '../publication/negotiated-format.ts'
import type { CachedRendition } from '../publication/public-cache.ts'
import { isPage, type WireRendition } from '../publication/rendition.ts'
import { type Column, kindAt } from '../storage/renditions.ts'
import type { RequestCounter } from '../telemetry/counters.ts'
import type { Contract } from './contract.ts'
import { takesBrotli } from './encoding.ts'
import { sendRendition } from './rendition-response.ts'
import { requestId } from './request.ts'

type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void

/** Which key an operation of the lane resolves; an operation that is not named here goes through the pipeline. */
const KEYS = dictionary<{ isKey: (text: string) => boolean; column: Column }>({
  resolvePublicPassport: { isKey: isUuid, column: 'id' },
  resolveGs1Gtin: { isKey: isGtin14, column: 'gtin' },
  resolveGs1Grai: { isKey: isGrai, column: 'grai' },
  resolvePublicBatteryUnit: { isKey: isUuid, column: 'unit' },
  resolvePublicBatch: { isKey: isUuid, column: 'batch' },
})

/** An address below which the lane answers. */
interface Entrance {
  readonly operationId: string
  readonly prefix: string
  readonly column: Column
  /** The value stands in the path as it is, meets the contract's schema, and is a key of this kind. */
  accepts(value: string): boolean
}

/** The rendition that an anonymous request asks for. */
interface Question extends PublicRequest {
  /** Where it is counted. */
  readonly requests: RequestCounter
  /** Where the public cache keeps the answer. */
  readonly key: string
}

/** A request, with what answers it. */
interface PendingResponse {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly question: Question
  /** By `performance.now`. */
  readonly began: number
  readonly found: CachedRendition
}

const LINK = /^\/(?:01|8003)\//
const ONLY_LANGUAGE = /^lang=([A-Za-z-]{2,11})$/
const REMEMBERED_HEADERS = { entries: 500, characters: 512 }
const REMEMBERED_QUESTIONS = { entries: 10_000, characters: 512 }

/**
 * Answers anonymous resolution from stored renditions ahead of Express: the same bytes as the pipeline, at a fraction of its cost.
 * The pipeline answers unusual requests: a token, another query, a link that redirects, no rendition yet, an error.
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
  }: Cradle,
  addressOf: (req: IncomingMessage) => string,
  pipeline: NodeHandler,
): NodeHandler {
  const entrances = compileEntrances(contract)
  const { lane } = counters
  // No header at all and an empty one say the same.
  const choiceFor = {
    passport: memoize((accept: string) => renditions.choose(accept, 'passport'), REMEMBERED_HEADERS),
    unit: memoize((accept: string) => renditions.choose(accept, 'unit'), REMEMBERED_HEADERS),
    batch: memoize((accept: string) => renditions.choose(accept, 'batch'), REMEMBERED_HEADERS),
  }
  const questionIn = memoize(readQuestion, REMEMBERED_QUESTIONS)
  const takesBrotliBy = memoize(takesBrotli, REMEMBERED_HEADERS)

  return (req, res) => {
    const { method, headers } = req
    if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return pipeline(req, res)
    // The question depends on these alone; none of them has a line break.
    const question = questionIn(`${req.url}\n${headers.accept ?? ''}\n${headers['accept-language'] ?? ''}`)
    if (question === undefined) return pipeline(req, res)
    const began = performance.now()
    if (!rateLimits.isOn) return answer(req, res, question, began)
    // Counted before anything is looked up. A refusal is worded by the pipeline, which counts again and so refuses too.
    rateLimits.countResolution(req, addressOf(req)).then(
      () => answer(req, res, question, began),
      () => pipeline(req, res),
    )
  }

  /** Plain numbers alone: this is the path that is to be fast. */
  function count(res: ServerResponse, { requests }: Question, began: number): void {
    const { statusCode } = res
    if (statusCode === 304) lane.notModified += 1
    requests.observe(statusCode, performance.now() - began)
  }

  function leave(req: IncomingMessage, res: ServerResponse): void {
    lane.left += 1
    pipeline(req, res)
  }

  /** @returns undefined for what the lane leaves to the pipeline */
  function readQuestion(text: string): Question | undefined {
    const [url, accept, acceptLanguage] = text.split('\n') as [string, string, string]
    const entrance = entrances.find(({ prefix }) => url.startsWith(prefix))
    if (entrance === undefined || isOtherLink(url, accept)) return undefined
    const query = url.indexOf('?')
    const value = url.slice(entrance.prefix.length, query === -1 ? undefined : query)
    const language = query === -1 ? null : ONLY_LANGUAGE.exec(url.slice(query + 1))?.[1]
    const choose = choiceFor[kindAt(entrance.column)]
    const choice = language === undefined || !entrance.accepts(value) ? undefined : choose(accept)
    if (language === undefined || choice === undefined) return undefined
    const variant = variantOf(choice, () => chooseLanguage(language, acceptLanguage, translator.languages))
    if (variant === undefined) return undefined
    const key = `${entrance.prefix}${value} ${choice.plugin.name} ${variant}`
    const requests = counters.requestsOf(entrance.operationId)
    return { requests, column: entrance.column, value, choice, variant, key }
  }

  /** True for a GS1 Digital Link that is not answered with a passport, and for a malformed one. */
  function isOtherLink(target: string, accept: string): boolean {
    if (!LINK.test(target)) return false
    try {
      return digitalLinks.isOther({ target, accept })
    } catch {
      // The pipeline says what is wrong with it.
      return true
    }
  }

  function answer(req: IncomingMessage, res: ServerResponse, question: Question, began: number): void {
    const { key } = question
    const cached = publicCache.get(key)
    if (cached !== undefined) {
      lane.hit += 1
      sendCompressed({ req, res, question, began, found: cached })
      return
    }
    const epoch = publicCache.epoch()
    renditionStore.findPublic(question).then(
      (found) => {
        if (found === undefined) return leave(req, res)
        lane.miss += 1
        publicCache.set(key, found, epoch)
        sendCompressed({ req, res, question, began, found })
      },
      () => leave(req, res),
    )
  }

  /** Sends a page compressed to a caller that takes it so, and anything else as it is. */
  function sendCompressed(answered: PendingResponse): void {
    const { rendition } = answered.found
    if (!isPage(rendition) || !takesBrotliBy(answered.req.headers['accept-encoding'] ?? '')) {
      send(answered, rendition)
      return
    }
    compressedPages.of(rendition).then(
      (compressed) => send(answered, compressed),
      () => send(answered, rendition),
    )
  }

  function send({ req, res, question, began, found }: PendingResponse, rendition: WireRendition): void {
    sendRendition(req, res, requestId(req.headers['x-request-id']), rendition, 'public', true)
    found.count ??= accessAudit.counterOf(found, found.representation, 'public')
    found.count(addressOf(req))
    count(res, question, began)
  }
}

function compileEntrances({ operations }: Contract): Entrance[] {
  // swagger-parser has checked the schemas of the contract; preparing to check them again costs 60 ms.
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  return [...operations.values()]
    .filter(({ isInPublicLane }) => isInPublicLane)
    .map(({ operationId, path, parameters }) => {
      const key = KEYS[operationId]
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
