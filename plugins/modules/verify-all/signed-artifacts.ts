import type { Metadata } from '../../../src/plugin/index.ts'
import {
  type Database,
  iso,
  placeIn,
  type SealedLeaf,
  type SealSubject,
  type Session,
  type Statement,
} from '../../../src/plugin/module.ts'

export interface SealArtifact {
  readonly id: string
  readonly passportId: string
  readonly productId: string
  readonly operator: { readonly id: string; readonly regId: string }
  /** Null if the seal was replaced before it was shown. */
  readonly metadata: Metadata | null
  /** True if the workspace has, or had, the key. */
  readonly isOwnKey: boolean
  readonly merkleRoot: string
  readonly signature: string
  readonly publicKeyPem: string
  readonly leaves: Readonly<Record<string, SealedLeaf>>
  /** Null for seals of an earlier kind, which no longer verify. */
  readonly subject: SealSubject | null
  readonly created: string
  readonly x5c: readonly string[] | null
  readonly rfc3161: { genTime: string | null; token: string } | null
}

const SEALS: Statement = {
  name: 'kept-seals-of-all',
  text: `select s.id, s.passport_id as "passportId", p.product_id as "productId",
      json_build_object('id', o.id, 'regId', o.reg_id) as operator,
      case when p.seal_id = s.id then p.metadata else (
        select coalesce(w.metadata, p.metadata) from sealed_version v
          left join passport_version w on w.passport_id = v.passport_id and w.version = v.version
        where v.seal_id = s.id order by v.passport_version desc limit 1
      ) end as metadata,
      exists (select from tenant_key k where k.id = s.key_id and k.tenant_id = s.tenant_id
        and k.public_key_pem = s.public_key_pem) as "isOwnKey",
      s.merkle_root as "merkleRoot", s.signature, s.public_key_pem as "publicKeyPem", s.leaves, s.subject,
      ${iso('s.created_at')} as created, s.x5c, s.rfc3161
    from seal s join known_passport p on p.id = s.passport_id join operator o on o.id = s.operator_id
    where s.tenant_id = app_tenant() and s.id > $1 order by s.id limit $2`,
}

export const sealsAfter = (session: Session, after: string, limit: number): Promise<SealArtifact[]> =>
  session.run(SEALS, [after, limit])

interface CredentialArtifact {
  readonly subjectId: string
  readonly representation: string
  readonly version: number
  readonly tier: string
  readonly body: string
}

const signedOf = (table: string, subject: string, key: string, version: string): Statement => ({
  name: `kept-${table}`,
  text: `select r.${key} as "subjectId", r.representation, r.${version} as version, r.tier,
      coalesce(r.body, convert_from(r.bytes, 'UTF8')) as body
    from (
      select t.id from ${subject} t where t.tenant_id = app_tenant() and t.id > $1
        and exists (select from ${table} k where k.${key} = t.id and k.key_number > 0)
      order by t.id limit $2
    ) as t join ${table} r on r.${key} = t.id and r.key_number > 0 order by r.${key}`,
})
const SIGNED = [
  signedOf('rendition', 'passport', 'passport_id', 'version'),
  signedOf('unit_rendition', 'battery_unit', 'unit_id', 'unit_version'),
]

export async function* readCredentials(session: Session, atOnce: number): AsyncGenerator<CredentialArtifact> {
  for (const statement of SIGNED) {
    for (let after = FIRST; ; ) {
      const rows = await session.run<CredentialArtifact>(statement, [after, atOnce])
      yield* rows
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.subjectId
    }
  }
}

/** Sorts before every id. */
export const FIRST = '00000000-0000-0000-0000-000000000000'

const OFF_STATUS: Statement = {
  name: 'status-entries-off',
  text: `select e.index, e.subject_id as "subjectId", e.revoked from status_entry e
      left join passport p on p.id = e.subject_id left join battery_unit u on u.id = e.subject_id
    where e.tenant_id = $1 and e.revoked is distinct from coalesce(p.status <> 'ACTIVE', battery_unit_is_revoked(u.status), true)
    order by e.index limit $2`,
}

/** Returns places whose bit contradicts the subject's status. */
export const statusEntriesOff = (
  { lookup }: Database,
  tenantId: string,
  limit: number,
): Promise<{ readonly index: number; readonly subjectId: string; readonly revoked: boolean }[]> =>
  lookup.run(OFF_STATUS, [tenantId, limit])

const KEYS: Statement = {
  name: 'kept-keys',
  text: `select k.number, k.signer_key as "signerKey", k.public_key_pem as "publicKeyPem" from tenant_key k
    where k.tenant_id = app_tenant() order by k.number`,
}

export const readSigningKeys = (
  session: Session,
): Promise<{ readonly number: number; readonly signerKey: string; readonly publicKeyPem: string }[]> =>
  session.run(KEYS)

const REVOKED: Statement = {
  name: 'revoked-places',
  text: `select list, array_agg(index order by index) as revoked from status_entry
    where tenant_id = $1 and revoked group by list order by list`,
}

export async function revokedPlaces(
  session: Session,
  tenantId: string,
): Promise<{ readonly list: number; readonly revoked: readonly number[] }[]> {
  const rows = await session.run<{ list: number; revoked: number[] }>(REVOKED, [tenantId])
  return rows.map(({ list, revoked }) => ({ list, revoked: revoked.map((index) => placeIn(list, index)) }))
}
