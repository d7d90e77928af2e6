import { badRequest, type ModuleCradle, momentOf, type Principal } from '../../../../src/plugin/module.ts'
import type { components } from '../generated.ts'
import { type ResolutionCount, resolutionCounts } from '../resolution-counts.ts'

type Schemas = components['schemas']

const MAX_DAYS = 366
const USUAL_DAYS = 30
const DAY_MS = 86_400_000

export default function statistics({ database, passports, accessAudit }: ModuleCradle) {
  return { readPassport }

  /**
   * Returns resolutions of a passport and its units; none if the law of its category forbids counting. The latest are not yet written.
   * @throws Problem 400 for an invalid span; 403, 404
   */
  async function readPassport(
    principal: Principal,
    idOrProduct: string,
    query: { readonly from?: string | undefined; readonly to?: string | undefined },
  ): Promise<Omit<Schemas['PassportStatistics'], 'success'>> {
    const span = spanOf(query)
    const session = database.forTenant(principal.tenantId)
    const [{ id, category }, counts] = await Promise.all([
      passports.find(principal, idOrProduct, 'bound', session),
      resolutionCounts(session, idOrProduct, span.from, span.to),
    ])
    const tracking = accessAudit.isTracked(category)
    const days = tracking ? groupByDay(counts.filter(({ passportId }) => passportId === id)) : []
    return { passportId: id, ...span, tracking, total: sumOf(days.map(({ total }) => total)), days }
  }
}

/** @throws Problem 400 for an invalid span */
function spanOf(query: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const to = dayOf('to', query.to) ?? Math.floor(Date.now() / DAY_MS)
  const from = dayOf('from', query.from) ?? to - (USUAL_DAYS - 1)
  if (from > to) throw badRequest('from must not be after to.')
  if (to - from >= MAX_DAYS) throw badRequest(`from and to must not be more than ${MAX_DAYS} days apart.`)
  return { from: textOf(from), to: textOf(to) }
}

/** Day number since the epoch. */
function dayOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const moment = momentOf(text)
  if (moment === undefined) throw badRequest(`${name} must be a date in the format YYYY-MM-DD.`)
  return Date.parse(moment) / DAY_MS
}

const textOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

function groupByDay(counts: readonly ResolutionCount[]): Schemas['DayOfResolutions'][] {
  return [...Map.groupBy(counts, ({ day }) => day)].map(([day, ofDay]) => ({
    day,
    total: sumOf(ofDay.map(({ count }) => count)),
    resolutions: ofDay.map(({ representation, tier, count }) => ({ representation, tier, count })),
  }))
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
