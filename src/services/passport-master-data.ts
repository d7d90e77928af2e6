import type { EntityManager } from '@mikro-orm/postgresql'
import { isUuid } from '../domain/identifiers.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, forbidden } from '../domain/problem.ts'
import type { PassportRow } from './passport-rows.ts'

const UNBOUND = 'This economic operator is not bound to your workspace.'
const NONE_BOUND = 'No economic operator is bound to this workspace. Register one first.'
const NO_SUCH_FACILITY = 'facilityId: there is no such facility in your workspace.'

/** The operators and facilities that new passports may refer to. */
export interface MasterData {
  /** @throws Problem 403 for an operator that is not the caller's, 400 when none is named and none is bound */
  operatorFor(requested: string | null): PassportRow['operator']
  /** @throws Problem 400 */
  facilityFor(requested: string | null): PassportRow['facility']
}

/** What passports may refer to, of what is asked for; no operator named means the first that was bound. */
export async function loadMasterData(
  tx: EntityManager,
  principal: Principal,
  operatorIds: readonly (string | null)[],
  facilityIds: readonly (string | null)[],
): Promise<MasterData> {
  const { tenantId, operatorId: own } = principal
  const operators = await tx.execute<(PassportRow['operator'] & { is_first: boolean })[]>(
    `select o.id, o.name, o.reg_id as "regId", o.role, o.id = first.operator_id as is_first
     from (select operator_id from operator_binding where tenant_id = ? order by bound_at, operator_id limit 1) as first
       join operator_binding b on b.tenant_id = ?
         and (b.operator_id = first.operator_id or b.operator_id in (select json_array_elements_text(?::json)::uuid))
       join operator o on o.id = b.operator_id`,
    [tenantId, tenantId, uuidList([...operatorIds, own])],
  )
  const facilities = facilityIds.every((id) => id === null)
    ? []
    : await tx.execute<NonNullable<PassportRow['facility']>[]>(
        `select id, gln, name, activity, country, street_address as "streetAddress", city, postal_code as "postalCode"
         from facility where tenant_id = ? and id in (select json_array_elements_text(?::json)::uuid)`,
        [tenantId, uuidList(facilityIds)],
      )
  const boundById = new Map(operators.map(({ is_first: _, ...operator }) => [operator.id, operator]))
  const facilityById = new Map(facilities.map((facility) => [facility.id, facility]))
  const firstId = operators.find(({ is_first }) => is_first)?.id
  return {
    operatorFor(requested) {
      if (requested !== null) assertOperatorScope(principal, requested)
      const id = own ?? requested?.toLowerCase() ?? firstId
      const operator = id === undefined ? undefined : boundById.get(id)
      if (operator !== undefined) return operator
      if (id === undefined) throw badRequest(NONE_BOUND, 'OPERATOR_NOT_BOUND')
      throw forbidden(UNBOUND, 'OPERATOR_NOT_BOUND')
    },
    facilityFor(requested) {
      if (requested === null) return null
      const facility = facilityById.get(requested.toLowerCase())
      if (facility === undefined) throw badRequest(NO_SUCH_FACILITY, 'FACILITY_NOT_FOUND')
      return facility
    },
  }
}

const uuidList = (ids: readonly (string | null)[]) =>
  JSON.stringify([...new Set(ids)].filter((id) => id !== null && isUuid(id)))
