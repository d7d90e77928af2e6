import { randomUUID } from 'node:crypto'
import { dictionary, isRecord, type JsonRecord, notFound, Problem, runYielding } from '../../../../src/plugin/index.ts'
import type { ModuleCradle } from '../../../../src/plugin/module.ts'
import {
  assertWholeWorkspace,
  badRequest,
  clamped,
  examineDataIntegrity,
  isSecured,
  isUuid,
  momentOf,
  type Principal,
  type Session,
  type WriteScope,
} from '../../../../src/plugin/module.ts'
import { validateCaptureSteps } from '../epcis/capture.ts'
import { shortWord } from '../epcis/cbv.ts'
import { EPCIS_CONTEXT } from '../epcis/credential-events.ts'
import type { CaptureFinding } from '../epcis/event.ts'
import { itemKey } from '../epcis/item-key.ts'
import { hasCircle, MAX_EVENTS_OF_LINEAGE, MAX_ITEMS_OF_LINEAGE, MAX_LEVELS, widerKeys } from '../epcis/lineage.ts'
import { screen } from '../epcis/screening.ts'
import type { components } from '../generated.ts'
import {
  findTraceEvent,
  insertTraceEvents,
  queryTrace,
  type StoredTraceEvent,
  storedAs,
  type TraceEdge,
  type TraceQuery,
  type TraceRow,
  traceEvents,
  traceParents,
} from '../trace-rows.ts'

type Schemas = components['schemas']

/** An item with more events is a class, which tells little. */
const MAX_OF_ITEM = 200
const MAX_EDGES_OF_LEVEL = 20_000
/** Max events per document (open points, 5.2). */
const MAX_OF_DOCUMENT = 500
const USUAL_PAGE = 30
const LARGEST_PAGE = 200

interface Lineage {
  readonly rows: ReadonlyMap<string, TraceRow>
  readonly edges: readonly TraceEdge[]
  readonly parents: ReadonlyMap<string, readonly string[]>
  readonly isTruncated: boolean
}

type Query = Readonly<Record<string, string | undefined>>

