import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { unitResult } from '../../http/page-result.ts'

export default function resolvePublicBatteryUnit({ resolution }: Cradle): PublicHandler<'resolvePublicBatteryUnit'> {
  return async ({ path, ...caller }) =>
    unitResult(await resolution.answerUnit(await resolution.byUnitId(path.id), caller))
}
