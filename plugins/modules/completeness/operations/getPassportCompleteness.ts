import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getPassportCompleteness({
  completeness,
}: Cradle): Handler<'getPassportCompleteness', operations> {
  return async ({ path, principal, lang }) => ({
    status: 200,
    body: await completeness.reportPassport(principal, path.id, lang),
  })
}
