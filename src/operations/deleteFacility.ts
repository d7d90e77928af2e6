import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function deleteFacility({ facilities }: Cradle): Handler<'deleteFacility'> {
  return async ({ path, principal }) => {
    await facilities.remove(principal, path.id)
    return { status: 200, body: {} }
  }
}
