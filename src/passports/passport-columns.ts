import type { PassportPart } from '../domain/passport-part.ts'
import type { PassportStatus } from '../domain/view.ts'
import { yieldFor } from '../domain/yielding.ts'
import type { Facility } from '../facilities/entities.ts'
import type { Operator } from '../operators/entities.ts'
import type { Row } from '../storage/row.ts'
import { iso } from '../storage/statement.ts'
import type { Passport, Seal } from './entities.ts'

/** All data visible to readers. Timestamps are ISO 8601 in UTC. */
export interface PassportRow
  extends Row<
    Passport,
    | 'id'
    | 'tenantId'
    | 'operatorId'
    | 'productId'
    | 'status'
    | 'metadata'
    | 'enrichment'
    | 'version'
    | 'archivedAt'
    | 'retentionUntil'
    | 'createdAt'
    | 'updatedAt'
    | 'recall'
    | 'journey'
  > {
  readonly operator: Row<Operator, 'id' | 'name' | 'regId' | 'role' | 'contact'>
  /** Stored values of modules, by the name of their `PassportPart`. */
  readonly parts: Readonly<Record<string, unknown>>
  readonly facility: Row<
    Facility,
    'id' | 'gln' | 'name' | 'activity' | 'country' | 'streetAddress' | 'city' | 'postalCode'
  > | null
  readonly seal: Row<
    Seal,
    'merkleRoot' | 'signature' | 'publicKeyPem' | 'leaves' | 'createdAt' | 'x5c' | 'rfc3161' | 'subject'
  > | null
}

// Every column is text or a number, so that driver settings cannot change timestamps or JSON.
export const SEAL_COLUMNS = `s.merkle_root, s.signature, s.public_key_pem, s.leaves::text as leaves, s.x5c::text as x5c,
      s.rfc3161::text as rfc3161, s.subject::text as subject, ${iso('s.created_at')} as sealed_at`
export type Source = (column: string) => string
export const rowOf = (name: string): Source => {
  return (column) => (column === 'contact' ? `${name}.contact::text` : `${name}.${column}`)
}
/** Members hidden from the public were not stored and are null. */
export function memberOf(document: string, names: Readonly<Record<string, string>>): Source {
  return (column) => {
    if (column === 'id') return `(${document} ->> 'id')::uuid`
    const name = names[column]
    return name === undefined ? 'null' : `${document} ->> '${name}'`
  }
}
const FACILITY_COLUMNS = ['activity', 'country', 'street_address', 'city', 'postal_code']
export const masterColumns = (
  operator: Source,
  facility: Source,
  between: string,
) => `${operator('name')} as operator_name,
      ${operator('reg_id')} as operator_reg_id, ${operator('role')} as operator_role,
      ${operator('contact')} as operator_contact, ${between},
      ${facility('id')} as facility_id, ${facility('gln')} as gln, ${facility('name')} as facility_name,
      ${FACILITY_COLUMNS.map((column) => `${facility(column)} as ${column}`).join(', ')}`
export const currentColumns = (operator: Source, facility: Source, parts: string) =>
  `p.id, p.tenant_id, p.operator_id, p.product_id, p.status, p.version,
      p.metadata::text as metadata, p.enrichment::text as enrichment,
      ${iso('p.archived_at')} as archived_at, ${iso('p.retention_until')} as retention_until,
      ${iso('p.created_at')} as created_at, ${iso('p.updated_at')} as updated_at,
      ${masterColumns(operator, facility, `p.recall::text as recall, ${parts} as parts, p.journey::text as journey`)},
      ${SEAL_COLUMNS}`
export const CURRENT_JOINS = `join operator o on o.id = p.operator_id
      left join facility f on f.id = p.facility_id
      left join seal s on s.id = p.seal_id`

type Parts = ReadonlyMap<string, Pick<PassportPart<unknown>, 'column' | 'isInVersions'>>

/** Columns of all parts as one JSON object. @param earlier true for an earlier version */
export function partsColumn(parts: Parts, earlier = false): string {
  const read = [...parts].filter(([, { isInVersions = false }]) => !earlier || isInVersions)
  if (read.length === 0) return 'null'
  return `json_build_object(${read.map(([name, { column }]) => `'${name}', ${column}`).join(', ')})::text`
}

export interface RawRow {
  id: string
  tenant_id: string
  operator_id: string
  product_id: string
  status: PassportStatus
  version: number
  metadata: string
  enrichment: string | null
  archived_at: string | null
  retention_until: string | null
  created_at: string
  updated_at: string
  operator_name: string
  operator_reg_id: string
  operator_role: string
  operator_contact: string | null
  recall: string | null
  parts: string | null
  journey: string | null
  facility_id: string | null
  gln: string
  facility_name: string
  activity: string | null
  country: string
  street_address: string | null
  city: string | null
  postal_code: string | null
  merkle_root: string | null
  signature: string
  public_key_pem: string
  leaves: string
  x5c: string | null
  rfc3161: string | null
  subject: string | null
  sealed_at: string
}

async function parseYielding<T>(json: string): Promise<T> {
  await yieldFor(json)
  return JSON.parse(json)
}

export async function toRow(row: RawRow): Promise<PassportRow> {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    operatorId: row.operator_id,
    productId: row.product_id,
    status: row.status,
    version: row.version,
    metadata: await parseYielding(row.metadata),
    enrichment: parsed(row.enrichment),
    archivedAt: row.archived_at,
    retentionUntil: row.retention_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    operator: {
      id: row.operator_id,
      name: row.operator_name,
      regId: row.operator_reg_id,
      role: row.operator_role,
      contact: parsed(row.operator_contact),
    },
    recall: parsed(row.recall),
    parts: parsed(row.parts) ?? {},
    journey: parsed(row.journey),
    facility:
      row.facility_id === null
        ? null
        : {
            id: row.facility_id,
            gln: row.gln,
            name: row.facility_name,
            activity: row.activity,
            country: row.country,
            streetAddress: row.street_address,
            city: row.city,
            postalCode: row.postal_code,
          },
    seal:
      row.merkle_root === null
        ? null
        : {
            merkleRoot: row.merkle_root,
            signature: row.signature,
            publicKeyPem: row.public_key_pem,
            leaves: await parseYielding(row.leaves),
            createdAt: row.sealed_at,
            x5c: parsed(row.x5c),
            rfc3161: parsed(row.rfc3161),
            subject: parsed(row.subject),
          },
  }
}

export const parsed = <T>(json: string | null): T | null => (json === null ? null : JSON.parse(json))
