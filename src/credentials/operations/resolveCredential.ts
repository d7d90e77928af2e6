import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function resolveCredential({ resolution }: Cradle): PublicHandler<'resolveCredential'> {
  return async ({ path, ...caller }) => resolution.answerCredential(await resolution.byId(path.passportId), caller)
}
