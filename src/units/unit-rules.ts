import { batchNumberOf, NO_BATCH_NUMBER } from '../domain/batch.ts'
import { momentOf } from '../domain/dates.ts'
import { isUuid } from '../domain/identifiers.ts'
import type { Json } from '../domain/metadata.ts'
import { badRequest } from '../domain/problem.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import {
  UNIT_EVENT_TYPES,
  UNIT_STATUSES,
  type UnitEventType,
  type UnitMeasures,
  type UnitStatus,
} from '../domain/unit.ts'

/** Units per request (specification 8). */
const MAX_UNITS = 200
/** Payload bytes as JSON; a document shows 500 events. */
const MAX_PAYLOAD_BYTES = 16_384

const SERIAL_NUMBER = /^[A-Za-z0-9._-]{1,20}$/
const PREDECESSOR_STATUSES = ['REPURPOSED', 'REMANUFACTURED', 'REUSED'] as const

/** First error, worded as in specification 4.4. */
class Fault extends Error {}

export interface GivenUnit {
  readonly serialNumber: string
  readonly batchNumber: string | null
  readonly status: UnitStatus
  readonly manufacturedAt: string | null
  readonly placedOnMarketAt: string | null
  readonly predecessor: { readonly id: string; readonly status: UnitStatus } | null
}

export interface GivenEvent extends UnitMeasures {
  readonly eventType: UnitEventType
  readonly status: UnitStatus | null
  /** ISO 8601 in UTC. */
  readonly recordedAt: string
  readonly payload: Json
}

/**
 * Returns the units of a body; a list in `units` wins (trap 87).
 * @throws Problem 400 for none, or more than 200
 */
export function unitsOf(body: JsonRecord): readonly unknown[] {
  const { units } = body
  if (!Array.isArray(units)) return [body]
  if (units.length === 0) throw badRequest('units must not be empty')
  if (units.length > MAX_UNITS) throw badRequest(`units must have at most ${MAX_UNITS} items`)
  return units
}

export function serialOf(unit: unknown): string | null {
  return isRecord(unit) && typeof unit.serialNumber === 'string' ? unit.serialNumber.trim() : null
}

/**
 * A text is the error.
 * @param checkSerial findings of the GS1 engine
 */
export const validateUnit = (
  unit: unknown,
  checkSerial: (serialNumber: string) => readonly string[],
): GivenUnit | string => verdict(() => readUnit(unit, checkSerial))

function verdict<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

function readUnit(unit: unknown, checkSerial: (serialNumber: string) => readonly string[]): GivenUnit {
  if (!isRecord(unit)) throw new Fault('A unit must be an object')
  const serialNumber = serialOf(unit)
  if (serialNumber === null) throw new Fault('serialNumber is required and must be a text')
  // RFC 3986, 5.2.4 removes dot segments.
  if (!SERIAL_NUMBER.test(serialNumber) || serialNumber === '.' || serialNumber === '..') {
    throw new Fault('serialNumber must be 1 to 20 letters, digits, dots, underscores and hyphens')
  }
  const [problem] = checkSerial(serialNumber)
  if (problem !== undefined) throw new Fault(`serialNumber: ${problem}`)
  const batchNumber = isAbsent(unit.batchNumber) ? null : batchNumberOf(unit.batchNumber)
  if (batchNumber === undefined) throw new Fault(NO_BATCH_NUMBER)
  const status = oneOf('status', UNIT_STATUSES, unit.status) ?? 'IN_SERVICE'
  const manufacturedAt = moment('manufacturedAt', unit.manufacturedAt)
  const placedOnMarketAt = moment('placedOnMarketAt', unit.placedOnMarketAt)
  // Either may be a date without time.
  if (
    manufacturedAt !== null &&
    placedOnMarketAt !== null &&
    placedOnMarketAt.slice(0, 10) < manufacturedAt.slice(0, 10)
  ) {
    throw new Fault('placedOnMarketAt must not be before manufacturedAt (Regulation (EU) 2024/1781, Article 9(2)(i))')
  }
  return {
    serialNumber,
    batchNumber,
    status,
    manufacturedAt,
    placedOnMarketAt,
    predecessor: predecessorOf(unit),
  }
}

function predecessorOf(unit: JsonRecord): GivenUnit['predecessor'] {
  const { predecessorUnitId: id } = unit
  const status = oneOf('predecessorStatus', PREDECESSOR_STATUSES, unit.predecessorStatus) ?? 'REPURPOSED'
  if (isAbsent(id)) return null
  if (typeof id !== 'string' || !isUuid(id)) throw new Fault('predecessorUnitId must be the UUID of a unit')
  return { id: id.toLowerCase(), status }
}

/**
 * A text is the error (specification 4.4).
 * @param now default of `recordedAt`
 */
export const validateUnitEvent = (event: JsonRecord, now: string): GivenEvent | string =>
  verdict(() => readEvent(event, now))

function readEvent(event: JsonRecord, now: string): GivenEvent {
  const eventType = oneOf('eventType', UNIT_EVENT_TYPES, event.eventType)
  if (eventType === undefined) throw notOneOf('eventType', UNIT_EVENT_TYPES)
  const stateOfHealth = measure('stateOfHealth', event, 0, 100)
  const cycleCount = measure('cycleCount', event, 0, Number.MAX_SAFE_INTEGER)
  const remainingCapacityAh = measure('remainingCapacityAh', event, 0, Number.MAX_SAFE_INTEGER)
  const temperatureC = measure('temperatureC', event, -273.15, 10_000)
  return {
    eventType,
    stateOfHealth,
    cycleCount: cycleCount === null ? null : Math.trunc(cycleCount),
    remainingCapacityAh,
    temperatureC,
    status: oneOf('status', UNIT_STATUSES, event.status) ?? null,
    recordedAt: moment('recordedAt', event.recordedAt) ?? now,
    payload: payloadOf(event),
  }
}

export const isMeasurement = (event: UnitMeasures): boolean =>
  [event.stateOfHealth, event.cycleCount, event.remainingCapacityAh, event.temperatureC].some((value) => value !== null)

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

function oneOf<T extends string>(name: string, allowed: readonly T[], value: unknown): T | undefined {
  if (isAbsent(value)) return undefined
  const found = allowed.find((item) => item === value)
  if (found === undefined) throw notOneOf(name, allowed)
  return found
}

const notOneOf = (name: string, allowed: readonly string[]) =>
  new Fault(`${name} must be one of: ${allowed.join(', ')}`)

function measure(name: keyof UnitMeasures, event: JsonRecord, low: number, high: number): number | null {
  const value = event[name]
  if (isAbsent(value)) return null
  if (typeof value === 'number' && value >= low && value <= high) {
    // Avoids negative zero.
    return value + 0
  }
  throw new Fault(`${name} must be a number between ${low} and ${high}`)
}

function moment(name: string, value: unknown): string | null {
  if (isAbsent(value)) return null
  const found = momentOf(value)
  if (found === undefined) throw new Fault(`${name} is not a valid date`)
  return found
}

/** Returns null for payloads other than objects and lists (trap 95). */
function payloadOf({ payload }: JsonRecord): Json {
  if (typeof payload !== 'object' || payload === null) return null
  if (Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES) {
    throw new Fault(`payload must have at most ${MAX_PAYLOAD_BYTES} bytes as JSON`)
  }
  return payload as Json
}
