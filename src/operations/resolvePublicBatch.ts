import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function resolvePublicBatch({ resolution }: Cradle): PublicHandler<'resolvePublicBatch'> {
  return async ({ path, ...caller }) => resolution.answerBatch(await resolution.byBatchId(path.id), caller)
}
