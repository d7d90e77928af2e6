import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { referenceResult } from '../http/reference-result.ts'

export default function getApiReferencePage({ apiReference }: Cradle): PublicHandler<'getApiReferencePage'> {
  return ({ path, headers }) => referenceResult(apiReference, path.page, headers)
}
