import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function getOpenapiJson({ contract }: Cradle): PublicHandler<'getOpenapiJson'> {
  return () => ({ status: 200, contentType: 'application/json; charset=utf-8', body: contract.json })
}
