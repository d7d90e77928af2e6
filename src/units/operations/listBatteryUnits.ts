import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function listBatteryUnits({ units }: Cradle): Handler<'listBatteryUnits'> {
  return async ({ path, query, principal }) => ({
    status: 200,
    body: await units.list(principal, path.passportId, query),
  })
}
