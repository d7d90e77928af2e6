import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { shortWord } from './cbv.ts'
import { eventsOfCredential } from './credential-events.ts'
import {
  type CapturedEvent,
  type CaptureFinding,
  type CaptureValidation,
  EVENT_TYPES,
  type EventType,
  ITEM_FIELDS,
} from './event.ts'
import { eventHash } from './event-hash.ts'
import { itemsOf } from './event-items.ts'
import { instantOf } from './event-time.ts'
import { pointerPart, schemaFindings } from './schema-findings.ts'
import type { Sent, SentEvent } from './sent.ts'

/** Events per request; more require a capture job. */
const MAX_EVENTS = 1_000
const MAX_EVENTS_OF_JOB = 10_000
/** Larger shipments list pallets instead. */
const MAX_ELEMENTS = 1_000
const MAX_VALUES = 20_000
const MAX_LEVELS = 32
/** UTF-16 code units per event. */
const MAX_EVENT_CHARACTERS = 1_048_576
const MAX_CHARACTERS = 4_096
/** Identifiers must fit into an index. */
const MAX_ID_CHARACTERS = 512
/** UTF-16 code units; stored with every event. */
const MAX_CONTEXT_CHARACTERS = 8_192
const MAX_FINDINGS = 100
/** Clocks differ, and some systems write local time as UTC. */
const GRACE_MS = 24 * 60 * 60 * 1_000
const FIRST_YEAR = 1900

/**
 * Accepts an EPCIS 2.0 event or document, or a UNTP credential. Rejects all events if one is invalid. Does not verify proofs. Yields after
 * each event.
 * @param body parsed JSON
 */
export function* validateCaptureSteps(
  body: unknown,
  now: Date,
  maxEvents = MAX_EVENTS,
): Generator<void, CaptureValidation> {
  const { events, context, findings: around } = sentIn(body, now, maxEvents)
  if (around.length > 0) return { findings: around.slice(0, MAX_FINDINGS) }
  const captured: CapturedEvent[] = []
  const findings: CaptureFinding[] = []
  for (const sent of events) {
    const bound = boundFinding(sent.event)
    const event = bound === undefined ? withoutComments(sent.event) : undefined
    const wrong = bound === undefined ? findingsIn(event, now) : [bound]
    findings.push(...wrong.map((finding) => ({ ...finding, pointer: sent.pointer(finding.pointer) })))
    if (findings.length >= MAX_FINDINGS) break
    if (wrong.length === 0) captured.push(capturedFrom(event as JsonRecord, context))
    yield
  }
  findings.push(...repeated(captured, events))
  return findings.length > 0 ? { findings: findings.slice(0, MAX_FINDINGS) } : { events: captured }
}

interface CaptureDocument {
  readonly events: readonly unknown[]
  readonly around: JsonRecord
}

/** Splits a document, and validates everything but its events. */
export function documentToCapture(body: unknown, now: Date): CaptureDocument | { findings: readonly CaptureFinding[] } {
  if (!isRecord(body) || body.type !== 'EPCISDocument') return { findings: [NO_DOCUMENT] }
  const { events, findings } = sentIn(body, now, MAX_EVENTS_OF_JOB)
  return findings.length > 0 ? { findings } : { events: events.map(({ event }) => event), around: withEvents(body, []) }
}

export function unstorable(event: unknown, place: number): CaptureFinding | undefined {
  const found = boundFinding(event)
  return found && { ...found, pointer: `/epcisBody/eventList/${place}${found.pointer}` }
}

/** Yields after each event. */
export function validateDocumentSteps(
  { events, around }: CaptureDocument,
  now: Date,
): Generator<void, CaptureValidation> {
  return validateCaptureSteps(withEvents(around, events), now, MAX_EVENTS_OF_JOB)
}

const withEvents = (document: JsonRecord, eventList: readonly unknown[]): JsonRecord => ({
  ...document,
  epcisBody: { ...(document.epcisBody as JsonRecord), eventList },
})

const NO_DOCUMENT: CaptureFinding = { pointer: '/type', code: 'SHAPE', message: 'Send an EPCISDocument.' }

function sentIn(body: unknown, now: Date, maxEvents: number): Sent {
  if (!isRecord(body)) return refused('', 'SHAPE', NO_SHAPE)
  if (body.credentialSubject !== undefined) {
    return withinBounds(eventsOfCredential(body, now), '/credentialSubject', maxEvents)
  }
  if (body.type === 'EPCISDocument') return documentIn(body, ['epcisBody', 'eventList'], maxEvents)
  if (body.type === 'EPCISQueryDocument') {
    return documentIn(body, ['epcisBody', 'queryResults', 'resultsBody', 'eventList'], maxEvents)
  }
  if (!isEventType(body.type)) return refused('/type', 'SHAPE', NO_SHAPE)
  if (body['@context'] === undefined) return refused('/@context', 'MISSING', NO_CONTEXT)
  return { events: [{ event: body, pointer: (inEvent) => inEvent }], context: [], findings: [] }
}

