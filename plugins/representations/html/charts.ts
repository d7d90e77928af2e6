import { compositionOf, isGroup, type Json, type JsonRecord } from '../../../src/plugin/index.ts'
import type { Label, Texts } from './texts.ts'
import type { TimeChart } from './time-chart.ts'
import { unitWords } from './units.ts'
import { type Entry, entryOf, moreOf, showValue, type Value } from './value.ts'

export interface ShareChart {
  readonly kind: 'shares'
  readonly title: Label
  readonly note?: string
  readonly column: 'chart.share' | 'chart.amount'
  readonly rows: readonly ShareRow[]
  /** Small parts: one segment in the bar, folded in the table. */
  readonly others?: { readonly figure: string; readonly tone: Tone; readonly rows: readonly ShareRow[] }
  readonly more?: string
}

interface ShareRow {
  readonly name: Value
  readonly figure: string
  readonly share?: string
  readonly remarks: readonly Entry[]
  readonly tone?: Tone
}

/** Bar segment; positions are percentages of the width. The number links bar and table for readers who cannot distinguish colours. */
interface Tone {
  readonly number: number
  readonly start: string
  readonly width: string
  readonly middle?: string
}

export interface BarChart {
  readonly kind: 'bars'
  readonly title: Label
  readonly note: string
  readonly rows: readonly BarRow[]
  readonly without: readonly Label[]
}

interface BarRow {
  readonly name: Label
  readonly figure: string
  readonly parts: readonly BarPart[]
}

interface BarPart {
  readonly name?: Label
  readonly figure: string
  readonly start: string
  readonly width: string
  readonly tone: number
}

export type Chart = ShareChart | BarChart | TimeChart

/** Number of colours in `style.css`. */
const MAX_TONES = 8
/** Percentage of the bar: width of a digit on a narrow phone. */
const LEAST_FOR_NUMBER = 5

const width = (percent: number): string => `${Math.min(100, Math.max(0, percent)).toFixed(2)}%`

interface Part {
  readonly name: Value
  readonly figure: string
  readonly share?: string
  readonly amount: number
  readonly remarks: readonly Entry[]
}

/**
 * Returns the composition under `key` as a chart, largest part first; undefined for other lists, which drafts may contain (specification
 * 3.1).
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
  // Rounded percentages may add up to 100.1 (specification 4.1).
  const whole = Math.max(100, sumOf(parts))
  const more = moreOf(json as readonly Json[], texts)
  const sorted = parts.toSorted((a, b) => b.amount - a.amount)
  return { kind: 'shares', title: texts.label(key), column: 'chart.share', ...stacked(sorted, whole, texts), more }
}

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
  // Stages and scopes keep their own order if each has a colour.
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

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

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

// A percentage; a percentage with source (textiles); or one or two per metal, before and after use (Regulation (EU) 2023/1542, Article 8).
// Undefined for other shapes.
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
