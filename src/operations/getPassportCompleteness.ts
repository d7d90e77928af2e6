import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getPassportCompleteness({ completeness }: Cradle): Handler<'getPassportCompleteness'> {
  return async ({ path, principal, lang }) => ({
    status: 200,
    body: await completeness.reportPassport(principal, path.id, lang),
  })
}
