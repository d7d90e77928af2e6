import { randomUUID } from 'node:crypto'
import type { PayloadVerdict } from '../categories/category-validator.ts'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, type IssueText, orProblem, Problem } from '../domain/problem.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { MAX_SHOWN_RECORDS } from '../domain/unit.ts'
import { mapYielding } from '../domain/yielding.ts'
import { STATUS_CHANGE_KEYS } from '../plugin/unit-schema.ts'
import type { Transaction, WriteScope } from '../storage/transaction.ts'
import { conditionAfter } from './unit-condition.ts'
import { insertUnitEvents, newestUnitEvents, type UnitEventRow } from './unit-event-statements.ts'
import { type GivenEvent, isMeasurement, validateUnitEvent } from './unit-rules.ts'
import {
  type HeldUnit,
  holdUnits,
  keepConditions,
  loadUnit,
  type Move,
  moveUnits,
  type ToKeep,
} from './unit-statements.ts'
import { noUnit } from './units.ts'

declare module '../cradle.ts' {
  interface Cradle {
    unitEvents: ReturnType<typeof unitEvents>
  }
}

/** Specification 2.6 and 4.4. */
export default function unitEvents({
  database,
  publicCache,
  categoryValidator,
  protectedReadAudit,
  moduleHooks,
}: Cradle) {
  const reports = database.shared(recordReported)

  return { record, recordAll, list }

  /** Records one event. @throws Problem 400 in the words of specification 4.4; 404; 403 for another operator's unit */
  async function record(
    principal: Principal,
    id: string,
    body: JsonRecord,
    lang: string,
  ): Promise<Pick<Content<'UnitEventRecorded'>, 'event' | 'warnings'>> {
    const now = new Date().toISOString()
    const event = validate(body, now)
    if (typeof event === 'string') throw badRequest(event)
    if (!isUuid(id)) throw noUnit()
    const report = { principal, unitId: id.toLowerCase(), event }
    const recorded = await asFailure(() => reports.batched(principal.tenantId, report))
    return { event: publicForm(recorded), warnings: warningsOf([{ path: 'payload', issues: event.issues }], lang) }
  }

  async function recordReported(tx: Transaction, reported: readonly Reported[]): Promise<(UnitEventRow | Problem)[]> {
    const held = await holdUnits(tx, [...new Set(reported.map(({ unitId }) => unitId))], [])
    const byId = new Map(held.map((unit) => [unit.id, unit]))
    const unitFor = ({ principal, unitId }: Reported) => {
      const unit = byId.get(unitId)
      if (unit === undefined) throw noUnit()
      assertOperatorScope(principal, unit.operatorId)
      return unit
    }
    const validated = reported.map((report) => orProblem(() => ({ event: report.event, unit: unitFor(report) })))
    const good = validated.filter((report): report is Exclude<typeof report, Problem> => !(report instanceof Problem))
    const rows = (await write(tx, good)).values()
    return validated.map((report) => (report instanceof Problem ? report : (rows.next().value as UnitEventRow)))
  }

  /** Records events independently, in one transaction. @throws Problem 400 with every event's error if none is valid */
  async function recordAll(
    principal: Principal,
    events: readonly unknown[],
    lang: string,
    scope: WriteScope,
  ): Promise<Content<'UnitEventsRecorded'>> {
    const now = new Date().toISOString()
    const validateNow = (row: JsonRecord) => validate(row, now)
    const validated = await mapYielding(events, (event) => validateRow(event, validateNow))
    const rows = validated.filter((row) => typeof row !== 'string')
    const { count, errors, warnings } = await asFailure(() =>
      scope.transaction(async (tx) => {
        const unitOf = byName(await holdAll(tx, rows), principal)
        const errors: string[] = []
        const good: { event: ValidatedEvent; unit: HeldUnit }[] = []
        const warned: { path: string; issues: PayloadVerdict['issues'] }[] = []
        validated.forEach((row, place) => {
          const unit = typeof row === 'string' ? row : unitOf(row)
          if (typeof row === 'string' || typeof unit === 'string') errors.push(`events[${place}]: ${unit}`)
          else {
            good.push({ event: row.event, unit })
            const { issues } = row.event
            if (issues.length > 0) warned.push({ path: `events[${place}].payload`, issues })
          }
        })
        await write(tx, good)
        return { count: good.length, errors, warnings: warningsOf(warned, lang) }
      }),
    )
    if (count === 0) throw new Problem(400, 'No event was recorded.', { title: 'Recording Failed', rows: errors })
    return {
      message: `${count} of ${events.length} events recorded.`,
      count,
      errors: errors.length === 0 ? undefined : errors,
      warnings,
    }
  }

  /** @throws Problem 404; 403 for another operator's unit */
  async function list(principal: Principal, id: string): Promise<Content<'UnitEventList'>> {
    if (!isUuid(id)) throw noUnit()
    const session = database.forTenant(principal.tenantId)
    const [unit, events] = await Promise.all([loadUnit(session, id), newestUnitEvents(session, id, MAX_SHOWN_RECORDS)])
    if (unit === undefined) throw noUnit()
    assertOperatorScope(principal, unit.operatorId)
    protectedReadAudit.record({
      tenantId: unit.tenantId,
      actor: principal.actor,
      action: 'batteryunit.read',
      subjectId: unit.id,
      representation: 'events',
      audience: 'owner',
    })
    return { count: events.length, serialNumber: unit.serialNumber, events: events.map(publicForm) }
  }

  async function write(
    tx: Transaction,
    good: readonly { readonly event: ValidatedEvent; readonly unit: HeldUnit }[],
  ): Promise<UnitEventRow[]> {
    const last = good.at(-1)
    if (last === undefined) return []
    const { tenantId } = tx
    const rows = good.map(({ event, unit }) => ({
      id: randomUUID(),
      unitId: unit.id,
      tenantId,
      operatorId: unit.operatorId,
      eventType: event.eventType,
      stateOfHealth: event.stateOfHealth,
      cycleCount: event.cycleCount,
      remainingCapacityAh: event.remainingCapacityAh,
      temperatureC: event.temperatureC,
      payload: event.payload,
      recordedAt: event.recordedAt,
      createdAt: event.createdAt,
    }))
    const moves = movesOf(good)
    insertUnitEvents(tx, rows)
    moveUnits(tx, moves, last.event.createdAt)
    await moduleHooks.changed(tx, {
      subject: 'unit',
      kind: 'changed',
      ids: [...new Set(rows.map(({ unitId }) => unitId))],
      moved: moves.map(({ id }) => id),
    })
    keepConditions(tx, conditionsOf(good, rows))
    publicCache.evictAfter(
      tx,
      moves.map(({ id }) => id),
    )
    return rows
  }

  function validate(body: JsonRecord, now: string): ValidatedEvent | string {
    const event = validateUnitEvent(body, now)
    if (typeof event === 'string') return event
    return Object.assign(event, { createdAt: now }, categoryValidator.unitPayload(event))
  }

  /** Warns of invalid payload fields, which are stored but ignored for the condition. */
  function warningsOf(
    payloads: readonly { readonly path: string; readonly issues: PayloadVerdict['issues'] }[],
    lang: string,
  ): IssueText[] | undefined {
    const warnings = categoryValidator.payloadWarnings(payloads, lang)
    return warnings.length === 0 ? undefined : warnings
  }

  /** Reports internal failures in the words of specification 4.4. */
  async function asFailure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem(500, 'Failed to record dynamic data', { title: 'Internal Server Error', cause: error })
    }
  }
}

