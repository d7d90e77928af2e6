import type { Cradle } from '../../cradle.ts'
import { readIfMatch } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function updatePassport({ passports }: Cradle): Handler<'updatePassport'> {
  return async ({ path, body, headers, principal, lang }) => ({
    status: 200,
    body: await passports.update(principal, path.id, body, lang, readIfMatch(headers['if-match'])),
  })
}
