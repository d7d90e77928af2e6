import { answersOf, type Bench, type Case, pairOf } from '../bench.ts'
import { COUNTER, makeRequest, numbered } from '../http.ts'
import type { TraceInsertOptions } from '../limits/trace-inserts.ts'
import { median } from '../pair.ts'
import { inTransaction, makeTable } from '../pg.ts'
import type { Server } from '../processes.ts'

const REQUESTS = { usual: { warmUp: 5, measured: 30 }, quick: { warmUp: 0, measured: 1 } }
const BATCH = { usual: 1000, quick: 50 }
/** Depth of the lineage, and events per level; the first level has one event, the last the rest. */
const LEVELS = 32
const WIDTH = 32
const EVENTS = 1000
/** Other stored events of the workspace. */
const OTHERS = { usual: 1_000_000, quick: 500 }
/** Higher than the numbers of the load. */
const CHECKED = 999_999_996

const sizeOf = <Size>({ isQuick }: Bench, { usual, quick }: { readonly usual: Size; readonly quick: Size }) =>
  isQuick ? quick : usual

const jsonFor = ({ data }: Bench) => ({ Authorization: data.authorization, 'Content-Type': 'application/json' })

const documentOf = (eventList: readonly object[]): string =>
  JSON.stringify({
    '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: '2026-02-01T00:00:00Z',
    epcisBody: { eventList },
  })

const transformation = (eventTime: string, inputEPCList: readonly string[], outputEPCList: readonly string[]) => ({
  type: 'TransformationEvent',
  eventTime,
  eventTimeZoneOffset: '+00:00',
  inputEPCList,
  outputEPCList,
})

/** EPC of an item. */
const item = (name: string) => `https://id.gs1.org/01/09506000134352/21/${name}`

const capture: Case = {
  name: 'capture-1000',
  ours: 'capture a document of 1,000 events: authorise, validate, hash, normalise, insert, charge',
  against: 'the body parsed, and one set-based insert of events and one of items, over node:http',
  asksDatabase: true,
  connections: 4,
  async prepare(bench) {
    const { database, data } = bench
    const batch = sizeOf(bench, BATCH)
    await makeTable(database, 'trace_event', 'like public.trace_event including all')
    await makeTable(database, 'trace_item', 'like public.trace_item including all')
    const gateway = await bench.startGateway()
    const options: TraceInsertOptions = { databaseUrl: database.url, tenantId: data.tenantId }
    const limit = await bench.startLimit('trace-inserts', options)
    const events = Array.from({ length: batch }, (_, index) =>
      transformation('2026-01-01T00:00:00.000Z', [item(`I${COUNTER}.${index}`)], [item(`O${COUNTER}.${index}`)]),
    )
    const request = makeRequest('POST', '/api/v1/events', jsonFor(bench), documentOf(events))
    for (const server of [gateway, limit]) {
      const [answer] = await answersOf(server, [numbered(request, CHECKED)], 201)
      const { eventIds } = JSON.parse(String(answer?.body))
      if (new Set(eventIds).size !== batch) throw new Error(`${eventIds.length} events are stored.`)
    }
    return pairOf(limit, gateway, [request], 201)
  },
}

/** Events with the outputs of two events of the next level as inputs; the root comes first. */
function deepChain(): object[] {
  const places = Array.from({ length: LEVELS }, (_, level) => {
    if (level === 0) return 1
    return level < LEVELS - 1 ? WIDTH : EVENTS - 1 - (LEVELS - 2) * WIDTH
  })
  return places.flatMap((width, level) =>
    Array.from({ length: width }, (_, place) => {
      const below = places[level + 1] ?? 0
      const inputs = Array.from({ length: below }, (_, index) => index).filter(
        (index) => level === 0 || index % WIDTH === place || index === (place + 1) % WIDTH,
      )
      const time = new Date(Date.UTC(2026, 0, LEVELS - level)).toISOString()
      const out = item(`L${level}.${place}`)
      if (below > 0)
        return transformation(
          time,
          inputs.map((index) => item(`L${level + 1}.${index}`)),
          [out],
        )
      return {
        type: 'ObjectEvent',
        eventTime: time,
        eventTimeZoneOffset: '+00:00',
        action: 'ADD',
        bizStep: 'commissioning',
        epcList: [out],
      }
    }),
  )
}

const lineage: Case = {
  name: 'lineage',
  figures: [
    { name: 'lineage-1000', unit: 'ms' },
    { name: 'lineage-1m-by-1k', unit: 'x' },
  ],
  async run(bench) {
    const gateway = await bench.startGateway()
    const request = makeRequest('POST', '/api/v1/events', jsonFor(bench), documentOf(deepChain()))
    const [captured] = await answersOf(gateway, [request], 201)
    const [root] = JSON.parse(String(captured?.body)).eventIds
    await bench.database.pool.query('vacuum analyze trace_event, trace_item')
    const single = await lineageTime(bench, gateway, root)
    await addOthers(bench)
    return [single, (await lineageTime(bench, gateway, root)) / single]
  },
}

/** Returns the median time to a complete lineage in milliseconds. */
async function lineageTime(bench: Bench, gateway: Server, root: string): Promise<number> {
  const request = makeRequest('GET', `/api/v1/events/${root}/lineage`, { Authorization: bench.data.authorization })
  const times: number[] = []
  const { warmUp, measured } = sizeOf(bench, REQUESTS)
  for (let count = 0; count < measured + warmUp; count += 1) {
    const start = performance.now()
    const [answer] = await answersOf(gateway, [request], 200)
    if (count >= warmUp) times.push(performance.now() - start)
    const { truncated } = JSON.parse(String(answer?.body))
    if (truncated) throw new Error('The lineage is truncated.')
  }
  return median(times)
}

/** Inserts unrelated events of the same workspace by SQL. */
async function addOthers(bench: Bench): Promise<void> {
  const { database, data } = bench
  await inTransaction(database, async (client) => {
    await client.query('alter table trace_event disable trigger user')
    await client.query(
      `insert into trace_event (id, tenant_id, event_id, hash, type, event_time, recorded_at, is_untp, event, item_count)
       select md5('other' || n)::uuid, $1, 'urn:other:' || n, 'ni:other:' || n, 'TransformationEvent',
         timestamptz '2025-06-01' + n * interval '10 seconds', now(), false,
         json_build_object('type', 'TransformationEvent', 'eventID', 'urn:other:' || n), 2
       from generate_series(1, $2::int) as n`,
      [data.tenantId, sizeOf(bench, OTHERS)],
    )
    await client.query(
      `insert into trace_item (trace_id, tenant_id, event_time, field, key, level, is_input, is_output)
       select e.id, e.tenant_id, e.event_time, f.field,
         '/01/09506000134352/21/X' || (substr(e.event_id, 11)::int - f.before), 'instance', f.is_input, not f.is_input
       from trace_event e, (values ('inputEPCList', 1, true), ('outputEPCList', 0, false)) as f (field, before, is_input)
       where e.tenant_id = $1 and e.event_id like 'urn:other:%'`,
      [data.tenantId],
    )
    await client.query('alter table trace_event enable trigger user')
  })
  await database.pool.query('vacuum analyze trace_event, trace_item')
}

export default [capture, lineage]