type ValidatedEvent = GivenEvent & PayloadVerdict & { readonly createdAt: string }

interface Reported {
  readonly principal: Principal
  readonly unitId: string
  readonly event: ValidatedEvent
}

interface ValidatedRow {
  readonly event: ValidatedEvent
  readonly unitId: string | undefined
  readonly key: { readonly productId: string; readonly serialNumber: string } | undefined
}

function validateRow(row: unknown, validate: (row: JsonRecord) => ValidatedEvent | string): ValidatedRow | string {
  if (!isRecord(row)) return 'An event must be an object'
  const { unitId, productId, serialNumber } = row
  if (unitId !== undefined && (typeof unitId !== 'string' || !isUuid(unitId))) {
    return 'unitId must be the UUID of a unit'
  }
  if (unitId === undefined && (typeof productId !== 'string' || typeof serialNumber !== 'string')) {
    return 'unitId is required, or productId and serialNumber'
  }
  const event = validate(row)
  if (typeof event === 'string') return event
  return {
    event,
    unitId: unitId?.toLowerCase(),
    key:
      unitId === undefined
        ? { productId: String(productId).trim().normalize('NFC'), serialNumber: String(serialNumber).trim() }
        : undefined,
  }
}

const holdAll = (tx: Transaction, rows: readonly ValidatedRow[]): Promise<HeldUnit[]> =>
  holdUnits(
    tx,
    [...new Set(rows.map(({ unitId }) => unitId).filter((unitId) => unitId !== undefined))],
    rows.map(({ key }) => key).filter((key) => key !== undefined),
  )

