import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import type { Remark } from '../domain/advisories.ts'
import { contactAfter } from '../domain/contact.ts'
import { checkIdentifier } from '../domain/identifier-schemes.ts'
import { isUuid } from '../domain/identifiers.ts'
import { assertMatch, type IfMatch, versionOf } from '../domain/precondition.ts'
import { assertOperatorScope, assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, forbidden, Problem } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { yearsAfter } from '../domain/transitions.ts'
import { useOfOperator } from '../passports/passport-catalogue.ts'
import { archivePassports, restorePassports } from '../passports/passport-writes.ts'
import type { Transaction } from '../storage/transaction.ts'
import { inAttempts, isLost } from '../storage/unit-of-work.ts'
import { Operator, OperatorBinding } from './entities.ts'

/** Other schemes are not validated: integrations send VAT and D-U-N-S numbers with spaces and without prefix. */
const CHECKED = ['EORI', 'LEI', 'GLN', 'DID'] as const

declare module '../cradle.ts' {
  interface Cradle {
    operators: ReturnType<typeof operators>
  }
}

/** Specification 4.2. */
export default function operators({
  config,
  database,
  eoriRegister,
  moduleHooks,
  passportLocks,
  quota,
  translator,
}: Cradle) {
  return { list, get, register, update, remove, restore }

  async function list(principal: Principal, includeArchived: boolean) {
    const entities = database.entities(database.forTenant(principal.tenantId))
    const operators = await entities.find(
      Operator,
      {
        id: { $in: await boundIds(entities, principal) },
        ...(includeArchived ? {} : { archivedAt: null }),
      },
      { orderBy: { id: 'asc' } },
    )
    const order = new Intl.Collator('en')
    return operators.sort((a, b) => order.compare(a.name, b.name)).map(publicForm)
  }

  async function get(principal: Principal, id: string) {
    return publicForm(await find(database.entities(database.forTenant(principal.tenantId)), principal, id))
  }

  /** Registers an operator, or returns the existing one unchanged (specification 4.2). */
  async function register(
    principal: Principal,
    { name, regId, regIdScheme = null, role = 'MANUFACTURER', contact: given }: Schema<'OperatorRegistration'>,
    lang: string,
  ): Promise<Content<'OperatorRegistered'>> {
    const scheme = CHECKED.find((checked) => checked === regIdScheme)
    const wrong = scheme && checkIdentifier(scheme, regId)
    if (wrong !== undefined) throw badRequest(`regId: ${wrong}`)
    const input = { name, regId, regIdScheme, role, contact: contactAfter(null, given) }
    const { operator, isNew } = await inAttempts(['taken'], () => findOrAdd(principal, input))
    if (!isNew) return { message: 'This economic operator is already registered.', operator: publicForm(operator) }
    const isUnknown = regIdScheme === 'EORI' && (await eoriRegister.denies(regId))
    return {
      message: 'Economic operator registered.',
      operator: publicForm(operator),
      warnings: isUnknown ? [translator.advisory(eoriNotFound(regId), lang)] : undefined,
    }
  }

  async function findOrAdd(
    principal: Principal,
    input: Pick<Operator, 'name' | 'regId' | 'regIdScheme' | 'role' | 'contact'>,
  ): Promise<{ operator: Operator; isNew: boolean }> {
    const entities = database.entities(database.forTenant(principal.tenantId))
    const existing = await entities.findOne(Operator, { tenantId: principal.tenantId, regId: input.regId })
    if (existing !== null) {
      assertOperatorScope(principal, existing.id)
      return { operator: existing, isNew: false }
    }
    assertWholeWorkspace(principal)
    const operator = await database.transaction(principal.tenantId, async (tx) => {
      const created = tx.entities.create(Operator, {
        id: randomUUID(),
        tenantId: principal.tenantId,
        ...input,
        createdAt: new Date(),
      })
      await tx.entities.flush()
      tx.entities.create(OperatorBinding, { tenantId: principal.tenantId, operatorId: created.id })
      recordAudit(tx, principal, 'operator.created', created.id)
      moduleHooks.notify(tx, {
        type: 'operator.created',
        operatorId: created.id,
        subjectId: created.id,
        message: `Economic operator ${created.name} was registered.`,
      })
      return created
    })
    return { operator, isNew: true }
  }

  async function update(
    principal: Principal,
    id: string,
    { name, role, contact }: Schema<'OperatorUpdate'>,
    ifMatch: IfMatch,
  ) {
    return database.transaction(principal.tenantId, async (tx) => {
      const operator = await findToChange(tx, principal, id, ifMatch)
      if (name === undefined && role === undefined && contact === undefined) return publicForm(operator)
      const reached = contactAfter(operator.contact ?? null, contact)
      passportLocks.lockAllOf(tx, { kind: 'operator', id: operator.id })
      operator.name = name ?? operator.name
      operator.role = role ?? operator.role
      if (contact !== undefined) operator.contact = reached
      recordAudit(tx, principal, 'operator.updated', operator.id)
      return publicForm(operator)
    })
  }

  /** Deletes an operator without passports; otherwise archives it with them (specification 4.2). */
  async function remove(principal: Principal, id: string, ifMatch: IfMatch): Promise<Content<'OperatorRemoved'>> {
    try {
      return await database.transaction(principal.tenantId, async (tx) => {
        const operator = await findToChange(tx, principal, id, ifMatch)
        const { hasPassports, facilities: unlinkedFacilities } = await useOfOperator(tx, operator.id)
        if (hasPassports) {
          const archivedPassports = await archive(tx, operator)
          recordAudit(tx, principal, 'operator.archived', operator.id, { archivedPassports })
          return { archived: true, archivedPassports }
        }
        tx.entities.remove(operator)
        const unlinked = unlinkedFacilities === 0 ? undefined : { unlinkedFacilities }
        recordAudit(tx, principal, 'operator.deleted', operator.id, unlinked)
        return { archived: false, ...unlinked }
      })
    } catch (error) {
      if (!isLost(error, 'gone')) throw error
      // A passport was added meanwhile: archives without count and audit (specification 4.2, trap 80).
      return archiveInstead(principal, id, ifMatch)
    }
  }

  /** Restores an archived operator with passports. @throws Problem 402 without capacity */
  async function restore(principal: Principal, id: string): Promise<number> {
    return database.transaction(principal.tenantId, async (tx) => {
      const operator = await findOwn(tx, principal, id)
      operator.archivedAt = null
      passportLocks.lockAllOf(tx, { kind: 'operator', id: operator.id })
      const workspaces = await restorePassports(tx, operator.id)
      const own = workspaces.filter((tenantId) => tenantId === principal.tenantId)
      await quota.assertQuota(tx, principal, own.length)
      recordAudit(tx, principal, 'operator.restored', operator.id, { restoredPassports: workspaces.length })
      return workspaces.length
    })
  }

  async function archiveInstead(principal: Principal, id: string, ifMatch: IfMatch): Promise<{ archived: boolean }> {
    try {
      await database.transaction(principal.tenantId, async (tx) => {
        await archive(tx, await findToChange(tx, principal, id, ifMatch))
      })
      return { archived: true }
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem(409, 'The economic operator cannot be deleted or archived at the moment. Retry later.', {
        cause: error,
      })
    }
  }

  async function archive(tx: Transaction, operator: Operator): Promise<number> {
    const now = new Date()
    operator.archivedAt ??= now
    await tx.entities.flush()
    passportLocks.lockAllOf(tx, { kind: 'operator', id: operator.id })
    return archivePassports(tx, operator.id, { at: now, until: yearsAfter(now, config.retentionYears) })
  }

  async function boundIds(entities: EntityManager, { tenantId, operatorId }: Principal): Promise<string[]> {
    const own = operatorId === null ? {} : { operatorId }
    const bindings = await entities.find(OperatorBinding, { tenantId, ...own })
    return bindings.map((binding) => binding.operatorId)
  }

  async function find(entities: EntityManager, principal: Principal, id: string): Promise<Operator> {
    const operator = isUuid(id) ? await entities.findOne(Operator, { id }) : null
    const { tenantId } = principal
    const isSeen =
      operator !== null &&
      (operator.tenantId === tenantId ||
        (await entities.count(OperatorBinding, { tenantId, operatorId: operator.id })) > 0)
    if (!isSeen) throw notInWorkspace()
    assertOperatorScope(principal, operator.id)
    return operator
  }

  /** Locks the operator if the write is conditional, and validates its current version. */
  async function findToChange(tx: Transaction, principal: Principal, id: string, ifMatch: IfMatch): Promise<Operator> {
    const operator = await findOwn(tx, principal, id)
    if (ifMatch === undefined) return operator
    passportLocks.lockAllOf(tx, { kind: 'operator', id: operator.id })
    if ((await tx.entities.refresh(operator)) === null) throw notInWorkspace()
    assertMatch(ifMatch, versionOf(publicForm(operator)))
    return operator
  }

  /** A binding allows acting for an operator, not changing its record. */
  async function findOwn(tx: Transaction, principal: Principal, id: string): Promise<Operator> {
    const operator = await find(tx.entities, principal, id)
    if (operator.tenantId !== principal.tenantId)
      throw forbidden('Only the workspace that registered this operator may change it.')
    return operator
  }
}

const notInWorkspace = () => new Problem(404, 'Operator not found in your workspace.')

const eoriNotFound = (regId: string): Remark => ({ code: 'EORI_NOT_FOUND', path: 'regId', params: { regId } })

function publicForm(operator: Operator): Schema<'Operator'> {
  const { id, name, regId, regIdScheme, role, archivedAt, createdAt, contact } = operator
  return {
    id,
    name,
    regId,
    regIdScheme: regIdScheme ?? null,
    role,
    archivedAt: archivedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    contact: contact ?? undefined,
  }
}
