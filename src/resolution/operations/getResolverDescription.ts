import type { Cradle } from '../../cradle.ts'
import { LINK_TYPES } from '../../domain/link-query.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { LINKSET_CONTEXT } from '../linkset.ts'

/** Resolver description file (GS1-Conformant Resolver 1.2). */
export default function getResolverDescription({ config }: Cradle): PublicHandler<'getResolverDescription'> {
  const body = {
    name: 'dpp-gateway',
    resolverRoot: config.baseUrl,
    supportedPrimaryKeys: ['01', '8003'],
    supportedLinkType: [{ namespace: LINK_TYPES, prefix: 'gs1:' }],
    linkTypeDefaultCanBeLinkset: false,
    jsonLdContextLocation: LINKSET_CONTEXT,
  }
  return () => ({ status: 200, body })
}
