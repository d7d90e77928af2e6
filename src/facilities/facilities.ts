import { randomUUID } from 'node:crypto'
import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { assertMatch, type IfMatch, versionOf } from '../domain/precondition.ts'
import { assertOperatorScope, assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { conflict, forbidden, notFound, Problem } from '../domain/problem.ts'
import type { Schema } from '../domain/schema.ts'
import { isBound } from '../operators/bindings.ts'
import type { Session } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { inAttempts, isLost } from '../storage/unit-of-work.ts'
import { Facility } from './entities.ts'

declare module '../cradle.ts' {
  interface Cradle {
    facilities: ReturnType<typeof facilities>
  }
}

/** Specification 4.3. */
export default function facilities({ database, moduleHooks, passportLocks }: Cradle) {
  return { list, get, register, update, remove }

  async function list(principal: Principal) {
    const facilities = await database.entities(database.forTenant(principal.tenantId)).find(
      Facility,
      {
        tenantId: principal.tenantId,
        // Operator-scoped keys do not see facilities without an operator (trap 86).
        ...(principal.operatorId === null ? {} : { operatorId: principal.operatorId }),
      },
      { orderBy: { createdAt: 'desc', id: 'asc' } },
    )
    return facilities.map(publicForm)
  }

  async function get(principal: Principal, id: string) {
    return publicForm(await find(database.entities(database.forTenant(principal.tenantId)), principal, id))
  }

  async function register(principal: Principal, input: Schema<'FacilityRegistration'>) {
    try {
      // The next attempt rejects an operator removed meanwhile.
      return await inAttempts(['gone'], () => add(principal, input))
    } catch (error) {
      if (error instanceof Problem) throw error
      if (isLost(error, 'taken')) {
        throw conflict('A facility with this GLN is already registered.', 'FACILITY_DUPLICATE')
      }
      throw new Problem(500, 'Failed to register facility', { title: 'Internal Server Error', cause: error })
    }
  }

  async function add(principal: Principal, input: Schema<'FacilityRegistration'>) {
    const { gln, name, country, activity, streetAddress, city, postalCode, operatorId: requested = null } = input
    return database.transaction(principal.tenantId, async (tx) => {
      const operatorId = await operatorFor(tx, principal, requested)
      const now = new Date()
      const facility = tx.entities.create(Facility, {
        id: randomUUID(),
        tenantId: principal.tenantId,
        operatorId,
        ...{ gln, name, country, activity, streetAddress, city, postalCode },
        createdAt: now,
        updatedAt: now,
      })
      recordAudit(tx, principal, 'facility.created', facility.id)
      moduleHooks.notify(tx, {
        type: 'facility.created',
        operatorId,
        subjectId: facility.id,
        message: `Facility ${facility.name} (GLN ${gln}) was registered.`,
      })
      return publicForm(facility)
    })
  }

  async function update(principal: Principal, id: string, input: Schema<'FacilityUpdate'>, ifMatch: IfMatch) {
    return database.transaction(principal.tenantId, async (tx) => {
      const facility = await findToChange(tx, principal, id, ifMatch)
      apply(facility, input)
      facility.updatedAt = new Date()
      recordAudit(tx, principal, 'facility.updated', facility.id)
      return publicForm(facility)
    })
  }

  /** A foreign key unlinks passports. */
  async function remove(principal: Principal, id: string, ifMatch: IfMatch): Promise<void> {
    await database.transaction(principal.tenantId, async (tx) => {
      // Lock order as in linking: facility, then passports.
      const facility = await findToChange(tx, principal, id, ifMatch, { lockMode: LockMode.PESSIMISTIC_WRITE })
      await moduleHooks.changed(tx, { subject: 'facility', kind: 'deleted', ids: [facility.id] })
      recordAudit(tx, principal, 'facility.deleted', facility.id, { gln: facility.gln })
      moduleHooks.notify(tx, {
        type: 'facility.deleted',
        operatorId: facility.operatorId ?? null,
        subjectId: facility.id,
        message: `Facility ${facility.name} (GLN ${facility.gln}) was deleted.`,
      })
      tx.entities.remove(facility)
    })
  }

  async function find(entities: EntityManager, principal: Principal, id: string, options = {}): Promise<Facility> {
    const where = { id, tenantId: principal.tenantId }
    const facility = isUuid(id) ? await entities.findOne(Facility, where, options) : null
    if (facility === null) throw notInWorkspace(id)
    if (facility.operatorId !== null) assertOperatorScope(principal, facility.operatorId ?? null)
    return facility
  }

  /**
   * Validates `ifMatch` after locking. A facility without operator appears in every operator's passports, so only workspace-wide keys may
   * change it.
   */
  async function findToChange(
    tx: Transaction,
    principal: Principal,
    id: string,
    ifMatch: IfMatch,
    options = {},
  ): Promise<Facility> {
    const facility = await find(tx.entities, principal, id, options)
    if (facility.operatorId === null) assertWholeWorkspace(principal)
    passportLocks.lockAllOf(tx, { kind: 'facility', id: facility.id })
    if (ifMatch === undefined) return facility
    if ((await tx.entities.refresh(facility)) === null) throw notInWorkspace(id)
    assertMatch(ifMatch, versionOf(publicForm(facility)))
    return facility
  }

  async function operatorFor(session: Session, principal: Principal, requested: string | null): Promise<string | null> {
    if (requested === null) return principal.operatorId
    assertOperatorScope(principal, requested)
    if (await isBound(session, principal.tenantId, requested)) return requested.toLowerCase()
    throw forbidden('This economic operator is not bound to your workspace.', 'OPERATOR_NOT_BOUND')
  }
}

const notInWorkspace = (id: string) => notFound(`Facility ${id} not found under your Tenant workspace`)

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

function apply(facility: Facility, input: Schema<'FacilityUpdate'>): void {
  for (const key of CHANGEABLE) if (input[key] !== undefined) Object.assign(facility, { [key]: input[key] })
}
