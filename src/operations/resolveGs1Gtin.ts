import type { Cradle } from '../container.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function resolveGs1Gtin({ digitalLinks }: Cradle): PublicHandler<'resolveGs1Gtin'> {
  return ({ path, ...caller }) => digitalLinks.resolveGtin(path.gtin14, caller)
}
