import goals from './goals.json' with { type: 'json' }
import type { PairResult, Ratios } from './pair.ts'

interface Goal {
  readonly goal?: number
  /** Minimum of a ratio; maximum of a figure without a baseline. */
  readonly floor?: number
  /** Goal of a figure without a baseline. */
  readonly atMost?: number
  /** Maximum growth of our server during the measurement, in MB. */
  readonly memoryGrowth?: number
  /** Maximum of round trips per request; the floor is one more. */
  readonly roundTrips?: number
}

export type Verdict = 'goal met' | 'below goal' | 'BELOW FLOOR' | 'noisy' | 'above goal' | ''

export interface PairedOutcome extends PairResult {
  readonly case: string
  readonly ours: string
  readonly against: string
  readonly roundTrips?: number
  readonly goals: Goal
  readonly equalWork: true
  readonly verdict: Verdict
}

export interface AbsoluteOutcome {
  readonly case: string
  readonly value: number
  readonly unit: string
  readonly goals: Goal
  readonly verdict: Verdict
}

interface FailedOutcome {
  readonly case: string
  readonly error: string
}

export type Outcome = PairedOutcome | AbsoluteOutcome | FailedOutcome

export const goalsOf = (name: string): Goal => (goals as Record<string, Goal>)[name] ?? {}

/** Processor time varies less than the rate on a shared machine; the rate decides if processor time is unknown. */
const deciding = ({ cpu, rate }: PairResult): Ratios => cpu ?? rate

export function verdictOf(result: PairResult, { goal, floor, memoryGrowth }: Goal): Verdict {
  if (memoryGrowth !== undefined && (result.memoryGrowth ?? 0) > memoryGrowth) return 'BELOW FLOOR'
  const { median, noisy } = deciding(result)
  if (goal === undefined) return ''
  if (noisy) return 'noisy'
  if (floor !== undefined && median < floor) return 'BELOW FLOOR'
  return median < goal ? 'below goal' : 'goal met'
}

export function verdictBelow(value: number, { atMost, floor }: Goal): Verdict {
  if (atMost === undefined) return ''
  if (floor !== undefined && value > floor) return 'BELOW FLOOR'
  return value <= atMost ? 'goal met' : 'above goal'
}

/** Lowers a verdict if a request takes too many round trips, which do not depend on the machine. */
export function withRoundTrips(verdict: Verdict, counted: number | undefined, { roundTrips }: Goal): Verdict {
  if (roundTrips === undefined || counted === undefined || counted <= roundTrips) return verdict
  if (counted > roundTrips + 1) return 'BELOW FLOOR'
  return verdict === 'goal met' ? 'below goal' : verdict
}

const COLUMNS = [
  'case',
  'figure',
  'CPU',
  'CPU min to max',
  'goal',
  'floor',
  'round trips',
  'ours/s',
  'baseline/s',
  'CPU µs',
  'memory',
  'verdict',
]

function cellsOf(outcome: Outcome): string[] {
  if ('error' in outcome) return [outcome.case, `no figure: ${outcome.error}`]
  const { goals, verdict } = outcome
  if ('value' in outcome) {
    const [goal, floor] = [goals.atMost, goals.floor].map((limit) => (limit === undefined ? '' : `<= ${limit}`))
    const cells = [
      outcome.case,
      `${outcome.value} ${outcome.unit}`,
      '',
      '',
      goal ?? '',
      floor ?? '',
      '',
      '',
      '',
      '',
      '',
    ]
    return [...cells, verdict]
  }
  const { rate, cpu, cpuMicroseconds, perSecond, memoryGrowth, roundTrips } = outcome
  return [
    outcome.case,
    ratio(rate.median),
    ratio(cpu?.median),
    cpu === undefined ? '' : `${ratio(cpu.min)} to ${ratio(cpu.max)}`,
    ratio(goals.goal),
    ratio(goals.floor),
    [roundTrips, goals.roundTrips].filter((count) => count !== undefined).join(' of '),
    perSecond.ours.toFixed(0),
    perSecond.baseline.toFixed(0),
    cpuMicroseconds === undefined ? '' : `${cpuMicroseconds.ours.toFixed(0)} by ${cpuMicroseconds.baseline.toFixed(0)}`,
    memoryGrowth === undefined ? '' : `${memoryGrowth < 0 ? '' : '+'}${memoryGrowth.toFixed(0)} MB`,
    verdict,
  ]
}

/** Formats an outcome as one line of progress. */
export function lineOf(outcome: Outcome): string {
  const [name, ...cells] = cellsOf(outcome)
  const labelled = cells.map((cell, index) =>
    cell === '' || 'error' in outcome ? cell : `${COLUMNS[index + 1]} ${cell}`,
  )
  return `${name}: ${labelled.filter((cell) => cell !== '').join(', ')}`
}

/** Formats all outcomes as a table, followed by the descriptions of both sides. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [COLUMNS, ...outcomes.map(cellsOf)]
  const widths = COLUMNS.map((_, column) =>
    Math.max(...rows.filter((row) => row.length === COLUMNS.length).map((row) => (row[column] as string).length)),
  )
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  const against = outcomes.flatMap((outcome) =>
    'against' in outcome ? [`${outcome.case}: ${outcome.ours}, against ${outcome.against}`] : [],
  )
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n\n${against.join('\n')}\n`
}

const ratio = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2))
