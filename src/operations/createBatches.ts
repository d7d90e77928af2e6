import type { Cradle } from '../cradle.ts'
import type { IdempotentHandler } from '../http/handler.ts'

export default function createBatches({ batches }: Cradle): IdempotentHandler<'createBatches'> {
  return async ({ path, body, principal, lang, scope }) => ({
    status: 201,
    body: await batches.record(principal, path.passportId, { ...body }, lang, scope),
  })
}
