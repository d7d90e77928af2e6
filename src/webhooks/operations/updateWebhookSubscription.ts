import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function updateWebhookSubscription({ webhooks }: Cradle): Handler<'updateWebhookSubscription'> {
  return async ({ principal, path, body }) => {
    const { subscription, isChanged } = await webhooks.update(principal, path.id, body)
    return { status: 200, body: { message: isChanged ? 'Webhook subscription updated' : undefined, subscription } }
  }
}
