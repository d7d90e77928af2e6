import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { answer, JSON_HEADERS, serve, withBody } from './serve.ts'

export interface TraceInsertOptions {
  readonly databaseUrl: string
  readonly tenantId: string
}

interface Event {
  readonly type: string
  readonly eventTime: string
  readonly inputEPCList: readonly string[]
  readonly outputEPCList: readonly string[]
}

/** Baseline of events, without validation: the body parsed, and one set-based insert of events and one of items, over node:http. */
serve(({ databaseUrl, tenantId }: TraceInsertOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  return (req, res) => {
    withBody(req, res, async (body) => {
      const { epcisBody }: { epcisBody: { eventList: readonly Event[] } } = JSON.parse(body.toString())
      const events = epcisBody.eventList.map((event) => ({ ...event, id: randomUUID() }))
      const items = events.flatMap(({ id, eventTime, inputEPCList, outputEPCList }) => [
        ...inputEPCList.map((key) => ({ id, eventTime, key, isInput: true })),
        ...outputEPCList.map((key) => ({ id, eventTime, key, isInput: false })),
      ])
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query({
          name: 'events',
          text: `insert into bench.trace_event (id, tenant_id, event_id, hash, type, event_time, recorded_at, is_untp, event, item_count)
            select r.id, $1, r.id, r.id, r.type, r.time, now(), false, r.event, 2
            from unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::json[]) as r (id, type, time, event)`,
          values: [
            tenantId,
            events.map(({ id }) => id),
            events.map(({ type }) => type),
            events.map(({ eventTime }) => eventTime),
            events.map((event) => JSON.stringify(event)),
          ],
        })
        await client.query({
          name: 'items',
          text: `insert into bench.trace_item (trace_id, tenant_id, event_time, field, key, level, is_input, is_output)
            select r.id, $1, r.time, 'inputEPCList', r.key, 'instance', r.is_input, not r.is_input
            from unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::boolean[]) as r (id, time, key, is_input)`,
          values: [
            tenantId,
            items.map(({ id }) => id),
            items.map(({ eventTime }) => eventTime),
            items.map(({ key }) => key),
            items.map(({ isInput }) => isInput),
          ],
        })
        await client.query('commit')
      } finally {
        client.release()
      }
      answer(res, 201, JSON_HEADERS, JSON.stringify({ status: 'success', eventIds: events.map(({ id }) => id) }))
    })
  }
})
