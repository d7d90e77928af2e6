import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function readNotification({ notifications }: Cradle): Handler<'readNotification', operations> {
  return async ({ principal, path }) => ({
    status: 200,
    body: { notification: await notifications.read(principal, path.id) },
  })
}
