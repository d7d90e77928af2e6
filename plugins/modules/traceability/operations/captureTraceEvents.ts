import type { IdempotentHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function captureTraceEvents({
  traceability,
}: Cradle): IdempotentHandler<'captureTraceEvents', operations> {
  return async ({ body, principal, scope }) => ({
    status: 201,
    body: await traceability.capture(principal, body, scope),
  })
}
