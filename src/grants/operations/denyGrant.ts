import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function denyGrant({ grantRequests }: Cradle): Handler<'denyGrant'> {
  return async ({ principal, path }) => ({
    status: 200,
    body: { grant: await grantRequests.deny(principal, path.id) },
  })
}
