import { batchNumberOf, NO_BATCH_NUMBER } from './batch.ts'
import { momentOf } from './dates.ts'
import { isUuid } from './identifiers.ts'
import type { Json } from './metadata.ts'
import { badRequest } from './problem.ts'
import { isRecord, type JsonRecord } from './record.ts'
import { UNIT_EVENT_TYPES, UNIT_STATUSES, type UnitEventType, type UnitMeasures, type UnitStatus } from './unit.ts'

/** Units of one request (specification 8). */
const MAX_UNITS = 200
/** Bytes that the payload of one event may have as JSON: a document shows 500 of them. */
const MAX_PAYLOAD_BYTES = 16_384

const SERIAL_NUMBER = /^[A-Za-z0-9._-]{1,20}$/
const PREDECESSOR_STATUSES = ['REPURPOSED', 'REMANUFACTURED', 'REUSED'] as const

/** Ends a judgement: the first thing that is wrong, in the words of specification 4.4 where it has some. */
class Fault extends Error {}

/** A unit that may be serialised, as far as it can be told without the database. */
export interface GivenUnit {
  readonly serialNumber: string
  /** Whether that batch has a record or not. */
  readonly batchNumber: string | null
  readonly status: UnitStatus
  readonly manufacturedAt: string | null
  readonly placedOnMarketAt: string | null
  readonly predecessor: { readonly id: string; readonly status: UnitStatus } | null
}

/** An event that may be recorded. */
export interface GivenEvent extends UnitMeasures {
  readonly eventType: UnitEventType
  /** What becomes of the unit; null leaves it as it is. */
  readonly status: UnitStatus | null
  /** ISO 8601 in UTC. */
  readonly recordedAt: string
  readonly payload: Json
}

/**
 * The units that a body holds: where `units` is a list, it alone counts (trap 87).
 * @throws Problem 400 for none, or more than 200
 */
export function unitsOf(body: JsonRecord): readonly unknown[] {
  const { units } = body
  if (!Array.isArray(units)) return [body]
  if (units.length === 0) throw badRequest('units must not be empty')
  if (units.length > MAX_UNITS) throw badRequest(`units must have at most ${MAX_UNITS} items`)
  return units
}

/** The serial number that a given unit would be kept under, whatever is wrong with it; null where it has none. */
export function serialOf(unit: unknown): string | null {
  return isRecord(unit) && typeof unit.serialNumber === 'string' ? unit.serialNumber.trim() : null
}

/**
 * Judges one unit by itself; a text says what is wrong with it.
 * @param checkSerial what the GS1 engine finds wrong with a serial number
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
  // A link cannot hold `.` and `..` as a segment (RFC 3986, 5.2.4).
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
  // One of them may be a day alone.
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
 * Judges one event by itself, in the order and the words of specification 4.4; a text says what is wrong with it.
 * @param now when it is recorded, unless it says itself when it happened
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

/** Whether an event says anything of what was measured. */
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
    // A negative zero is no other measure than zero.
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

/** An object or a list; anything else counts as null (trap 95). */
function payloadOf({ payload }: JsonRecord): Json {
  if (typeof payload !== 'object' || payload === null) return null
  if (Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES) {
    throw new Fault(`payload must have at most ${MAX_PAYLOAD_BYTES} bytes as JSON`)
  }
  return payload as Json
}
