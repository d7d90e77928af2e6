import type { ModuleTransaction } from '../../../src/plugin/index.ts'
import { iso, type Row, type Session, type Statement } from '../../../src/plugin/module.ts'
import type { Registration } from './entities.ts'
import type { StoredRegistration } from './passport-part.ts'
import type { ProofType, RegistryEntry } from './registry-entry.ts'

type RegistrationRow = StoredRegistration & Row<Registration, 'state' | 'reason' | 'requestedAt' | 'entry'>

export interface RegistrationFacts {
  readonly regIdScheme: string | null
  readonly schemaVersion: string | null
  readonly version: number
  readonly registration: RegistrationRow | null
}

interface RawFacts extends StoredRegistration, Pick<RegistrationFacts, 'regIdScheme' | 'schemaVersion'> {
  readonly id: string
  readonly presentVersion: number
  readonly state: RegistrationRow['state'] | null
  readonly reason: string | null
  readonly requestedAt: string
  readonly entry: string | null
}

const FACTS: Statement = {
  name: 'registration-facts',
  text: `with subject as (
      select p.id, p.id as passport_id from passport p where p.id = any ($1::uuid[])
      union all
      select u.id, u.passport_id from battery_unit u where u.id = any ($1::uuid[])
    )
    select s.id, o.reg_id_scheme as "regIdScheme", p.schema_version as "schemaVersion",
      coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0) + 1 as "presentVersion",
      r.state, r.reason, ${iso('r.requested_at')} as "requestedAt", r.entry::text as entry, r.registry, r.identifier,
      ${iso('r.registered_at')} as "registeredAt", r.version, r.hash, r.proof_type is not null as "hasProof"
    from subject s
      join passport p on p.id = s.passport_id
      join operator o on o.id = p.operator_id
      left join registration r on r.subject_id = s.id`,
}

