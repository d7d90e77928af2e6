import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function readNotification({ notifications }: Cradle): Handler<'readNotification'> {
  return async ({ principal, path }) => ({
    status: 200,
    body: { notification: await notifications.read(principal, path.id) },
  })
}
