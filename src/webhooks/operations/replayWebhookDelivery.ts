import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function replayWebhookDelivery({ webhookDeliveries }: Cradle): Handler<'replayWebhookDelivery'> {
  return async ({ principal, path }) => ({
    status: 200,
    body: { delivery: await webhookDeliveries.replay(principal, path.id) },
  })
}
