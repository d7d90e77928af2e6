import {
  type CarbonFootprint,
  carbonFootprintOf,
  type FootprintBreakdown,
  type Metadata,
} from '../../../src/plugin/index.ts'
import { amountChart, type ShareChart } from './charts.ts'
import { isIntlUnit } from './format.ts'
import type { Label, Texts } from './texts.ts'
import { knownUnit, quantity, scaled, statedQuantity, unitWords } from './units.ts'
import { type Entry, entryOf } from './value.ts'

export interface Figure {
  readonly label: Label
  readonly text: string
  readonly unit?: string
  readonly stated?: string | undefined
  readonly note?: string
}

export function figureOf(label: Label, value: number, unit: string | undefined, texts: Texts): Figure {
  const { formats } = texts
  if (unit === undefined) return { label, text: formats.number(value) }
  const larger = scaled(value, unit)
  if (larger !== undefined) {
    return { ...figureOf(label, larger.value, larger.unit, texts), stated: statedQuantity(value, unit, texts) }
  }
  const known = knownUnit(unit)
  if (!isIntlUnit(known)) return { label, text: formats.number(value), unit: unitWords(unit, texts) }
  const parts = formats.unitParts(value, known)
  return { label, text: parts.number, unit: parts.unit }
}

/** Returns a class as a figure; the unit of its key is the range of classes. */
export const classFigure = (key: string, text: string, texts: Texts, group?: string): Figure => {
  const { unit } = texts.category.field(key, group) ?? {}
  const isClass = unit !== undefined && /^[A-Z]\+{0,3}$/.test(text)
  return { label: texts.label(key, group), text, unit: isClass ? unitWords(unit, texts) : undefined }
}

interface FootprintSection {
  readonly figures: readonly Figure[]
  readonly charts: readonly ShareChart[]
  readonly facts: readonly Entry[]
}

const GROUP = 'carbonFootprint'

export function footprintOf(metadata: Metadata, texts: Texts): FootprintSection | undefined {
  const footprint = carbonFootprintOf(metadata.carbonFootprint, texts.category.field(GROUP)?.unit)
  if (footprint === undefined) return undefined
  const { figures, breakdowns } = footprint
  const { performanceClass, ...details } = footprint.details
  const isClass = typeof performanceClass === 'string' && performanceClass !== '' && performanceClass.length <= 12
  const facts = isClass ? details : footprint.details
  return {
    figures: [
      ...figures.map(({ member, value, unit }) =>
        figureOf(member === undefined ? texts.label(GROUP) : texts.label(member, GROUP), value, unit, texts),
      ),
      ...wholeBattery(metadata, footprint, texts),
      ...(isClass ? [classFigure('performanceClass', performanceClass, texts, GROUP)] : []),
    ],
    charts: breakdowns.map((breakdown) => breakdownChart(breakdown, texts)),
    facts: Object.entries(facts).map(([key, value]) => entryOf(value, key, texts, GROUP, 1)),
  }
}

/**
 * Computes the footprint of the whole battery from a figure per kWh, if not stated. Skips figures below 1 kg and `kgCo2ePerKWh`, which are
 * per kWh delivered over the lifetime (Regulation (EU) 2023/1542, Annex II), not per kWh of capacity.
 */
function wholeBattery({ ratedEnergyWh }: Metadata, { figures }: CarbonFootprint, texts: Texts): Figure[] {
  const figure = figures.find(({ member, per }) => per === 'kWh' && member !== 'kgCo2ePerKWh')
  const isStated = figures.some(({ member }) => member === 'absolute')
  if (figure === undefined || isStated || figure.value < 1) return []
  if (typeof ratedEnergyWh !== 'number' || ratedEnergyWh <= 0) return []
  const energy = ratedEnergyWh / 1000
  const whole = Number((figure.value * energy).toPrecision(3))
  const note = `${quantity(figure.value, figure.unit, texts)} × ${quantity(energy, 'kWh', texts)}`
  const rounded = figureOf(texts.label('absolute', GROUP), whole, 'kgCo2e', texts)
  return [{ ...rounded, text: `≈\u00a0${rounded.text}`, note }]
}

function breakdownChart({ kind, parts, unit }: FootprintBreakdown, texts: Texts): ShareChart {
  const title = { text: texts.t(`chart.${kind}`), foreign: false }
  return amountChart(parts, kind === 'stages' ? 'stages' : GROUP, unit, title, texts)
}
