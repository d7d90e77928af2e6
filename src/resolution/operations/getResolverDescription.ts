import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getResolverDescription({ digitalLinks }: Cradle): PublicHandler<'getResolverDescription'> {
  return () => ({ status: 200, body: digitalLinks.description() })
}
