import { iso, type Session, type Statement, type Transaction } from '../../../src/plugin/module.ts'

export interface Member {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly role: string
  readonly permissions: readonly string[] | null
  readonly operatorId: string | null
  readonly createdAt: string
  readonly passkeys: number
}

const MEMBERS: Statement = {
  name: 'console-members',
  text: `select m.person_id as "personId", p.name, p.email, m.role, m.permissions, m.operator_id as "operatorId",
      ${iso('m.created_at')} as "createdAt",
      (select count(*)::int from console_passkey k where k.person_id = m.person_id) as passkeys
    from console_membership m join console_person p on p.id = m.person_id
    where m.tenant_id = app_tenant() and ($1::uuid is null or m.person_id = $1)
    order by p.name, p.id limit 1000`,
}

/** @param personId null for all */
export const listMembers = (session: Session, personId: string | null = null): Promise<Member[]> =>
  session.run(MEMBERS, [personId])

export interface ListedInvitation {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly hasExpired: boolean
}

const INVITATIONS: Statement = {
  name: 'console-invitations',
  text: `select id, name, email, role, ${iso('created_at')} as "createdAt", ${iso('expires_at')} as "expiresAt",
      expires_at <= now() as "hasExpired"
    from console_invitation where tenant_id = app_tenant() order by created_at desc, id limit 1000`,
}

export const listInvitations = (session: Session): Promise<ListedInvitation[]> => session.run(INVITATIONS)

interface NewInvitation {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly permissions: readonly string[] | null
  readonly operatorId: string | null
  readonly secretHash: Buffer
  readonly invitedBy: string
}

const INVITE: Statement = {
  name: 'console-invite',
  text: `insert into console_invitation as i
      (id, tenant_id, email, name, role, permissions, operator_id, secret_hash, invited_by, expires_at)
    values ($1, app_tenant(), $2, $3, $4, $5, $6, $7, $8, now() + make_interval(days => $9))
    on conflict (tenant_id, email) do update set id = excluded.id, name = excluded.name, role = excluded.role,
      permissions = excluded.permissions, operator_id = excluded.operator_id, secret_hash = excluded.secret_hash,
      invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at`,
}

/** Replaces an invitation of the same address. */
export function putInvitation(tx: Transaction, invitation: NewInvitation, days: number): void {
  const { id, email, name, role, permissions, operatorId, secretHash, invitedBy } = invitation
  tx.write(INVITE, [id, email, name, role, permissions, operatorId, secretHash, invitedBy, days])
}

const UNINVITE: Statement = {
  name: 'console-uninvite',
  text: 'delete from console_invitation where tenant_id = app_tenant() and id = $1 returning id',
}

export async function removeInvitation(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.run(UNINVITE, [id])).length > 0
}

const LOCK_OWNERS: Statement = {
  name: 'console-lock-owners',
  text: `select person_id as "personId" from console_membership
    where tenant_id = app_tenant() and role = 'owner' order by person_id for update`,
}

/** Owners cannot change until the transaction ends. */
export async function lockOwners(tx: Transaction): Promise<readonly string[]> {
  return (await tx.run<{ personId: string }>(LOCK_OWNERS)).map(({ personId }) => personId)
}

const SET_MEMBER: Statement = {
  name: 'console-set-member',
  text: `update console_membership set role = $2, permissions = $3, operator_id = $4
    where tenant_id = app_tenant() and person_id = $1`,
}

export function setMember(
  tx: Transaction,
  personId: string,
  { role, permissions, operatorId }: Pick<Member, 'role' | 'permissions' | 'operatorId'>,
): void {
  tx.write(SET_MEMBER, [personId, role, permissions, operatorId])
}

const REMOVE_MEMBER: Statement = {
  name: 'console-remove-member',
  text: 'delete from console_membership where tenant_id = app_tenant() and person_id = $1',
}

const FORGET: Statement = { name: 'console-forget-person', text: 'select console_person_forget($1)' }

/** Ends the sessions and links of the member in this workspace too; forgets a person without another workspace. */
export function removeMember(tx: Transaction, personId: string): void {
  tx.write(REMOVE_MEMBER, [personId])
  tx.write(FORGET, [personId])
}

const ANY_MEMBER: Statement = {
  name: 'console-any-member',
  text: 'select exists (select from console_membership) as "isThere"',
}

export async function hasMembers(session: Session): Promise<boolean> {
  return (await session.run<{ isThere: boolean }>(ANY_MEMBER))[0]?.isThere === true
}

const NAMES: Statement = {
  name: 'console-names',
  text: `select id, name from console_person where id::text = any ($1)`,
}

/** Names of persons by id, of members of the workspace. */
export async function namesOf(session: Session, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = ids.length === 0 ? [] : await session.run<{ id: string; name: string }>(NAMES, [ids])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
