import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getFacility({ facilities }: Cradle): Handler<'getFacility'> {
  return async ({ path, principal }) => ({
    status: 200,
    body: { facility: await facilities.get(principal, path.id) },
  })
}
