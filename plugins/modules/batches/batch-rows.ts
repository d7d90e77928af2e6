import {
  expectUnclaimed,
  findPassportOfUnits,
  holdPassportOfUnits,
  iso,
  PASSPORT_BY_NAME,
  PASSPORT_ORDER,
  type PassportName,
  type PassportOfUnits,
  type Row,
  type Session,
  type Statement,
  type Transaction,
  valuesOfPassportName,
} from '../../../src/plugin/module.ts'
import type { ProductBatch } from './entities.ts'

export type BatchRow = Row<
  ProductBatch,
  'id' | 'tenantId' | 'passportId' | 'operatorId' | 'batchNumber' | 'manufacturedAt' | 'metadata' | 'createdAt'
>

const COLUMNS = `b.id, b.tenant_id as "tenantId", b.passport_id as "passportId", b.operator_id as "operatorId",
  b.batch_number as "batchNumber", ${iso('b.manufactured_at')} as "manufacturedAt", b.metadata::text as metadata,
  ${iso('b.created_at')} as "createdAt"`

type AsText = Omit<BatchRow, 'metadata'> & { readonly metadata: string }

const rowOf = ({ metadata, ...row }: AsText): BatchRow => ({ ...row, metadata: JSON.parse(metadata) })

const FIND: Statement = { name: 'find-batch', text: `select ${COLUMNS} from product_batch b where b.id = $1` }

export async function loadBatch(session: Session, id: string): Promise<BatchRow | undefined> {
  const [row] = await session.run<AsText>(FIND, [id])
  return row && rowOf(row)
}

const OF_UNIT: Statement = {
  name: 'batch-of-unit',
  text: `select b.id, b.batch_number as "batchNumber", p.product_id as "productId" from battery_unit u
    join product_batch b on b.passport_id = u.passport_id and b.batch_number = u.batch_number
    join passport p on p.id = b.passport_id where u.id = $1`,
}

interface BatchOfUnit extends Pick<BatchRow, 'id' | 'batchNumber'> {
  readonly productId: string
}

export async function loadBatchOfUnit(session: Session, unitId: string): Promise<BatchOfUnit | undefined> {
  const [row] = await session.run<BatchOfUnit>(OF_UNIT, [unitId])
  return row
}

const METADATA: Statement = {
  name: 'metadata-of-batches',
  text: `select p.id, p.metadata::text as metadata from ${PASSPORT_BY_NAME} and p.tenant_id = app_tenant() ${PASSPORT_ORDER} limit 3`,
}
const NUMBERS: Statement = {
  name: 'numbers-of-batches',
  text: `select b.passport_id as "passportId", b.batch_number as "batchNumber" from product_batch b
    where b.passport_id = any(array(select p.id from ${PASSPORT_BY_NAME} and p.tenant_id = app_tenant()))
      and b.batch_number = any($3::text[])`,
}

/** Locks matching passports of the workspace. */
export async function readBatchGround(tx: Transaction, name: PassportName, batchNumbers: readonly string[]) {
  const [passports, stated, taken] = await Promise.all([
    holdPassportOfUnits(tx, name),
    tx.run<{ id: string; metadata: string }>(METADATA, valuesOfPassportName(name)),
    tx.run<Pick<BatchRow, 'passportId' | 'batchNumber'>>(NUMBERS, [name.id, name.productId, batchNumbers]),
  ])
  return { passports, stated: new Map(stated.map(({ id, metadata }) => [id, metadata])), taken }
}

const INSERT: Statement = {
  name: 'insert-batches',
  text: `insert into product_batch (id, tenant_id, passport_id, operator_id, batch_number, manufactured_at, metadata, created_at)
    select r.id, app_tenant(), $1, $2, r.batch_number, r.manufactured_at, r.metadata, $3
    from unnest($4::uuid[], $5::text[], $6::timestamptz[], $7::json[]) as r (id, batch_number, manufactured_at, metadata)`,
}

/** Fails with `23505` if a number is taken, or as {@link expectUnclaimed}. */
export function insertBatches(tx: Transaction, batches: readonly BatchRow[]): void {
  const [first] = batches
  if (first === undefined) return
  // Fixed order, against deadlocks.
  const sorted = batches.toSorted((a, b) => (a.batchNumber < b.batchNumber ? -1 : 1))
  expectUnclaimed(tx, first.passportId)
  tx.write(INSERT, [
    first.passportId,
    first.operatorId,
    first.createdAt,
    sorted.map(({ id }) => id),
    sorted.map(({ batchNumber }) => batchNumber),
    sorted.map(({ manufacturedAt }) => manufacturedAt),
    sorted.map(({ metadata }) => JSON.stringify(metadata)),
  ])
}

const LIST: Statement = {
  name: 'list-batches',
  text: `select ${COLUMNS} from product_batch b
    where b.passport_id = (select p.id from ${PASSPORT_BY_NAME} ${PASSPORT_ORDER} limit 1)
    order by b.created_at desc, b.id limit $4 offset $5`,
}
const COUNT: Statement = {
  name: 'count-batches',
  text: `select count(*)::int as total from product_batch b
    where b.passport_id = (select p.id from ${PASSPORT_BY_NAME} ${PASSPORT_ORDER} limit 1)`,
}

/** Batches are of the first matching passport, newest first. */
export async function listBatches(
  session: Session,
  name: PassportName,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ passports: PassportOfUnits[]; batches: BatchRow[]; total: number }> {
  const [passports, rows, [counted]] = await Promise.all([
    findPassportOfUnits(session, name),
    session.run<AsText>(LIST, [...valuesOfPassportName(name), limit, (page - 1) * limit]),
    session.run<{ total: number }>(COUNT, valuesOfPassportName(name)),
  ])
  return { passports, batches: rows.map(rowOf), total: counted?.total ?? 0 }
}

// Serializing a unit locks its passport, so no unit can reference the batch meanwhile.
const HOLD: Statement = {
  name: 'hold-batch',
  text: `select b.id, b.operator_id as "operatorId", b.passport_id as "passportId", b.batch_number as "batchNumber",
      p.product_id as "productId"
    from product_batch b join passport p on p.id = b.passport_id
    where b.id = $1 and b.tenant_id = app_tenant() for update of p`,
}
const IS_NAMED: Statement = {
  name: 'is-batch-named',
  text: `select exists (
      select from battery_unit u join product_batch b on b.passport_id = u.passport_id and b.batch_number = u.batch_number
      where b.id = $1) as "isNamed"`,
}
const DELETE: Statement = { name: 'delete-batch', text: 'delete from product_batch where id = $1' }

interface HeldBatch extends Pick<BatchRow, 'id' | 'operatorId' | 'passportId' | 'batchNumber'> {
  readonly productId: string
  readonly isNamed: boolean
}

export async function holdBatch(tx: Transaction, id: string): Promise<HeldBatch | undefined> {
  const [[batch], [named]] = await Promise.all([
    tx.run<Omit<HeldBatch, 'isNamed'>>(HOLD, [id]),
    // Only a statement that begins after the lock sees units serialized before.
    tx.run<{ isNamed: boolean }>(IS_NAMED, [id]),
  ])
  return batch && { ...batch, isNamed: named?.isNamed === true }
}

export const deleteBatch = (tx: Transaction, id: string): void => tx.write(DELETE, [id])
