import type { Cradle } from '../cradle.ts'
import { EPCIS_HEADERS } from '../http/epcis.ts'
import type { Handler } from '../http/handler.ts'

export default function getTraceCapture({ captures }: Cradle): Handler<'getTraceCapture'> {
  return async ({ path, principal }) => ({
    status: 200,
    headers: EPCIS_HEADERS,
    body: await captures.job(principal, path.captureID),
  })
}
