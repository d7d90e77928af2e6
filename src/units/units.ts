import { randomUUID } from 'node:crypto'
import { recordAudit, recordAudits } from '../audit/audit-statements.ts'
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
import { STATUS_CHANGE_KEYS } from '../plugin/unit-schema.ts'
import type { Transaction, WriteScope } from '../storage/transaction.ts'
import { inAttempts } from '../storage/unit-of-work.ts'
import { refuse } from '../workspaces/company-prefixes.ts'
import { conditionAfter, legalStatusOf } from './unit-condition.ts'
import { insertUnitEvents, type NewUnitEvent, newestUnitEvents } from './unit-event-statements.ts'
import { type GivenUnit, serialOf, unitsOf, validateUnit } from './unit-rules.ts'
import {
  deleteUnit,
  findPassportOfUnits,
  holdFamily,
  insertUnits,
  keepConditions,
  type ListedUnit,
  listUnits,
  loadUnit,
  moveUnits,
  type NewUnit,
  type PassportName,
  type PassportOfUnits,
  type Predecessor,
  readGround,
  type ToKeep,
} from './unit-statements.ts'

/** Specification 4.4, literal. */
const DUPLICATE = 'A unit with this serial already exists for this passport'

declare module '../cradle.ts' {
  interface Cradle {
    units: ReturnType<typeof units>
  }
}

