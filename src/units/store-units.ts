import { randomUUID } from 'node:crypto'
import { recordAudits } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import type { Principal } from '../domain/principal.ts'
import { STATUS_CHANGE_KEYS } from '../plugin/unit-schema.ts'
import type { Transaction } from '../storage/transaction.ts'
import { conditionAfter, legalStatusOf } from './unit-condition.ts'
import { insertUnitEvents, type NewUnitEvent } from './unit-event-statements.ts'
import type { GivenUnit } from './unit-rules.ts'
import {
  insertUnits,
  keepConditions,
  type ListedUnit,
  moveUnits,
  type NewUnit,
  type PassportOfUnits,
  type Predecessor,
  type readGround,
  type ToKeep,
} from './unit-statements.ts'

/** Specification 4.4, literal. */
export const DUPLICATE = 'A unit with this serial already exists for this passport'

/** A text is the error. */
export type ValidatedUnit = GivenUnit | string

type Services = Pick<Cradle, 'moduleHooks' | 'publicCache'>

interface Ground extends Pick<Awaited<ReturnType<typeof readGround>>, 'taken' | 'predecessors'> {
  readonly passport: PassportOfUnits
}

/** Unit with a new successor. */
interface Succession {
  readonly predecessor: Predecessor
  readonly status: GivenUnit['status']
  readonly successor: ListedUnit
}

interface ToWrite {
  readonly passport: PassportOfUnits
  readonly made: readonly NewUnit[]
  readonly successions: readonly Succession[]
  readonly now: string
}

/** Stores valid units, and moves their predecessors. */
export async function storeUnits(
  services: Services,
  tx: Transaction,
  principal: Principal,
  { passport, taken, predecessors }: Ground,
  validated: readonly ValidatedUnit[],
) {
  const ofPassport = taken.filter(({ passportId }) => passportId === passport.id)
  const serials = new Set(ofPassport.map(({ serialNumber }) => serialNumber))
  const known = new Map(predecessors.map((predecessor) => [predecessor.id, predecessor]))
  const now = new Date().toISOString()
  const errors: string[] = []
  const made: NewUnit[] = []
  const successions: Succession[] = []
  // Units of one request share a timestamp; lists order them by id.
  const ids = validated.map(() => randomUUID()).sort()
  for (const [index, unit] of validated.entries()) {
    const refusal = typeof unit === 'string' ? unit : refusalOf(unit, serials, known, principal)
    if (typeof unit === 'string' || refusal !== undefined) {
      const place = validated.length === 1 || refusal === DUPLICATE ? '' : `units[${index}]: `
      errors.push(`${place}${refusal}`)
      continue
    }
    serials.add(unit.serialNumber)
    const successor = newUnitRow(principal, passport, unit, now, ids[index])
    made.push(successor)
    const predecessor = known.get(unit.predecessor?.id ?? '')
    if (unit.predecessor !== null && predecessor !== undefined) {
      successions.push({ predecessor, status: unit.predecessor.status, successor })
    }
  }
  if (made.length > 0) await writeUnits(services, tx, principal, { passport, made, successions, now })
  return { made, errors, productId: passport.productId }
}

function refusalOf(
  { serialNumber, predecessor }: GivenUnit,
  serials: ReadonlySet<string>,
  known: ReadonlyMap<string, Predecessor>,
  principal: Principal,
): string | undefined {
  if (serials.has(serialNumber)) return DUPLICATE
  if (predecessor === null) return undefined
  const found = known.get(predecessor.id)
  if (found === undefined) return `Unit ${predecessor.id} not found in your workspace`
  if (principal.operatorId !== null && found.operatorId !== principal.operatorId) {
    return 'The predecessor belongs to another economic operator'
  }
  return found.hasCeased ? `Unit ${predecessor.id} has been recycled and cannot be a predecessor` : undefined
}

async function writeUnits(
  services: Services,
  tx: Transaction,
  principal: Principal,
  { passport, made, successions, now }: ToWrite,
): Promise<void> {
  const { moduleHooks } = services
  const { id: passportId, operatorId, productId } = passport
  insertUnits(tx, made)
  await moduleHooks.changed(tx, { subject: 'unit', kind: 'created', ids: made.map(({ id }) => id) })
  // The last of several successors decides.
  const last = new Map(successions.map((succession) => [succession.predecessor.id, succession]))
  const moves = [...last].map(([id, { status }]) => ({ id, status, hasCeased: false }))
  moveUnits(tx, moves, now)
  const moved = [...last.keys()]
  await moduleHooks.changed(tx, { subject: 'unit', kind: 'changed', ids: moved, moved })
  keepConditions(tx, [...last.values()].map(conditionOf))
  insertUnitEvents(tx, successions.map(statusChange))
  recordAudits(
    tx,
    principal,
    'batteryunit.created',
    made.map(({ id, serialNumber }) => ({ id, detail: { serialNumber, passportId } })),
  )
  moduleHooks.notify(tx, {
    type: 'batteryunit.created',
    operatorId,
    subjectId: passportId,
    message: `Battery units of passport ${productId} were registered: ${made.length}.`,
  })
  // Links with a new serial resolved to the product before.
  services.publicCache.evictAfter(tx, [...moved, productId])
}

export function newUnitRow(
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

function conditionOf({ predecessor: { id: unitId, kept, status: before }, status, successor }: Succession): ToKeep {
  const { createdAt: recordedAt } = successor
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
function statusChange({ predecessor: { id: unitId, operatorId }, status, successor }: Succession): NewUnitEvent {
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
