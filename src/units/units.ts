import { recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { isGtin14, isUuid } from '../domain/identifiers.ts'
import { type PageQuery, pageOf } from '../domain/paging.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { type Advisory, badRequest, notFound, Problem } from '../domain/problem.ts'
import type { JsonRecord } from '../domain/record.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { MAX_SHOWN_RECORDS } from '../domain/unit.ts'
import { unitDocument } from '../domain/unit-document.ts'
import { mapYielding } from '../domain/yielding.ts'
import { uniqueMatch } from '../passports/passports.ts'
import type { Transaction, WriteScope } from '../storage/transaction.ts'
import { inAttempts } from '../storage/unit-of-work.ts'
import { refuse } from '../workspaces/company-prefixes.ts'
import { DUPLICATE, newUnitRow, storeUnits, type ValidatedUnit } from './store-units.ts'
import { newestUnitEvents } from './unit-event-statements.ts'
import { type GivenUnit, serialOf, unitsOf, validateUnit } from './unit-rules.ts'
import {
  deleteUnit,
  findPassportOfUnits,
  holdFamily,
  insertUnits,
  type ListedUnit,
  listUnits,
  loadUnit,
  type PassportName,
  type PassportOfUnits,
  readGround,
} from './unit-statements.ts'

declare module '../cradle.ts' {
  interface Cradle {
    units: ReturnType<typeof units>
  }
}

/** Specification 4.4. */
export default function units(services: Cradle) {
  const { passportRows, database, gs1Engine, subjectViews, unitViews, moduleHooks, protectedReadAudit } = services

  return { serialise, addSuccessor, validate, list, read, remove }

  /**
   * Serialises units independently, in one transaction.
   * @throws Problem 400 for a bad envelope, or if no unit is valid; 403, 404 for the passport; 409 under a claimed prefix
   */
  async function serialise(
    principal: Principal,
    passport: string,
    body: JsonRecord,
    lang: string,
    scope: WriteScope,
  ): Promise<Content<'UnitsSerialised'>> {
    const validated = await validateAll(unitsOf(body))
    const given = validated.filter((unit) => typeof unit !== 'string')
    const serials = given.map(({ serialNumber }) => serialNumber)
    const predecessors = new Set(given.map(({ predecessor }) => predecessor?.id).filter((id) => id !== undefined))
    const { made, productId, errors } = await inAttempts(['gone', 'taken'], () =>
      scope.transaction(async (tx) => {
        const ground = await readGround(tx, toPassportName(passport, principal), serials, [...predecessors])
        return storeUnits(
          services,
          tx,
          principal,
          { ...ground, passport: selectPassport(ground.passports, principal) },
          validated,
        )
      }),
    ).catch(refuse)
    if (made.length === 0) {
      throw new Problem(400, 'No unit was serialised.', { title: 'Serialisation Failed', rows: errors })
    }
    const warnings = warningsOf(productId, lang)
    return {
      message: `${made.length} of ${validated.length} battery units serialised.`,
      count: made.length,
      units: made.map((unit) => publicForm(unit, productId)),
      errors: errors.length === 0 ? undefined : errors,
      warnings: warnings.length === 0 ? undefined : warnings,
    }
  }

  /**
   * Creates the successor of a unit of another workspace, which must not be ceased. Fails with `23505` if the serial number is taken, or as
   * `insertUnits`.
   * @throws Problem 400
   */
  async function addSuccessor(
    tx: Transaction,
    principal: Principal,
    passport: Pick<PassportOfUnits, 'id' | 'operatorId' | 'productId'>,
    {
      serialNumber,
      predecessor,
    }: {
      readonly serialNumber: string | undefined
      readonly predecessor: NonNullable<GivenUnit['predecessor']>
    },
  ): Promise<Schema<'BatteryUnit'>> {
    const unit = validateUnit({ serialNumber, status: predecessor.status }, (serial) => gs1Engine.checkSerial(serial))
    if (typeof unit === 'string') throw badRequest(`${unit}.`)
    const made = newUnitRow(principal, passport, { ...unit, predecessor }, new Date().toISOString())
    insertUnits(tx, [made])
    await moduleHooks.changed(tx, { subject: 'unit', kind: 'created', ids: [made.id] })
    recordAudit(tx, principal, 'batteryunit.created', made.id, {
      serialNumber: made.serialNumber,
      passportId: passport.id,
    })
    services.publicCache.evictAfter(tx, [predecessor.id, passport.productId])
    return publicForm(made, passport.productId)
  }

  async function validate(
    principal: Principal,
    passport: string,
    body: JsonRecord,
  ): Promise<Content<'UnitsValidated'>> {
    const given = unitsOf(body)
    const session = database.forTenant(principal.tenantId)
    selectPassport(await findPassportOfUnits(session, toPassportName(passport, principal)), principal)
    const validated = await validateAll(given)
    const serials = new Set<string>()
    const results = validated.map((unit, index) => {
      const serialNumber = serialOf(given[index])
      const isTwice = typeof unit !== 'string' && serials.has(unit.serialNumber)
      if (typeof unit !== 'string') serials.add(unit.serialNumber)
      const error = typeof unit === 'string' ? unit : isTwice ? DUPLICATE : undefined
      return { serialNumber, ok: error === undefined, error }
    })
    const validCount = results.filter(({ ok }) => ok).length
    return {
      message: `${validCount} of ${given.length} battery units can be serialised.`,
      count: given.length,
      validCount,
      results,
    }
  }

  async function list(principal: Principal, passport: string, query: PageQuery): Promise<Content<'UnitPage'>> {
    const page = pageOf(query, { usual: 100, max: 200 })
    const name = toPassportName(passport, principal)
    const { passports, units, total } = await listUnits(database.forTenant(principal.tenantId), name, page)
    const { productId } = selectPassport(passports, principal)
    return {
      count: units.length,
      productId,
      units: units.map((unit) => publicForm(unit, productId)),
      ...page,
      total,
      totalPages: Math.ceil(total / page.limit),
    }
  }

  /**
   * Returns the owner's view. Only the public view has predecessor and successors (trap 93).
   * @throws Problem 404; 403 for another operator's
   */
  async function read(principal: Principal, id: string): Promise<Schema<'UnitDocument'>> {
    if (!isUuid(id)) throw noUnit()
    const session = database.forTenant(principal.tenantId)
    const [unit, passport, ofBatch, records] = await Promise.all([
      loadUnit(session, id),
      passportRows.loadOfUnit(session, id),
      subjectViews.batchOf(session, id),
      newestUnitEvents(session, id, MAX_SHOWN_RECORDS),
    ])
    if (unit === undefined || passport === undefined) throw noUnit()
    assertOperatorScope(principal, unit.operatorId)
    protectedReadAudit.record({
      tenantId: unit.tenantId,
      actor: principal.actor,
      action: 'batteryunit.read',
      subjectId: unit.id,
      representation: 'jsonld',
      audience: 'owner',
    })
    return unitDocument(
      unitViews.view(unit, passport, 'owner', { repurposedFrom: null, successorUnits: [], ofBatch, records }),
    )
  }

  /** @throws Problem 404; 403 for another operator's */
  async function remove(principal: Principal, id: string): Promise<{ successors: string[] }> {
    if (!isUuid(id)) throw noUnit()
    return database.transaction(principal.tenantId, async (tx) => {
      const family = await holdFamily(tx, id)
      const unit = family.find((member) => member.id === id.toLowerCase())
      if (unit === undefined) throw noUnit()
      assertOperatorScope(principal, unit.operatorId)
      const { passportId, serialNumber } = unit
      const successors = family.filter((member) => member.predecessorUnitId === unit.id)
      recordAudit(tx, principal, 'batteryunit.deleted', unit.id, {
        ...{ serialNumber, passportId },
        ...(successors.length === 0 ? {} : { successors: successors.map((successor) => successor.id) }),
      })
      deleteUnit(tx, unit.id)
      await moduleHooks.changed(tx, { subject: 'unit', kind: 'deleted', ids: [unit.id] })
      services.publicCache.evictAfter(
        tx,
        family.map((member) => member.id),
      )
      return { successors: successors.map((successor) => successor.serialNumber) }
    })
  }

  function validateAll(given: readonly unknown[]): Promise<ValidatedUnit[]> {
    return mapYielding(given, (unit) => validateUnit(unit, (serialNumber) => gs1Engine.checkSerial(serialNumber)))
  }

  function warningsOf(productId: string, lang: string): Advisory[] {
    return isGtin14(productId) ? [] : [services.translator.advisory({ code: 'UNIT_NO_SCANNABLE_LINK' }, lang)]
  }

  function publicForm(unit: ListedUnit, productId: string): Schema<'BatteryUnit'> {
    return {
      id: unit.id,
      serialNumber: unit.serialNumber,
      batchNumber: unit.batchNumber ?? undefined,
      digitalLinkUri: unitViews.link(productId, unit.serialNumber),
      passportId: unit.passportId,
      tenantId: unit.tenantId,
      manufacturedAt: unit.manufacturedAt,
      placedOnMarketAt: unit.placedOnMarketAt ?? undefined,
      status: unit.status,
      ceasedAt: unit.ceasedAt,
      predecessorUnitId: unit.predecessorUnitId,
      createdAt: unit.createdAt,
      updatedAt: unit.updatedAt,
    }
  }
}

export const noUnit = () => notFound('Battery unit not found in your workspace.')

export const toPassportName = (idOrProduct: string, { operatorId }: Pick<Principal, 'operatorId'>): PassportName => ({
  id: isUuid(idOrProduct) ? idOrProduct : null,
  productId: idOrProduct.normalize('NFC'),
  operatorId,
})

/** Selects the passport by id, else by product. @throws Problem as `uniqueMatch` */
export function selectPassport(
  passports: readonly PassportOfUnits[],
  principal: Pick<Principal, 'operatorId'>,
): PassportOfUnits {
  const byId = passports.filter(({ isById }) => isById)
  return uniqueMatch(byId.length === 0 ? passports : byId, principal, ({ operatorId }) => operatorId)
}
