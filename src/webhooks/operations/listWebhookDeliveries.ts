import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function listWebhookDeliveries({ webhooks }: Cradle): Handler<'listWebhookDeliveries'> {
  return async ({ principal, query }) => ({ status: 200, body: await webhooks.deliveries(principal, query) })
}
