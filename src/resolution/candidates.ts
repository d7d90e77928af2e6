import type { LevelRecord, ProductLevel } from '../domain/product-level.ts'
import type { UnitStatus } from '../domain/unit.ts'
import type { PassportStatus } from '../domain/view.ts'
import { boundTo, IS_BOUND } from '../operators/bindings.ts'
import type { Database } from '../storage/database.ts'
import { iso, type Session, type Statement } from '../storage/statement.ts'

export interface Candidate {
  readonly id: string
  readonly tenantId: string
  readonly operatorId: string
  readonly status: PassportStatus
  readonly version: number
  readonly category: string | null
  /** Absent if the passport itself is meant. */
  readonly unit?: UnitCandidate
  readonly record?: LevelRecord
}

interface UnitCandidate {
  readonly id: string
  readonly version: number
  readonly productId: string
  readonly serialNumber: string
  readonly status: UnitStatus
  readonly ceasedAt: string | null
}

export const CANDIDATE_COLUMNS = `p.id, p.tenant_id as "tenantId", p.operator_id as "operatorId", p.status, p.version, p.category`

/** Metadata key used if no product id matches. */
export type KeyName = 'gtin' | 'grai'

export interface Match extends Candidate {
  /** True if matched by metadata, not by product id. */
  readonly isNamed: boolean
  /** True for the GS1 prefix holder, or an operator that it acts for. */
  readonly isClaimed: boolean
  readonly isSealed: boolean
  readonly unitId: string | null
}

const MAX_MATCHES = 50

// Drafts are visible only to workspaces that act for their operator.
const VISIBLE = `(p.status <> 'DRAFT' or p.tenant_id = $2
  or ${boundTo('p.operator_id', '$2')})`

const MATCH = `${CANDIDATE_COLUMNS}, p.seal_id is not null as "isSealed", p.created_at`

const CLAIMED = `coalesce(h.holder = m."tenantId" or ${boundTo('m."operatorId"', 'h.holder')}, false)`

/** Column with the id of the unit or record that has the qualifier `$3`. */
interface Qualified {
  readonly name: 'unitId' | 'recordId'
  readonly id: string
}

const qualifiedBy = (name: Qualified['name'], table: string, column: string): Qualified => ({
  name,
  id: `(select q.id from ${table} q where q.passport_id = p.id and q.${column} = $3)`,
})
const UNQUALIFIED: Qualified = { name: 'unitId', id: 'null::uuid' }

// Passports with the requested unit or record come first, so the limit never hides them.
const candidatesBy = (named: KeyName | undefined, { name, id }: Qualified = UNQUALIFIED) => `
  with own as materialized (
      select ${MATCH}, false as "isNamed", ${id} as "${name}" from passport p where p.product_id = $1 and ${VISIBLE}
    ),
    match as (
      select * from own
      ${
        named === undefined
          ? ''
          : `union all select ${MATCH}, true, ${id} from passport p
             where p.${named} = $1 and p.product_id <> $1 and ${VISIBLE} and not exists (select 1 from own where status <> 'DRAFT')`
      }
    ),
    holder as (
      select nearest.tenant_id as holder from (
        select c.prefix, c.tenant_id from company_prefix c where c.prefix <= substr($1, 2, 12) order by c.prefix desc limit 1
      ) as nearest where starts_with(substr($1, 2), nearest.prefix)
    ),
    ordered as (
      select m.*, ${CLAIMED} as "isClaimed", row_number() over (
        partition by m."${name}" is null, m."isNamed", m.status = 'DRAFT', m."tenantId"
        order by not m."isSealed", m.created_at, m.id
      ) as turn
      from match m left join holder h on true
    ),
    told as (
      select * from ordered m
      order by m."${name}" is null, "isNamed", status = 'DRAFT', "isClaimed" desc, turn, "isSealed" desc, created_at, id
      limit ${MAX_MATCHES}
    )
  select id, "tenantId", "operatorId", status, version, category, "isNamed", "isClaimed", "isSealed", "${name}" from told
  order by "isNamed", status = 'DRAFT', "isClaimed" desc, "isSealed" desc, created_at, id`

const BY_ID: Statement = {
  name: 'candidate-by-id',
  text: `select ${CANDIDATE_COLUMNS} from passport p where p.id = $1`,
}

