import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { referenceResult } from '../http/reference-result.ts'

export default function getApiReferenceSchema({ apiReference }: Cradle): PublicHandler<'getApiReferenceSchema'> {
  return ({ path, headers }) => referenceResult(apiReference, `schemas/${path.name}`, headers)
}
