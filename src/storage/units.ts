import type { Metadata } from '../domain/metadata.ts'
import type { KeptCondition, UnitState, UnitStatus } from '../domain/unit.ts'
import type { Row } from '../entities/row.ts'
import type { BatteryUnit } from '../entities/units.ts'
import { expectUnclaimed } from './company-prefixes.ts'
import { iso, type Session, type Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A battery unit as one row. Timestamps are ISO 8601 in UTC. */
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
  /** The latest measurement; null before the first. */
  readonly measured: UnitState | null
  readonly kept: KeptCondition
}

/** A unit in a list, without what was measured. */
export type ListedUnit = Omit<UnitRow, 'measured' | 'kept'>

/** The columns of a unit `u`. */
const COLUMNS = `u.id, u.tenant_id as "tenantId", u.passport_id as "passportId", u.operator_id as "operatorId",
  u.serial_number as "serialNumber", u.batch_number as "batchNumber", ${iso('u.manufactured_at')} as "manufacturedAt", ${iso('u.placed_on_market_at')} as "placedOnMarketAt", u.status,
  ${iso('u.ceased_at')} as "ceasedAt", u.predecessor_unit_id as "predecessorUnitId", u.version,
  ${iso('u.created_at')} as "createdAt", ${iso('u.updated_at')} as "updatedAt"`

/** What is kept of the condition of a unit `u`, as text. */
const KEPT = `u.condition::text as condition, u.legal_status as "batteryStatus", u.status_changes::text as "statusChanges"`

const IS_REGISTERED = `exists (select from registration r where r.subject_id = u.id) as "isRegistered"`

type KeptAsText = {
  readonly [Key in keyof KeptCondition]: KeptCondition[Key] extends string ? KeptCondition[Key] : string
}

const keptOf = ({ condition, batteryStatus, statusChanges }: KeptAsText): KeptCondition => ({
  condition: JSON.parse(condition),
  batteryStatus,
  statusChanges: JSON.parse(statusChanges),
})

const FIND: Statement = {
  name: 'find-unit',
  text: `select ${COLUMNS}, ${KEPT}, u.state_of_health as "stateOfHealth", u.cycle_count::float8 as "cycleCount",
      u.remaining_capacity_ah as "remainingCapacityAh", u.temperature_c as "temperatureC",
      ${iso('u.measured_at')} as "recordedAt"
    from battery_unit u where u.id = $1`,
}

type Measured = { readonly [Key in keyof UnitState]: UnitState[Key] | null }

/** One unit by id, or undefined where the workspace sees none. */
export async function loadUnit(session: Session, id: string): Promise<UnitRow | undefined> {
  const [row] = await session.run<ListedUnit & Measured & KeptAsText>(FIND, [id])
  if (row === undefined) return undefined
  const { stateOfHealth, cycleCount, remainingCapacityAh, temperatureC, recordedAt, ...others } = row
  const { condition, batteryStatus, statusChanges, ...unit } = others
  const measures = { stateOfHealth, cycleCount, remainingCapacityAh, temperatureC }
  const kept = keptOf({ condition, batteryStatus, statusChanges })
  return { ...unit, kept, measured: recordedAt === null ? null : { ...measures, recordedAt } }
}

/** A passport as its units are asked for. */
export interface PassportOfUnits {
  readonly id: string
  readonly operatorId: string
  readonly productId: string
  /** The id was named, and not the product. */
  readonly isById: boolean
}

/** How a caller names a passport: by its id, and what may be a product of this operator before others. */
export interface PassportName {
  readonly id: string | null
  readonly productId: string
  readonly operatorId: string | null
}

export const valuesOf = ({ id, productId, operatorId }: PassportName) => [id, productId, operatorId]

/** Passports that `$1` or `$2` names, that of the id first and then those of the operator `$3`: the values of {@link valuesOf}. */
export const NAMED = `passport p where (p.id = $1::uuid or p.product_id = $2)`
export const NAMED_FIRST = `order by p.id is not distinct from $1::uuid desc, p.operator_id is distinct from $3::uuid, p.created_at, p.id`
const NAMED_COLUMNS = `p.id, p.operator_id as "operatorId", p.product_id as "productId",
  p.id is not distinct from $1::uuid as "isById"`

const FIND_PASSPORT: Statement = {
  name: 'find-passport-of-units',
  text: `select ${NAMED_COLUMNS} from ${NAMED} ${NAMED_FIRST} limit 3`,
}

