import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function testWebhookSubscription({ webhooks }: Cradle): Handler<'testWebhookSubscription'> {
  return async ({ principal, path }) => ({ status: 200, body: await webhooks.test(principal, path.id) })
}
