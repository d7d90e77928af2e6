import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function updateFacility({ facilities }: Cradle): Handler<'updateFacility'> {
  return async ({ path, body, principal }) => ({
    status: 200,
    body: { facility: await facilities.update(principal, path.id, body) },
  })
}
