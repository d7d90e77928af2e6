import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function rotateWebhookSecret({ webhooks }: Cradle): Handler<'rotateWebhookSecret'> {
  return async ({ principal, path }) => ({
    status: 200,
    body: { message: 'Signing secret rotated', subscription: await webhooks.rotateSecret(principal, path.id) },
  })
}
