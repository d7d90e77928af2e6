import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function listNotifications({ notifications }: Cradle): Handler<'listNotifications', operations> {
  return async ({ principal, query }) => ({ status: 200, body: await notifications.list(principal, query) })
}
