import type { PublishedJourney } from '../../../../src/plugin/index.ts'
import type { ModuleCradle } from '../../../../src/plugin/module.ts'
import {
  assertWholeWorkspace,
  conflict,
  isUuid,
  type Journey,
  noPassport,
  type PassportRow,
  type Principal,
  publishJourney,
  recordAudit,
  type Session,
} from '../../../../src/plugin/module.ts'
import { itemKey } from '../epcis/item-key.ts'
import { journeyOf, type TracedEvent } from '../epcis/journey.ts'
import type { components } from '../generated.ts'
import { facilityNames, type TraceRow, traceOfProduct } from '../trace-rows.ts'
import { walkLineage } from '../walk-lineage.ts'

type Schemas = components['schemas']

/** Start events of the backward walk. */
const MAX_ROOTS = 100

type Places = ReadonlyMap<string, { readonly name: string | null; readonly country: string | null }>

export default function journeys({ passportRows, database, passportLocks, passportViews }: ModuleCradle) {
  return { read, newestEvent, publish, withdraw }

  /** @throws Problem 403, 404 */
  async function read(principal: Principal, id: string): Promise<Omit<Schemas['PassportJourney'], 'success'>> {
    const session = database.forTenant(principal.tenantId)
    const row = await own(session, principal, id)
    const found = await buildJourney(session, row, new Map())
    const named = found?.steps.flatMap(({ place }) => (place.name === null && place.uri !== null ? [place.uri] : []))
    return {
      journey: found ?? null,
      unnamedPlaces: [...new Set(named ?? [])],
      published: row.journey,
    }
  }

  /** Id of the newest event with the product as output, to screen its lineage. @throws Problem 403, 404 */
  async function newestEvent(principal: Principal, id: string): Promise<string | undefined> {
    const session = database.forTenant(principal.tenantId)
    const row = await own(session, principal, id)
    const { key } = itemKey(passportViews.outline(row).digitalLinkUri)
    const [newest] = await traceOfProduct(session, key, MAX_ROOTS)
    return newest?.id
  }

  /** @throws Problem 403, 404; 409 if no event outputs the product, or the events are circular */
  async function publish(
    principal: Principal,
    id: string,
    { audience = [], places = [] }: Schemas['JourneyPublication'],
  ): Promise<Omit<Schemas['PublishedJourneyAnswer'], 'success'>> {
    const publishedAt = new Date().toISOString()
    const names = new Map(places.map(({ uri, name = null, country = null }) => [uri, { name, country }]))
    const session = database.forTenant(principal.tenantId)
    const row = await own(session, principal, id)
    const found = await buildJourney(session, row, names)
    if (found === undefined) throw noJourney(row)
    const journey: PublishedJourney = { ...found, audience: [...new Set(audience)], publishedAt }
    await show(principal, row, journey, 'journey.published')
    return { published: journey }
  }

  /** @throws Problem 403, 404 */
  async function withdraw(principal: Principal, id: string): Promise<void> {
    const row = await own(database.forTenant(principal.tenantId), principal, id)
    await show(principal, row, null, 'journey.withdrawn')
  }

  /** Rejects operator-scoped keys: events belong to no operator. */
  async function own(session: Session, principal: Principal, id: string): Promise<PassportRow> {
    assertWholeWorkspace(principal)
    const row = isUuid(id) ? await passportRows.load(session, id) : undefined
    if (row === undefined || row.tenantId !== principal.tenantId) throw noPassport(id)
    return row
  }

  function show(
    principal: Principal,
    row: PassportRow,
    journey: PublishedJourney | null,
    action: 'journey.published' | 'journey.withdrawn',
  ): Promise<void> {
    return database.transaction(principal.tenantId, async (tx) => {
      publishJourney(tx, row.id, journey)
      passportLocks.evict(tx, [row])
      recordAudit(tx, principal, action, row.id)
    })
  }

  async function buildJourney(session: Session, row: PassportRow, names: Places): Promise<Journey | undefined> {
    const { key } = itemKey(passportViews.outline(row).digitalLinkUri)
    const roots = await traceOfProduct(session, key, MAX_ROOTS)
    if (roots.length === 0) return undefined
    const { rows, parents, isTruncated } = await walkLineage(session, roots)
    const events = [...rows.values()].map((event) => traced(event, parents.get(event.id) ?? []))
    const uris = new Set(events.flatMap(({ bizLocation, readPoint }) => [bizLocation ?? [], readPoint ?? []].flat()))
    const places = new Map([...(await namesOf(session, [...uris])), ...names])
    return journeyOf(events, places, isTruncated || roots.length === MAX_ROOTS)
  }

  async function namesOf(session: Session, uris: readonly string[]): Promise<Places> {
    const glns = new Map(uris.flatMap((uri) => glnIn(uri).map((gln) => [uri, gln] as const)))
    if (glns.size === 0) return new Map()
    const facilities = new Map((await facilityNames(session, [...glns.values()])).map((one) => [one.gln, one]))
    return new Map(
      [...glns].flatMap(([uri, gln]) => {
        const facility = facilities.get(gln)
        return facility === undefined ? [] : [[uri, { name: facility.name, country: facility.country }] as const]
      }),
    )
  }
}

const glnIn = (uri: string): string[] => {
  const [, gln] = /^\/414\/(\d{13})(?:\/|$)/.exec(itemKey(uri).key) ?? []
  return gln === undefined ? [] : [gln]
}

const traced = (row: TraceRow, parents: readonly string[]): TracedEvent => ({
  id: row.id,
  parents,
  type: row.type,
  eventTime: new Date(row.eventTime),
  action: row.action ?? undefined,
  bizStep: row.bizStep ?? undefined,
  bizLocation: row.bizLocation ?? undefined,
  readPoint: row.readPoint ?? undefined,
})

const noJourney = ({ productId }: PassportRow) =>
  conflict(
    `No stored event has ${productId} as output. First send its production events with the product, a lot or an item of it as output (POST /api/v1/events).`,
    'NO_JOURNEY',
  )