function documentIn(body: JsonRecord, path: readonly string[], maxEvents: number): Sent {
  const list = path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), body)
  const at = `/${path.join('/')}`
  const events = Array.isArray(list) ? list : []
  // Events are validated individually, to bound the findings.
  const around = Array.isArray(list) ? (replaced(body, path) as JsonRecord) : body
  const bounds = boundFinding(around) ?? contextFinding(body['@context'])
  const findings = bounds === undefined ? schemaFindings(withoutComments(around), 'whole') : [bounds]
  const sent = events.map((event, index) => ({ event, pointer: (inEvent: string) => `${at}/${index}${inEvent}` }))
  return findings.length > 0 || !Array.isArray(list)
    ? { events: [], context: [], findings }
    : withinBounds({ events: sent, context: body['@context'], findings }, at, maxEvents)
}

function replaced(value: unknown, [key, ...rest]: readonly string[]): unknown {
  return key === undefined ? [] : { ...(value as object), [key]: replaced((value as JsonRecord)[key], rest) }
}

function withinBounds(sent: Sent, at: string, maxEvents: number): Sent {
  if (sent.findings.length > 0) return sent
  if (sent.events.length === 0) return refused(at, 'EMPTY', 'The document has no event. Send at least one.')
  if (sent.events.length > maxEvents) {
    return refused(
      at,
      'TOO_MANY_EVENTS',
      `The document has ${sent.events.length} events. Send at most ${maxEvents} per request.`,
    )
  }
  return sent
}

const refused = (pointer: string, code: string, message: string): Sent => ({
  events: [],
  context: [],
  findings: [{ pointer, code, message }],
})

const NO_SHAPE = `Send an EPCISDocument, an event (${EVENT_TYPES.join(', ')}), or a credential with a credentialSubject.`

const NO_CONTEXT = '@context is missing. Add the address of the EPCIS context.'

const isEventType = (type: unknown): type is EventType => EVENT_TYPES.some((known) => known === type)

function findingsIn(event: unknown, now: Date): CaptureFinding[] {
  if (!isRecord(event)) return [{ pointer: '', code: 'TYPE', message: 'Send an object.' }]
  const tooLong = contextFinding(event['@context'])
  if (tooLong !== undefined) return [tooLong]
  if (!isEventType(event.type)) {
    return [
      { pointer: '/type', code: 'EVENT_TYPE', message: `Unknown event type. Use one of: ${EVENT_TYPES.join(', ')}.` },
    ]
  }
  const findings = schemaFindings(event, 'event')
  return findings.length > 0 ? findings : ruleFindings(event, now)
}

function ruleFindings(event: JsonRecord, now: Date): CaptureFinding[] {
  const findings = longIds(event)
  const { type, action, parentID, eventTime, recordTime, errorDeclaration } = event
  if (type === 'AggregationEvent' && action === 'ADD' && parentID === undefined) {
    findings.push({
      pointer: '/parentID',
      code: 'PARENT_MISSING',
      message: 'parentID is missing. Add the id of the container of the children.',
    })
  }
  const sensors = event.sensorElementList
  if (itemsOf(event, type as EventType).length === 0 && !(Array.isArray(sensors) && sensors.length > 0)) {
    findings.push({ pointer: '', code: 'NO_ITEMS', message: 'The event has no item. Add at least one identifier.' })
  }
  const declared = isRecord(errorDeclaration) ? errorDeclaration.declarationTime : undefined
  const times = { '/eventTime': eventTime, '/recordTime': recordTime, '/errorDeclaration/declarationTime': declared }
  for (const [pointer, time] of Object.entries(times)) {
    const message = typeof time === 'string' ? timeMessage(instantOf(time), now) : undefined
    if (message !== undefined) findings.push({ pointer, code: 'TIME_OUT_OF_RANGE', message })
  }
  return findings
}

const ID_FIELDS = ['eventID', 'transformationID', ...ITEM_FIELDS] as const

function longIds(event: JsonRecord): CaptureFinding[] {
  const message = `An identifier has at most ${MAX_ID_CHARACTERS} characters. Shorten it.`
  return ID_FIELDS.flatMap((field) => {
    const value = event[field]
    return [value].flat().flatMap((one, index) => {
      const id = isRecord(one) ? one.epcClass : one
      if (typeof id !== 'string' || id.length <= MAX_ID_CHARACTERS) return []
      const inList = Array.isArray(value) ? `/${index}${isRecord(one) ? '/epcClass' : ''}` : ''
      return [{ pointer: `/${field}${inList}`, code: 'TOO_LONG', message }]
    })
  })
}

function timeMessage(time: Date, now: Date): string | undefined {
  if (time.getTime() > now.getTime() + GRACE_MS) return 'The time is in the future. Send the time of the event.'
  return time.getUTCFullYear() < FIRST_YEAR
    ? `The time is before ${FIRST_YEAR}. Send the time of the event.`
    : undefined
}

