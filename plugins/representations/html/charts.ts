import { compositionOf, isGroup, type Json, type JsonRecord } from '../../../src/plugin/index.ts'
import type { Label, Texts } from './texts.ts'
import type { TimeChart } from './time-chart.ts'
import { type Entry, entryOf, moreOf, showValue, type Value } from './value.ts'

/** Parts of one whole: a stacked bar over a table with the same figures. */
interface ShareChart {
  readonly kind: 'shares'
  readonly title: Label
  readonly rows: readonly ShareRow[]
  readonly more?: string
}

interface ShareRow {
  readonly name: Value
  readonly figure: string
  readonly remarks: readonly Entry[]
  /** Place in the bar, in percent of its width. */
  readonly start: string
  readonly width: string
  /** 1 to 8; the colours repeat after that, which is why the table names every part. */
  readonly tone: number
}

/** Measures side by side: a table with a bar in every row. */
export interface BarChart {
  readonly kind: 'bars'
  readonly title: Label
  readonly note: string
  readonly rows: readonly BarRow[]
}

interface BarRow {
  readonly name: Label
  readonly figure: string
  /** What the bar is made of, from its start. Parts without a name need no legend. */
  readonly parts: readonly BarPart[]
}

interface BarPart {
  readonly name?: Label
  readonly figure: string
  /** Place in the bar, in percent of its track. */
  readonly start: string
  readonly width: string
  readonly tone: number
}

export type Chart = ShareChart | BarChart | TimeChart

const width = (percent: number): string => `${Math.min(100, Math.max(0, percent)).toFixed(2)}%`

/**
 * The composition under `key` as a chart, largest part first. Undefined for a list that is not a composition, which a
 * draft may hold (specification 3.1: drafts skip validation); it is then listed like any other value.
 */
export function shareChart(json: Json, key: string, texts: Texts): ShareChart | undefined {
  const parts = (compositionOf(json, key) ?? []).flatMap(({ name, percentage = -1, details }) =>
    percentage < 0 ? [] : [{ name, percentage, details }],
  )
  if (parts.length === 0 || !Array.isArray(json) || parts.length !== json.length) return undefined
  parts.sort((a, b) => b.percentage - a.percentage)
  // Rounded percentages may add up to 100.1 (specification 4.1); the bar is as wide as the page all the same.
  const whole = Math.max(
    100,
    parts.reduce((sum, { percentage }) => sum + percentage, 0),
  )
  let start = 0
  const rows = parts.map(({ name, percentage, details }, index) => {
    const row: ShareRow = {
      name: showValue(name, 'material', texts),
      figure: texts.formats.percent(percentage),
      remarks: Object.entries(details).map(([member, value]) => entryOf(value, member, texts, key, 1)),
      start: width((start / whole) * 100),
      width: width((percentage / whole) * 100),
      tone: (index % 8) + 1,
    }
    start += percentage
    return row
  })
  return { kind: 'shares', title: texts.label(key), rows, more: moreOf(json as readonly Json[], texts) }
}

/** Recycled content as bars from 0 to 100 %, and the keys that the chart has used up. */
export function recycledChart(metadata: JsonRecord<Json>, texts: Texts): { chart?: BarChart; used: readonly string[] } {
  const rows: BarRow[] = []
  const used: string[] = []
  for (const key of texts.category.inOrder(Object.keys(metadata))) {
    if (texts.category.field(key)?.display !== 'recycled') continue
    const found = recycledRows(metadata[key], key, texts)
    if (found === undefined) continue
    rows.push(...found)
    used.push(key)
  }
  if (rows.length === 0) return { used: [] }
  const title = { text: texts.t('chart.recycled'), foreign: false }
  return { chart: { kind: 'bars', title, note: texts.t('chart.recycledNote'), rows }, used }
}

const isPercentage = (json: Json | undefined): json is number => typeof json === 'number' && json >= 0 && json <= 100

// A percentage; a percentage and its source (textiles); one for each metal, or two for a metal: before and after use
// (Regulation (EU) 2023/1542, Article 8). Undefined as soon as anything else is in it.
function recycledRows(json: Json | undefined, key: string, texts: Texts): BarRow[] | undefined {
  if (isPercentage(json)) return [barRow(texts.label(key), [{ value: json }], texts)]
  if (!isGroup(json)) return undefined
  const { percentage, source, ...others } = json
  if (isPercentage(percentage) && typeof source === 'string' && Object.keys(others).length === 0) {
    const known = texts.category.option('source', source)
    const name = known === undefined ? { text: source, foreign: true } : { text: known, foreign: false }
    return [barRow(texts.label('recycledContentPct'), [{ name, value: percentage }], texts)]
  }
  const rows: BarRow[] = []
  for (const [member, value] of Object.entries(json)) {
    const parts = isPercentage(value) ? [{ value }] : sourcesOf(value, member, texts)
    if (parts === undefined) return undefined
    rows.push(barRow(texts.label(member, key), parts, texts))
  }
  return rows
}

function sourcesOf(json: Json, key: string, texts: Texts): { name: Label; value: number }[] | undefined {
  if (!isGroup(json)) return undefined
  const parts: { name: Label; value: number }[] = []
  for (const [member, value] of Object.entries(json)) {
    if (!isPercentage(value)) return undefined
    parts.push({ name: texts.label(member, key), value })
  }
  return parts.length === 0 || parts.reduce((sum, { value }) => sum + value, 0) > 100 ? undefined : parts
}

function barRow(name: Label, values: readonly { name?: Label; value: number }[], texts: Texts): BarRow {
  const { percent } = texts.formats
  let start = 0
  const parts = values.map(({ name: partName, value }, index): BarPart => {
    const part = {
      name: partName,
      figure: percent(value),
      start: width(start),
      width: width(value),
      tone: (index % 8) + 1,
    }
    start += value
    return part
  })
  // Not 7.000000000000001, which is what binary floating point makes of some sums.
  return { name, figure: percent(Math.round(start * 1e6) / 1e6), parts }
}

/** Bars for amounts, relative to the largest. `group` is the key of the group that they are members of. */
export function amountChart(
  amounts: Readonly<Record<string, number>>,
  group: string,
  unit: string,
  title: Label,
  texts: Texts,
): BarChart {
  const largest = Math.max(...Object.values(amounts))
  const rows = Object.entries(amounts).map(([member, value]): BarRow => {
    const figure = texts.formats.number(value)
    const length = width(largest === 0 ? 0 : (value / largest) * 100)
    return { name: texts.label(member, group), figure, parts: [{ figure, start: width(0), width: length, tone: 1 }] }
  })
  return { kind: 'bars', title, note: texts.category.unit(unit), rows }
}
