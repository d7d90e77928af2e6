import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { referenceResult } from '../http/reference-result.ts'

export default function getApiReference({ apiReference }: Cradle): PublicHandler<'getApiReference'> {
  return ({ headers }) => referenceResult(apiReference, '', headers)
}
