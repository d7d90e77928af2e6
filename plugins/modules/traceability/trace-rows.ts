import { createHash } from 'node:crypto'
import { iso, type Row, type Session, type Statement, type Transaction } from '../../../src/plugin/module.ts'
import type { TraceEvent } from './entities.ts'
import type { CapturedEvent, EventItem, ItemField } from './epcis/event.ts'

/** A B-tree entry cannot hold longer identifiers; they are hashed. */
const MAX_INDEXED_CHARACTERS = 500

const indexed = (text: string): string =>
  text.length <= MAX_INDEXED_CHARACTERS ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`

interface NewTraceEvent extends CapturedEvent {
  readonly id: string
  readonly isUntp: boolean
  /** DID of the credential's signer. */
  readonly issuer: string | undefined
}

const INSERT: Statement = {
  name: 'insert-trace-events',
  text: `with added as (
      insert into trace_event (id, tenant_id, event_id, hash, type, event_time, recorded_at, action, biz_step, disposition,
        read_point, biz_location, transformation_id, corrected_at, corrective_event_ids, is_untp, issuer, event, item_count)
      select r.id, app_tenant(), r.event_id, r.hash, r.type, r.event_time, $1, r.action, r.biz_step, r.disposition, r.read_point,
        r.biz_location, r.transformation_id, r.corrected_at,
        case when r.corrective is not null then array(select json_array_elements_text(r.corrective)) end,
        r.is_untp, r.issuer, r.event, r.item_count
      from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::text[], $9::text[],
          $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::json[], $15::boolean[], $16::text[], $17::json[],
          $24::int[])
        as r (id, event_id, hash, type, event_time, action, biz_step, disposition, read_point, biz_location,
          transformation_id, corrected_at, corrective, is_untp, issuer, event, item_count)
      on conflict (tenant_id, hash, (corrected_at is not null)) do nothing
      returning id, event_time
    )
    insert into trace_item (trace_id, tenant_id, event_time, field, key, level, is_input, is_output)
    select a.id, app_tenant(), a.event_time, i.field, i.key, i.level, i.is_input, i.is_output
    from unnest($18::uuid[], $19::text[], $20::text[], $21::text[], $22::boolean[], $23::boolean[])
      as i (trace_id, field, key, level, is_input, is_output)
    join added a on a.id = i.trace_id`,
}

/** Skips events stored already, by hash. */
export function insertTraceEvents(tx: Transaction, events: readonly NewTraceEvent[], at: Date): void {
  const items = events.flatMap(({ id, items: own }) => own.map((item) => ({ ...item, id })))
  tx.write(INSERT, [
    at,
    events.map(({ id }) => id),
    events.map(({ eventId }) => indexed(eventId)),
    events.map(({ hash }) => hash),
    events.map(({ type }) => type),
    events.map(({ eventTime }) => eventTime),
    events.map(({ action }) => action ?? null),
    events.map(({ bizStep }) => bizStep ?? null),
    events.map(({ disposition }) => disposition ?? null),
    events.map(({ readPoint }) => readPoint ?? null),
    events.map(({ bizLocation }) => bizLocation ?? null),
    events.map(({ transformationId }) => (transformationId === undefined ? null : indexed(transformationId))),
    events.map(({ correction }) => correction?.declaredAt ?? null),
    events.map(({ correction }) =>
      correction === undefined ? null : JSON.stringify(correction.correctiveEventIds.map(indexed)),
    ),
    events.map(({ isUntp }) => isUntp),
    events.map(({ issuer }) => issuer ?? null),
    events.map(({ event }) => JSON.stringify(event)),
    items.map(({ id }) => id),
    items.map(({ field }) => field),
    items.map(({ key }) => indexed(key)),
    items.map(({ level }) => level),
    items.map(({ isInput }) => isInput),
    items.map(({ isOutput }) => isOutput),
    events.map(({ items: own }) => own.length),
  ])
}

const STORED_AS: Statement = {
  name: 'trace-events-stored-as',
  text: `select r.place::int - 1 as place, e.id
    from unnest($1::text[], $2::boolean[]) with ordinality as r (hash, is_correction, place)
    join trace_event e on e.tenant_id = app_tenant() and e.hash = r.hash and (e.corrected_at is not null) = r.is_correction`,
}

export async function storedAs(
  session: Session,
  events: readonly Pick<CapturedEvent, 'hash' | 'correction'>[],
): Promise<string[]> {
  const rows = await session.run<{ place: number; id: string }>(STORED_AS, [
    events.map(({ hash }) => hash),
    events.map(({ correction }) => correction !== undefined),
  ])
  const ids = new Map(rows.map(({ place, id }) => [place, id]))
  return events.map((_, place) => ids.get(place) as string)
}

export interface TraceRow
  extends Row<
    TraceEvent,
    | 'id'
    | 'place'
    | 'eventId'
    | 'type'
    | 'eventTime'
    | 'action'
    | 'bizStep'
    | 'disposition'
    | 'readPoint'
    | 'bizLocation'
    | 'transformationId'
    | 'isUntp'
    | 'issuer'
  > {
  readonly items: readonly EventItem[]
}

const COLUMNS = `e.id, e.place::float8 as place, e.event_id as "eventId", e.type, ${iso('e.event_time')} as "eventTime",
      e.action, e.biz_step as "bizStep", e.disposition, e.read_point as "readPoint",
      e.biz_location as "bizLocation", e.transformation_id as "transformationId", e.is_untp as "isUntp", e.issuer,
      (
        select json_agg(json_build_object('field', i.field, 'key', i.key, 'level', i.level, 'isInput', i.is_input,
          'isOutput', i.is_output)) from trace_item i where i.trace_id = e.id
      )::text as items`

type RawRow = Omit<TraceRow, 'items'> & { readonly items: string | null }

const toRow = ({ items, ...row }: RawRow): TraceRow => ({ ...row, items: items === null ? [] : JSON.parse(items) })

const ONE: Statement = {
  name: 'trace-event',
  text: `select ${COLUMNS} from trace_event e where e.id = $1 and e.tenant_id = app_tenant()`,
}

export async function findTraceEvent(session: Session, id: string): Promise<TraceRow | undefined> {
  const [row] = await session.run<RawRow>(ONE, [id])
  return row && toRow(row)
}

interface Child {
  readonly id: string
  readonly eventTime: string
  readonly place: number
  /** Wider keys find data of a lot or class if the item is unknown. */
  readonly inputs: readonly Pick<EventItem, 'key' | 'level'>[]
  /** Set if the event has outputs: other events of the transformation state the inputs. */
  readonly transformationId: string | null
}

export interface TraceEdge {
  readonly child: string
  readonly parent: string
  /** Null if both are one transformation. */
  readonly input: number | null
  readonly level: EventItem['level'] | null
}

interface ParentBounds {
  /** Max events per output item. */
  readonly maxPerItem: number
  readonly maxEdges: number
  readonly maxEvents: number
  /** Max items of all those events. */
  readonly maxItems: number
}

// An event with an error declaration did not happen; its correction is an ordinary event. A declaration names the eventID or repeats the
// event: the id may be of a repeated submission, which is not stored. Each lookup has its index.
const STANDS = `not exists (
          select from trace_event x where x.tenant_id = app_tenant() and x.event_id = e.event_id and x.corrected_at is not null
        )
        and not exists (
          select from trace_event x where x.tenant_id = app_tenant() and x.hash = e.hash and (x.corrected_at is not null)
        )`
// Newest first, back to the first event that also took the item in: earlier events are found from there.
const PARENTS: Statement = {
  name: 'trace-parents-by-key',
  text: `with edge as (
      select w.child, w.input, w.level, found.id as parent
      from unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::int[], $5::text[], $6::text[])
        as w (child, time, place, input, key, level)
      cross join lateral (
        select known.id from (
          select e.id, coalesce(sum(o.is_input::int) over (newest rows between unbounded preceding and 1 preceding), 0) as passed
          from (
            select o.trace_id, o.is_input from trace_item o
            where o.tenant_id = app_tenant() and o.key = w.key collate "C" and o.event_time <= w.time and o.is_output
              and o.trace_id <> w.child
            order by o.event_time desc limit $11
          ) as o
          join trace_event e on e.id = o.trace_id
          where (e.event_time < w.time or not o.is_input or e.place < w.place) and ${STANDS}
          window newest as (order by e.event_time desc, e.place desc)
        ) as known
        where known.passed = 0
      ) as found
      union
      select t.child, null, null, e.id
      from unnest($7::uuid[], $8::text[], $9::timestamptz[], $10::bigint[]) as t (child, transformation_id, time, place)
      join trace_event e on e.tenant_id = app_tenant() and e.transformation_id = t.transformation_id and e.id <> t.child
      where exists (select from trace_item i where i.trace_id = e.id and i.is_input)
        and ((e.event_time, e.place) < (t.time, t.place)
          or not exists (select from trace_item i where i.trace_id = e.id and i.is_output))
        and ${STANDS}
      limit $12
    ), parent as (
      select e.id, row_number() over newest as number, count(*) over () as total,
        sum(e.item_count) over (newest rows between unbounded preceding and current row) as items
      from trace_event e where e.id in (select parent from edge)
      window newest as (order by e.event_time desc, e.place desc)
    )
    select ${COLUMNS}, p.total::int as total, (
        select json_agg(json_build_array(g.child, g.input, g.level)) from edge g where g.parent = p.id
      )::text as edges
    from parent p join trace_event e on e.id = p.id
    where p.number <= $13 and (p.items <= $14 or p.number = 1) order by p.number`,
}

/** `isCut` is true if the bounds cut the result. */
export async function traceParents(
  session: Session,
  children: readonly Child[],
  { maxPerItem, maxEdges, maxEvents, maxItems }: ParentBounds,
): Promise<{ edges: TraceEdge[]; rows: TraceRow[]; isCut: boolean }> {
  const inputs = children.flatMap(({ id, eventTime, place, inputs: own }) =>
    own.map(({ key, level }, input) => ({ key, level, input, id, eventTime, place })),
  )
  const parts = children.filter(({ transformationId }) => transformationId !== null)
  const found = await session.run<RawRow & { total: number; edges: string }>(PARENTS, [
    inputs.map(({ id }) => id),
    inputs.map(({ eventTime }) => eventTime),
    inputs.map(({ place }) => place),
    inputs.map(({ input }) => input),
    inputs.map(({ key }) => indexed(key)),
    inputs.map(({ level }) => level),
    parts.map(({ id }) => id),
    parts.map(({ transformationId }) => transformationId),
    parts.map(({ eventTime }) => eventTime),
    parts.map(({ place }) => place),
    maxPerItem,
    maxEdges,
    maxEvents,
    maxItems,
  ])
  const edges = found.flatMap(({ id: parent, edges: own }) =>
    (JSON.parse(own) as [string, number | null, TraceEdge['level']][]).map(([child, input, level]) => ({
      child,
      parent,
      input,
      level,
    })),
  )
  const isCut = found.length < (found[0]?.total ?? 0) || edges.length >= maxEdges
  return { edges, rows: found.map(({ total: _total, edges: _edges, ...row }) => toRow(row)), isCut }
}

const OF_PRODUCT: Statement = {
  name: 'trace-events-of-product',
  text: `select ${COLUMNS} from (
      select distinct i.trace_id from trace_item i
      where i.tenant_id = app_tenant() and i.is_output and (i.key = $1 collate "C"
        or (i.key >= $1 || '/' collate "C" and i.key < $1 || '0' collate "C"))
      limit $2
    ) as found
    join trace_event e on e.id = found.trace_id and ${STANDS}
    order by e.event_time desc, e.place desc`,
}

/** Includes lots and items of the product, newest first. */
export async function traceOfProduct(session: Session, key: string, limit: number): Promise<TraceRow[]> {
  return (await session.run<RawRow>(OF_PRODUCT, [indexed(key), limit])).map(toRow)
}

/** All filters must match. */
export interface TraceQuery {
  readonly items: readonly { readonly fields: readonly ItemField[]; readonly keys: readonly string[] }[]
  readonly equal: readonly { readonly column: TraceColumn; readonly values: readonly string[] }[]
  readonly eventFrom: string | null
  readonly eventBefore: string | null
  readonly recordedFrom: string | null
  readonly recordedBefore: string | null
  readonly after: string
}

type TraceColumn =
  | 'type'
  | 'action'
  | 'bizStep'
  | 'disposition'
  | 'readPoint'
  | 'bizLocation'
  | 'transformationId'
  | 'eventId'

const EQUAL: Readonly<Record<TraceColumn, string>> = {
  type: 'type',
  action: 'action',
  bizStep: 'biz_step',
  disposition: 'disposition',
  readPoint: 'read_point',
  bizLocation: 'biz_location',
  transformationId: 'transformation_id',
  eventId: 'event_id',
}

/** EPCIS format; times are ISO 8601 in UTC. */
export interface StoredTraceEvent {
  readonly id: string
  readonly place: number
  readonly eventId: string
  readonly recordedAt: string
  readonly event: Readonly<Record<string, unknown>>
}

type RawEvent = Omit<StoredTraceEvent, 'event'> & { readonly event: string; readonly total: number }

/** The first event is always read. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024
const EVENT_COLUMNS = `e.id, e.place::float8 as place, e.event_id as "eventId", ${iso('e.recorded_at')} as "recordedAt"`
const withinBytes = (chosen: string): string => `with chosen as (${chosen}), sized as (
      select chosen.*, coalesce(sum(octet_length(event)) over (order by ordinal rows between unbounded preceding and 1 preceding), 0)
        as before, count(*) over ()::int as total
      from chosen
    )
    select id, place, "eventId", "recordedAt", event, total from sized where before < ${MAX_EVENT_BYTES} order by ordinal`

const EVENTS: Statement = {
  name: 'trace-events-by-time',
  text: withinBytes(`select ${EVENT_COLUMNS}, e.event::text as event, row_number() over (order by e.event_time desc, e.place desc) as ordinal
      from trace_event e where e.tenant_id = app_tenant() and e.id = any($1::uuid[])`),
}

/** Newest first; the byte limit drops older events. */
export async function traceEvents(session: Session, ids: readonly string[]): Promise<StoredTraceEvent[]> {
  return (await session.run<RawEvent>(EVENTS, [ids])).map(toEvent)
}

const toEvent = ({ event, total: _total, ...row }: RawEvent): StoredTraceEvent => ({ ...row, event: JSON.parse(event) })

// Unused filters are null.
const QUERY: Statement = {
  name: 'trace-events-that-match',
  text: withinBytes(`select ${EVENT_COLUMNS}, e.event::text as event, e.place as ordinal from trace_event e
    where e.tenant_id = app_tenant() and e.place > $1
      ${Object.values(EQUAL)
        .map((column, index) => `and ($${index + 2}::text[] is null or e.${column} = any($${index + 2}))`)
        .join('\n      ')}
      and ($10::timestamptz is null or e.event_time >= $10) and ($11::timestamptz is null or e.event_time < $11)
      and ($12::timestamptz is null or e.recorded_at >= $12) and ($13::timestamptz is null or e.recorded_at < $13)
      and ($14::text[] is null or e.id in (
        select i.trace_id from trace_item i where i.tenant_id = app_tenant() and i.key collate "C" = any($14)))
      and not exists (
        select from json_to_recordset($15) as q (fields text[], keys text[])
        where not exists (
          select from trace_item i where i.trace_id = e.id and i.field = any(q.fields) and i.key = any(q.keys)))
    order by e.place limit $16`),
}

/** Capture order; fewer events at the byte limit. `isCut` is true if more match. */
export async function queryTrace(
  session: Session,
  query: TraceQuery,
  limit: number,
): Promise<{ events: StoredTraceEvent[]; isCut: boolean }> {
  const items = query.items.map(({ fields, keys }) => ({ fields, keys: keys.map(indexed) }))
  const equalTo = (column: string) => {
    const values = query.equal.find((one) => one.column === column)?.values
    return values === undefined ? null : values.map(indexed)
  }
  const rows = await session.run<RawEvent>(QUERY, [
    query.after,
    ...Object.keys(EQUAL).map(equalTo),
    query.eventFrom,
    query.eventBefore,
    query.recordedFrom,
    query.recordedBefore,
    items[0]?.keys ?? null,
    JSON.stringify(items),
    limit + 1,
  ])
  const events = rows.slice(0, limit).map(toEvent)
  return { events, isCut: events.length < (rows[0]?.total ?? 0) }
}

const FACILITIES: Statement = {
  name: 'names-of-facilities',
  text: `select f.gln, f.name, f.country from facility f where f.tenant_id = app_tenant() and f.gln = any($1)`,
}

export function facilityNames(
  session: Session,
  glns: readonly string[],
): Promise<{ gln: string; name: string; country: string | null }[]> {
  return session.run(FACILITIES, [glns])
}
