import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function listNotifications({ notifications }: Cradle): Handler<'listNotifications'> {
  return async ({ principal, query }) => ({ status: 200, body: await notifications.list(principal, query) })
}
