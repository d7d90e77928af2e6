import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function reportCompleteness({ completeness }: Cradle): Handler<'reportCompleteness'> {
  return async ({ principal, query }) => ({
    status: 200,
    body: await completeness.reportCatalogue(principal, query),
  })
}
