import { boundTo, type Principal, type Session, type Statement } from '../../../src/plugin/module.ts'

export type Printer = Pick<Principal, 'tenantId' | 'operatorId'>

export interface LabelledPassport {
  readonly id: string
  readonly productId: string
  readonly operator: string
  readonly name: string | null
}

export interface LabelledUnit {
  readonly id: string
  readonly serialNumber: string
  readonly passport: LabelledPassport
}

const NAMES = ['productName', 'modelIdentifier', 'model']
  .map((key) => `case json_typeof(p.metadata -> '${key}') when 'string' then nullif(p.metadata ->> '${key}', '') end`)
  .join(', ')

const PRODUCT = `p.product_id as "productId", o.name as operator, coalesce(${NAMES}) as name`

/** `$1` workspace, `$2` operator or null. */
const MAY_PRINT = `${boundTo('p.operator_id', '$1')} and ($2::uuid is null or p.operator_id = $2)`

const PASSPORTS: Statement = {
  name: 'label-passports',
  text: `select p.id, ${PRODUCT} from passport p join operator o on o.id = p.operator_id
    where p.id = any($3::uuid[]) and ${MAY_PRINT}`,
}

export const labelledPassports = (
  session: Session,
  { tenantId, operatorId }: Printer,
  ids: readonly string[],
): Promise<LabelledPassport[]> => session.run(PASSPORTS, [tenantId, operatorId, ids])

const unitsWhere = (name: string, where: string): Statement => ({
  name,
  text: `select u.id, u.serial_number as "serialNumber", p.id as "passportId", ${PRODUCT}
    from battery_unit u join passport p on p.id = u.passport_id join operator o on o.id = p.operator_id
    where ${MAY_PRINT} and ${where}`,
})

const UNITS = unitsWhere('label-units', 'u.id = any($3::uuid[])')
const IN_RANGE = `u.passport_id = $3 and u.serial_number >= $4 and ($5::text is null or u.serial_number <= $5)`
const UNITS_OF_PASSPORT = unitsWhere(
  'label-units-of-passport',
  `${IN_RANGE} and ($6::text is null or u.serial_number > $6) order by u.serial_number limit $7`,
)

type FlatUnit = Omit<LabelledUnit, 'passport'> & Omit<LabelledPassport, 'id'> & { readonly passportId: string }

const toUnit = ({ id, serialNumber, passportId, ...product }: FlatUnit): LabelledUnit => ({
  id,
  serialNumber,
  passport: { id: passportId, ...product },
})

export async function labelledUnits(
  session: Session,
  { tenantId, operatorId }: Printer,
  ids: readonly string[],
): Promise<LabelledUnit[]> {
  return (await session.run<FlatUnit>(UNITS, [tenantId, operatorId, ids])).map(toUnit)
}

/** Serial numbers, bounds inclusive, in byte order. */
export interface UnitRange {
  readonly passportId: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const rangeValues = ({ tenantId, operatorId }: Printer, { passportId, from = '', to }: UnitRange) => [
  tenantId,
  operatorId,
  passportId,
  from,
  to ?? null,
]

export async function labelledUnitsOf(
  session: Session,
  printer: Printer,
  range: UnitRange,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<LabelledUnit[]> {
  const values = [...rangeValues(printer, range), after ?? null, limit]
  return (await session.run<FlatUnit>(UNITS_OF_PASSPORT, values)).map(toUnit)
}

const COUNT_OF_RANGE: Statement = {
  name: 'label-count-units',
  text: `select count(*)::int as count from (
      select from battery_unit u join passport p on p.id = u.passport_id where ${MAY_PRINT} and ${IN_RANGE} limit $6
    ) as unit`,
}

export async function countUnitsOf(session: Session, printer: Printer, range: UnitRange, max: number): Promise<number> {
  const [row] = await session.run<{ count: number }>(COUNT_OF_RANGE, [...rangeValues(printer, range), max])
  return row?.count ?? 0
}
