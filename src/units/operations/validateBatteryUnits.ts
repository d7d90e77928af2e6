import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function validateBatteryUnits({ units }: Cradle): Handler<'validateBatteryUnits'> {
  return async ({ path, body, principal }) => ({
    status: 200,
    body: await units.validate(principal, path.passportId, { ...body }),
  })
}
