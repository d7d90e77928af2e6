import type { Cradle } from '../../cradle.ts'
import { readIfMatch } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function deleteFacility({ facilities }: Cradle): Handler<'deleteFacility'> {
  return async ({ path, headers, principal }) => {
    await facilities.remove(principal, path.id, readIfMatch(headers['if-match']))
    return { status: 200, body: {} }
  }
}
