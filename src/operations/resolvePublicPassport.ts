import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function resolvePublicPassport({ resolution }: Cradle): PublicHandler<'resolvePublicPassport'> {
  return async ({ path, query, ...caller }) => resolution.answerVersion(await resolution.byId(path.id), query, caller)
}