/** Finds repeated `eventID`s; a correction has the `eventID` that it voids. */
function repeated(captured: readonly CapturedEvent[], sent: readonly SentEvent[]): CaptureFinding[] {
  if (captured.length < sent.length) return []
  const known = new Set<string>()
  return captured.flatMap(({ eventId, correction }, index) => {
    const name = `${correction === undefined ? 'event' : 'correction'} ${eventId}`
    if (!known.has(name)) {
      known.add(name)
      return []
    }
    const { event, pointer } = sent[index] as SentEvent
    const at = pointer((event as JsonRecord).eventID === undefined ? '' : '/eventID')
    return [
      { pointer: at, code: 'DUPLICATE_EVENT', message: 'An earlier event has the same eventID. Send each event once.' },
    ]
  })
}

function capturedFrom(sent: JsonRecord, around: unknown): CapturedEvent {
  const type = sent.type as EventType
  const contexts = [around, sent['@context']].flat().filter((one) => one !== undefined)
  const hash = eventHash(sent, contexts)
  const eventId = typeof sent.eventID === 'string' ? sent.eventID : hash
  const text = (key: string) => (typeof sent[key] === 'string' ? sent[key] : undefined)
  const place = (key: string) => (isRecord(sent[key]) && typeof sent[key].id === 'string' ? sent[key].id : undefined)
  const word = (key: string) => (typeof sent[key] === 'string' ? shortWord(sent[key]) : undefined)
  return {
    type,
    eventId,
    hash,
    eventTime: instantOf(sent.eventTime as string),
    action: sent.action as CapturedEvent['action'],
    bizStep: word('bizStep'),
    disposition: word('disposition'),
    readPoint: place('readPoint'),
    bizLocation: place('bizLocation'),
    transformationId: text('transformationID'),
    correction: correctionIn(sent.errorDeclaration),
    items: itemsOf(sent, type),
    event: { ...sent, '@context': unique(contexts), eventID: eventId },
  }
}

function correctionIn(declaration: unknown): CapturedEvent['correction'] {
  if (!isRecord(declaration)) return undefined
  return {
    declaredAt: instantOf(declaration.declarationTime as string),
    correctiveEventIds: (declaration.correctiveEventIDs ?? []) as readonly string[],
  }
}

function unique(contexts: readonly unknown[]): unknown[] {
  return [...new Map(contexts.map((context) => [JSON.stringify(context), context])).values()]
}

/** Removes keys that begin with `_`, used for comments in published examples. */
function withoutComments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutComments)
  if (!isRecord(value)) return value
  const rest: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    if (!key.startsWith('_')) rest[key] = key.includes(':') ? inner : withoutComments(inner)
  }
  return rest
}

function contextFinding(context: unknown): CaptureFinding | undefined {
  if (context === undefined || JSON.stringify(context).length <= MAX_CONTEXT_CHARACTERS) return undefined
  const message = `The context is longer than ${MAX_CONTEXT_CHARACTERS} characters. Publish it and send its address.`
  return { pointer: '/@context', code: 'TOO_LONG', message }
}

function boundFinding(value: unknown): CaptureFinding | undefined {
  let values = 0
  let characters = 0
  const look = (one: unknown, level: number): CaptureFinding | undefined => {
    values += 1
    if (values > MAX_VALUES) return tooMuch('TOO_MANY_VALUES', MANY_VALUES)
    if (typeof one === 'string') {
      if (one.length > MAX_CHARACTERS) return tooMuch('TOO_LONG', LONG)
      characters += one.length
      if (characters > MAX_EVENT_CHARACTERS) return tooMuch('TOO_LARGE', LARGE)
    }
    if (typeof one !== 'object' || one === null) return undefined
    if (level > MAX_LEVELS) return tooMuch('TOO_DEEP', DEEP)
    if (Array.isArray(one) && one.length > MAX_ELEMENTS) return tooMuch('TOO_MANY_ELEMENTS', MANY_ELEMENTS)
    for (const [key, inner] of Object.entries(one)) {
      const found = look(inner, level + 1)
      if (found !== undefined) return { ...found, pointer: `/${pointerPart(key)}${found.pointer}` }
    }
    return undefined
  }
  const found = look(value, 1)
  return found?.code === 'TOO_MANY_VALUES' || found?.code === 'TOO_LARGE' ? { ...found, pointer: '' } : found
}

const tooMuch = (code: string, message: string): CaptureFinding => ({ pointer: '', code, message })
const MANY_VALUES = `The event has more than ${MAX_VALUES} values. Split it.`
const LARGE = `The texts of the event have more than ${MAX_EVENT_CHARACTERS} characters in total. Split it.`
const MANY_ELEMENTS = `The list has more than ${MAX_ELEMENTS} elements. Send several events, or the identifier of their container.`
const LONG = `The text has more than ${MAX_CHARACTERS} characters. Shorten it.`
const DEEP = `The value is nested more than ${MAX_LEVELS} levels deep. Flatten it.`
