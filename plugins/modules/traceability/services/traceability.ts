import { randomUUID } from 'node:crypto'
import { type JsonRecord, notFound, runYielding } from '../../../../src/plugin/index.ts'
import {
  assertWholeWorkspace,
  clamped,
  isUuid,
  type ModuleCradle,
  type Principal,
  type Session,
  type WriteScope,
} from '../../../../src/plugin/module.ts'
import { issuerOf } from '../capture-issuer.ts'
import { validateCaptureSteps } from '../epcis/capture.ts'
import { screen } from '../epcis/screening.ts'
import { epcisDocument, queryDocument } from '../epcis-documents.ts'
import type { components } from '../generated.ts'
import { lineageTree } from '../lineage-tree.ts'
import { refusedCapture } from '../refused-capture.ts'
import { type Query, toTraceQuery } from '../trace-query.ts'
import { findTraceEvent, insertTraceEvents, queryTrace, storedAs, type TraceRow, traceEvents } from '../trace-rows.ts'
import { walkLineage } from '../walk-lineage.ts'

type Schemas = components['schemas']

/** Max events per document (open points, 5.2). */
const MAX_OF_DOCUMENT = 500
const USUAL_PAGE = 30
const LARGEST_PAGE = 200

/** Supply chain events (EPCIS 2.0; specification 4.5). */
export default function traceability({ config, database, issuers }: ModuleCradle) {
  return { capture, read, query, lineage, lineageDocument, screening }

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
    const issuer = body.proof === undefined ? undefined : await issuerOf({ config, issuers }, body, now)
    const isUntp = issuer !== undefined
    const rows = events.map((event) => ({ ...event, id: randomUUID(), isUntp, issuer }))
    const eventIds = await scope.transaction(async (tx) => {
      insertTraceEvents(tx, rows, now)
      return storedAs(tx, rows)
    })
    return { status: 'success', eventId: eventIds[0] as string, untpVerified: isUntp, eventIds }
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
    const body = queryDocument(events)
    return isCut ? { body, next: String(events.at(-1)?.place) } : { body }
  }

  /** Returns the predecessors as a tree; shared ancestors are expanded once. @throws Problem 404; 400 for a cycle */
  async function lineage(principal: Principal, id: string): Promise<Omit<Schemas['TraceLineage'], 'success'>> {
    const [session, root] = await find(principal, id)
    const walked = await walkLineage(session, [root])
    return { lineage: lineageTree(root, walked), truncated: walked.isTruncated }
  }

  /**
   * In chronological order.
   * @throws Problem as {@link lineage}
   */
  async function lineageDocument(principal: Principal, id: string): Promise<Schemas['EpcisDocument']> {
    const [session, root] = await find(principal, id)
    const { rows } = await walkLineage(session, [root])
    const newest = [...rows.values()].sort((a, b) => (a.eventTime < b.eventTime ? 1 : -1)).slice(0, MAX_OF_DOCUMENT)
    const events = await traceEvents(
      session,
      newest.map((row) => row.id),
    )
    return epcisDocument(events.reverse())
  }

  /** @throws Problem as {@link lineage} */
  async function screening(principal: Principal, id: string): Promise<Omit<Schemas['TraceScreening'], 'success'>> {
    const [session, root] = await find(principal, id)
    const { rows, isTruncated } = await walkLineage(session, [root])
    const events = await traceEvents(session, [...rows.keys()])
    return {
      eventId: id,
      ...screen(events),
      truncated: isTruncated || events.length < rows.size,
      auditedAt: new Date().toISOString(),
    }
  }
}

const noEvent = () => notFound('Event not found in your workspace.')