export async function registrationFacts(
  session: Session,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RegistrationFacts>> {
  const rows = await session.run<RawFacts>(FACTS, [ids])
  return new Map(
    rows.map(({ id, regIdScheme, schemaVersion, presentVersion, state, entry, ...registration }) => [
      id,
      {
        regIdScheme,
        schemaVersion,
        version: presentVersion,
        registration:
          state === null ? null : { ...registration, state, entry: entry === null ? null : JSON.parse(entry) },
      },
    ]),
  )
}

const HOLD_PASSPORT: Statement = {
  name: 'hold-passport-of-unit',
  text: `select 1 from passport p
    where p.id = (select u.passport_id from battery_unit u where u.id = $1 and u.tenant_id = app_tenant()) for update of p`,
}

const HOLD_UNIT: Statement = {
  name: 'hold-unit-to-register',
  text: 'select 1 from battery_unit u where u.id = $1 and u.tenant_id = app_tenant() for no key update',
}

/** Passports are locked before their units. */
export function holdUnit(tx: ModuleTransaction, unitId: string): void {
  tx.write(HOLD_PASSPORT, [unitId])
  tx.write(HOLD_UNIT, [unitId])
}

const REQUEST: Statement = {
  name: 'request-registration',
  text: `insert into registration (subject_id, passport_id, unit_id, tenant_id, requested_at)
    values (coalesce($2::uuid, $1::uuid), $1, $2, app_tenant(), $3)
    on conflict (subject_id) do update set state = 'PENDING', reason = null, requested_at = excluded.requested_at`,
}

export function requestRegistration(
  tx: ModuleTransaction,
  { passportId, unitId }: { readonly passportId: string; readonly unitId: string | null },
  at: string,
): void {
  tx.write(REQUEST, [passportId, unitId, at])
}

const PUT_OFF: Statement = {
  name: 'put-off-registration',
  text: 'update registration set state = $2, reason = $3 where subject_id = $1 and tenant_id = app_tenant()',
}

export function putOffRegistration(
  tx: ModuleTransaction,
  subjectId: string,
  { state, reason }: { readonly state: 'PENDING' | 'FAILED'; readonly reason: string },
): void {
  tx.write(PUT_OFF, [subjectId, state, reason])
}

interface Registered {
  readonly registry: string
  readonly identifier: string
  readonly registeredAt: string
  readonly version: number
  readonly hash: string
  readonly entry: RegistryEntry
  readonly proof: { readonly type: ProofType; readonly bytes: Buffer } | undefined
  /** Null if there is nothing to report. */
  readonly reason: string | null
}

const COMPLETE: Statement = {
  name: 'complete-registration',
  text: `update registration set state = 'REGISTERED', reason = $10, registry = $2, identifier = $3, registered_at = $4,
      version = $5, hash = $6, entry = $7,
      proof_type = case when $8::text is null and identifier = $3 then proof_type else $8 end,
      proof = case when $8::text is null and identifier = $3 then proof else $9 end
    where subject_id = $1 and tenant_id = app_tenant()`,
}

/** Retains an earlier proof under the same identifier if the response has no proof. */
export function completeRegistration(tx: ModuleTransaction, subjectId: string, registered: Registered): void {
  const { registry, identifier, registeredAt, version, hash, entry, proof, reason } = registered
  const values = [registry, identifier, registeredAt, version, hash, JSON.stringify(entry)]
  tx.write(COMPLETE, [subjectId, ...values, proof?.type ?? null, proof?.bytes ?? null, reason])
}

const UNITS: Statement = {
  name: 'registered-units',
  text: `select unit_id as id from registration
    where passport_id = $1 and unit_id > $2 and tenant_id = app_tenant() order by unit_id limit 1000`,
}
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Returns at most 1,000, ordered by id. */
export async function registeredUnitsOf(session: Session, passportId: string, after = BEFORE_ALL): Promise<string[]> {
  const rows = await session.run<{ id: string }>(UNITS, [passportId, after])
  return rows.map(({ id }) => id)
}

const AMONG: Statement = {
  name: 'registered-among',
  text: 'select subject_id as id from registration where subject_id = any ($1::uuid[]) and tenant_id = app_tenant()',
}

export async function registeredAmong(session: Session, ids: readonly string[]): Promise<string[]> {
  const rows = await session.run<{ id: string }>(AMONG, [ids])
  return rows.map(({ id }) => id)
}

const OF_FACILITIES: Statement = {
  name: 'registered-of-facilities',
  text: `select distinct r.passport_id as id from registration r join passport p on p.id = r.passport_id
    where p.facility_id = any ($1::uuid[]) and r.tenant_id = app_tenant()`,
}

/** Returns passports. */
export async function registeredOfFacilities(tx: ModuleTransaction, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.run<{ id: string }>(OF_FACILITIES, [ids])
  return rows.map(({ id }) => id)
}

const PROOF: Statement = {
  name: 'registration-proof',
  text: `select proof_type as type, proof as bytes from registration
    where subject_id = $1 and (unit_id is not null) = $2 and proof is not null`,
}

export async function findRegistrationProof(
  lookup: Session,
  kind: 'passport' | 'unit',
  id: string,
): Promise<{ type: ProofType; bytes: Buffer } | undefined> {
  const [row] = await lookup.run<{ type: ProofType; bytes: Buffer }>(PROOF, [id, kind === 'unit'])
  return row
}

const FAILED: Statement = {
  name: 'failed-registrations',
  text: `select p.id as "passportId", p.product_id as "productId", r.unit_id as "unitId", r.reason
    from registration r join passport p on p.id = r.passport_id
    where r.tenant_id = app_tenant() and r.state = 'FAILED' and ($1::uuid is null or p.operator_id = $1)
    order by r.requested_at desc, r.subject_id limit $2`,
}

export interface FailedRegistration {
  readonly passportId: string
  readonly productId: string
  /** Null for a registration of the passport. */
  readonly unitId: string | null
  readonly reason: string | null
}

export function failedRegistrations(
  session: Session,
  operatorId: string | null,
  limit: number,
): Promise<FailedRegistration[]> {
  return session.run(FAILED, [operatorId, limit])
}
