import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function screenEventLineage({ traceability }: Cradle): Handler<'screenEventLineage', operations> {
  return async ({ path, principal }) => ({ status: 200, body: await traceability.screening(principal, path.id) })
}
