import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function issueGrant({ grants }: Cradle): Handler<'issueGrant'> {
  return async ({ principal, body }) => ({
    status: 201,
    body: await grants.issue(principal, body),
  })
}
