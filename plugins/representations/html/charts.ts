import type { Json } from '../../../src/plugin/index.ts'
import { dictionary } from '../../../src/plugin/index.ts'
import type { Label, Texts } from './texts.ts'
import { type Entry, entryOf, isObject, type JsonObject, moreOf, showValue, unitName, type Value } from './value.ts'

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

export type Chart = ShareChart | BarChart

/** The key that names a part, by the list that holds it (specification 2.1). */
const NAME_OF_PART = dictionary<string>({ materialComposition: 'material', fiberComposition: 'fiber' })

const width = (percent: number): string => `${Math.min(100, Math.max(0, percent)).toFixed(2)}%`

/**
 * The composition under `key` as a chart, largest part first. Undefined for a list that is not a composition, which a
 * draft may hold (specification 3.1: drafts skip validation); it is then listed like any other value.
 */
export function shareChart(json: Json, key: string, texts: Texts): ShareChart | undefined {
  const partName = NAME_OF_PART[key]
  if (partName === undefined || !Array.isArray(json) || json.length === 0) return undefined
  const parts: { item: JsonObject; name: string; percentage: number }[] = []
  for (const item of json as readonly Json[]) {
    if (!isObject(item)) return undefined
    const { [partName]: name, percentage } = item
    if (typeof name !== 'string' || typeof percentage !== 'number' || percentage < 0) return undefined
    parts.push({ item, name, percentage })
  }
  parts.sort((a, b) => b.percentage - a.percentage)
  // Rounded percentages may add up to 100.1 (specification 4.1); the bar is as wide as the page all the same.
  const whole = Math.max(
    100,
    parts.reduce((sum, { percentage }) => sum + percentage, 0),
  )
  let start = 0
  const rows = parts.map(({ item, name, percentage }, index) => {
    const row: ShareRow = {
      name: showValue(name, partName, texts),
      figure: texts.formats.percent(percentage),
      remarks: Object.keys(item)
        .filter((member) => member !== partName && member !== 'percentage')
        .map((member) => entryOf(item[member] as Json, member, texts, key, 1)),
      start: width((start / whole) * 100),
      width: width((percentage / whole) * 100),
      tone: (index % 8) + 1,
    }
    start += percentage
    return row
  })
  return { kind: 'shares', title: texts.label(key), rows, more: moreOf(json, texts) }
}

/** Keys whose percentages are gathered in one chart of recycled and renewable content. */
const RECYCLED_KEYS: readonly string[] = [
  'recycledContentPct',
  'recycledContent',
  'recycledContentShare',
  'recycledPlasticContent',
  'scrapMetalContentRatio',
  'postConsumerScrapPct',
  'postConsumerScrapContent',
  'renewableContentPct',
]

/** Recycled content as bars from 0 to 100 %, and the keys that the chart has used up. */
export function recycledChart(metadata: JsonObject, texts: Texts): { chart?: BarChart; used: readonly string[] } {
  const rows: BarRow[] = []
  const used: string[] = []
  for (const key of RECYCLED_KEYS) {
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
  if (!isObject(json)) return undefined
  const { percentage, source, ...others } = json
  if (isPercentage(percentage) && typeof source === 'string' && Object.keys(others).length === 0) {
    const known = texts.option('source', source)
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
  if (!isObject(json)) return undefined
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

/** Bars for the numbers of an object, relative to the largest. Undefined if it holds anything but numbers from 0. */
export function stageChart(json: Json, key: string, unit: string, title: Label, texts: Texts): BarChart | undefined {
  if (!isObject(json)) return undefined
  const entries = Object.entries(json)
  const numbers = entries.flatMap(([, value]) => (typeof value === 'number' && value >= 0 ? [value] : []))
  if (entries.length === 0 || numbers.length !== entries.length) return undefined
  const largest = Math.max(...numbers)
  const rows = entries.map(([member], index): BarRow => {
    const value = numbers[index] as number
    const figure = texts.formats.number(value)
    const length = width(largest === 0 ? 0 : (value / largest) * 100)
    return { name: texts.label(member, key), figure, parts: [{ figure, start: width(0), width: length, tone: 1 }] }
  })
  return { kind: 'bars', title, note: unitName(unit, texts), rows }
}
