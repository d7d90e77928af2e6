import type { ProofType, RegistryEntry } from '../domain/registry.ts'
import { iso, type Session, type Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A registration as its owner sees it, and what the registry was told last. */
interface RegistrationRow {
  readonly state: 'PENDING' | 'REGISTERED' | 'FAILED'
  readonly reason: string | null
  readonly requestedAt: string
  readonly entry: RegistryEntry | null
}

/** What a registration needs to know of a passport beside the passport. */
export interface RegistrationFacts {
  readonly regIdScheme: string | null
  /** The present version, as the history counts. */
  readonly version: number
  readonly registration: RegistrationRow | null
}

interface RawFacts {
  readonly id: string
  readonly regIdScheme: string | null
  readonly version: number
  readonly state: RegistrationRow['state'] | null
  readonly reason: string | null
  readonly requestedAt: string
  readonly entry: string | null
}

const FACTS: Statement = {
  name: 'registration-facts',
  text: `select p.id, o.reg_id_scheme as "regIdScheme",
      coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0) + 1 as version,
      r.state, r.reason, ${iso('r.requested_at')} as "requestedAt", r.entry::text as entry
    from passport p
      join operator o on o.id = p.operator_id
      left join registration r on r.passport_id = p.id
    where p.id = any ($1::uuid[])`,
}

/** What is known of each of these passports, by id. */
export async function registrationFacts(
  session: Session,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RegistrationFacts>> {
  const rows = await session.run<RawFacts>(FACTS, [ids])
  return new Map(
    rows.map(({ id, regIdScheme, version, state, reason, requestedAt, entry }) => [
      id,
      {
        regIdScheme,
        version,
        registration:
          state === null ? null : { state, reason, requestedAt, entry: entry === null ? null : JSON.parse(entry) },
      },
    ]),
  )
}

const REQUEST: Statement = {
  name: 'request-registration',
  text: `insert into registration (passport_id, tenant_id, requested_at) values ($1, app_tenant(), $2)
    on conflict (passport_id) do update set state = 'PENDING', reason = null, requested_at = excluded.requested_at`,
}

/** Keeps that a passport is to be registered, or again. */
export function requestRegistration(tx: Transaction, passportId: string, at: string): void {
  tx.write(REQUEST, [passportId, at])
}

const PUT_OFF: Statement = {
  name: 'put-off-registration',
  text: 'update registration set state = $2, reason = $3 where passport_id = $1 and tenant_id = app_tenant()',
}

/** Keeps why a registry has not been told: it is tried again, or it has failed. */
export function putOffRegistration(
  tx: Transaction,
  passportId: string,
  { state, reason }: { readonly state: 'PENDING' | 'FAILED'; readonly reason: string },
): void {
  tx.write(PUT_OFF, [passportId, state, reason])
}

/** What a registry has answered, and what it was told. */
interface Registered {
  readonly registry: string
  readonly identifier: string
  readonly registeredAt: string
  readonly version: number
  readonly hash: string
  readonly entry: RegistryEntry
  readonly proof: { readonly type: ProofType; readonly bytes: Buffer } | undefined
}

const COMPLETE: Statement = {
  name: 'complete-registration',
  text: `update registration set state = 'REGISTERED', reason = null, registry = $2, identifier = $3, registered_at = $4,
      version = $5, hash = $6, entry = $7,
      proof_type = case when $8::text is null and identifier = $3 then proof_type else $8 end,
      proof = case when $8::text is null and identifier = $3 then proof else $9 end
    where passport_id = $1 and tenant_id = app_tenant()`,
}

/** Keeps what a registry has answered. A proof that it gave before under the same identifier stays where it gives none. */
export function completeRegistration(tx: Transaction, passportId: string, registered: Registered): void {
  const { registry, identifier, registeredAt, version, hash, entry, proof } = registered
  const values = [registry, identifier, registeredAt, version, hash, JSON.stringify(entry)]
  tx.write(COMPLETE, [passportId, ...values, proof?.type ?? null, proof?.bytes ?? null])
}

const PROOF: Statement = {
  name: 'registration-proof',
  text: 'select proof_type as type, proof as bytes from registration where passport_id = $1 and proof is not null',
}

/** The proof of registration of a published passport, or undefined. */
export async function findRegistrationProof(
  lookup: Session,
  passportId: string,
): Promise<{ type: ProofType; bytes: Buffer } | undefined> {
  const [row] = await lookup.run<{ type: ProofType; bytes: Buffer }>(PROOF, [passportId])
  return row
}
