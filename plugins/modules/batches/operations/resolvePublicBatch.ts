import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function resolvePublicBatch({ resolution }: Cradle): PublicHandler<'resolvePublicBatch', operations> {
  return async ({ path, ...caller }) => resolution.answerRecord('batch', path.id, caller)
}
