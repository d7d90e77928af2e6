import { iso, type Session, type Statement, type Transaction } from '../../../src/plugin/module.ts'

/** Minutes without a request, and hours in total, after which a session has ended. */
const LIVE = `s.seen_at > now() - interval '30 minutes' and s.created_at > now() - interval '12 hours'`

export interface SessionRow {
  readonly id: string
  readonly tenantId: string
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly role: string
  readonly permissions: readonly string[] | null
  readonly operatorId: string | null
  readonly method: 'link' | 'passkey' | 'oidc'
  readonly mfa: boolean
  readonly authenticatedAt: string
  /** True if the last request is more than a minute ago. */
  readonly isStale: boolean
}

const FIND: Statement = {
  name: 'console-find-session',
  text: `select s.id, s.tenant_id as "tenantId", s.person_id as "personId", p.name, p.email, m.role, m.permissions,
      m.operator_id as "operatorId", s.method, s.mfa, ${iso('s.authenticated_at')} as "authenticatedAt",
      s.seen_at < now() - interval '1 minute' as "isStale"
    from console_session s join console_person p on p.id = s.person_id
      join console_membership m on m.tenant_id = s.tenant_id and m.person_id = s.person_id
    where s.secret_hash = $1 and ${LIVE}`,
}

export async function findSession(session: Session, secretHash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await session.run<SessionRow>(FIND, [secretHash])
  return row
}

const TOUCH: Statement = {
  name: 'console-touch-session',
  text: 'update console_session set seen_at = now() where id = $1',
}

export async function touchSession(session: Session, id: string): Promise<void> {
  await session.run(TOUCH, [id])
}

const ADD: Statement = {
  name: 'console-add-session',
  text: `insert into console_session (id, secret_hash, tenant_id, person_id, method, mfa, agent, authenticated_at)
    values ($1, $2, app_tenant(), $3, $4, $5, $6, coalesce($7, now()))`,
}

export interface NewSessionRow {
  readonly id: string
  readonly secretHash: Buffer
  readonly personId: string
  readonly method: SessionRow['method']
  readonly mfa: boolean
  readonly agent: string
  /** Default: now. */
  readonly authenticatedAt?: Date
}

export function addSession(tx: Transaction, session: NewSessionRow): void {
  const { id, secretHash, personId, method, mfa, agent, authenticatedAt = null } = session
  tx.write(ADD, [id, secretHash, personId, method, mfa, agent, authenticatedAt])
}

const CONFIRM: Statement = {
  name: 'console-confirm-session',
  text: 'update console_session set authenticated_at = now(), mfa = mfa or $2 where id = $1',
}

export function confirmSession(tx: Transaction, id: string, mfa: boolean): void {
  tx.write(CONFIRM, [id, mfa])
}

interface ListedSession {
  readonly id: string
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly method: SessionRow['method']
  readonly agent: string
  readonly createdAt: string
  readonly seenAt: string
}

const LIST: Statement = {
  name: 'console-list-sessions',
  text: `select s.id, s.person_id as "personId", p.name, p.email, s.method, s.agent, ${iso('s.created_at')} as "createdAt",
      ${iso('s.seen_at')} as "seenAt"
    from console_session s join console_person p on p.id = s.person_id
    where s.tenant_id = app_tenant() and ($1::uuid is null or s.person_id = $1) and ${LIVE}
    order by s.seen_at desc, s.id limit 500`,
}

/** @param personId null for all persons of the workspace */
export const listSessions = (session: Session, personId: string | null): Promise<ListedSession[]> =>
  session.run(LIST, [personId])

const END: Statement = {
  name: 'console-end-session',
  text: `delete from console_session where tenant_id = app_tenant() and id::text = $1 and ($2::uuid is null or person_id = $2)
    returning id`,
}

/** @param personId owner of the session; null for any @returns false if there is no such session */
export async function endSession(session: Session, id: string, personId: string | null): Promise<boolean> {
  return (await session.run(END, [id, personId])).length > 0
}

const END_OTHERS: Statement = {
  name: 'console-end-other-sessions',
  text: 'delete from console_session where tenant_id = app_tenant() and person_id = $1 and id <> $2',
}

export async function endOtherSessions(session: Session, personId: string, exceptId: string): Promise<void> {
  await session.run(END_OTHERS, [personId, exceptId])
}
