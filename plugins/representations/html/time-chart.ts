import type { UnitMeasures, UnitRecord } from '../../../src/plugin/index.ts'
import type { Label, Texts } from './texts.ts'
import { quantity } from './units.ts'

export interface TimeChart {
  readonly kind: 'time'
  readonly id: string
  readonly title: Label
  readonly note: string
  readonly description: string
  readonly gutter: 'narrow' | 'middle' | 'wide-gutter'
  readonly ticks: readonly { readonly y: string; readonly text: string }[]
  /** Path data in a box of {@link WIDTH} by {@link HEIGHT}. */
  readonly line: string
  readonly dots: string
  readonly isDense: boolean
  readonly times: readonly string[]
}

/** Null if not measured; never negative zero. */
export const valueIn = (measures: UnitMeasures, key: keyof UnitMeasures): number | null =>
  measures[key] === 0 ? 0 : measures[key]

export interface Measure {
  readonly key: keyof UnitMeasures
  /** `Intl.NumberFormat` unit or symbol. */
  readonly unit?: string
  readonly minValue?: number
  readonly maxValue?: number
  readonly isWhole?: boolean
}

// Must match `templates/time-chart.eta`.
const WIDTH = 1000
const HEIGHT = 140
const TOP = 8
/** Above this number of points, large dots hide the line on phones. */
const MAX_LARGE_DOTS = 60
const DAY_MS = 86_400_000

/** Measures without values have no chart. The time axis is common. */
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
    // Zero-length lines with round caps stay round when the box is stretched.
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
    // Records are newest first; the sort is stable for equal times.
    .reverse()
    .sort((one, other) => one.time - other.time)

interface Scale {
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
}

const heightOf = (value: number, { low, high }: Scale): number => HEIGHT * (1 - (value - low) / (high - low))

function scaleOf(values: readonly number[], { minValue, maxValue, isWhole = false }: Measure): Scale {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const size = Math.max(Math.abs(min), Math.abs(max))
  const spread = max > min ? max - min : Math.max(size / 10, 1)
  // Finer steps are lost in floating point or rounding.
  const step = roundStep(Math.max(spread / 3, size * 1e-9, isWhole ? 1 : 1e-6))
  let low = Math.floor(min / step)
  let high = Math.ceil(max / step)
  if (low === high) {
    low -= 1
    high += 1
  }
  low = Math.max(low, minValue === undefined ? low : Math.ceil(minValue / step))
  high = Math.min(high, maxValue === undefined ? high : Math.floor(maxValue / step))
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => Number(((low + index) * step).toPrecision(12)))
  return { low: ticks[0] as number, high: ticks.at(-1) as number, ticks }
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(minStep: number): number {
  const power = 10 ** Math.floor(Math.log10(minStep))
  const factor = [1, 2, 5].find((candidate) => candidate * power >= minStep) ?? 10
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
