import type { Cradle } from '../../cradle.ts'
import { readIfMatch } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function updateFacility({ facilities }: Cradle): Handler<'updateFacility'> {
  return async ({ path, body, headers, principal }) => ({
    status: 200,
    body: { facility: await facilities.update(principal, path.id, body, readIfMatch(headers['if-match'])) },
  })
}
