import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function resolveCredential({ candidateSearch, resolution }: Cradle): PublicHandler<'resolveCredential'> {
  return async ({ path, ...caller }) =>
    resolution.answer(await candidateSearch.byId(path.passportId), caller, 'credential')
}
