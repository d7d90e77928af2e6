import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function recordBatteryUnitEvent({ unitEvents }: Cradle): Handler<'recordBatteryUnitEvent'> {
  return async ({ path, body, principal, lang }) => {
    const recorded = await unitEvents.record(principal, path.id, { ...body }, lang)
    return { status: 201, body: { message: 'The event is recorded.', ...recorded } }
  }
}
