import { carbonFootprintOf, type FootprintBreakdown, type Metadata } from '../../../src/plugin/index.ts'
import { amountChart, type BarChart } from './charts.ts'
import { isIntlUnit } from './format.ts'
import type { Label, Texts } from './texts.ts'
import { type Entry, entryOf } from './value.ts'

/** A number that is worth being large. */
export interface Figure {
  readonly label: Label
  readonly text: string
  /** Beside the number, smaller. */
  readonly unit?: string
}

/** A number as a figure. */
export function figureOf(label: Label, value: number, unit: string | undefined, texts: Texts): Figure {
  const { formats } = texts
  if (unit === undefined) return { label, text: formats.number(value) }
  if (!isIntlUnit(unit)) return { label, text: formats.number(value), unit: texts.category.unit(unit) }
  const parts = formats.unitParts(value, unit)
  return { label, text: parts.number, unit: parts.unit }
}

/** A carbon footprint taken apart. */
interface FootprintSection {
  readonly figures: readonly Figure[]
  readonly charts: readonly BarChart[]
  readonly facts: readonly Entry[]
}

/** `metadata.carbonFootprint` as figures, with its stages and scopes as charts. */
export function footprintOf({ carbonFootprint }: Metadata, texts: Texts): FootprintSection | undefined {
  const group = 'carbonFootprint'
  const footprint = carbonFootprintOf(carbonFootprint, texts.category.field(group)?.unit)
  if (footprint === undefined) return undefined
  const { figures, breakdowns, details } = footprint
  return {
    figures: figures.map(({ member, value, unit }) =>
      figureOf(member === undefined ? texts.label(group) : texts.label(member, group), value, unit, texts),
    ),
    charts: breakdowns.map((breakdown) => breakdownChart(breakdown, texts)),
    facts: Object.entries(details).map(([key, value]) => entryOf(value, key, texts, group, 1)),
  }
}

function breakdownChart({ kind, parts, unit }: FootprintBreakdown, texts: Texts): BarChart {
  const title = { text: texts.t(`chart.${kind}`), foreign: false }
  return amountChart(parts, kind === 'stages' ? 'stages' : 'carbonFootprint', unit, title, texts)
}
