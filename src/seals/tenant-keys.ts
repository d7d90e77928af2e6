import { hash, randomUUID } from 'node:crypto'
import { p256Spki } from '../domain/seal.ts'
import type { Database } from '../storage/database.ts'
import type { Row } from '../storage/row.ts'
import type { Session, Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import type { TenantKey as SealKey } from './entities.ts'

/** The signer holds the private key under `signerKey`. Numbers are never reused. */
export type TenantKey = Row<SealKey, 'id' | 'tenantId' | 'number' | 'signerKey' | 'publicKeyPem' | 'certificate'>

interface IssuingKey extends Pick<TenantKey, 'number' | 'signerKey' | 'certificate'> {
  readonly legalName: string
}

/** SHA-256 (hex) of the DER SubjectPublicKeyInfo, regardless of the PEM spelling. */
export const fingerprintOf = (spki: Buffer): string => hash('sha256', spki, 'hex')

const COLUMNS = `k.id, k.tenant_id as "tenantId", k.number, k.signer_key as "signerKey",
  k.public_key_pem as "publicKeyPem", k.certificate`

const CURRENT: Statement = {
  name: 'current-key',
  text: `select ${COLUMNS} from tenant_key k where k.tenant_id = app_tenant() and k.retired_at is null`,
}

export async function currentKey(session: Session): Promise<TenantKey | undefined> {
  const [key] = await session.run<TenantKey>(CURRENT)
  return key
}

const ISSUING: Statement = {
  name: 'issuing-key',
  text: `select k.number, k.signer_key as "signerKey", k.certificate, w.legal_name as "legalName"
    from tenant_key k join workspace w on w.id = k.tenant_id where k.tenant_id = app_tenant() and k.retired_at is null`,
}

export async function issuingKey(session: Session): Promise<IssuingKey | undefined> {
  const [key] = await session.run<IssuingKey>(ISSUING)
  return key
}

const ALL: Statement = {
  name: 'keys-of-workspace',
  text: `select k.id, k.public_key_pem as "publicKeyPem" from tenant_key k where k.tenant_id = app_tenant() order by k.number`,
}

/** Includes former keys. */
export const keysOfWorkspace = (session: Session): Promise<Pick<TenantKey, 'id' | 'publicKeyPem'>[]> => session.run(ALL)

const CURRENT_NUMBER: Statement = {
  name: 'current-key-number',
  text: 'select number from tenant_key where tenant_id = $1 and retired_at is null',
}

export async function currentKeyNumber(database: Database, tenantId: string): Promise<number | undefined> {
  const rows = await database.lookup.run<Pick<TenantKey, 'number'>>(CURRENT_NUMBER, [tenantId])
  return rows[0]?.number
}

const PUBLISHED: Statement = {
  name: 'published-keys',
  text: 'select number, public_key_pem as "publicKeyPem" from tenant_key where tenant_id = $1 order by number',
}

export async function publishedKeys(
  database: Database,
  tenantId: string,
): Promise<Pick<TenantKey, 'number' | 'publicKeyPem'>[]> {
  const rows = await database.lookup.run<Pick<TenantKey, 'number' | 'publicKeyPem'>>(PUBLISHED, [tenantId])
  return rows
}

const OWNER: Statement = {
  name: 'owner-of-key',
  text: `select tenant_id as "tenantId", (
      select json_object_agg(serial, extract(epoch from revoked_at) * 1000) from seal_revocation where fingerprint = $1) as revoked
    from tenant_key where fingerprint = $1`,
}

interface KeyOwner {
  readonly tenantId: string
  /** Revocation times by hexadecimal serial number. */
  readonly revoked: ReadonlyMap<string, Date>
}

/** Includes former owners. Accepts only canonical P-256 keys. */
export async function ownerOfKey(database: Database, publicKeyPem: string): Promise<KeyOwner | undefined> {
  const spki = p256Spki(publicKeyPem)
  if (spki === undefined) return undefined
  type Row = { readonly tenantId: string; readonly revoked: Readonly<Record<string, number>> | null }
  const [row] = await database.batchedLookup.run<Row>(OWNER, [fingerprintOf(spki)])
  if (row === undefined) return undefined
  const revoked = Object.entries(row.revoked ?? {}).map(([serial, at]) => [serial, new Date(at)] as const)
  return { tenantId: row.tenantId, revoked: new Map(revoked) }
}

const LOCK: Statement = {
  name: 'lock-keys',
  text: 'select 1 from workspace where id = app_tenant() for update',
}

/** Locks key creation; false without the workspace. */
export async function lockKeys(tx: Transaction): Promise<boolean> {
  return (await tx.run(LOCK)).length > 0
}

const MADE: Statement = {
  name: 'keys-made',
  text: `select count(k.id)::int as made, greatest(max(k.number), w.key_floor)::int + 1 as next
    from workspace w left join tenant_key k on k.tenant_id = w.id where w.id = app_tenant() group by w.key_floor`,
}

export async function keysMade(session: Session): Promise<{ readonly made: number; readonly next: number }> {
  const [keys] = await session.run<{ made: number; next: number }>(MADE)
  return keys ?? { made: 0, next: 1 }
}

const RETIRE: Statement = {
  name: 'retire-key',
  text: 'update tenant_key set retired_at = $1 where tenant_id = app_tenant() and retired_at is null',
}
const ADD: Statement = {
  name: 'add-key',
  text: `insert into tenant_key (id, tenant_id, number, signer_key, public_key_pem, fingerprint, certificate, created_at)
    values ($1, app_tenant(), $2, $3, $4, $5, $6, $7)`,
}

/** Requires {@link lockKeys}, so that numbers are consecutive. */
export function addKey(
  tx: Transaction,
  { number, signerKey, publicKeyPem, certificate }: Omit<TenantKey, 'id' | 'tenantId'>,
  spki: Buffer,
): void {
  const now = new Date().toISOString()
  tx.write(RETIRE, [now])
  tx.write(ADD, [randomUUID(), number, signerKey, publicKeyPem, fingerprintOf(spki), certificate, now])
}

const CERTIFICATES: Statement = {
  name: 'certificates-of-key',
  text: `select k.fingerprint, k.retired_at is null as "isCurrent", array(
      select k.certificate where k.certificate is not null
      union select s.x5c ->> 0 from seal s where s.key_id = k.id and s.tenant_id = app_tenant() and s.x5c is not null) as certificates
    from tenant_key k where k.tenant_id = app_tenant() and k.number = $1`,
}

/** Base64 of DER; includes certificates of its seals. */
export async function certificatesOfKey(session: Session, number: number): Promise<CertifiedKey | undefined> {
  const [key] = await session.run<CertifiedKey>(CERTIFICATES, [number])
  return key
}

interface CertifiedKey {
  readonly fingerprint: string
  readonly isCurrent: boolean
  readonly certificates: readonly string[]
}

const CERTIFY: Statement = { name: 'certify-key', text: 'update tenant_key set certificate = $2 where id = $1' }

export async function certifyKey(session: Session, id: string, certificate: string): Promise<void> {
  await session.run(CERTIFY, [id, certificate])
}
