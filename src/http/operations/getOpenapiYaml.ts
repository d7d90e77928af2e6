import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../handler.ts'

export default function getOpenapiYaml({ contract }: Cradle): PublicHandler<'getOpenapiYaml'> {
  return async () => ({ status: 200, contentType: 'application/yaml; charset=utf-8', body: await contract.yaml() })
}