/** Supply chain events (EPCIS 2.0; specification 4.5). */
export default function traceability({ config, database, issuers }: ModuleCradle) {
  return { capture, read, query, lineage, lineageDocument, screening, walk }

  /** Stores all events or none. @throws Problem 400 with every finding, or for an invalid proof; 403 for an operator's key */
  async function capture(
    principal: Principal,
    body: JsonRecord,
    scope: WriteScope,
  ): Promise<Omit<Schemas['TraceCaptured'], 'success'>> {
    assertWholeWorkspace(principal)
    const now = new Date()
    const { events, findings } = await runYielding(validateCaptureSteps(body, now))
    if (findings !== undefined) throw refusedCapture(findings)
    const issuer = body.proof === undefined ? undefined : await issuerOf(body, now)
    const isUntp = issuer !== undefined
    const rows = events.map((event) => ({ ...event, id: randomUUID(), isUntp, issuer }))
    const eventIds = await scope.transaction(async (tx) => {
      insertTraceEvents(tx, rows, now)
      return storedAs(tx, rows)
    })
    return { status: 'success', eventId: eventIds[0] as string, untpVerified: isUntp, eventIds }
  }

  /** Returns the issuer of a verified credential. @throws Problem 400 unless a key of this gateway made the proof */
  async function issuerOf(credential: JsonRecord, now: Date): Promise<string> {
    const examined = await examineDataIntegrity(credential, {
      documents: { read: ownDocument },
      contexts: new Map(),
      now,
    })
    const wrong = examined.checks.find(({ name, ok }) => ok !== true && name !== 'content')
    if (!isSecured(examined) || wrong !== undefined) {
      throw new Problem(400, `The proof is invalid. ${wrong?.detail ?? ''}`.trim(), {
        title: 'Cryptographic Verification Failed',
      })
    }
    const { issuer } = credential
    return isRecord(issuer) ? String(issuer.id) : String(issuer)
  }

  /** Resolves only keys of this gateway: submitted events cause no outbound requests. */
  async function ownDocument(url: string): Promise<string> {
    const [, id] = url.slice(config.baseUrl.length).match(/^\/tenants\/([^/]+)\/did\.json$/) ?? []
    if (!url.startsWith(config.baseUrl) || id === undefined || !isUuid(id)) {
      throw new Error('The issuer is not a workspace of this gateway. Only its keys are supported.')
    }
    return (await issuers.didDocument(id)).body.toString()
  }

  /** @throws Problem 404 */
  async function read(principal: Principal, id: string): Promise<Schemas['EpcisEvent']> {
    assertWholeWorkspace(principal)
    const [stored] = isUuid(id) ? await traceEvents(database.forTenant(principal.tenantId), [id]) : []
    if (stored === undefined) throw noEvent()
    return stored.event as Schemas['EpcisEvent']
  }

  /** Events have no operator, so operators' keys see none. */
  async function find(principal: Principal, id: string): Promise<[Session, TraceRow]> {
    assertWholeWorkspace(principal)
    const session = database.forTenant(principal.tenantId)
    const row = isUuid(id) ? await findTraceEvent(session, id) : undefined
    if (row === undefined) throw noEvent()
    return [session, row]
  }

  /**
   * @returns a page, and the next page's token
   * @throws Problem 400 for an invalid parameter
   */
  async function query(
    principal: Principal,
    parameters: Query,
  ): Promise<{ body: Schemas['EpcisQueryDocument']; next?: string }> {
    assertWholeWorkspace(principal)
    const perPage = clamped(parameters.perPage, LARGEST_PAGE, USUAL_PAGE)
    const { events, isCut } = await queryTrace(
      database.forTenant(principal.tenantId),
      toTraceQuery(parameters),
      perPage,
    )
    const { '@context': context, eventList } = listOf(events)
    const body = {
      '@context': context,
      type: 'EPCISQueryDocument',
      schemaVersion: '2.0',
      creationDate: new Date().toISOString(),
      epcisBody: { queryResults: { queryName: 'SimpleEventQuery', resultsBody: { eventList } } },
    } as const
    return isCut ? { body, next: String(events.at(-1)?.place) } : { body }
  }

  /** Returns the predecessors as a tree; shared ancestors are expanded once. @throws Problem 404; 400 for a cycle */
  async function lineage(principal: Principal, id: string): Promise<Omit<Schemas['TraceLineage'], 'success'>> {
    const [session, root] = await find(principal, id)
    const walked = await walk(session, [root])
    return { lineage: treeOf(root, walked), truncated: walked.isTruncated }
  }

  /**
   * In chronological order.
   * @throws Problem as {@link lineage}
   */
  async function lineageDocument(principal: Principal, id: string): Promise<Schemas['EpcisDocument']> {
    const [session, root] = await find(principal, id)
    const { rows } = await walk(session, [root])
    const newest = [...rows.values()].sort((a, b) => (a.eventTime < b.eventTime ? 1 : -1)).slice(0, MAX_OF_DOCUMENT)
    const events = await traceEvents(
      session,
      newest.map((row) => row.id),
    )
    const { '@context': context, eventList } = listOf(events.reverse())
    return {
      '@context': context,
      type: 'EPCISDocument',
      schemaVersion: '2.0',
      creationDate: new Date().toISOString(),
      epcisBody: { eventList },
    }
  }

  /** @throws Problem as {@link lineage} */
  async function screening(principal: Principal, id: string): Promise<Omit<Schemas['TraceScreening'], 'success'>> {
    const [session, root] = await find(principal, id)
    const { rows, isTruncated } = await walk(session, [root])
    const events = await traceEvents(session, [...rows.keys()])
    return {
      eventId: id,
      ...screen(events),
      truncated: isTruncated || events.length < rows.size,
      auditedAt: new Date().toISOString(),
    }
  }

  /**
   * One query per level.
   * @throws Problem 400 for a cycle
   */
  async function walk(session: Session, roots: readonly TraceRow[]): Promise<Lineage> {
    const rows = new Map(roots.map((row) => [row.id, row]))
    const edges: TraceEdge[] = []
    let level = roots.map(childOf)
    let isTruncated = false
    let items = 0
    for (let depth = 0; level.length > 0; depth += 1) {
      const {
        edges: found,
        rows: parents,
        isCut,
      } = await traceParents(session, level, {
        maxPerItem: MAX_OF_ITEM,
        maxEdges: MAX_EDGES_OF_LEVEL,
        maxEvents: MAX_EVENTS_OF_LINEAGE + 1,
        maxItems: MAX_ITEMS_OF_LINEAGE,
      })
      const isDeepest = depth === MAX_LEVELS
      const next: TraceRow[] = []
      isTruncated ||= isCut
      for (const row of parents) {
        if (rows.has(row.id)) continue
        items += row.items.length
        if (isDeepest || rows.size >= MAX_EVENTS_OF_LINEAGE || items > MAX_ITEMS_OF_LINEAGE) isTruncated = true
        else {
          rows.set(row.id, row)
          next.push(row)
        }
      }
      edges.push(...nearest(found, level).filter(({ parent }) => rows.has(parent)))
      level = next.map(childOf)
    }
    const parents = parentsIn(edges)
    if (hasCircle(parents)) throw circular()
    return { rows: reachable(roots, rows, parents), edges, parents, isTruncated }
  }
}

