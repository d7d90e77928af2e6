import { isUuid } from '../domain/identifiers.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, forbidden } from '../domain/problem.ts'
import type { Session, Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import type { PassportRow } from './passport-columns.ts'

const UNBOUND =
  'This economic operator is not bound to your workspace. GET /api/v1/operators lists the bound operators.'
const NONE_BOUND = 'No economic operator is bound to this workspace. Register one first.'
const NONE_ACTIVE =
  'Every economic operator of this workspace is archived. Set operatorId, restore an operator, or register another.'

type FacilityRow = NonNullable<PassportRow['facility']> & { readonly operatorId: string | null }

const FACILITY_COLUMNS = `id, gln, name, activity, country, street_address as "streetAddress", city,
  postal_code as "postalCode", operator_id as "operatorId"`

interface MasterData {
  /** @throws Problem 403 for an operator out of scope, 400 if none is requested and none is bound and active */
  operatorFor(principal: Principal, requested: string | null): PassportRow['operator']
  /** @throws Problem 400 for an unknown facility, 403 for one out of scope */
  facilityFor(principal: Principal, requested: string | null): PassportRow['facility']
}

const OPERATORS: Statement = {
  name: 'bound-operators-for-passports',
  text: `with bound as (
      select o.id, o.name, o.reg_id as "regId", o.role, o.contact, o.archived_at is null as is_active, b.bound_at
      from operator_binding b join operator o on o.id = b.operator_id where b.tenant_id = app_tenant()
    ), first as (select id, is_active from bound order by is_active desc, bound_at, id limit 1)
    select bound.id, name, "regId", role, contact, bound.id = first.id as is_first, first.is_active
    from bound, first where bound.id = first.id or bound.id = any($1::uuid[])`,
}
const FACILITIES: Statement = {
  name: 'facilities-for-passports',
  text: `select ${FACILITY_COLUMNS} from facility where tenant_id = app_tenant() and id = any($1::uuid[])`,
}

/** Defaults to the first bound, unarchived operator. */
export async function loadMasterData(
  session: Session,
  operatorIds: readonly (string | null)[],
  facilityIds: readonly (string | null)[],
): Promise<MasterData> {
  const isNamed = facilityIds.some((id) => id !== null)
  const [operators, facilities] = await Promise.all([
    session.run<PassportRow['operator'] & { is_first: boolean; is_active: boolean }>(OPERATORS, [uuids(operatorIds)]),
    isNamed ? session.run<FacilityRow>(FACILITIES, [uuids(facilityIds)]) : [],
  ])
  const boundById = new Map(operators.map(({ is_first: _, is_active: __, ...operator }) => [operator.id, operator]))
  const facilityById = new Map(facilities.map((facility) => [facility.id, facility]))
  const first = operators.find(({ is_first }) => is_first)
  const firstId = first?.is_active ? first.id : undefined
  return {
    operatorFor(principal, requested) {
      if (requested !== null) assertOperatorScope(principal, requested)
      const id = principal.operatorId ?? requested?.toLowerCase() ?? firstId
      const operator = id === undefined ? undefined : boundById.get(id)
      if (operator !== undefined) return operator
      if (id === undefined) throw badRequest(first === undefined ? NONE_BOUND : NONE_ACTIVE, 'OPERATOR_NOT_BOUND')
      throw forbidden(UNBOUND, 'OPERATOR_NOT_BOUND')
    },
    facilityFor(principal, requested) {
      if (requested === null) return null
      return facilityToName(principal, facilityById.get(requested.toLowerCase()))
    },
  }
}

const HOLD_FACILITY: Statement = {
  name: 'hold-facility',
  text: `select ${FACILITY_COLUMNS} from facility where id = $1 and tenant_id = $2 for key share`,
}

/**
 * Locks a facility in the mode of a later reference. Counters are updated in between, by deletions of facilities too. Facilities are locked
 * before passports, against deadlocks.
 */
export async function holdFacility(tx: Session, { tenantId }: Principal, id: string): Promise<FacilityRow | undefined> {
  if (!isUuid(id)) return undefined
  const [facility] = await tx.run<FacilityRow>(HOLD_FACILITY, [id, tenantId])
  return facility
}

/** Takes the lock of {@link holdFacility} without reading. */
export function keepFacility(tx: Transaction, { tenantId }: Principal, id: string): void {
  tx.write(HOLD_FACILITY, [id, tenantId])
}

const FIND_FACILITY: Statement = {
  name: 'find-facility',
  text: `select ${FACILITY_COLUMNS} from facility where id = $1`,
}

/**
 * Another workspace that acts for the operator may have set the facility.
 * @throws Problem as {@link facilityToName}
 */
export async function linkedFacility(
  tx: Session,
  principal: Principal,
  { facility }: Pick<PassportRow, 'facility'>,
): Promise<PassportRow['facility']> {
  if (facility === null) return null
  const [found] = await tx.run<FacilityRow>(FIND_FACILITY, [facility.id])
  return facilityToName(principal, found)
}

/**
 * @param isPublished true if a draft is published, whose facility must then be allowed
 * @throws Problem as {@link facilityToName}
 */
export async function facilityAfter(
  session: Session,
  principal: Principal,
  before: Pick<PassportRow, 'facility'>,
  {
    facilityId,
    held,
    isPublished,
  }: {
    readonly facilityId: string | null | undefined
    readonly held: FacilityRow | undefined
    readonly isPublished: boolean
  },
): Promise<PassportRow['facility']> {
  if (facilityId === null) return null
  const isNew = facilityId !== undefined && facilityId !== before.facility?.id
  if (isNew) return facilityToName(principal, held)
  return isPublished ? linkedFacility(session, principal, before) : before.facility
}

/**
 * Every operator of the workspace may use its facilities.
 * @throws Problem 400 if undefined, 403 if out of the caller's scope
 */
function facilityToName(principal: Principal, found: FacilityRow | undefined): NonNullable<PassportRow['facility']> {
  if (found === undefined) throw noFacility()
  const { operatorId, ...facility } = found
  assertOperatorScope(principal, operatorId)
  return facility
}

/** Specification 4.1. */
const noFacility = () => badRequest('facilityId: facility not found in your workspace.', 'FACILITY_NOT_FOUND')

const uuids = (ids: readonly (string | null)[]) => [...new Set(ids)].filter((id) => id !== null && isUuid(id))
