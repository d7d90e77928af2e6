import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { VERSION } from '../root.ts'

export default function getVersion({ config }: Cradle): PublicHandler<'getVersion'> {
  return () => ({ status: 200, body: { apiVersion: VERSION, commit: config.commit, builtAt: config.builtAt } })
}