function byName(units: readonly HeldUnit[], principal: Principal): (row: ValidatedRow) => HeldUnit | string {
  const byId = new Map(units.map((unit) => [unit.id, unit]))
  const byKey = Map.groupBy(units, keyOf)
  const isOwn = ({ operatorId }: HeldUnit) => principal.operatorId === null || operatorId === principal.operatorId
  const anothers = 'The unit belongs to another economic operator'
  return ({ unitId, key }) => {
    if (key === undefined) {
      const unit = byId.get(unitId ?? '')
      if (unit === undefined) return NO_SUCH_UNIT
      return isOwn(unit) ? unit : anothers
    }
    const found = byKey.get(keyOf(key))
    if (found === undefined) return NO_SUCH_UNIT
    const [unit, another] = found.filter(isOwn)
    if (unit === undefined) return anothers
    return another === undefined ? unit : 'Several operators have this product: use unitId'
  }
}

const NO_SUCH_UNIT = 'Unit not found in your workspace'

const keyOf = ({ productId, serialNumber }: { readonly productId: string; readonly serialNumber: string }) =>
  JSON.stringify([productId, serialNumber])

function movesOf(good: readonly { readonly event: GivenEvent; readonly unit: HeldUnit }[]): Move[] {
  const moves = new Map<string, Move>()
  for (const { event, unit } of good) {
    if (event.status === null) continue
    const earlier = moves.get(unit.id)
    if (event.status === (earlier?.status ?? unit.status)) continue
    const hasCeased = earlier?.hasCeased === true || event.status === 'RECYCLED'
    moves.set(unit.id, { id: unit.id, status: event.status, hasCeased })
  }
  return [...moves.values()]
}

function conditionsOf(
  good: readonly { readonly event: ValidatedEvent; readonly unit: HeldUnit }[],
  rows: readonly UnitEventRow[],
): ToKeep[] {
  const changes = new Map<string, Change>()
  for (const [index, { event, unit }] of good.entries()) {
    const row = rows[index] as UnitEventRow
    const change = changes.get(unit.id) ?? { kept: unit.kept, measured: null, status: unit.status, isChanged: false }
    changes.set(unit.id, change)
    const kept = conditionAfter(change.kept, event, change.status, STATUS_CHANGE_KEYS)
    // The later of simultaneous measurements wins.
    const isLatest = isMeasurement(row) && (change.measured === null || change.measured.recordedAt <= row.recordedAt)
    change.isChanged ||= isLatest || kept !== change.kept
    change.kept = kept
    if (isLatest) change.measured = row
    change.status = event.status ?? change.status
  }
  return [...changes].flatMap(([unitId, { kept, measured, isChanged }]) =>
    isChanged ? [{ unitId, kept, measured }] : [],
  )
}

interface Change {
  kept: ToKeep['kept']
  measured: ToKeep['measured']
  status: HeldUnit['status']
  isChanged: boolean
}

function publicForm(row: UnitEventRow): Schema<'BatteryUnitEvent'> {
  return {
    id: row.id,
    batteryUnitId: row.unitId,
    tenantId: row.tenantId,
    eventType: row.eventType,
    stateOfHealth: row.stateOfHealth,
    cycleCount: row.cycleCount,
    remainingCapacityAh: row.remainingCapacityAh,
    temperatureC: row.temperatureC,
    payload: row.payload as Schema<'BatteryUnitEvent'>['payload'],
    recordedAt: row.recordedAt,
    createdAt: row.createdAt,
  }
}
