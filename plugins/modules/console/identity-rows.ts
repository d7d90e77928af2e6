import type { Session, Statement, Transaction } from '../../../src/plugin/module.ts'

interface FoundIdentity {
  readonly personId: string
  /** Workspaces of the person, the last used first. */
  readonly tenantIds: readonly string[]
}

const FIND: Statement = {
  name: 'console-find-identity',
  text: `select i.person_id as "personId",
      array(select m.tenant_id::text from console_membership m where m.person_id = i.person_id order by (
        select max(s.seen_at) from console_session s where s.person_id = m.person_id and s.tenant_id = m.tenant_id
      ) desc nulls last, m.created_at, m.tenant_id) as "tenantIds"
    from console_identity i where i.issuer = $1 and i.subject = $2`,
}

export async function findIdentity(
  session: Session,
  issuer: string,
  subject: string,
): Promise<FoundIdentity | undefined> {
  return (await session.run<FoundIdentity>(FIND, [issuer, subject]))[0]
}

const ADD: Statement = {
  name: 'console-add-identity',
  text: 'insert into console_identity (issuer, subject, person_id) values ($1, $2, $3)',
}

/** Fails if the identity belongs to a person already. */
export function addIdentity(tx: Transaction, issuer: string, subject: string, personId: string): void {
  tx.write(ADD, [issuer, subject, personId])
}

const HAS: Statement = {
  name: 'console-has-identity',
  text: 'select exists (select from console_identity where person_id = $1 and issuer = $2) as "isThere"',
}

export async function hasIdentity(session: Session, personId: string, issuer: string): Promise<boolean> {
  return (await session.run<{ isThere: boolean }>(HAS, [personId, issuer]))[0]?.isThere === true
}
