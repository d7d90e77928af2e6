import type { IdempotentHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { EPCIS_HEADERS } from '../epcis-headers.ts'
import type { operations } from '../generated.ts'

export default function captureTraceDocument({
  captures,
}: Cradle): IdempotentHandler<'captureTraceDocument', operations> {
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
