import type { Metadata, PassportStatus } from '../../../src/plugin/index.ts'
import {
  findPassportOfUnits,
  KEEP_PLAN,
  PASSPORT_BY_NAME,
  PASSPORT_ORDER,
  type PassportName,
  type Principal,
  type Session,
  type Statement,
  valuesOfPassportName,
} from '../../../src/plugin/module.ts'

export interface CataloguePlace {
  /** Creation time in microseconds since 1970. */
  readonly createdAt: string
  readonly id: string
}

/** One more document may begin within the limit. */
const MAX_PAGE_BYTES = 4_194_304

const metadataAfter = (ofOperator: boolean): Statement => ({
  name: `metadata-after${ofOperator ? '-of-operator' : ''}`,
  text: `with place as materialized (
      select coalesce(timestamptz 'epoch' + $3::bigint * interval '1 microsecond', 'infinity') as at, $4::uuid as id
    ), found as materialized (
      select newest.id, newest.created_at from operator_binding b cross join lateral (
        select q.id, q.created_at from passport q
        where q.operator_id = b.operator_id and q.archived_at is null and q.created_at <= (select at from place)
          and (q.created_at < (select at from place) or q.id > (select id from place))
        order by q.created_at desc, q.id limit $2::int + 1
      ) as newest where b.tenant_id = $1 ${ofOperator ? 'and b.operator_id = $5' : ''}
      order by newest.created_at desc, newest.id limit $2::int + 1
    ), stated as materialized (
      select p.id, p.product_id, p.status, p.metadata::text as metadata, p.created_at
      from passport p where p.id = any(array(select id from found))
    ), sized as (
      select s.*, row_number() over newest as place,
        sum(octet_length(s.metadata)) over newest - octet_length(s.metadata) as before
      from stated s window newest as (order by s.created_at desc, s.id rows unbounded preceding)
    )
    select id, product_id as "productId", status, metadata, (extract(epoch from created_at) * 1000000)::bigint::text as "createdAt",
      (select count(*)::int from found) as "found"
    from sized where place <= $2::int and before < ${MAX_PAGE_BYTES} order by place`,
})
const METADATA_AFTER = { all: metadataAfter(false), ofOperator: metadataAfter(true) } as const

interface StatedRow extends CataloguePlace {
  readonly productId: string
  readonly status: PassportStatus
  /** JSON text. */
  readonly metadata: string
  /** Number from here on, up to the query limit. */
  readonly found: number
}

/** Limited to `pageSize` passports and one page of bytes. */
export async function readMetadata(
  session: Session,
  { tenantId, operatorId }: Principal,
  after: CataloguePlace | undefined,
  pageSize: number,
): Promise<{ readonly rows: readonly StatedRow[]; readonly next: CataloguePlace | undefined }> {
  const values = [tenantId, pageSize, after?.createdAt ?? null, after?.id ?? null]
  const reading =
    operatorId === null
      ? session.run<StatedRow>(METADATA_AFTER.all, values)
      : session.run<StatedRow>(METADATA_AFTER.ofOperator, [...values, operatorId])
  const [, rows] = await Promise.all([session.run(KEEP_PLAN), reading])
  const last = rows.at(-1)
  return { rows, next: last !== undefined && last.found > rows.length ? last : undefined }
}

const METADATA: Statement = {
  name: 'metadata-of-units',
  text: `select p.metadata::text as metadata,
      (select coalesce(sum(c.total), 0)::int from battery_unit_count c where c.passport_id = p.id) as total
    from ${PASSPORT_BY_NAME} ${PASSPORT_ORDER} limit 1`,
}
const STATED: Statement = {
  name: 'stated-of-units',
  text: `with passport_of as materialized (select p.id from ${PASSPORT_BY_NAME} ${PASSPORT_ORDER} limit 1),
      newest as materialized (
        select q.id from battery_unit q where q.passport_id = (select id from passport_of)
        order by q.created_at desc, q.id limit $4::int
      )
    select array(select json_object_keys(u.condition)) as keys from battery_unit u
    where u.id = any(array(select id from newest)) and u.ceased_at is null`,
}

/** Covers the `max` newest units, without ceased ones. */
export async function readStated(session: Session, name: PassportName, max: number) {
  const [passports, [passport], units] = await Promise.all([
    findPassportOfUnits(session, name),
    session.run<{ metadata: string; total: number }>(METADATA, valuesOfPassportName(name)),
    session.run<{ keys: string[] }>(STATED, [...valuesOfPassportName(name), max]),
  ])
  return {
    passports,
    metadata: (passport === undefined ? {} : JSON.parse(passport.metadata)) as Metadata,
    total: passport?.total ?? 0,
    units: units.map(({ keys }) => new Set(keys)),
  }
}
