import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function listWebhookDeliveries({ webhookDeliveries }: Cradle): Handler<'listWebhookDeliveries'> {
  return async ({ principal, query }) => ({ status: 200, body: await webhookDeliveries.list(principal, query) })
}
