import { type ModuleCradle, ownScope, type Principal } from '../../../src/plugin/module.ts'

const DAY_MS = 86_400_000
const WEEKS = 52
const RATED_CAPACITY_AH = 180
const RATED_POWER_W = 150_000
const RESISTANCE_OHM = 0.106
const ENERGY_KWH = 64

interface Battery {
  readonly serialNumber: string
  /** Weeks before now. */
  readonly from: number
  readonly to: number
  /** State of health in percent, and weekly loss. */
  readonly health: number
  readonly loss: number
  /** Initial charging cycles, and per week. */
  readonly cycles: number
  readonly use: number
}

const IN_USE: Battery = { serialNumber: 'ND64-00417', from: WEEKS, to: 0, health: 100, loss: 0.05, cycles: 2, use: 5 }
const YOUNG: Battery = { serialNumber: 'ND64-00431', from: 10, to: 0, health: 100, loss: 0.03, cycles: 1, use: 4 }
const FIRST_LIFE: Battery = {
  serialNumber: 'ND64-00102',
  from: WEEKS,
  to: 27,
  health: 88,
  loss: 0.4,
  cycles: 1900,
  use: 14,
}
const SECOND_LIFE: Battery = {
  serialNumber: 'ND64-R0102',
  from: 26,
  to: 0,
  health: 78,
  loss: 0.06,
  cycles: 2250,
  use: 2,
}
const RECYCLED: Battery = {
  serialNumber: 'ND64-00007',
  from: WEEKS,
  to: 40,
  health: 61,
  loss: 1.1,
  cycles: 5600,
  use: 9,
}

/**
 * Creates demo batteries.
 * @returns id of the unit longest in use
 */
export async function createDemoUnits(
  { units, unitEvents, database }: ModuleCradle,
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
  const batteries = [IN_USE, YOUNG, FIRST_LIFE, SECOND_LIFE, RECYCLED]
  const of = ({ serialNumber }: Battery) => ({ unitId: idOf.get(serialNumber) })
  const harm = {
    eventType: 'NEGATIVE_EVENT',
    payload: { kind: 'deep-discharge', description: 'Stood empty for a week' },
  }
  await unitEvents.recordAll(
    principal,
    [
      ...batteries.map((battery) => ({ ...of(battery), ...placedOnMarket(battery, at(battery.from + 1)) })),
      ...batteries.flatMap((battery) =>
        weeksOf(battery).map((week) => ({ ...of(battery), ...measurement(battery, week, new Date(at(week))) })),
      ),
      { ...of(IN_USE), ...harm, recordedAt: at(20) },
      { ...of(RECYCLED), ...harm, recordedAt: at(40) },
      { ...of(RECYCLED), eventType: 'STATUS_CHANGE', status: 'RECYCLED', recordedAt: at(36) },
    ],
    'en',
    scope,
  )
  return String(idOf.get(IN_USE.serialNumber))
}

const weeksOf = ({ from, to }: Battery) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

const rounded = (value: number, step = 0.1) => Math.round(value / step) / Math.round(1 / step)

/** Regulation (EU) 2023/1542, Annex XIII, point 4(a). */
const placedOnMarket = ({ health }: Battery, recordedAt: string) => ({
  eventType: 'STATUS_CHANGE',
  recordedAt,
  payload: {
    puttingIntoService: recordedAt.slice(0, 10),
    expectedLifetimeYears: 15,
    expectedLifetimeCycles: 2000,
    ...performance(health),
  },
})

const performance = (health: number) => ({
  ratedCapacityAh: RATED_CAPACITY_AH,
  capacityFadePct: rounded(100 - health),
  powerW: rounded(RATED_POWER_W * (1 - (100 - health) / 250), 1),
  powerFadePct: rounded((100 - health) / 2.5),
  internalResistanceOhm: rounded(RESISTANCE_OHM * (1 + (100 - health) / 100), 0.0001),
  internalResistanceIncreasePct: rounded(100 - health),
  roundTripEfficiencyPct: rounded(96.1 - (100 - health) / 20),
  roundTripEfficiencyFadePct: rounded((100 - health) / 20),
})

function measurement({ from, health, loss, cycles, use }: Battery, week: number, date: Date) {
  const weeks = from - week
  const wobble = Math.sin(weeks * 2.3) / 8
  const stateOfHealth = rounded(Math.min(100, health - loss * weeks + wobble))
  const season = Math.cos(((date.getTime() / DAY_MS - 200) / 365.25) * 2 * Math.PI)
  const cycleCount = cycles + use * weeks
  return {
    eventType: 'SOH_MEASUREMENT',
    recordedAt: date.toISOString(),
    stateOfHealth,
    cycleCount,
    remainingCapacityAh: rounded((stateOfHealth / 100) * RATED_CAPACITY_AH),
    temperatureC: rounded(19 + 5 * season + wobble * 8),
    payload: {
      ...performance(stateOfHealth),
      stateOfCertifiedEnergyPct: stateOfHealth,
      remainingUsableEnergyKWh: rounded((stateOfHealth / 100) * ENERGY_KWH),
      stateOfChargePct: rounded(60 + 160 * wobble, 1),
      energyThroughputKWh: rounded(cycleCount * ENERGY_KWH * 0.96, 1),
      timeExtremeHighMinutes: 4 * weeks,
      timeExtremeLowMinutes: 9 * weeks,
      chargingExtremeHighMinutes: weeks,
      chargingExtremeLowMinutes: 2 * weeks,
    },
  }
}
