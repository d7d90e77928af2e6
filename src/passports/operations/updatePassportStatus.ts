import type { Cradle } from '../../cradle.ts'
import { readIfMatch } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function updatePassportStatus({ passports }: Cradle): Handler<'updatePassportStatus'> {
  return async ({ path, body, headers, principal }) => ({
    status: 200,
    body: await passports.setStatus(principal, path.id, body, readIfMatch(headers['if-match'])),
  })
}
