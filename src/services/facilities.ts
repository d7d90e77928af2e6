import { randomUUID } from 'node:crypto'
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { assertOperatorScope, assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { conflict, forbidden, notFound, Problem } from '../domain/problem.ts'
import type { Schema } from '../domain/schema.ts'
import { Facility, OperatorBinding } from '../entities/master-data.ts'
import { recordAudit } from '../storage/audit.ts'

declare module '../cradle.ts' {
  interface Cradle {
    facilities: ReturnType<typeof facilities>
  }
}

/** Manufacturing facilities (specification 4.3). */
export default function facilities({ database, publicCache }: Cradle) {
  return { list, get, register, update, remove }

  async function list(principal: Principal) {
    const facilities = await database.forTenant(principal.tenantId).find(
      Facility,
      {
        tenantId: principal.tenantId,
        // Facilities without an operator are left out for a limited key (trap 86).
        ...(principal.operatorId === null ? {} : { operatorId: principal.operatorId }),
      },
      { orderBy: { createdAt: 'desc', id: 'asc' } },
    )
    return facilities.map(publicForm)
  }

  async function get(principal: Principal, id: string) {
    return publicForm(await find(database.forTenant(principal.tenantId), principal, id))
  }

  async function register(principal: Principal, input: Schema<'FacilityRegistration'>) {
    const { gln, name, country, activity, streetAddress, city, postalCode, operatorId: requested = null } = input
    const em = database.forTenant(principal.tenantId)
    const operatorId = await operatorFor(em, principal, requested)
    try {
      return await em.transactional(async (tx) => {
        const now = new Date()
        const facility = tx.create(Facility, {
          id: randomUUID(),
          tenantId: principal.tenantId,
          operatorId,
          ...{ gln, name, country, activity, streetAddress, city, postalCode },
          createdAt: now,
          updatedAt: now,
        })
        await recordAudit(tx, principal, 'facility.created', facility.id)
        await tx.flush()
        return publicForm(facility)
      })
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) {
        throw conflict('A facility with this GLN is registered already.', 'FACILITY_DUPLICATE')
      }
      // The operator may have been removed meanwhile: refused as if it had never been there.
      if (operatorId !== null) await operatorFor(database.forTenant(principal.tenantId), principal, operatorId)
      throw new Problem(500, 'Failed to register facility', { title: 'Internal Server Error', cause: error })
    }
  }

  async function update(principal: Principal, id: string, input: Schema<'FacilityUpdate'>) {
    return change(principal, async (tx) => {
      const facility = await findToChange(tx, principal, id)
      apply(facility, input)
      facility.updatedAt = new Date()
      await recordAudit(tx, principal, 'facility.updated', facility.id)
      await tx.flush()
      return publicForm(facility)
    })
  }

  /** Passports that name the facility are unlinked by its foreign key. */
  async function remove(principal: Principal, id: string): Promise<void> {
    await change(principal, async (tx) => {
      const facility = await findToChange(tx, principal, id)
      await recordAudit(tx, principal, 'facility.deleted', facility.id, { gln: facility.gln })
      tx.remove(facility)
    })
  }

  /** One transaction that may change many passports' readable content. */
  async function change<T>(principal: Principal, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const result = await database.forTenant(principal.tenantId).transactional(work)
    publicCache.clear()
    return result
  }

  async function find(em: EntityManager, principal: Principal, id: string): Promise<Facility> {
    const facility = isUuid(id) ? await em.findOne(Facility, { id, tenantId: principal.tenantId }) : null
    if (facility === null) throw notFound(`Facility ${id} not found under your Tenant workspace`)
    if (facility.operatorId !== null) assertOperatorScope(principal, facility.operatorId ?? null)
    return facility
  }

  /** A facility without operator is read by every key of the workspace; a change to it shows in every operator's passports. */
  async function findToChange(em: EntityManager, principal: Principal, id: string): Promise<Facility> {
    const facility = await find(em, principal, id)
    if (facility.operatorId === null) assertWholeWorkspace(principal)
    return facility
  }

  async function operatorFor(
    em: EntityManager,
    principal: Principal,
    requested: string | null,
  ): Promise<string | null> {
    if (requested === null) return principal.operatorId
    assertOperatorScope(principal, requested)
    const isBound =
      isUuid(requested) &&
      (await em.count(OperatorBinding, { tenantId: principal.tenantId, operatorId: requested })) > 0
    if (!isBound) throw forbidden('This economic operator is not bound to your workspace.', 'OPERATOR_NOT_BOUND')
    return requested.toLowerCase()
  }
}

function publicForm(facility: Facility): Schema<'Facility'> {
  return {
    id: facility.id,
    gln: facility.gln,
    name: facility.name,
    activity: facility.activity ?? null,
    streetAddress: facility.streetAddress ?? null,
    city: facility.city ?? null,
    postalCode: facility.postalCode ?? null,
    country: facility.country,
    operatorId: facility.operatorId ?? null,
    tenantId: facility.tenantId,
    createdAt: facility.createdAt.toISOString(),
    updatedAt: facility.updatedAt.toISOString(),
  }
}

const CHANGEABLE = ['name', 'country', 'activity', 'streetAddress', 'city', 'postalCode'] as const

/** What is absent stays as it is. */
function apply(facility: Facility, input: Schema<'FacilityUpdate'>): void {
  for (const key of CHANGEABLE) if (input[key] !== undefined) Object.assign(facility, { [key]: input[key] })
}
