import type { Cradle } from '../../cradle.ts'
import { JSON_TYPE } from '../default-headers.ts'
import type { PublicHandler } from '../handler.ts'

export default function getOpenapiJson({ contract }: Cradle): PublicHandler<'getOpenapiJson'> {
  return () => ({ status: 200, contentType: JSON_TYPE, body: contract.json })
}
