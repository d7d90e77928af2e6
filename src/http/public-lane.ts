import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Cradle } from '../cradle.ts'
import { isGrai, isGtin14, isUuid } from '../domain/identifiers.ts'
import { chooseLanguage } from '../domain/language.ts'
import { dictionary } from '../domain/record.ts'
import { remembered } from '../domain/remembered.ts'
import { type PublicQuestion, variantOf } from '../publication/choice.ts'
import type { CachedLink, CachedRendition, Redirect } from '../publication/public-cache.ts'
import { isPage, type WireRendition } from '../publication/rendition.ts'
import type { LinkRequest } from '../services/digital-links.ts'
import { type Column, kindAt } from '../storage/renditions.ts'
import type { RequestCounter } from '../telemetry/counters.ts'
import { bunched } from './bunched.ts'
import type { Contract } from './contract.ts'
import { takesBrotli } from './encoding.ts'
import { sendRedirect, sendRendition } from './rendition-response.ts'
import { languageParameter, requestId } from './request.ts'
import { Routes } from './routes.ts'

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

/** What an anonymous request asks for: a rendition, or what a GS1 Digital Link has in place of one. */
type Question = RenditionQuestion | LinkQuestion

interface LinkQuestion extends LinkRequest {
  readonly isLink: true
  readonly requests: RequestCounter
  /** Where the public cache keeps the answer. */
  readonly key: string
}

interface RenditionQuestion extends PublicQuestion {
  readonly isLink: false
  /** Where it is counted. */
  readonly requests: RequestCounter
  /** Where the public cache keeps the answer. */
  readonly key: string
}

/** A request, with what answers it. */
interface Answered {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly question: Question
  /** By `performance.now`. */
  readonly began: number
  readonly found: CachedRendition | CachedLink
  /** The rendition that is found, in Brotli. */
  readonly compressed?: WireRendition
}

/** From here on to wait for others gains nothing: tried with 50 KB (docs/measurements.md). */
const LARGE_BYTES = 48 * 1024
const LINK = /^\/(?:01|8003)\//
const ONLY_LANGUAGE = /^lang=([A-Za-z-]{2,11})$/
const REMEMBERED_HEADERS = { entries: 500, characters: 512 }
const REMEMBERED_QUESTIONS = { entries: 10_000, characters: 512 }

/**
 * Answers anonymous resolution from stored renditions, and GS1 Digital Links that lead elsewhere, ahead of Express: the same
 * bytes as the pipeline, at a fraction of its cost. Whatever is unusual (a token, another query, no rendition yet, an error) is left to the pipeline.
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
  const routes = new Routes(contract.operations.values())
  const { lane } = counters
  // No header at all and an empty one say the same.
  const choiceFor = {
    passport: remembered((accept: string) => renditions.choose(accept, 'passport'), REMEMBERED_HEADERS),
    unit: remembered((accept: string) => renditions.choose(accept, 'unit'), REMEMBERED_HEADERS),
    batch: remembered((accept: string) => renditions.choose(accept, 'batch'), REMEMBERED_HEADERS),
  }
  const questionIn = remembered(readQuestion, REMEMBERED_QUESTIONS)
  const sendTogether = bunched(send)
  const takesBrotliBy = remembered(takesBrotli, REMEMBERED_HEADERS)

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

  function answer(req: IncomingMessage, res: ServerResponse, question: Question, began: number): void {
    if (question.isLink) answerLink(req, res, question, began)
    else answerRendition(req, res, question, began)
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
    const linkOperation = operationOfOtherLink(url, accept)
    if (linkOperation !== undefined) {
      const lang = chooseLanguage(languageParameter(url), acceptLanguage, translator.languages)
      const requests = counters.requestsOf(linkOperation)
      return { isLink: true, requests, target: url, accept, acceptLanguage, lang, key: text }
    }
    const entrance = entrances.find(({ prefix }) => url.startsWith(prefix))
    if (entrance === undefined) return undefined
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
    return { isLink: false, requests, column: entrance.column, value, choice, variant, key }
  }

  /** Which operation answers a link that leads elsewhere; undefined for what is no such link. */
  function operationOfOtherLink(target: string, accept: string): string | undefined {
    if (!LINK.test(target)) return undefined
    try {
      if (!digitalLinks.isOther({ target, accept })) return undefined
      const query = target.indexOf('?')
      return routes.find(query === -1 ? target : target.slice(0, query))?.route.operations.get('GET')?.operationId
    } catch {
      // The pipeline says what is wrong with it.
      return undefined
    }
  }

  function answerLink(req: IncomingMessage, res: ServerResponse, question: LinkQuestion, began: number): void {
    const cached = publicCache.getLink(question.key)
    if (cached !== undefined) {
      lane.hit += 1
      sendTogether({ req, res, question, began, found: cached })
      return
    }
    const epoch = publicCache.epoch()
    const find = () => digitalLinks.forAll(question)
    find().then(
      (found) => {
        if (found === undefined) return leave(req, res)
        lane.miss += 1
        publicCache.setLink(question.key, found, epoch, find)
        send({ req, res, question, began, found })
      },
      () => leave(req, res),
    )
  }

  function answerRendition(
    req: IncomingMessage,
    res: ServerResponse,
    question: RenditionQuestion,
    began: number,
  ): void {
    const { key } = question
    const cached = publicCache.get(key)
    if (cached !== undefined) {
      lane.hit += 1
      const give = cached.rendition.body.length < LARGE_BYTES ? sendTogether : send
      giveCompressed({ req, res, question, began, found: cached }, give)
      return
    }
    const epoch = publicCache.epoch()
    renditionStore.findPublic(question, publicCache.lastKnown(key)).then(
      (found) => {
        if (found === undefined) return leave(req, res)
        lane.miss += 1
        publicCache.set(key, found, epoch, question)
        giveCompressed({ req, res, question, began, found }, send)
      },
      () => leave(req, res),
    )
  }

  /** Gives a page compressed to a caller that takes it so, and anything else as it is. */
  function giveCompressed(
    answered: Answered & { readonly found: CachedRendition },
    give: (one: Answered) => void,
  ): void {
    const { rendition } = answered.found
    if (!isPage(rendition) || !takesBrotliBy(answered.req.headers['accept-encoding'] ?? '')) {
      give(answered)
      return
    }
    compressedPages.of(rendition).then(
      (compressed) => give({ ...answered, compressed }),
      () => give(answered),
    )
  }

  function send(answered: Answered): void {
    const { req, res, question, began, found, compressed } = answered
    const id = requestId(req.headers['x-request-id'])
    if ('rendition' in found) {
      sendRendition(req, res, id, compressed ?? found.rendition, 'public', true)
      found.count ??= accessAudit.counterOf(found, found.representation, 'public')
      found.count(addressOf(req))
    } else if ('body' in found.answer) {
      sendRendition(req, res, id, found.answer, 'public', true)
    } else {
      redirect(answered, id, found.answer)
      return
    }
    count(res, question, began)
  }

  function redirect({ req, res, question, began }: Answered, id: string, to: Redirect): void {
    const send = () => {
      sendRedirect(res, id, to)
      count(res, question, began)
    }
    if (rateLimits.isOn) rateLimits.rewardRedirect(req, addressOf(req), to.headers.Location).then(send, send)
    else send()
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
