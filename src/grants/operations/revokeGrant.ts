import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function revokeGrant({ grants }: Cradle): Handler<'revokeGrant'> {
  return async ({ principal, path }) => ({
    status: 200,
    body: { grant: await grants.revoke(principal, path.id) },
  })
}
