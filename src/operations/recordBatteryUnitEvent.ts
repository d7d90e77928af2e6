import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function recordBatteryUnitEvent({ unitEvents }: Cradle): Handler<'recordBatteryUnitEvent'> {
  return async ({ path, body, principal }) => {
    const event = await unitEvents.record(principal, path.id, { ...body })
    return { status: 201, body: { message: 'The event is recorded.', event } }
  }
}
