import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { unitResult } from '../../http/page-result.ts'

export default function resolveUnitCredential({
  candidateSearch,
  resolution,
}: Cradle): PublicHandler<'resolveUnitCredential'> {
  return async ({ path, ...caller }) =>
    unitResult(await resolution.answerUnit(await candidateSearch.byUnitId(path.unitId), caller, 'credential'))
}
