import type { Cradle } from '../cradle.ts'
import { EPCIS_HEADERS } from '../http/epcis.ts'
import type { IdempotentHandler } from '../http/handler.ts'

export default function captureTraceDocument({ captures }: Cradle): IdempotentHandler<'captureTraceDocument'> {
  return async ({ body, principal, scope }) => {
    const job = await captures.submit(principal, body, scope)
    const headers = {
      ...EPCIS_HEADERS,
      'GS1-Capture-Error-Behaviour': job.captureErrorBehaviour,
      Location: `/api/v1/capture/${job.captureID}`,
    }
    return { status: 202, headers, body: job }
  }
}
