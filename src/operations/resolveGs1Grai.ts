import type { Cradle } from '../container.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function resolveGs1Grai({ digitalLinks }: Cradle): PublicHandler<'resolveGs1Grai'> {
  return ({ path, ...caller }) => digitalLinks.resolveGrai(path.grai, caller)
}
