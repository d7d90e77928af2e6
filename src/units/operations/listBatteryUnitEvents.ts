import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function listBatteryUnitEvents({ unitEvents }: Cradle): Handler<'listBatteryUnitEvents'> {
  return async ({ path, principal }) => ({ status: 200, body: await unitEvents.list(principal, path.id) })
}
