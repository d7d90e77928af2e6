import type { Cradle } from '../cradle.ts'
import type { IdempotentHandler } from '../http/handler.ts'

export default function captureTraceEvents({ traceability }: Cradle): IdempotentHandler<'captureTraceEvents'> {
  return async ({ body, principal, scope }) => ({
    status: 201,
    body: await traceability.capture(principal, body, scope),
  })
}
