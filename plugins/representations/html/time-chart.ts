import type { UnitMeasures, UnitRecord } from '../../../src/plugin/index.ts'
import type { Label, Texts } from './texts.ts'
import { quantity } from './units.ts'

/** One measure over time, as a line through what was measured. Its figures stand beside it as text. */
export interface TimeChart {
  readonly kind: 'time'
  readonly id: string
  readonly title: Label
  readonly note: string
  /** The same in one sentence, for who does not see it. */
  readonly description: string
  /** How much room the figures of the axis need. */
  readonly gutter: 'narrow' | 'middle' | 'wide-gutter'
  /** Figures of the vertical axis, each at its height in the drawing. */
  readonly ticks: readonly { readonly y: string; readonly text: string }[]
  /** Path data in a box of {@link WIDTH} by {@link HEIGHT}. */
  readonly line: string
  readonly dots: string
  readonly isDense: boolean
  /** Beginning, middle and end; one alone where nothing but one instant was recorded. */
  readonly times: readonly string[]
}

/** The value of a measure, without the sign that a zero may have; null where it was not taken. */
export const valueIn = (measures: UnitMeasures, key: keyof UnitMeasures): number | null =>
  measures[key] === 0 ? 0 : measures[key]

/** What a chart needs to know of a measure. */
export interface Measure {
  readonly key: keyof UnitMeasures
  /** A unit of `Intl.NumberFormat`, or the symbol itself. */
  readonly unit?: string
  /** What no value is below or above. */
  readonly least?: number
  readonly most?: number
  readonly isWhole?: boolean
}

// The same as in `templates/time-chart.eta`, which stretches the box to the width of the page.
const WIDTH = 1000
const HEIGHT = 140
const TOP = 8
/** More points than this stand so close on a phone that large dots would hide the line. */
const MAX_LARGE_DOTS = 60
const DAY_MS = 86_400_000

/**
 * The measures over time, in the order of time whatever that of the records, and over one span of time for all, so that
 * what happened at once stands one above the other. A measure that was never taken has no chart.
 */
export function timeCharts(measures: readonly Measure[], records: readonly UnitRecord[], texts: Texts): TimeChart[] {
  const series = measures
    .map((measure) => ({ measure, points: pointsOf(measure, records) }))
    .filter(({ points }) => points.length > 0)
  const times = series.flatMap(({ points }) => points.map(({ time }) => time))
  const period = { start: Math.min(...times), end: Math.max(...times) }
  return series.map(({ measure, points }) => timeChart(measure, points, period, texts))
}

interface Period {
  readonly start: number
  readonly end: number
}

/** @param points one at least */
function timeChart(measure: Measure, points: readonly Point[], { start, end }: Period, texts: Texts): TimeChart {
  const show = (value: number) => quantity(value, measure.unit, texts)
  const values = points.map(({ value }) => value)
  const scale = scaleOf(values, measure)
  const span = end - start
  const places = points.map(({ time, value }) => {
    const x = span === 0 ? WIDTH / 2 : ((time - start) / span) * WIDTH
    return `${x.toFixed(1)} ${heightOf(value, scale).toFixed(1)}`
  })
  const ticks = scale.ticks.map((tick) => ({
    y: (TOP + heightOf(tick, scale)).toFixed(1),
    text: show(tick),
  }))
  const { t } = texts
  const note = t('unit.extremes', {
    lowest: show(Math.min(...values)),
    highest: show(Math.max(...values)),
    latest: show(values.at(-1) as number),
  })
  const instants = span === 0 ? [start] : [start, start + span / 2, end]
  const times = instants.map((time) => dateOf(time, span, texts))
  const [from = '', to = from] = [times[0], times.at(-1)]
  return {
    kind: 'time',
    id: `chart-${measure.key}`,
    title: { text: t(`unit.measures.${measure.key}`), foreign: false },
    note,
    description: `${from === to ? from : t('value.range', { from, to })}. ${note}.`,
    gutter: gutterFor(Math.max(...ticks.map(({ text }) => text.length))),
    ticks,
    line: `M${places.join('L')}`,
    // A line of no length with round ends is a dot that stays round however the box is stretched.
    dots: places.map((place) => `M${place}h0`).join(''),
    isDense: points.length > MAX_LARGE_DOTS,
    times,
  }
}

interface Point {
  readonly time: number
  readonly value: number
}

const pointsOf = ({ key }: Measure, records: readonly UnitRecord[]): Point[] =>
  records
    .flatMap((record) => {
      const [time, value] = [Date.parse(record.recordedAt), valueIn(record, key)]
      return value === null || Number.isNaN(time) ? [] : [{ time, value }]
    })
    // Records come newest first; of several at one instant the newest comes last.
    .reverse()
    .sort((one, other) => one.time - other.time)

interface Scale {
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
}

const heightOf = (value: number, { low, high }: Scale): number => HEIGHT * (1 - (value - low) / (high - low))

/** An axis from one round number to another with round numbers between them, which holds every value. */
function scaleOf(values: readonly number[], { least, most, isWhole = false }: Measure): Scale {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const size = Math.max(Math.abs(min), Math.abs(max))
  const spread = max > min ? max - min : Math.max(size / 10, 1)
  // Finer steps would be lost in floating point, or in what is shown of a number.
  const step = roundStep(Math.max(spread / 3, size * 1e-9, isWhole ? 1 : 1e-6))
  let low = Math.floor(min / step)
  let high = Math.ceil(max / step)
  if (low === high) {
    low -= 1
    high += 1
  }
  low = Math.max(low, least === undefined ? low : Math.ceil(least / step))
  high = Math.min(high, most === undefined ? high : Math.floor(most / step))
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => Number(((low + index) * step).toPrecision(12)))
  return { low: ticks[0] as number, high: ticks.at(-1) as number, ticks }
}

/** The smallest of 1, 2 and 5 times a power of ten that is not below. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5].find((candidate) => candidate * power >= least) ?? 10
  return factor * power
}

const gutterFor = (characters: number): TimeChart['gutter'] => {
  if (characters <= 6) return 'narrow'
  return characters <= 10 ? 'middle' : 'wide-gutter'
}

function dateOf(time: number, span: number, { formats }: Texts): string {
  const iso = new Date(time).toISOString()
  return (span > 0 && span < 2 * DAY_MS ? formats.dateTime(iso) : formats.date(iso)) ?? iso
}