const noEvent = () => notFound('Event not found in your workspace.')

const circular = () =>
  new Problem(400, 'Circular reference detected in lineage graph.', { title: 'Lineage Retrieval Failed' })

export function refusedCapture(findings: readonly CaptureFinding[]): Problem {
  const count = findings.length === 1 ? '1 error' : `${findings.length} errors`
  return new Problem(400, `${count}; nothing was stored.`, {
    issues: findings.map(({ pointer, code, message }) => ({ path: pointer, message: `${code}: ${message}` })),
  })
}

type Child = ReturnType<typeof childOf>

const childOf = ({ id, eventTime, place, items, transformationId }: TraceRow) => ({
  id,
  eventTime,
  place,
  inputs: keysTaken(items),
  transformationId: items.some(({ isOutput }) => isOutput) ? transformationId : null,
})

interface KeyTaken {
  readonly key: string
  readonly level: TraceRow['items'][number]['level']
  readonly items: number[]
}

function keysTaken(items: TraceRow['items']): KeyTaken[] {
  const taken = new Map<string, KeyTaken>()
  for (const [place, item] of items.entries()) {
    if (!item.isInput) continue
    for (const { key, level } of widerKeys(item)) {
      const known = taken.get(key) ?? { key, level, items: [] }
      known.items.push(place)
      taken.set(key, known)
    }
  }
  return [...taken.values()]
}

const LEVELS = ['instance', 'lot', 'class'] as const

/** Selects predecessors by item, else by lot, else by class. */
function nearest(edges: readonly TraceEdge[], children: readonly Child[]): TraceEdge[] {
  const found = new Set(edges.map(({ child, input }) => `${child} ${input}`))
  const selected = new Set<string>()
  for (const { id, inputs } of children) {
    const best = new Map<number, number>()
    const known = [...inputs.entries()].filter(([input]) => found.has(`${id} ${input}`))
    for (const [, { items, level }] of known) {
      for (const item of items) best.set(item, Math.min(best.get(item) ?? LEVELS.length, LEVELS.indexOf(level)))
    }
    for (const [input, { items, level }] of known) {
      if (items.some((item) => best.get(item) === LEVELS.indexOf(level))) selected.add(`${id} ${input}`)
    }
  }
  return edges.filter(({ child, input }) => input === null || selected.has(`${child} ${input}`))
}

function reachable(
  roots: readonly TraceRow[],
  rows: ReadonlyMap<string, TraceRow>,
  parents: Lineage['parents'],
): Map<string, TraceRow> {
  const reached = new Map(roots.map((row) => [row.id, row]))
  for (const id of reached.keys()) {
    for (const parent of parents.get(id) ?? []) reached.set(parent, rows.get(parent) as TraceRow)
  }
  return reached
}

function parentsIn(edges: readonly TraceEdge[]): Map<string, string[]> {
  const parents = new Map<string, string[]>()
  for (const { child, parent } of edges) {
    const known = parents.get(child) ?? []
    parents.set(child, known)
    if (!known.includes(parent)) known.push(parent)
  }
  return parents
}

type Node = Schemas['TraceNode']

function treeOf(root: TraceRow, { rows, edges, parents }: Lineage): Node {
  const vias = new Map<string, Set<NonNullable<Node['via']>[number]>>()
  for (const { child, parent, level } of edges) {
    const pair = `${child} ${parent}`
    vias.set(pair, (vias.get(pair) ?? new Set()).add(level ?? 'transformation'))
  }
  const expanded = new Set<string>()
  const nodeOf = (row: TraceRow, child?: string): Node => {
    const via = child === undefined ? undefined : vias.get(`${child} ${row.id}`)
    const node = { ...shown(row), ...(via === undefined ? {} : { via: [...via] }) }
    const above = parents.get(row.id) ?? []
    if (expanded.has(row.id)) return { ...node, ...(above.length > 0 ? { isExpandedAbove: true } : {}), parents: [] }
    expanded.add(row.id)
    return { ...node, parents: above.map((id) => nodeOf(rows.get(id) as TraceRow, row.id)) }
  }
  return nodeOf(root)
}

