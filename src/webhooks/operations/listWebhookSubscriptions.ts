import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function listWebhookSubscriptions({ webhooks }: Cradle): Handler<'listWebhookSubscriptions'> {
  return async ({ principal }) => ({ status: 200, body: await webhooks.list(principal) })
}
