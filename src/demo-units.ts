import type { Cradle } from './cradle.ts'
import type { Principal } from './domain/principal.ts'
import { ownScope } from './storage/unit-of-work.ts'

const DAY_MS = 86_400_000
const WEEKS = 52
const RATED_CAPACITY_AH = 100

/** A battery of the demo: its serial number, and what its weeks have been like. */
interface Battery {
  readonly serialNumber: string
  /** Weeks before now, from the first measurement to the last. */
  readonly from: number
  readonly to: number
  /** Per cent, at its first measurement, and lost in each week since. */
  readonly health: number
  readonly loss: number
  /** Charging cycles, at its first measurement, and in each week since. */
  readonly cycles: number
  readonly use: number
}

const IN_USE: Battery = { serialNumber: 'NH51-00417', from: WEEKS, to: 0, health: 100, loss: 0.05, cycles: 2, use: 5 }
const YOUNG: Battery = { serialNumber: 'NH51-00431', from: 10, to: 0, health: 100, loss: 0.03, cycles: 1, use: 4 }
const FIRST_LIFE: Battery = {
  serialNumber: 'NH51-00102',
  from: WEEKS,
  to: 27,
  health: 88,
  loss: 0.4,
  cycles: 1900,
  use: 14,
}
const SECOND_LIFE: Battery = {
  serialNumber: 'NH51-R0102',
  from: 26,
  to: 0,
  health: 78,
  loss: 0.06,
  cycles: 2250,
  use: 2,
}
const RECYCLED: Battery = {
  serialNumber: 'NH51-00007',
  from: WEEKS,
  to: 40,
  health: 61,
  loss: 1.1,
  cycles: 5600,
  use: 9,
}

/**
 * Batteries of the demo's product with a year of measurements: two that are in use, one that another was made of, that
 * other one, and one that was recycled.
 * @returns the id of the one that is in use longest
 */
export async function createDemoUnits(
  { units, unitEvents, database }: Cradle,
  principal: Principal,
  passportId: string,
): Promise<string> {
  const scope = ownScope(database, principal.tenantId)
  const now = Date.now()
  const at = (weeksAgo: number) => new Date(now - weeksAgo * 7 * DAY_MS).toISOString()
  const idOf = new Map<string, string>()
  const serialise = async (batteries: readonly Battery[], more: object = {}) => {
    const given = batteries.map(({ serialNumber, from }) => ({ serialNumber, manufacturedAt: at(from + 2), ...more }))
    const made = await units.serialise(principal, passportId, { units: given }, 'en', scope)
    for (const { serialNumber, id } of made.units) idOf.set(serialNumber, id)
  }
  await serialise([IN_USE, YOUNG, FIRST_LIFE, RECYCLED])
  await serialise([SECOND_LIFE], { predecessorUnitId: idOf.get(FIRST_LIFE.serialNumber) })
  const recorded = [IN_USE, YOUNG, FIRST_LIFE, SECOND_LIFE, RECYCLED].flatMap((battery) =>
    weeksOf(battery).map((week) => ({
      unitId: idOf.get(battery.serialNumber),
      recordedAt: at(week),
      ...measurement(battery, week, new Date(at(week))),
    })),
  )
  const unitId = idOf.get(RECYCLED.serialNumber)
  await unitEvents.recordAll(
    principal,
    [
      ...recorded,
      {
        unitId,
        eventType: 'NEGATIVE_EVENT',
        recordedAt: at(40),
        payload: { kind: 'deep discharge', lowestVoltage: 38.2 },
      },
      { unitId, eventType: 'STATUS_CHANGE', status: 'RECYCLED', recordedAt: at(36) },
    ],
    scope,
  )
  return String(idOf.get(IN_USE.serialNumber))
}

const weeksOf = ({ from, to }: Battery) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

/** What a battery in a cellar would say: it ages, is used, and is warmer in summer. The same in every demo. */
function measurement({ from, health, loss, cycles, use }: Battery, week: number, date: Date) {
  const weeks = from - week
  const wobble = Math.sin(weeks * 2.3) / 8
  const stateOfHealth = Math.min(100, health - loss * weeks + wobble)
  const season = Math.cos(((date.getTime() / DAY_MS - 200) / 365.25) * 2 * Math.PI)
  const rounded = (value: number) => Math.round(value * 10) / 10
  return {
    eventType: 'SOH_MEASUREMENT',
    stateOfHealth: rounded(stateOfHealth),
    cycleCount: cycles + use * weeks,
    remainingCapacityAh: rounded((stateOfHealth / 100) * RATED_CAPACITY_AH),
    temperatureC: rounded(19 + 5 * season + wobble * 8),
  }
}