const shown = (row: TraceRow) => ({
  eventId: row.id,
  eventType: row.type,
  bizStep: row.bizStep,
  disposition: row.disposition,
  eventTime: row.eventTime,
  epcs: [...new Set(row.items.map(({ key }) => key))],
  location: row.bizLocation,
  readPoint: row.readPoint,
  isUntpCompliant: row.isUntp,
  issuerDid: row.issuer,
})

function listOf(rows: readonly StoredTraceEvent[]): {
  '@context': (string | JsonRecord)[]
  eventList: Schemas['BareEpcisEvent'][]
} {
  const contexts = new Map<string, string | JsonRecord>([[JSON.stringify(EPCIS_CONTEXT), EPCIS_CONTEXT]])
  const eventList = rows.map(({ event, recordedAt }) => {
    const { '@context': own, ...bare } = event
    for (const one of [own].flat()) if (one !== undefined) contexts.set(JSON.stringify(one), one as string | JsonRecord)
    return { ...bare, recordTime: recordedAt } as unknown as Schemas['BareEpcisEvent']
  })
  return { '@context': [...contexts.values()], eventList }
}

const FIELDS = {
  MATCH_epc: ['epcList', 'childEPCs'],
  MATCH_parentID: ['parentID'],
  MATCH_inputEPC: ['inputEPCList'],
  MATCH_outputEPC: ['outputEPCList'],
  MATCH_anyEPC: ['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList', 'parentID'],
  MATCH_epcClass: ['quantityList', 'childQuantityList'],
  MATCH_inputEPCClass: ['inputQuantityList'],
  MATCH_outputEPCClass: ['outputQuantityList'],
  MATCH_anyEPCClass: ['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'],
} as const satisfies Record<string, TraceQuery['items'][number]['fields']>
const COLUMNS = {
  eventType: 'type',
  EQ_action: 'action',
  EQ_bizStep: 'bizStep',
  EQ_disposition: 'disposition',
  EQ_readPoint: 'readPoint',
  EQ_bizLocation: 'bizLocation',
  EQ_transformationID: 'transformationId',
  EQ_eventID: 'eventId',
} as const
const WORDS: ReadonlySet<string> = new Set(['EQ_bizStep', 'EQ_disposition'])

const TYPES = ['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'TransformationEvent', 'AssociationEvent']
const CHOICES = dictionary<readonly string[]>({ EQ_action: ['ADD', 'OBSERVE', 'DELETE'], eventType: TYPES })

/** Splits at bars (EPCIS 2.0) or commas; keeps the whole text too, since `geo:` addresses contain commas. */
function valuesIn(text: string): string[] {
  const values = text.includes('|') ? text.split('|') : [text, ...text.split(',')]
  return [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))]
}

/** @throws Problem 400 for an invalid time, action or type */
function toTraceQuery(parameters: Query): TraceQuery {
  const values = (name: string) => {
    const text = parameters[name] ?? ''
    const choices = CHOICES[name]
    if (choices === undefined) return valuesIn(text)
    const given = text.split(/[|,]/).map((value) => value.trim())
    const wrong = given.find((value) => !choices.includes(value))
    if (wrong !== undefined) throw badRequest(`Invalid ${name} "${wrong}". Allowed: ${choices.join(', ')}.`)
    return given
  }
  const named = <T extends string>(names: readonly T[]) => names.filter((name) => parameters[name] !== undefined)
  const time = (name: string) => {
    const text = parameters[name]
    if (text === undefined) return null
    const moment = momentOf(text)
    if (moment === undefined) {
      const hint = /\d \d\d:?\d\d$/.test(text) ? ' Encode a plus sign in a URL as %2B.' : ''
      throw badRequest(`${name} must be an ISO 8601 timestamp with a time zone.${hint}`)
    }
    return moment
  }
  return {
    items: named(Object.keys(FIELDS) as (keyof typeof FIELDS)[]).map((name) => ({
      fields: FIELDS[name],
      keys: values(name).map((uri) => itemKey(uri).key),
    })),
    equal: named(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((name) => ({
      column: COLUMNS[name],
      values: WORDS.has(name) ? values(name).map(shortWord) : values(name),
    })),
    eventFrom: time('GE_eventTime'),
    eventBefore: time('LT_eventTime'),
    recordedFrom: time('GE_recordTime'),
    recordedBefore: time('LT_recordTime'),
    after: parameters.nextPageToken ?? '0',
  }
}
