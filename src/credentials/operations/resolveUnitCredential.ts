import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { unitResult } from '../../http/page-result.ts'

export default function resolveUnitCredential({ resolution }: Cradle): PublicHandler<'resolveUnitCredential'> {
  return async ({ path, ...caller }) =>
    unitResult(await resolution.answerUnitCredential(await resolution.byUnitId(path.unitId), caller))
}
