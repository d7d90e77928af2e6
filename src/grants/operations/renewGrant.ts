import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function renewGrant({ grants }: Cradle): Handler<'renewGrant'> {
  return async ({ path, body, principal }) => ({
    status: 200,
    body: { grant: await grants.renew(principal, path.id, body) },
  })
}
