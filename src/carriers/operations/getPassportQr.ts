import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function getPassportQr({ carriers }: Cradle): Handler<'getPassportQr'> {
  return async ({ path, query, principal, lang }) => ({
    status: 200,
    ...(await carriers.encodePassport(principal, path.id, query, lang)),
  })
}
