import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function declinePassportLink({ links }: Cradle): Handler<'declinePassportLink'> {
  return async ({ path, principal }) => {
    await links.decline(principal, path.id)
    return { status: 200, body: { message: 'The link is declined.' } }
  }
}
