import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function listBatches({ batches }: Cradle): Handler<'listBatches', operations> {
  return async ({ path, query, principal }) => ({
    status: 200,
    body: await batches.list(principal, path.passportId, query),
  })
}
