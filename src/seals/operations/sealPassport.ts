import type { Cradle } from '../../cradle.ts'
import { readIfMatch } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function sealPassport({ seals }: Cradle): Handler<'sealPassport'> {
  return async ({ path, headers, principal }) => ({
    status: 200,
    body: await seals.seal(principal, path.id, readIfMatch(headers['if-match'])),
  })
}
