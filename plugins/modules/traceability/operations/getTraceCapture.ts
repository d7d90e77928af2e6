import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { EPCIS_HEADERS } from '../epcis-headers.ts'
import type { operations } from '../generated.ts'

export default function getTraceCapture({ captures }: Cradle): Handler<'getTraceCapture', operations> {
  return async ({ path, principal }) => ({
    status: 200,
    headers: EPCIS_HEADERS,
    body: await captures.job(principal, path.captureID),
  })
}
