import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function offerPassportHandover({ handovers }: Cradle): Handler<'offerPassportHandover'> {
  return async ({ path, body, principal }) => ({
    status: 201,
    body: await handovers.offerPassport(principal, path.id, body),
  })
}
