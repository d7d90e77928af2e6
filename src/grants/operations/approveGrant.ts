import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function approveGrant({ grantRequests }: Cradle): Handler<'approveGrant'> {
  return async ({ principal, path, body }) => ({
    status: 200,
    body: await grantRequests.approve(principal, path.id, body),
  })
}
