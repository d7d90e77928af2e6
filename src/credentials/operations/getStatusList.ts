import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getStatusList({ statusLists }: Cradle): PublicHandler<'getStatusList'> {
  return async ({ path, query, accept }) => ({
    rendition: await statusLists.bitstring({ ...path, ...query }, accept),
    isPublic: true,
  })
}
