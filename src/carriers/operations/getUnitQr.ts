import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function getUnitQr({ carriers }: Cradle): Handler<'getUnitQr'> {
  return async ({ path, query, principal, lang }) => ({
    status: 200,
    ...(await carriers.encodeUnit(principal, path.id, query, lang)),
  })
}
