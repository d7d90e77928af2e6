import type { Session, Statement } from './statement.ts'

export interface SealedSecrets {
  readonly id: string
  readonly secret: Buffer
  readonly formerSecret: Buffer | null
}

const SECRETS: Statement = {
  name: 'webhook-secrets',
  text: `select id, secret, former_secret as "formerSecret" from webhook_subscription
    where tenant_id = app_tenant() order by id`,
}

export const webhookSecrets = (session: Session): Promise<SealedSecrets[]> => session.run(SECRETS)

const REPLACE: Statement = {
  name: 'rewrap-webhook-secrets',
  text: `update webhook_subscription set secret = $2, former_secret = $3
    where tenant_id = app_tenant() and id = $1 and secret = $4 and former_secret is not distinct from $5 returning 1`,
}

/** False if they changed meanwhile. */
export async function replaceSealed(session: Session, before: SealedSecrets, now: SealedSecrets): Promise<boolean> {
  const values = [before.id, now.secret, now.formerSecret, before.secret, before.formerSecret]
  return (await session.run(REPLACE, values)).length > 0
}
