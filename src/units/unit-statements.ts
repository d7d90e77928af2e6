import type { KeptCondition, UnitState, UnitStatus } from '../domain/unit.ts'
import type { Row } from '../storage/row.ts'
import { iso, type Session, type Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { expectUnclaimed } from '../workspaces/company-prefix-statements.ts'
import type { BatteryUnit } from './entities.ts'

export interface UnitRow
  extends Row<
    BatteryUnit,
    | 'id'
    | 'tenantId'
    | 'passportId'
    | 'operatorId'
    | 'serialNumber'
    | 'batchNumber'
    | 'manufacturedAt'
    | 'placedOnMarketAt'
    | 'status'
    | 'ceasedAt'
    | 'predecessorUnitId'
    | 'version'
    | 'createdAt'
    | 'updatedAt'
  > {
  /** Null before the first measurement. */
  readonly measured: UnitState | null
  readonly kept: KeptCondition
}

export type ListedUnit = Omit<UnitRow, 'measured' | 'kept'>

const COLUMNS = `u.id, u.tenant_id as "tenantId", u.passport_id as "passportId", u.operator_id as "operatorId",
  u.serial_number as "serialNumber", u.batch_number as "batchNumber", ${iso('u.manufactured_at')} as "manufacturedAt", ${iso('u.placed_on_market_at')} as "placedOnMarketAt", u.status,
  ${iso('u.ceased_at')} as "ceasedAt", u.predecessor_unit_id as "predecessorUnitId", u.version,
  ${iso('u.created_at')} as "createdAt", ${iso('u.updated_at')} as "updatedAt"`

const CONDITION_COLUMNS = `u.condition::text as condition, u.legal_status as "batteryStatus", u.status_changes::text as "statusChanges"`

type ConditionText = {
  readonly [Key in keyof KeptCondition]: KeptCondition[Key] extends string ? KeptCondition[Key] : string
}

const toCondition = ({ condition, batteryStatus, statusChanges }: ConditionText): KeptCondition => ({
  condition: JSON.parse(condition),
  batteryStatus,
  statusChanges: JSON.parse(statusChanges),
})

const FIND: Statement = {
  name: 'find-unit',
  text: `select ${COLUMNS}, ${CONDITION_COLUMNS}, u.state_of_health as "stateOfHealth", u.cycle_count::float8 as "cycleCount",
      u.remaining_capacity_ah as "remainingCapacityAh", u.temperature_c as "temperatureC",
      ${iso('u.measured_at')} as "recordedAt"
    from battery_unit u where u.id = $1`,
}

type Measured = { readonly [Key in keyof UnitState]: UnitState[Key] | null }

export async function loadUnit(session: Session, id: string): Promise<UnitRow | undefined> {
  const [row] = await session.run<ListedUnit & Measured & ConditionText>(FIND, [id])
  if (row === undefined) return undefined
  const { stateOfHealth, cycleCount, remainingCapacityAh, temperatureC, recordedAt, ...others } = row
  const { condition, batteryStatus, statusChanges, ...unit } = others
  const measures = { stateOfHealth, cycleCount, remainingCapacityAh, temperatureC }
  const kept = toCondition({ condition, batteryStatus, statusChanges })
  return { ...unit, kept, measured: recordedAt === null ? null : { ...measures, recordedAt } }
}

export interface PassportOfUnits {
  readonly id: string
  readonly operatorId: string
  readonly productId: string
  readonly isById: boolean
}

/** Product references prefer this operator. */
export interface PassportName {
  readonly id: string | null
  readonly productId: string
  readonly operatorId: string | null
}

export const valuesOfPassportName = ({ id, productId, operatorId }: PassportName) => [id, productId, operatorId]

/** Passports with an id or product id, for {@link valuesOfPassportName}. */
export const PASSPORT_BY_NAME = `passport p where (p.id = $1::uuid or p.product_id = $2)`
/** The id first, then operator `$3`. */
export const PASSPORT_ORDER = `order by p.id is not distinct from $1::uuid desc, p.operator_id is distinct from $3::uuid, p.created_at, p.id`
const PASSPORT_COLUMNS = `p.id, p.operator_id as "operatorId", p.product_id as "productId",
  p.id is not distinct from $1::uuid as "isById"`

const FIND_PASSPORT: Statement = {
  name: 'find-passport-of-units',
  text: `select ${PASSPORT_COLUMNS} from ${PASSPORT_BY_NAME} ${PASSPORT_ORDER} limit 3`,
}

/** Returns at most three, enough to detect ambiguity. */
export const findPassportOfUnits = (session: Session, name: PassportName): Promise<PassportOfUnits[]> =>
  session.run(FIND_PASSPORT, valuesOfPassportName(name))

// Deleting a draft locks it before its units, so no transaction holds its units and waits for it.
const HOLD_PASSPORT: Statement = {
  name: 'hold-passport-of-units',
  text: `select ${PASSPORT_COLUMNS} from ${PASSPORT_BY_NAME} and p.tenant_id = app_tenant() ${PASSPORT_ORDER} limit 3 for key share`,
}

/** Blocks deletion until the transaction ends. */
export const holdPassportOfUnits = (tx: Transaction, name: PassportName): Promise<PassportOfUnits[]> =>
  tx.run(HOLD_PASSPORT, valuesOfPassportName(name))

const SERIALS: Statement = {
  name: 'serials-of-units',
  text: `select u.passport_id as "passportId", u.serial_number as "serialNumber" from battery_unit u
    where u.passport_id = any(array(select p.id from ${PASSPORT_BY_NAME} and p.tenant_id = app_tenant()))
      and u.serial_number = any($3::text[])`,
}
const HOLD_PREDECESSORS: Statement = {
  name: 'hold-predecessors',
  text: `select u.id, u.operator_id as "operatorId", u.ceased_at is not null as "hasCeased", u.status,
      ${CONDITION_COLUMNS}
    from battery_unit u where u.id = any($1::uuid[]) and u.tenant_id = app_tenant() order by u.id for no key update`,
}

export interface Predecessor {
  readonly id: string
  readonly operatorId: string
  readonly hasCeased: boolean
  readonly status: UnitStatus
  readonly kept: KeptCondition
}

const takenSerials = (
  tx: Transaction,
  { id, productId }: Pick<PassportName, 'id' | 'productId'>,
  serialNumbers: readonly string[],
): Promise<{ passportId: string; serialNumber: string }[]> => tx.run(SERIALS, [id, productId, serialNumbers])

/** Locks matching passports and predecessors. */
export async function readGround(
  tx: Transaction,
  name: PassportName,
  serialNumbers: readonly string[],
  predecessorIds: readonly string[],
) {
  const [passports, taken, predecessors] = await Promise.all([
    holdPassportOfUnits(tx, name),
    takenSerials(tx, name, serialNumbers),
    predecessorIds.length === 0
      ? []
      : tx.run<Omit<Predecessor, 'kept'> & ConditionText>(HOLD_PREDECESSORS, [predecessorIds]),
  ])
  return { passports, taken, predecessors: predecessors.map((row) => ({ ...row, kept: toCondition(row) })) }
}

const INSERT: Statement = {
  name: 'insert-units',
  text: `insert into battery_unit (id, tenant_id, passport_id, operator_id, serial_number, manufactured_at, status, ceased_at,
      predecessor_unit_id, legal_status, created_at, updated_at, placed_on_market_at, batch_number)
    select r.id, app_tenant(), $1, $2, r.serial_number, r.manufactured_at, r.status, r.ceased_at, r.predecessor_id,
      r.legal_status, $3, $3, r.placed_on_market_at, r.batch_number
    from unnest($4::uuid[], $5::text[], $6::timestamptz[], $7::text[], $8::timestamptz[], $9::uuid[], $10::text[],
      $11::timestamptz[], $12::text[])
      as r (id, serial_number, manufactured_at, status, ceased_at, predecessor_id, legal_status, placed_on_market_at,
        batch_number)`,
}

export type NewUnit = ListedUnit & Pick<KeptCondition, 'batteryStatus'>

/** Fails with `23505` if a serial number is taken, or as {@link expectUnclaimed}. */
export function insertUnits(tx: Transaction, units: readonly NewUnit[]): void {
  const [first] = units
  if (first === undefined) return
  // Fixed order, against deadlocks.
  const sorted = units.toSorted((a, b) => (a.serialNumber < b.serialNumber ? -1 : 1))
  expectUnclaimed(tx, first.passportId)
  tx.write(INSERT, [
    first.passportId,
    first.operatorId,
    first.createdAt,
    sorted.map(({ id }) => id),
    sorted.map(({ serialNumber }) => serialNumber),
    sorted.map(({ manufacturedAt }) => manufacturedAt),
    sorted.map(({ status }) => status),
    sorted.map(({ ceasedAt }) => ceasedAt),
    sorted.map(({ predecessorUnitId }) => predecessorUnitId),
    sorted.map(({ batteryStatus }) => batteryStatus),
    sorted.map(({ placedOnMarketAt }) => placedOnMarketAt),
    sorted.map(({ batchNumber }) => batchNumber),
  ])
}

export interface Move {
  readonly id: string
  readonly status: UnitStatus
  /** Permanent, even if a concurrent status change supersedes this one. */
  readonly hasCeased: boolean
}

/** Forces lookups by id, which the planner would replace by a join. It cannot see the count, so it plans only once. */
const among = (ids: string) => `u.id = any(array(select id from unnest(${ids}::uuid[]) as id))`

/**
 * Changes of many units: the planner expects one, and would scan the input for each. Plans are cached by name, so one unit has a separate
 * statement.
 */
const JOIN_ONCE: Statement = { name: 'join-once', text: `select set_config('enable_nestloop', 'off', true)` }

interface ChangeOfUnits {
  readonly one: Statement
  readonly many: Statement
}

const changeOfUnits = (name: string, text: string): ChangeOfUnits => ({
  one: { name: `${name}-one`, text },
  many: { name, text },
})

function writeChange(tx: Transaction, { one, many }: ChangeOfUnits, count: number, values: readonly unknown[]): void {
  if (count > 1) tx.write(JOIN_ONCE)
  tx.write(count > 1 ? many : one, values)
}

const MOVE = changeOfUnits(
  'move-units',
  `update battery_unit u set status = m.status, updated_at = $1,
      ceased_at = case when m.has_ceased then coalesce(u.ceased_at, $1) else u.ceased_at end
    from unnest($2::uuid[], $3::text[], $4::boolean[]) as m (id, status, has_ceased)
    where ${among('$2')} and u.id = m.id`,
)

/** The version moves even if the status is unchanged. */
export function moveUnits(tx: Transaction, moves: readonly Move[], at: string): void {
  if (moves.length === 0) return
  writeChange(tx, MOVE, moves.length, [
    at,
    moves.map(({ id }) => id),
    moves.map(({ status }) => status),
    moves.map(({ hasCeased }) => hasCeased),
  ])
}

/** Retains a later stored value. */
const measured = (column: string) => `${column} = case when m.measured_at is null or u.measured_at > m.measured_at
        then u.${column} else m.${column} end`

const KEEP = changeOfUnits(
  'keep-condition-of-units',
  `update battery_unit u set condition = m.condition, legal_status = m.legal_status, status_changes = m.status_changes,
      ${['state_of_health', 'cycle_count', 'remaining_capacity_ah', 'temperature_c', 'measured_at'].map(measured).join(', ')}
    from unnest($1::uuid[], $2::json[], $3::text[], $4::json[], $5::float8[], $6::bigint[], $7::float8[], $8::float8[],
        $9::timestamptz[])
      as m (id, condition, legal_status, status_changes, state_of_health, cycle_count, remaining_capacity_ah, temperature_c,
        measured_at)
    where ${among('$1')} and u.id = m.id`,
)

export interface ToKeep {
  readonly unitId: string
  readonly kept: KeptCondition
  /** Null retains the stored measurement. */
  readonly measured: UnitState | null
}

/** Retains later measurements. */
export function keepConditions(tx: Transaction, units: readonly ToKeep[]): void {
  if (units.length === 0) return
  writeChange(tx, KEEP, units.length, [
    units.map(({ unitId }) => unitId),
    units.map(({ kept }) => JSON.stringify(kept.condition)),
    units.map(({ kept }) => kept.batteryStatus),
    units.map(({ kept }) => JSON.stringify(kept.statusChanges)),
    units.map(({ measured }) => measured?.stateOfHealth ?? null),
    units.map(({ measured }) => measured?.cycleCount ?? null),
    units.map(({ measured }) => measured?.remainingCapacityAh ?? null),
    units.map(({ measured }) => measured?.temperatureC ?? null),
    units.map(({ measured }) => measured?.recordedAt ?? null),
  ])
}

export interface HeldUnit {
  readonly id: string
  readonly operatorId: string
  readonly status: UnitStatus
  readonly serialNumber: string
  readonly productId: string
  readonly kept: KeptCondition
}

const hold = (name: string, ids: string): Statement => ({
  name,
  text: `select u.id, u.operator_id as "operatorId", u.status, u.serial_number as "serialNumber", p.product_id as "productId",
      ${CONDITION_COLUMNS}
    from battery_unit u join passport p on p.id = u.passport_id
    where u.tenant_id = app_tenant() and ${ids} order by u.id for no key update of u`,
})
const HOLD_BY_ID = hold('hold-units-by-id', among('$1'))
const HOLD = hold(
  'hold-units',
  `u.id = any(array(
      select id from unnest($1::uuid[]) as id
      union
      select n.id from unnest($2::text[], $3::text[]) as k (product_id, serial_number)
        join passport q on q.product_id = k.product_id and q.tenant_id = app_tenant()
        join battery_unit n on n.passport_id = q.id and n.serial_number = k.serial_number
    ))`,
)

/** Locks in a fixed order. */
export async function holdUnits(
  tx: Transaction,
  ids: readonly string[],
  keys: readonly { readonly productId: string; readonly serialNumber: string }[],
): Promise<HeldUnit[]> {
  const rows = await (keys.length === 0
    ? tx.run<Omit<HeldUnit, 'kept'> & ConditionText>(HOLD_BY_ID, [ids])
    : tx.run<Omit<HeldUnit, 'kept'> & ConditionText>(HOLD, [
        ids,
        keys.map(({ productId }) => productId),
        keys.map(({ serialNumber }) => serialNumber),
      ]))
  return rows.map((row) => ({ ...row, kept: toCondition(row) }))
}

const HOLD_FAMILY: Statement = {
  name: 'hold-unit-family',
  text: `select u.id, u.operator_id as "operatorId", u.passport_id as "passportId", u.serial_number as "serialNumber",
      u.predecessor_unit_id as "predecessorUnitId"
    from battery_unit u
    where u.tenant_id = app_tenant() and (u.id = $1 or u.predecessor_unit_id = $1
      or u.id = (select predecessor_unit_id from battery_unit where id = $1))
    order by u.id for update`,
}
const DELETE: Statement = { name: 'delete-unit', text: 'delete from battery_unit where id = $1' }

/** Includes predecessor and successors, which change with it. */
export const holdFamily = (
  tx: Transaction,
  id: string,
): Promise<Pick<UnitRow, 'id' | 'operatorId' | 'passportId' | 'serialNumber' | 'predecessorUnitId'>[]> =>
  tx.run(HOLD_FAMILY, [id])

export const deleteUnit = (tx: Transaction, id: string): void => tx.write(DELETE, [id])

// Pages of the second half are read from the end.
const LIST: Statement = {
  name: 'list-units',
  text: `with passport_of as materialized (select p.id from ${PASSPORT_BY_NAME} ${PASSPORT_ORDER} limit 1),
      counted as materialized (
        select coalesce(sum(c.total), 0)::int as total from battery_unit_count c
        where c.passport_id = (select id from passport_of)
      )
    select ${COLUMNS} from battery_unit u
    where u.id = any(
      case when $5::int <= (select total from counted) / 2
      then array(
        select q.id from battery_unit q where q.passport_id = (select id from passport_of)
        order by q.created_at desc, q.id limit $4::int offset $5::int
      )
      else array(
        select q.id from battery_unit q where q.passport_id = (select id from passport_of)
        order by q.created_at, q.id desc
        limit greatest(0, least($4::int, (select total from counted) - $5::int))
        offset greatest(0, (select total from counted) - $5::int - $4::int)
      ) end)
    order by u.created_at desc, u.id`,
}
const COUNT: Statement = {
  name: 'count-units',
  text: `select coalesce(sum(c.total), 0)::int as total from battery_unit_count c
    where c.passport_id = (select p.id from ${PASSPORT_BY_NAME} ${PASSPORT_ORDER} limit 1)`,
}

/** Units are of the first matching passport, newest first. */
export async function listUnits(
  session: Session,
  name: PassportName,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ passports: PassportOfUnits[]; units: ListedUnit[]; total: number }> {
  const [passports, units, [counted]] = await Promise.all([
    findPassportOfUnits(session, name),
    session.run<ListedUnit>(LIST, [...valuesOfPassportName(name), limit, (page - 1) * limit]),
    session.run<{ total: number }>(COUNT, valuesOfPassportName(name)),
  ])
  return { passports, units, total: counted?.total ?? 0 }
}