/** Includes drafts. */
export async function candidateById(database: Database, id: string): Promise<Candidate | undefined> {
  const [row] = await database.batchedLookup.run<Candidate>(BY_ID, [id])
  return row
}

const DELETED: Statement = {
  name: 'deleted-candidate-by-id',
  text: `select p.id, p.tenant_id as "tenantId", p.operator_id as "operatorId", 'DRAFT' as status, 0 as version, p.category
    from deleted_passport p where p.id = $1`,
}

/** Finds a deleted passport with archived versions, as a draft. */
export async function deletedCandidateById(session: Session, id: string): Promise<Candidate | undefined> {
  const [row] = await session.run<Candidate>(DELETED, [id])
  return row
}

const BY_UNIT_ID: Statement = {
  name: 'candidate-by-unit-id',
  text: `select ${CANDIDATE_COLUMNS}, json_build_object('id', u.id, 'version', u.version, 'productId', p.product_id,
      'serialNumber', u.serial_number, 'status', u.status, 'ceasedAt', ${iso('u.ceased_at')})::text as unit
    from battery_unit u join passport p on p.id = u.passport_id where u.id = $1`,
}

/** Includes units of drafts. */
export async function unitCandidateById(database: Database, id: string): Promise<Candidate | undefined> {
  const [row] = await database.batchedLookup.run<Candidate & { readonly unit: string }>(BY_UNIT_ID, [id])
  return row && { ...row, unit: JSON.parse(row.unit) }
}

const BY_KEY: Readonly<Record<KeyName | 'product', Statement>> = {
  product: { name: 'candidates-by-product', text: candidatesBy(undefined) },
  gtin: { name: 'candidates-by-gtin', text: candidatesBy('gtin') },
  grai: { name: 'candidates-by-grai', text: candidatesBy('grai') },
}

/**
 * Returns passports with this product id or, if absent, with it in their metadata, which any workspace can set. Order: GS1 prefix holder,
 * sealed, older. Beyond {@link MAX_MATCHES} workspaces alternate, so that they cannot hide each other's passports. Drafts must be visible
 * to `tenantId`.
 */
export const candidatesByKey = (
  database: Database,
  value: string,
  named: KeyName | undefined,
  tenantId: string | null,
): Promise<Match[]> => database.batchedLookup.run(BY_KEY[named ?? 'product'], [value, tenantId])

const BY_SERIAL: Statement = {
  name: 'candidates-by-serial',
  text: candidatesBy(undefined, qualifiedBy('unitId', 'battery_unit', 'serial_number')),
}

export const candidatesBySerial = (
  database: Database,
  productId: string,
  serial: string,
  tenantId: string | null,
): Promise<Match[]> => database.batchedLookup.run(BY_SERIAL, [productId, tenantId, serial])

/** Finds records of a level, including those of drafts. */
export function recordCandidates({ name: level, table, column }: ProductLevel) {
  const byId: Statement = {
    name: `candidate-by-${level}-id`,
    text: `select ${CANDIDATE_COLUMNS} from ${table} r join passport p on p.id = r.passport_id where r.id = $1`,
  }
  const byQualifier: Statement = {
    name: `candidates-by-${level}`,
    text: candidatesBy('gtin', qualifiedBy('recordId', table, column)),
  }
  const recordOf = (id: string): LevelRecord => ({ level, id })
  return {
    async byId({ batchedLookup }: Database, id: string): Promise<Candidate | undefined> {
      const [passport] = await batchedLookup.run<Candidate>(byId, [id])
      return passport && { ...passport, record: recordOf(id) }
    },
    async byQualifier(
      { batchedLookup }: Database,
      gtin: string,
      value: string,
      tenantId: string | null,
    ): Promise<Match[]> {
      const rows = await batchedLookup.run<Match & { readonly recordId: string | null }>(byQualifier, [
        gtin,
        tenantId,
        value,
      ])
      return rows.map(({ recordId, ...match }) => ({
        ...match,
        unitId: null,
        record: recordId === null ? undefined : recordOf(recordId),
      }))
    },
  }
}

/** Usable before a transaction sets the workspace. */
export async function isBoundTo(database: Database, operatorId: string, tenantId: string): Promise<boolean> {
  const [row] = await database.lookup.run<{ isBound: boolean }>(IS_BOUND, [operatorId, tenantId])
  return row?.isBound === true
}
