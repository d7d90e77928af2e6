import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { answer, JSON_HEADERS, serve, withBody } from './serve.ts'

export interface UnitInsertOptions {
  readonly databaseUrl: string
  readonly tenantId: string
  readonly operatorId: string
  readonly passportId: string
}

interface Event {
  readonly unitId: string
  readonly eventType: string
  readonly stateOfHealth: number
  readonly cycleCount: number
}

/** Units, a batch of events, or a single event, whose unit is in the path. */
interface Sent {
  readonly units?: readonly { readonly serialNumber: string }[]
  readonly events?: readonly Event[]
}

/** Baseline of units and their events, without validation: the body parsed, and one set-based insert of the same rows, over node:http. */
serve(({ databaseUrl, tenantId, operatorId, passportId }: UnitInsertOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const insertUnits = async (units: NonNullable<Sent['units']>) => {
    const { rows } = await pool.query({
      name: 'units',
      text: `insert into bench.battery_unit
          (id, tenant_id, passport_id, operator_id, serial_number, status, created_at, updated_at)
        select r.id, $1, $2, $3, r.serial_number, 'IN_SERVICE', now(), now()
        from unnest($4::uuid[], $5::text[]) as r (id, serial_number)
        on conflict (passport_id, serial_number) do nothing
        returning id, serial_number as "serialNumber"`,
      values: [tenantId, passportId, operatorId, units.map(() => randomUUID()), units.map((unit) => unit.serialNumber)],
    })
    return { success: true, count: rows.length, units: rows }
  }
  const insertEvents = async (events: readonly Event[]) => {
    const { rows } = await pool.query({
      name: 'events',
      text: `insert into bench.battery_unit_event (id, unit_id, tenant_id, operator_id, event_type, state_of_health,
          cycle_count, recorded_at, created_at)
        select r.id, r.unit_id, $1, $2, r.event_type, r.state_of_health, r.cycle_count, now(), now()
        from unnest($3::uuid[], $4::uuid[], $5::text[], $6::float8[], $7::bigint[])
          as r (id, unit_id, event_type, state_of_health, cycle_count)
        returning id`,
      values: [
        tenantId,
        operatorId,
        events.map(() => randomUUID()),
        events.map(({ unitId }) => unitId),
        events.map(({ eventType }) => eventType),
        events.map(({ stateOfHealth }) => stateOfHealth),
        events.map(({ cycleCount }) => cycleCount),
      ],
    })
    return { success: true, count: rows.length }
  }
  return (req, res) => {
    withBody(req, res, async (body) => {
      const sent: Sent = JSON.parse(body.toString())
      const unitId = /^\/api\/v1\/units\/([0-9a-f-]{36})\/events$/.exec(req.url ?? '')?.[1]
      const done =
        sent.units !== undefined
          ? await insertUnits(sent.units)
          : await insertEvents(sent.events ?? [{ ...(sent as unknown as Event), unitId: unitId ?? '' }])
      answer(res, 201, JSON_HEADERS, JSON.stringify(done))
    })
  }
})
