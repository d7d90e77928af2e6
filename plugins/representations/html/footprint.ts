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

/** A number, or a class, that is worth being large. */
export interface Figure {
  readonly label: Label
  readonly text: string
  /** Beside the number, smaller. */
  readonly unit?: string
  /** The number as it is stated, if the page scales it. */
  readonly stated?: string | undefined
  /** Below both: how it was found. */
  readonly note?: string
}

/** A number as a figure. */
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

/** A class as a figure; the unit of its key says between what it stands. */
export const classFigure = (key: string, text: string, texts: Texts, group?: string): Figure => {
  const { unit } = texts.category.field(key, group) ?? {}
  const isClass = unit !== undefined && /^[A-Z]\+{0,3}$/.test(text)
  return { label: texts.label(key, group), text, unit: isClass ? unitWords(unit, texts) : undefined }
}

/** A carbon footprint taken apart. */
interface FootprintSection {
  readonly figures: readonly Figure[]
  readonly charts: readonly ShareChart[]
  readonly facts: readonly Entry[]
}

const GROUP = 'carbonFootprint'

/** `metadata.carbonFootprint` as figures, with its stages and scopes as charts. */
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
 * What a footprint per kWh comes to for the whole battery, with its arithmetic, where the passport does not state it. Below
 * 1 kg it is per kWh that the battery gives in all of its life, as Annex II of Regulation (EU) 2023/1542 has it, and so is
 * `kgCo2ePerKWh` by its definition; the energy that the battery holds says nothing of those.
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
