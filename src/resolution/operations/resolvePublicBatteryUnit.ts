import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { unitResult } from '../../http/page-result.ts'

export default function resolvePublicBatteryUnit({
  candidateSearch,
  resolution,
}: Cradle): PublicHandler<'resolvePublicBatteryUnit'> {
  return async ({ path, ...caller }) =>
    unitResult(await resolution.answerUnit(await candidateSearch.byUnitId(path.id), caller))
}
