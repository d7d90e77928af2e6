import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function getPassport({ resolution }: Cradle): Handler<'getPassport'> {
  return ({ path, query, ...caller }) => resolution.resolveOwn(path.id, query, caller)
}
