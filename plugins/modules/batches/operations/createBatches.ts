import type { IdempotentHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function createBatches({ batches }: Cradle): IdempotentHandler<'createBatches', operations> {
  return async ({ path, body, principal, lang, scope }) => ({
    status: 201,
    body: await batches.record(principal, path.passportId, { ...body }, lang, scope),
  })
}
