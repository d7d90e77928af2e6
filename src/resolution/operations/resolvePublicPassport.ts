import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function resolvePublicPassport({ resolution }: Cradle): PublicHandler<'resolvePublicPassport'> {
  return ({ path, query, ...caller }) => resolution.answerVersion(path.id, query, caller)
}
