import type { PassportStatus } from '../../../src/plugin/index.ts'
import { iso, type Row, type Session, type Statement, type Transaction } from '../../../src/plugin/module.ts'
import type { PassportLink } from './entities.ts'

/** SQLSTATEs of triggers (migration links): a side is a draft, has too many links, or would close a cycle. */
export const NOT_PUBLISHED = 'DP422'
export const TOO_MANY_LINKS = 'DP507'
export const CIRCLE = 'DP508'

export type LinkRow = Row<
  PassportLink,
  | 'id'
  | 'tenantId'
  | 'passportId'
  | 'productId'
  | 'askedBy'
  | 'rel'
  | 'targetTenantId'
  | 'targetId'
  | 'targetUrl'
  | 'identifier'
  | 'status'
  | 'createdAt'
  | 'acceptedAt'
>

export interface LinkSide {
  readonly id: string
  readonly tenantId: string
  readonly operatorId: string
  readonly productId: string
  readonly status: PassportStatus
}

const SIDE: Statement = {
  name: 'link-side',
  text: `select id, tenant_id as "tenantId", operator_id as "operatorId", product_id as "productId", status
    from passport where id = $1`,
}

export async function findLinkSide(session: Session, id: string): Promise<LinkSide | undefined> {
  const [side] = await session.run<LinkSide>(SIDE, [id])
  return side
}

const ANY_SIDE: Statement = {
  name: 'any-link-side',
  text: `select id, tenant_id as "tenantId", operator_id as "operatorId", product_id as "productId", status,
      legal_name as "legalName" from passport_link_side($1)`,
}

export type NamedSide = LinkSide & { readonly legalName: string }

/** Excludes drafts of other workspaces. */
export async function findAnyLinkSide(session: Session, id: string): Promise<NamedSide | undefined> {
  const [side] = await session.run<NamedSide>(ANY_SIDE, [id])
  return side
}

const COLUMNS = `l.id, l.tenant_id as "tenantId", l.passport_id as "passportId", l.product_id as "productId",
  l.asked_by as "askedBy", l.rel, l.target_tenant_id as "targetTenantId", l.target_id as "targetId",
  l.target_url as "targetUrl", l.identifier, l.status, ${iso('l.created_at')} as "createdAt",
  ${iso('l.accepted_at')} as "acceptedAt"`

const LIST: Statement = {
  name: 'list-links',
  text: `select ${COLUMNS} from passport_link l
    where (l.passport_id = $1 or l.target_id = $1)
      and (l.status = 'ACCEPTED' or l.tenant_id = app_tenant() or l.target_tenant_id = app_tenant())
    order by l.created_at, l.id`,
}

/** Only the two workspaces see a link before its acceptance. */
export const listLinks = (session: Session, passportId: string): Promise<LinkRow[]> => session.run(LIST, [passportId])

const ADD: Statement = {
  name: 'add-link',
  text: `insert into passport_link (id, passport_id, rel, target_id, target_url, identifier, status, created_at, accepted_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, case when $7 = 'ACCEPTED' then $8::timestamptz end)`,
}

/**
 * Increments both versions if accepted. Fails with {@link NOT_PUBLISHED}, {@link TOO_MANY_LINKS}, {@link CIRCLE}, or `23505` if it exists.
 */
export function addLink(tx: Transaction, link: LinkRow): void {
  const { id, passportId, rel, targetId, targetUrl, identifier, status, createdAt } = link
  tx.write(ADD, [id, passportId, rel, targetId, targetUrl, identifier, status, createdAt])
}

export interface HeldLink extends LinkRow {
  readonly operatorId: string
}

const HOLD: Statement = {
  name: 'hold-link',
  text: `select ${COLUMNS}, p.operator_id as "operatorId" from passport_link l
      join passport p on p.id = case when l.tenant_id = app_tenant() then l.passport_id else l.target_id end
    where l.id = $1 and (l.tenant_id = app_tenant() or l.target_tenant_id = app_tenant()) for update of l`,
}

export async function holdLink(tx: Transaction, id: string): Promise<HeldLink | undefined> {
  const [held] = await tx.run<HeldLink>(HOLD, [id])
  return held
}

const ACCEPT: Statement = {
  name: 'accept-link',
  text: `update passport_link set status = 'ACCEPTED', accepted_at = $2 where id = $1`,
}
const REMOVE: Statement = { name: 'remove-link', text: 'delete from passport_link where id = $1' }

/** Fails with {@link CIRCLE} if others have closed a cycle since. */
export const acceptLink = (tx: Transaction, id: string, at: string): void => tx.write(ACCEPT, [id, at])

export const removeLink = (tx: Transaction, id: string): void => tx.write(REMOVE, [id])
