import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function deleteWebhookSubscription({ webhooks }: Cradle): Handler<'deleteWebhookSubscription'> {
  return async ({ principal, path }) => {
    await webhooks.remove(principal, path.id)
    return { status: 200, body: { message: 'Webhook subscription deleted' } }
  }
}
