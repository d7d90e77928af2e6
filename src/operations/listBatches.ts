import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function listBatches({ batches }: Cradle): Handler<'listBatches'> {
  return async ({ path, query, principal }) => ({
    status: 200,
    body: await batches.list(principal, path.passportId, query),
  })
}
