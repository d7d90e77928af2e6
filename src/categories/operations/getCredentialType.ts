import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getCredentialType({ vocabulary }: Cradle): PublicHandler<'getCredentialType'> {
  return () => ({ status: 200, body: vocabulary.credentialType })
}
