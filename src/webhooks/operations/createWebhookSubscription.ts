import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function createWebhookSubscription({ webhooks }: Cradle): Handler<'createWebhookSubscription'> {
  return async ({ principal, body }) => ({
    status: 201,
    body: { message: 'Webhook subscription created', subscription: await webhooks.create(principal, body) },
  })
}
