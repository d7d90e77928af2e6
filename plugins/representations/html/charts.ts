import { compositionOf, isGroup, type Json, type JsonRecord } from '../../../src/plugin/index.ts'
import type { Label, Texts } from './texts.ts'
import type { TimeChart } from './time-chart.ts'
import { unitWords } from './units.ts'
import { type Entry, entryOf, moreOf, showValue, type Value } from './value.ts'

/** Parts of one whole: a stacked bar over a table with the same figures. */
export interface ShareChart {
  readonly kind: 'shares'
  readonly title: Label
  readonly note?: string
  /** Key of what the figures of the table are. */
  readonly column: 'chart.share' | 'chart.amount'
  readonly rows: readonly ShareRow[]
  /** Small parts, which are one in the bar and folded away below it. */
  readonly others?: { readonly figure: string; readonly tone: Tone; readonly rows: readonly ShareRow[] }
  readonly more?: string
}

interface ShareRow {
  readonly name: Value
  readonly figure: string
  /** In percent, where the figure is an amount. */
  readonly share?: string
  readonly remarks: readonly Entry[]
  /** Its place in the bar; undefined for what is among the others, and for what is nothing. */
  readonly tone?: Tone
}

/**
 * A part of the bar: its place in percent of the width, and its number, by which the bar and the table refer to each other
 * for whoever does not tell colours apart. No colour is there twice.
 */
interface Tone {
  readonly number: number
  readonly start: string
  readonly width: string
  /** Where the number stands; undefined where there is no room for it. */
  readonly middle?: string
}

/** Measures side by side, each with a bar from 0 to 100 %. */
export interface BarChart {
  readonly kind: 'bars'
  readonly title: Label
  readonly note: string
  readonly rows: readonly BarRow[]
  /** What has nothing of it: said in words, for an empty bar says little. */
  readonly without: readonly Label[]
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

/** As many as there are colours in `style.css`. */
const MAX_TONES = 8
/** Of the width of the bar, in percent: what a digit needs on a narrow phone. */
const LEAST_FOR_NUMBER = 5

const width = (percent: number): string => `${Math.min(100, Math.max(0, percent)).toFixed(2)}%`

/** One part before it has its place. */
interface Part {
  readonly name: Value
  readonly figure: string
  readonly share?: string
  readonly amount: number
  readonly remarks: readonly Entry[]
}

/**
 * The composition under `key` as a chart, largest part first. Undefined for a list that is not a composition, which a
 * draft may hold (specification 3.1: drafts skip validation); it is then listed like any other value.
 */
export function shareChart(json: Json, key: string, texts: Texts): ShareChart | undefined {
  const parts = (compositionOf(json, key) ?? []).flatMap(({ name, percentage = -1, details }): Part[] =>
    percentage < 0
      ? []
      : [
          {
            name: showValue(name, key === 'fiberComposition' ? 'fiber' : 'material', texts, key),
            figure: texts.formats.percent(percentage),
            amount: percentage,
            remarks: Object.entries(details).map(([member, value]) => entryOf(value, member, texts, key, 1)),
          },
        ],
  )
  if (parts.length === 0 || !Array.isArray(json) || parts.length !== json.length) return undefined
  // Rounded percentages may add up to 100.1 (specification 4.1); the bar is as wide as the page all the same.
  const whole = Math.max(100, sumOf(parts))
  const more = moreOf(json as readonly Json[], texts)
  const sorted = parts.toSorted((a, b) => b.amount - a.amount)
  return { kind: 'shares', title: texts.label(key), column: 'chart.share', ...stacked(sorted, whole, texts), more }
}

/** Amounts that make up one whole. `group` is the key of the group that they are members of. */
export function amountChart(
  amounts: Readonly<Record<string, number>>,
  group: string,
  unit: string,
  title: Label,
  texts: Texts,
): ShareChart {
  const { formats } = texts
  const whole = Object.values(amounts).reduce((sum, amount) => sum + amount, 0)
  const parts = Object.entries(amounts).map(([member, amount]): Part => {
    const { text, foreign } = texts.label(member, group)
    const name: Value = { kind: foreign ? 'text' : 'own', text }
    const share = whole === 0 ? undefined : formats.percent(Math.round((amount / whole) * 1000) / 10)
    return { name, figure: formats.number(amount), share, amount, remarks: [] }
  })
  // Stages and scopes have an order of their own, as long as they are few enough to keep it.
  const ordered = parts.length > MAX_TONES ? parts.toSorted((a, b) => b.amount - a.amount) : parts
  return {
    kind: 'shares',
    title,
    note: unitWords(unit, texts),
    column: 'chart.amount',
    ...stacked(ordered, whole, texts),
  }
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { amount }) => sum + amount, 0)

/** The parts with their places in a bar that stands for the whole; those that no colour is left for are one. */
function stacked(parts: readonly Part[], whole: number, texts: Texts): Pick<ShareChart, 'rows' | 'others'> {
  const { percent } = texts.formats
  const shown = parts.length > MAX_TONES ? MAX_TONES - 1 : MAX_TONES
  let start = 0
  const toneFor = (amount: number, number: number): Tone | undefined => {
    const share = whole === 0 ? 0 : (amount / whole) * 100
    if (share === 0) return undefined
    const middle = share < LEAST_FOR_NUMBER ? undefined : width(start + share / 2)
    const tone = { number, start: width(start), width: width(share), middle }
    start += share
    return tone
  }
  const rowOf = ({ amount: _, ...row }: Part, tone?: Tone): ShareRow => ({ ...row, tone })
  const rows = parts.slice(0, shown).map((part, index) => rowOf(part, toneFor(part.amount, index + 1)))
  const rest = parts.slice(shown)
  const amount = sumOf(rest)
  const tone = toneFor(amount, MAX_TONES)
  if (tone === undefined) return { rows: [...rows, ...rest.map((part) => rowOf(part))] }
  return {
    rows,
    others: { figure: percent(rounded((amount / whole) * 100)), tone, rows: rest.map((part) => rowOf(part)) },
  }
}

/** Not 7.000000000000001, which is what binary floating point makes of some sums. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

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
  const isNothing = ({ parts }: BarRow) => parts.every((part) => part.width === width(0))
  const chart: BarChart = {
    kind: 'bars',
    title,
    note: texts.t('chart.recycledNote'),
    rows: rows.filter((row) => !isNothing(row)),
    without: rows.filter(isNothing).map(({ name }) => name),
  }
  return { chart, used }
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
  return { name, figure: percent(rounded(start)), parts }
}
