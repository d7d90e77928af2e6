import type { PassportStatus } from '../domain/view.ts'
import type { PassportLink } from '../entities/links.ts'
import type { Row } from '../entities/row.ts'
import { iso, type Session, type Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** SQLSTATEs of the triggers of the table (migration links): a side is a draft by now, has too many links, or would close a circle. */
export const NOT_PUBLISHED = 'DP422'
export const TOO_MANY_LINKS = 'DP507'
export const CIRCLE = 'DP508'

/** A link as it is kept. Timestamps are ISO 8601 in UTC. */
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

/** A passport that may stand on a side of a link. */
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

/** A passport as the session sees it: of the workspace or of operators for which it acts. */
export async function findLinkSide(session: Session, id: string): Promise<LinkSide | undefined> {
  const [side] = await session.run<LinkSide>(SIDE, [id])
  return side
}

const ANY_SIDE: Statement = {
  name: 'any-link-side',
  text: `select id, tenant_id as "tenantId", operator_id as "operatorId", product_id as "productId", status,
      legal_name as "legalName" from passport_link_side($1)`,
}

/** A passport with the legal name of its workspace. */
export type NamedSide = LinkSide & { readonly legalName: string }

/** A passport of any workspace, but for the drafts of others. */
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

/** Links on a side of which the passport stands, oldest first; what is not accepted is for the two workspaces alone. */
export const listLinks = (session: Session, passportId: string): Promise<LinkRow[]> => session.run(LIST, [passportId])

const ADD: Statement = {
  name: 'add-link',
  text: `insert into passport_link (id, passport_id, rel, target_id, target_url, identifier, status, created_at, accepted_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, case when $7 = 'ACCEPTED' then $8::timestamptz end)`,
}

/**
 * Keeps a link. What it says of its sides the database reads itself. Fails with {@link NOT_PUBLISHED}, {@link TOO_MANY_LINKS},
 * {@link CIRCLE}, or `23505` where it is there already. Both passports have another version then, where it is accepted.
 */
export function addLink(tx: Transaction, link: LinkRow): void {
  const { id, passportId, rel, targetId, targetUrl, identifier, status, createdAt } = link
  tx.write(ADD, [id, passportId, rel, targetId, targetUrl, identifier, status, createdAt])
}

/** A link with the operator of the side that is the caller's own. */
export interface HeldLink extends LinkRow {
  readonly operatorId: string
}

const HOLD: Statement = {
  name: 'hold-link',
  text: `select ${COLUMNS}, p.operator_id as "operatorId" from passport_link l
      join passport p on p.id = case when l.tenant_id = app_tenant() then l.passport_id else l.target_id end
    where l.id = $1 and (l.tenant_id = app_tenant() or l.target_tenant_id = app_tenant()) for update of l`,
}

/** Holds a link of the workspace until the transaction ends; undefined where it has none of this id. */
export async function holdLink(tx: Transaction, id: string): Promise<HeldLink | undefined> {
  const [held] = await tx.run<HeldLink>(HOLD, [id])
  return held
}

const ACCEPT: Statement = {
  name: 'accept-link',
  text: `update passport_link set status = 'ACCEPTED', accepted_at = $2 where id = $1`,
}
const REMOVE: Statement = { name: 'remove-link', text: 'delete from passport_link where id = $1' }

/** Has a held link shown. Fails with {@link CIRCLE} where others have closed one since. */
export const acceptLink = (tx: Transaction, id: string, at: string): void => tx.write(ACCEPT, [id, at])

/** Takes a held link away. */
export const removeLink = (tx: Transaction, id: string): void => tx.write(REMOVE, [id])