/** Passports that are named, of those that the workspace may see; three are as many as have to be told apart. */
export const findPassportOfUnits = (session: Session, name: PassportName): Promise<PassportOfUnits[]> =>
  session.run(FIND_PASSPORT, valuesOf(name))

// Whoever deletes a draft holds it before its units: nobody has units of it and waits for it then.
const HOLD_PASSPORT: Statement = {
  name: 'hold-passport-of-units',
  text: `select ${NAMED_COLUMNS} from ${NAMED} and p.tenant_id = app_tenant() ${NAMED_FIRST} limit 3 for key share`,
}

/** The passports of the workspace that are named, held so that they are not deleted until the transaction ends. */
export const holdPassportOfUnits = (tx: Transaction, name: PassportName): Promise<PassportOfUnits[]> =>
  tx.run(HOLD_PASSPORT, valuesOf(name))

const SERIALS: Statement = {
  name: 'serials-of-units',
  text: `select u.passport_id as "passportId", u.serial_number as "serialNumber" from battery_unit u
    where u.passport_id = any(array(select p.id from ${NAMED} and p.tenant_id = app_tenant()))
      and u.serial_number = any($3::text[])`,
}
const HOLD_PREDECESSORS: Statement = {
  name: 'hold-predecessors',
  text: `select u.id, u.operator_id as "operatorId", u.ceased_at is not null as "hasCeased", ${IS_REGISTERED},
      u.status, ${KEPT}
    from battery_unit u where u.id = any($1::uuid[]) and u.tenant_id = app_tenant() order by u.id for no key update`,
}

/** A unit that others are to be made of, held until the transaction ends. */
export interface Predecessor {
  readonly id: string
  readonly operatorId: string
  readonly hasCeased: boolean
  readonly isRegistered: boolean
  readonly status: UnitStatus
  readonly kept: KeptCondition
}

/** Which of the serial numbers units of the passports of the workspace that are named have. */
export const takenSerials = (
  tx: Transaction,
  { id, productId }: Pick<PassportName, 'id' | 'productId'>,
  serialNumbers: readonly string[],
): Promise<{ passportId: string; serialNumber: string }[]> => tx.run(SERIALS, [id, productId, serialNumbers])

/** What new units may meet: the passports of the workspace that are named, which serial numbers are taken, and predecessors. */
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
      : tx.run<Omit<Predecessor, 'kept'> & KeptAsText>(HOLD_PREDECESSORS, [predecessorIds]),
  ])
  return { passports, taken, predecessors: predecessors.map((row) => ({ ...row, kept: keptOf(row) })) }
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

/** A unit as it is inserted, with its legal status. */
export type NewUnit = ListedUnit & Pick<KeptCondition, 'batteryStatus'>

