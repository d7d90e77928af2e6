import type { Session, Statement, Transaction } from '../../../src/plugin/module.ts'

/** Unused link or invitation. */
export interface OpenedLink {
  readonly tenantId: string
  readonly workspace: string
  readonly name: string
  readonly isInvitation: boolean
}

const FIND_LINK: Statement = {
  name: 'console-find-link',
  text: `select l.tenant_id as "tenantId", w.name as workspace, p.name, false as "isInvitation"
    from console_link l join workspace w on w.id = l.tenant_id join console_person p on p.id = l.person_id
    where l.secret_hash = $1 and l.expires_at > now()`,
}

export async function findLink(session: Session, secretHash: Buffer): Promise<OpenedLink | undefined> {
  return (await session.run<OpenedLink>(FIND_LINK, [secretHash]))[0]
}

const FIND_INVITATION: Statement = {
  name: 'console-find-invitation',
  text: `select i.tenant_id as "tenantId", w.name as workspace, i.name, true as "isInvitation"
    from console_invitation i join workspace w on w.id = i.tenant_id
    where i.secret_hash = $1 and i.expires_at > now()`,
}

export async function findInvitation(session: Session, secretHash: Buffer): Promise<OpenedLink | undefined> {
  return (await session.run<OpenedLink>(FIND_INVITATION, [secretHash]))[0]
}

const PUT_LINK: Statement = {
  name: 'console-put-link',
  text: `insert into console_link (secret_hash, tenant_id, person_id, expires_at)
    values ($1, app_tenant(), $2, now() + make_interval(mins => $3))`,
}

export async function putLink(session: Session, secretHash: Buffer, personId: string, minutes: number): Promise<void> {
  await session.run(PUT_LINK, [secretHash, personId, minutes])
}

const TAKE_LINK: Statement = {
  name: 'console-take-link',
  text: `delete from console_link where tenant_id = app_tenant() and secret_hash = $1 and expires_at > now()
    returning person_id as "personId"`,
}

/** @returns the person; undefined if another request used the link */
export async function takeLink(tx: Transaction, secretHash: Buffer): Promise<string | undefined> {
  return (await tx.run<{ personId: string }>(TAKE_LINK, [secretHash]))[0]?.personId
}

const TAKE_INVITATION: Statement = {
  name: 'console-take-invitation',
  text: `with taken as (
      delete from console_invitation where tenant_id = app_tenant() and secret_hash = $1 and expires_at > now()
      returning email, name, role, permissions, operator_id
    ), invited as (select taken.*, console_person_of(email, name, $2) as person_id from taken)
    insert into console_membership as m (tenant_id, person_id, role, permissions, operator_id)
    select app_tenant(), person_id, role, permissions, operator_id from invited
    on conflict (tenant_id, person_id)
      do update set role = excluded.role, permissions = excluded.permissions, operator_id = excluded.operator_id
    returning m.person_id as "personId"`,
}

/** Makes the invited person a member. @param newId of the person, if it is unknown */
export async function takeInvitation(tx: Transaction, secretHash: Buffer, newId: string): Promise<string | undefined> {
  return (await tx.run<{ personId: string }>(TAKE_INVITATION, [secretHash, newId]))[0]?.personId
}

const MEMBERSHIPS: Statement = {
  name: 'console-memberships-of-address',
  text: `select m.tenant_id as "tenantId", m.person_id as "personId", w.name as workspace
    from console_person p join console_membership m on m.person_id = p.id join workspace w on w.id = m.tenant_id
    where p.email = lower($1) order by w.name, w.id limit 20`,
}

interface MembershipOfAddress {
  readonly tenantId: string
  readonly personId: string
  readonly workspace: string
}

export const membershipsOf = (session: Session, email: string): Promise<MembershipOfAddress[]> =>
  session.run(MEMBERSHIPS, [email])
