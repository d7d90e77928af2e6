import type { Cradle } from '../../cradle.ts'
import { CONTRACT_VERSION, VERSION } from '../../root.ts'
import type { PublicHandler } from '../handler.ts'

export default function getVersion({ config }: Cradle): PublicHandler<'getVersion'> {
  const { commit, builtAt } = config
  return () => ({ status: 200, body: { apiVersion: CONTRACT_VERSION, build: VERSION, commit, builtAt } })
}