/** Inserts units of one passport. The transaction fails with `23505` if a serial number is taken by now, and as {@link expectUnclaimed} does. */
export function insertUnits(tx: Transaction, units: readonly NewUnit[]): void {
  const [first] = units
  if (first === undefined) return
  // One order for everybody: two requests with the same serial numbers wait for each other instead of deadlocking.
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

/** What becomes of a unit. */
export interface Move {
  readonly id: string
  readonly status: UnitStatus
  /** It has ceased, with this move or one that has been overtaken; that is never taken back. */
  readonly hasCeased: boolean
}

/**
 * Has units looked up one by one, however many the planner expects: it would rather read them all, and join. It cannot see
 * how many are asked for, and so plans once instead of each time.
 */
const among = (ids: string) => `u.id = any(array(select id from unnest(${ids}::uuid[]) as id))`

/**
 * Changes of many units: the planner expects one, and would go through all that is to be for each of them. A plan is kept
 * under its name, so one unit has a statement of its own.
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

/** Writes a change of so many units. */
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

/** Gives held units another status. Their version moves, also where they had that status before. */
export function moveUnits(tx: Transaction, moves: readonly Move[], at: string): void {
  if (moves.length === 0) return
  writeChange(tx, MOVE, moves.length, [
    at,
    moves.map(({ id }) => id),
    moves.map(({ status }) => status),
    moves.map(({ hasCeased }) => hasCeased),
  ])
}

/** The column as it was measured, unless something later is kept already or nothing was measured. */
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

/** What is to be kept of a held unit. */
export interface ToKeep {
  readonly unitId: string
  readonly kept: KeptCondition
  /** What was measured; null leaves what is kept of that. */
  readonly measured: UnitState | null
}

/** Keeps the condition of held units, and what was measured of them unless something later is kept already. */
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

/** A unit that is held until the transaction ends. */
export interface HeldUnit {
  readonly id: string
  readonly operatorId: string
  readonly status: UnitStatus
  readonly serialNumber: string
  readonly productId: string
  /** A registry was asked to know it. */
  readonly isRegistered: boolean
  readonly kept: KeptCondition
}

const hold = (name: string, ids: string): Statement => ({
  name,
  text: `select u.id, u.operator_id as "operatorId", u.status, u.serial_number as "serialNumber", p.product_id as "productId",
      ${IS_REGISTERED}, ${KEPT}
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

/** Holds those units of the workspace that are named, by id or by product and serial number, in one order for everybody. */
export async function holdUnits(
  tx: Transaction,
  ids: readonly string[],
  keys: readonly { readonly productId: string; readonly serialNumber: string }[],
): Promise<HeldUnit[]> {
  const rows = await (keys.length === 0
    ? tx.run<Omit<HeldUnit, 'kept'> & KeptAsText>(HOLD_BY_ID, [ids])
    : tx.run<Omit<HeldUnit, 'kept'> & KeptAsText>(HOLD, [
        ids,
        keys.map(({ productId }) => productId),
        keys.map(({ serialNumber }) => serialNumber),
      ]))
  return rows.map((row) => ({ ...row, kept: keptOf(row) }))
}

// What it was made of, and what it has become, move with it.
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

/** Holds a unit of the workspace with what it was made of and what it has become. */
export const holdFamily = (
  tx: Transaction,
  id: string,
): Promise<Pick<UnitRow, 'id' | 'operatorId' | 'passportId' | 'serialNumber' | 'predecessorUnitId'>[]> =>
  tx.run(HOLD_FAMILY, [id])

/** Deletes a unit with everything that hangs on it. */
export const deleteUnit = (tx: Transaction, id: string): void => tx.write(DELETE, [id])

// The passport is looked up anew in the same round trip. A page of the second half is read from the end.
const LIST: Statement = {
  name: 'list-units',
  text: `with passport_of as materialized (select p.id from ${NAMED} ${NAMED_FIRST} limit 1),
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
    where c.passport_id = (select p.id from ${NAMED} ${NAMED_FIRST} limit 1)`,
}

/** The passports that are named, and of the first of them one page of its units, newest first, and how many it has. */
export async function listUnits(
  session: Session,
  name: PassportName,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ passports: PassportOfUnits[]; units: ListedUnit[]; total: number }> {
  const [passports, units, [counted]] = await Promise.all([
    findPassportOfUnits(session, name),
    session.run<ListedUnit>(LIST, [...valuesOf(name), limit, (page - 1) * limit]),
    session.run<{ total: number }>(COUNT, valuesOf(name)),
  ])
  return { passports, units, total: counted?.total ?? 0 }
}

const METADATA: Statement = {
  name: 'metadata-of-units',
  text: `select p.metadata::text as metadata from ${NAMED} ${NAMED_FIRST} limit 1`,
}
const STATED: Statement = {
  name: 'stated-of-units',
  text: `with passport_of as materialized (select p.id from ${NAMED} ${NAMED_FIRST} limit 1),
      newest as materialized (
        select q.id from battery_unit q where q.passport_id = (select id from passport_of)
        order by q.created_at desc, q.id limit $4::int
      )
    select array(select json_object_keys(u.condition)) as keys from battery_unit u
    where u.id = any(array(select id from newest)) and u.ceased_at is null`,
}

/**
 * The passports that are named, and of the first of them its metadata, how many units it has, and which values of its
 * newest units are known, `most` of them, without those that have ceased.
 */
export async function readStated(session: Session, name: PassportName, most: number) {
  const [passports, [passport], [counted], units] = await Promise.all([
    findPassportOfUnits(session, name),
    session.run<{ metadata: string }>(METADATA, valuesOf(name)),
    session.run<{ total: number }>(COUNT, valuesOf(name)),
    session.run<{ keys: string[] }>(STATED, [...valuesOf(name), most]),
  ])
  return {
    passports,
    metadata: (passport === undefined ? {} : JSON.parse(passport.metadata)) as Metadata,
    total: counted?.total ?? 0,
    units: units.map(({ keys }) => new Set(keys)),
  }
}
