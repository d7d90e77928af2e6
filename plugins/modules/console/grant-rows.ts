import { iso, type Session, type Statement } from '../../../src/plugin/module.ts'

export const GRANT_STATES = ['PENDING', 'ACTIVE', 'ENDED'] as const
type GrantState = (typeof GRANT_STATES)[number]

interface ListedGrant {
  readonly id: string
  readonly status: string
  readonly kind: string
  readonly granteeName: string
  readonly organization: string | null
  readonly purpose: string | null
  readonly productId: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

const LIST: Statement = {
  name: 'console-list-grants',
  text: `select g.id, g.status, g.kind, g.grantee_name as "granteeName", g.organization, g.purpose, p.product_id as "productId",
      ${iso('g.created_at')} as "createdAt", ${iso('g.expires_at')} as "expiresAt"
    from access_grant g left join passport p on p.id = g.passport_id
    where g.tenant_id = app_tenant() and ($1::uuid is null or g.operator_id = $1) and case $2
      when 'ENDED' then g.status in ('DENIED', 'REVOKED') or g.expires_at <= now()
      else g.status = $2 and g.expires_at > now() end
    order by g.created_at desc, g.id limit $3 offset $4`,
}

export const listGrants = (
  session: Session,
  operatorId: string | null,
  state: GrantState,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ListedGrant[]> => session.run(LIST, [operatorId, state, limit, offset])

const WAITING: Statement = {
  name: 'console-waiting-grants',
  text: `select count(*)::int as total from access_grant g where g.tenant_id = app_tenant()
    and ($1::uuid is null or g.operator_id = $1) and g.status = 'PENDING' and g.expires_at > now()`,
}

export async function countWaiting(session: Session, operatorId: string | null): Promise<number> {
  return (await session.run<{ total: number }>(WAITING, [operatorId]))[0]?.total ?? 0
}
