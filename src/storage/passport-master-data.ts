import { isUuid } from '../domain/identifiers.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, forbidden } from '../domain/problem.ts'
import type { PassportRow } from './passport-rows.ts'
import type { Session, Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const UNBOUND = 'This economic operator is not bound to your workspace.'
const NONE_BOUND = 'No economic operator is bound to this workspace. Register one first.'
const ANOTHERS_FACILITY =
  'facilityId: this facility belongs to another economic operator than the passport. Name one of its own, or one without operator.'

/** A facility that a passport may name, with the operator whose alone it is. */
type FacilityRow = NonNullable<PassportRow['facility']> & { readonly operatorId: string | null }

const FACILITY_COLUMNS = `id, gln, name, activity, country, street_address as "streetAddress", city,
  postal_code as "postalCode", operator_id as "operatorId"`

/** The operators and facilities that new passports may refer to. */
interface MasterData {
  /** @throws Problem 403 for an operator that is not the caller's, 400 when none is named and none is bound */
  operatorFor(requested: string | null): PassportRow['operator']
  /**
   * The facility that passports of this operator may name.
   * @throws Problem 400 if it does not exist or is another operator's, 403 if it is out of the caller's scope
   */
  facilityFor(requested: string | null, operatorId: string): PassportRow['facility']
}

const OPERATORS: Statement = {
  name: 'operators-for-passports',
  text: `select o.id, o.name, o.reg_id as "regId", o.role, o.contact, o.id = first.operator_id as is_first
    from (
        select operator_id from operator_binding where tenant_id = app_tenant() order by bound_at, operator_id limit 1
      ) as first
      join operator_binding b on b.tenant_id = app_tenant()
        and (b.operator_id = first.operator_id or b.operator_id = any($1::uuid[]))
      join operator o on o.id = b.operator_id`,
}
const FACILITIES: Statement = {
  name: 'facilities-for-passports',
  text: `select ${FACILITY_COLUMNS} from facility where tenant_id = app_tenant() and id = any($1::uuid[])`,
}

/** What passports may refer to, of what is asked for; no operator named means the first that was bound. */
export async function loadMasterData(
  session: Session,
  principal: Principal,
  operatorIds: readonly (string | null)[],
  facilityIds: readonly (string | null)[],
): Promise<MasterData> {
  return (await loadMasterDataFor(session, [principal], operatorIds, facilityIds))(principal)
}

/** The same for several callers of the workspace. */
export async function loadMasterDataFor(
  session: Session,
  principals: readonly Principal[],
  operatorIds: readonly (string | null)[],
  facilityIds: readonly (string | null)[],
): Promise<(principal: Principal) => MasterData> {
  const own = principals.map(({ operatorId }) => operatorId)
  const isNamed = facilityIds.some((id) => id !== null)
  const [operators, facilities] = await Promise.all([
    session.run<PassportRow['operator'] & { is_first: boolean }>(OPERATORS, [uuids([...operatorIds, ...own])]),
    isNamed ? session.run<FacilityRow>(FACILITIES, [uuids(facilityIds)]) : [],
  ])
  const boundById = new Map(operators.map(({ is_first: _, ...operator }) => [operator.id, operator]))
  const facilityById = new Map(facilities.map((facility) => [facility.id, facility]))
  const firstId = operators.find(({ is_first }) => is_first)?.id
  return (principal) => ({
    operatorFor(requested) {
      if (requested !== null) assertOperatorScope(principal, requested)
      const id = principal.operatorId ?? requested?.toLowerCase() ?? firstId
      const operator = id === undefined ? undefined : boundById.get(id)
      if (operator !== undefined) return operator
      if (id === undefined) throw badRequest(NONE_BOUND, 'OPERATOR_NOT_BOUND')
      throw forbidden(UNBOUND, 'OPERATOR_NOT_BOUND')
    },
    facilityFor(requested, operatorId) {
      if (requested === null) return null
      return facilityToName(principal, facilityById.get(requested.toLowerCase()), operatorId)
    },
  })
}

const HOLD_FACILITY: Statement = {
  name: 'hold-facility',
  text: `select ${FACILITY_COLUMNS} from facility where id = $1 and tenant_id = $2 for key share`,
}

/**
 * A facility of the workspace, held until the transaction ends as a link to it will hold it: what is stored is counted in
 * between, and who deletes a facility counts too. Facilities are locked before passports, so that whoever deletes or
 * changes one, and with it the passports that name it, waits for nobody who waits for it.
 */
export async function holdFacility(tx: Session, { tenantId }: Principal, id: string): Promise<FacilityRow | undefined> {
  if (!isUuid(id)) return undefined
  const [facility] = await tx.run<FacilityRow>(HOLD_FACILITY, [id, tenantId])
  return facility
}

/** Holds it likewise for a transaction that only writes. */
export function keepFacility(tx: Transaction, { tenantId }: Principal, id: string): void {
  tx.write(HOLD_FACILITY, [id, tenantId])
}

const FIND_FACILITY: Statement = {
  name: 'find-facility',
  text: `select ${FACILITY_COLUMNS} from facility where id = $1`,
}

/**
 * The facility that a passport names once it is published: it names it already, perhaps by the hand of another workspace
 * that acts for the operator.
 * @throws Problem as {@link assertFacility}
 */
export async function linkedFacility(
  tx: Session,
  principal: Principal,
  { facility, operatorId }: Pick<PassportRow, 'facility' | 'operatorId'>,
): Promise<PassportRow['facility']> {
  if (facility === null) return null
  const [found] = await tx.run<FacilityRow>(FIND_FACILITY, [facility.id])
  return facilityToName(principal, found, operatorId)
}

/**
 * The facility that a passport has after an update that names `facilityId`, or null for none, or nothing at all.
 * @param held the facility of that id
 * @param isPublished whether the update publishes a draft, whose facility has to be one that it may name
 * @throws Problem as {@link assertFacility}
 */
export async function facilityAfter(
  session: Session,
  principal: Principal,
  before: Pick<PassportRow, 'facility' | 'operatorId'>,
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
  if (isNew) return facilityToName(principal, held, before.operatorId)
  return isPublished ? linkedFacility(session, principal, before) : before.facility
}

/**
 * The facility as a passport of this operator names it.
 * @throws Problem as {@link assertFacility}
 */
function facilityToName(
  principal: Principal,
  found: FacilityRow | undefined,
  passportOperatorId: string,
): NonNullable<PassportRow['facility']> {
  assertFacility(principal, found, passportOperatorId)
  const { operatorId: _, ...facility } = found
  return facility
}

/**
 * A facility is one operator's, or without one every operator's: no passport names the facility of somebody else, whose
 * address its owner would read there.
 * @throws Problem 400, or 403 for a facility that is out of the caller's scope
 */
function assertFacility(
  principal: Principal,
  facility: FacilityRow | undefined,
  operatorId: string,
): asserts facility is FacilityRow {
  if (facility === undefined) throw noFacility()
  const owner = facility.operatorId
  if (owner === null || owner === operatorId) return
  assertOperatorScope(principal, owner)
  throw badRequest(ANOTHERS_FACILITY, 'FACILITY_OPERATOR_MISMATCH')
}

/** 400 for a facility that is not in the workspace (specification 4.1). */
const noFacility = () => badRequest('facilityId: there is no such facility in your workspace.', 'FACILITY_NOT_FOUND')

const uuids = (ids: readonly (string | null)[]) => [...new Set(ids)].filter((id) => id !== null && isUuid(id))
