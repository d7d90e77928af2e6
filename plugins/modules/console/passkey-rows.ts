import { iso, type Session, type Statement, type Transaction } from '../../../src/plugin/module.ts'

export interface ListedPasskey {
  readonly id: string
  readonly name: string
  readonly transports: readonly string[]
  readonly createdAt: string
  readonly usedAt: string | null
}

const LIST: Statement = {
  name: 'console-list-passkeys',
  text: `select id, name, transports, ${iso('created_at')} as "createdAt", ${iso('used_at')} as "usedAt"
    from console_passkey where person_id = $1 order by created_at, id`,
}

export const listPasskeys = (session: Session, personId: string): Promise<ListedPasskey[]> =>
  session.run(LIST, [personId])

interface FoundPasskey {
  readonly personId: string
  readonly publicKey: Buffer
  readonly counter: number
  /** Workspaces of the person, the last used first. */
  readonly tenantIds: readonly string[]
}

const FIND: Statement = {
  name: 'console-find-passkey',
  text: `select k.person_id as "personId", k.public_key as "publicKey", k.counter::float8 as counter,
      array(select m.tenant_id::text from console_membership m where m.person_id = k.person_id order by (
        select max(s.seen_at) from console_session s where s.person_id = m.person_id and s.tenant_id = m.tenant_id
      ) desc nulls last, m.created_at, m.tenant_id) as "tenantIds"
    from console_passkey k where k.id = $1`,
}

export async function findPasskey(session: Session, id: string): Promise<FoundPasskey | undefined> {
  return (await session.run<FoundPasskey>(FIND, [id]))[0]
}

const ADD: Statement = {
  name: 'console-add-passkey',
  text: `insert into console_passkey (id, person_id, public_key, counter, transports, name) values ($1, $2, $3, $4, $5, $6)`,
}

interface NewPasskey {
  readonly id: string
  readonly personId: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
}

export function addPasskey(tx: Transaction, { id, personId, publicKey, counter, transports, name }: NewPasskey): void {
  tx.write(ADD, [id, personId, Buffer.from(publicKey), counter, transports, name])
}

const USE: Statement = {
  name: 'console-use-passkey',
  text: `update console_passkey set counter = $2, used_at = now()
    where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`,
}

/** False if another request used the same response: a copied authenticator, or a replay. */
export async function usePasskey(tx: Transaction, id: string, counter: number): Promise<boolean> {
  return (await tx.run(USE, [id, counter])).length > 0
}

const REMOVE: Statement = {
  name: 'console-remove-passkey',
  text: 'delete from console_passkey where id = $1 and person_id = $2 returning id',
}

export async function removePasskey(tx: Transaction, id: string, personId: string): Promise<boolean> {
  return (await tx.run(REMOVE, [id, personId])).length > 0
}

const PUT_CHALLENGE: Statement = { name: 'console-put-challenge', text: 'select console_challenge_put($1, $2, $3)' }

export async function putChallenge(session: Session, hash: Buffer, data: object, seconds: number): Promise<void> {
  await session.run(PUT_CHALLENGE, [hash, JSON.stringify(data), seconds])
}

const TAKE_CHALLENGE: Statement = {
  name: 'console-take-challenge',
  text: 'select console_challenge_take($1) as data',
}

/** @returns its data; undefined if it is unknown, used or expired */
export async function takeChallenge<Data>(session: Session, hash: Buffer): Promise<Data | undefined> {
  return (await session.run<{ data: Data | null }>(TAKE_CHALLENGE, [hash]))[0]?.data ?? undefined
}
