import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function deleteBatteryUnit({ units }: Cradle): Handler<'deleteBatteryUnit'> {
  return async ({ path, principal }) => {
    await units.remove(principal, path.id)
    return { status: 200, body: { message: 'The battery unit is deleted, with its events.' } }
  }
}
