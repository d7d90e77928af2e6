import type { Cradle } from '../../cradle.ts'
import { readIfMatch } from '../../domain/precondition.ts'
import type { IdempotentHandler } from '../../http/handler.ts'

export default function revisePassport({ revisions }: Cradle): IdempotentHandler<'revisePassport'> {
  return async ({ path, body, headers, principal, lang, scope }) => ({
    status: 200,
    body: await revisions.revise(principal, path.id, body, lang, scope, readIfMatch(headers['if-match'])),
  })
}
