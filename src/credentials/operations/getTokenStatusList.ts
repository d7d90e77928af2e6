import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getTokenStatusList({ statusLists }: Cradle): PublicHandler<'getTokenStatusList'> {
  return async ({ path, query }) => ({ rendition: await statusLists.token({ ...path, ...query }), isPublic: true })
}
