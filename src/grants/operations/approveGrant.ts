import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function approveGrant({ grants }: Cradle): Handler<'approveGrant'> {
  return async ({ principal, path, body }) => ({
    status: 200,
    body: await grants.approve(principal, path.id, body),
  })
}