/** Specification 4.4. */
export default function units({
  passportRows,
  database,
  gs1Engine,
  subjectViews,
  unitViews,
  moduleHooks,
  publicCache,
  protectedReadAudit,
  translator,
}: Cradle) {
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
    const { made, productId, errors } = await inAttempts(['gone', 'taken'], () =>
      scope.transaction((tx) => store(tx, principal, nameOf(passport, principal), validated)),
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

  async function store(tx: Transaction, principal: Principal, name: PassportName, validated: readonly ValidatedUnit[]) {
    const given = validated.filter((unit) => typeof unit !== 'string')
    const { passports, taken, predecessors } = await readGround(
      tx,
      name,
      given.map(({ serialNumber }) => serialNumber),
      [...new Set(given.map(({ predecessor }) => predecessor?.id).filter((id) => id !== undefined))],
    )
    const passport = named(passports, principal)
    const serials = new Set(
      taken.filter(({ passportId }) => passportId === passport.id).map(({ serialNumber }) => serialNumber),
    )
    const known = new Map(predecessors.map((predecessor) => [predecessor.id, predecessor]))
    const now = new Date().toISOString()
    const errors: string[] = []
    const made: NewUnit[] = []
    // Units of one request share a timestamp; lists order them by id.
    const ids = validated.map(() => randomUUID()).sort()
    const moved: { predecessor: Predecessor; status: GivenUnit['status']; successor: ListedUnit }[] = []
    for (const [index, unit] of validated.entries()) {
      const refusal = typeof unit === 'string' ? unit : refusalOf(unit)
      if (typeof unit === 'string' || refusal !== undefined) {
        const place = validated.length === 1 || refusal === DUPLICATE ? '' : `units[${index}]: `
        errors.push(`${place}${refusal}`)
        continue
      }
      serials.add(unit.serialNumber)
      const successor = newRow(principal, passport, unit, now, ids[index])
      made.push(successor)
      const predecessor = known.get(unit.predecessor?.id ?? '')
      if (unit.predecessor !== null && predecessor !== undefined) {
        moved.push({ predecessor, status: unit.predecessor.status, successor })
      }
    }
    if (made.length > 0) await write()
    return { made, errors, productId: passport.productId }

    function refusalOf({ serialNumber, predecessor }: GivenUnit): string | undefined {
      if (serials.has(serialNumber)) return DUPLICATE
      if (predecessor === null) return undefined
      const found = known.get(predecessor.id)
      if (found === undefined) return `Unit ${predecessor.id} not found in your workspace`
      if (principal.operatorId !== null && found.operatorId !== principal.operatorId) {
        return 'The predecessor belongs to another economic operator'
      }
      return found.hasCeased ? `Unit ${predecessor.id} has been recycled and cannot be a predecessor` : undefined
    }

    async function write(): Promise<void> {
      insertUnits(tx, made)
      await moduleHooks.changed(tx, { subject: 'unit', kind: 'created', ids: made.map(({ id }) => id) })
      // The last of several successors decides.
      const moves = new Map(moved.map(({ predecessor: { id }, status }) => [id, { id, status, hasCeased: false }]))
      moveUnits(tx, [...moves.values()], now)
      const ids = [...moves.keys()]
      await moduleHooks.changed(tx, { subject: 'unit', kind: 'changed', ids, moved: ids })
      keepConditions(
        tx,
        [...moves.values()].flatMap(({ id, status }) => {
          const predecessor = known.get(id)
          return predecessor === undefined ? [] : [movedTo(predecessor, status, now)]
        }),
      )
      insertUnitEvents(
        tx,
        moved.map(({ predecessor, status, successor }) => statusChange(predecessor, status, successor)),
      )
      recordAudits(
        tx,
        principal,
        'batteryunit.created',
        made.map(({ id, serialNumber }) => ({ id, detail: { serialNumber, passportId: passport.id } })),
      )
      moduleHooks.notify(tx, {
        type: 'batteryunit.created',
        operatorId: passport.operatorId,
        subjectId: passport.id,
        message: `Battery units of passport ${passport.productId} were registered: ${made.length}.`,
      })
      // Links with a new serial resolved to the product before.
      evict(tx, [...moves.keys(), passport.productId])
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
    const made = newRow(principal, passport, { ...unit, predecessor }, new Date().toISOString())
    insertUnits(tx, [made])
    await moduleHooks.changed(tx, { subject: 'unit', kind: 'created', ids: [made.id] })
    recordAudit(tx, principal, 'batteryunit.created', made.id, {
      serialNumber: made.serialNumber,
      passportId: passport.id,
    })
    evict(tx, [predecessor.id, passport.productId])
    return publicForm(made, passport.productId)
  }

  async function validate(
    principal: Principal,
    passport: string,
    body: JsonRecord,
  ): Promise<Content<'UnitsValidated'>> {
    const given = unitsOf(body)
    const session = database.forTenant(principal.tenantId)
    named(await findPassportOfUnits(session, nameOf(passport, principal)), principal)
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
    const name = nameOf(passport, principal)
    const { passports, units, total } = await listUnits(database.forTenant(principal.tenantId), name, page)
    const { productId } = named(passports, principal)
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
      evict(
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
    return isGtin14(productId) ? [] : [translator.advisory({ code: 'UNIT_NO_SCANNABLE_LINK' }, lang)]
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

  function evict(tx: Transaction, names: readonly string[]): void {
    tx.afterCommit(() => {
      for (const name of names) publicCache.evict(name)
    })
  }
}

type ValidatedUnit = GivenUnit | string

export const noUnit = () => notFound('Battery unit not found in your workspace.')

export const nameOf = (idOrProduct: string, { operatorId }: Pick<Principal, 'operatorId'>): PassportName => ({
  id: isUuid(idOrProduct) ? idOrProduct : null,
  productId: idOrProduct.normalize('NFC'),
  operatorId,
})

/** Selects the passport by id, else by product. @throws Problem as `uniqueMatch` */
export function named(
  passports: readonly PassportOfUnits[],
  principal: Pick<Principal, 'operatorId'>,
): PassportOfUnits {
  const byId = passports.filter(({ isById }) => isById)
  return uniqueMatch(byId.length === 0 ? passports : byId, principal, ({ operatorId }) => operatorId)
}

function newRow(
  principal: Principal,
  passport: Pick<PassportOfUnits, 'id' | 'operatorId'>,
  unit: GivenUnit,
  now: string,
  id: string = randomUUID(),
): NewUnit {
  return {
    id,
    tenantId: principal.tenantId,
    passportId: passport.id,
    operatorId: passport.operatorId,
    serialNumber: unit.serialNumber,
    batchNumber: unit.batchNumber,
    manufacturedAt: unit.manufacturedAt,
    placedOnMarketAt: unit.placedOnMarketAt,
    status: unit.status,
    ceasedAt: unit.status === 'RECYCLED' ? now : null,
    predecessorUnitId: unit.predecessor?.id ?? null,
    batteryStatus: legalStatusOf(
      unit.status,
      unit.predecessor === null ? undefined : legalStatusOf(unit.predecessor.status),
    ),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

function movedTo(
  { id: unitId, kept, status: before }: Predecessor,
  status: GivenUnit['status'],
  recordedAt: string,
): ToKeep {
  const event = { ...NOTHING_MEASURED, eventType: 'STATUS_CHANGE', status, recordedAt, values: {} } as const
  return { unitId, kept: conditionAfter(kept, event, before, STATUS_CHANGE_KEYS), measured: null }
}

const NOTHING_MEASURED = {
  stateOfHealth: null,
  cycleCount: null,
  remainingCapacityAh: null,
  temperatureC: null,
} as const

/** Event of a predecessor that refers to its successor (specification 3.2). */
function statusChange(
  { id: unitId, operatorId }: Predecessor,
  status: GivenUnit['status'],
  successor: ListedUnit,
): NewUnitEvent {
  return {
    id: randomUUID(),
    unitId,
    operatorId,
    tenantId: successor.tenantId,
    eventType: 'STATUS_CHANGE',
    ...NOTHING_MEASURED,
    payload: { status, successorUnitId: successor.id, successorSerial: successor.serialNumber },
    recordedAt: successor.createdAt,
    createdAt: successor.createdAt,
  }
}
