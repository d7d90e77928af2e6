import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function reportCompleteness({ completeness }: Cradle): Handler<'reportCompleteness', operations> {
  return async ({ principal, query }) => ({
    status: 200,
    body: await completeness.reportCatalogue(principal, query),
  })
}
