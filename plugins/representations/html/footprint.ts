import type { Json, Metadata } from '../../../src/plugin/index.ts'
import { type BarChart, stageChart } from './charts.ts'
import { isIntlUnit } from './format.ts'
import type { Label, Texts } from './texts.ts'
import { type Entry, entryOf, isObject, unitName } from './value.ts'

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
  if (!isIntlUnit(unit)) return { label, text: formats.number(value), unit: unitName(unit, texts) }
  const parts = formats.unitParts(value, unit)
  return { label, text: parts.number, unit: parts.unit }
}

/** A carbon footprint taken apart. */
interface Footprint {
  readonly figures: readonly Figure[]
  readonly charts: readonly BarChart[]
  readonly facts: readonly Entry[]
}

const SCOPES = ['scope1', 'scope2', 'scope3'] as const

/**
 * `metadata.carbonFootprint`: a number or an object. A battery's is in kg CO₂e per kWh of the total energy over its
 * life (Regulation (EU) 2023/1542, Article 7 and Annex II); any other product's in kg CO₂e, or in the unit it names.
 */
export function footprintOf({ carbonFootprint: json, category }: Metadata, texts: Texts): Footprint | undefined {
  const label = texts.label('carbonFootprint')
  const figure = (name: Label, value: number, unit: string) => figureOf(name, value, unit, texts)
  const unit = category === 'batteries' ? 'kgCo2ePerKwh' : 'kgCo2e'
  if (typeof json === 'number') {
    return { figures: [figure(label, json, unit)], charts: [], facts: [] }
  }
  if (!isObject(json)) return undefined

  const figures: Figure[] = []
  const charts: BarChart[] = []
  const rest = new Set(Object.keys(json))
  const take = (key: string): Json | undefined => (rest.delete(key) ? json[key] : undefined)

  const perKwh = json.kgCo2ePerKWh
  if (typeof perKwh === 'number') {
    take('kgCo2ePerKWh')
    figures.push(figure(label, perKwh, 'kgCo2ePerKwh'))
  }
  const own = typeof json.unit === 'string' && json.unit !== '' ? json.unit : undefined
  const total = json.co2eKg
  if (typeof total === 'number') {
    take('co2eKg')
    take('unit')
    figures.push(figure(label, total, own ?? 'kgCo2e'))
  }
  if (typeof json.absolute === 'number') {
    take('absolute')
    figures.push(figure(texts.label('absolute', 'carbonFootprint'), json.absolute, 'kgCo2e'))
  }

  const title = (key: string): Label => ({ text: texts.t(key), foreign: false })
  const stages = stageChart(json.stages ?? null, 'stages', unit, title('chart.stages'), texts)
  if (stages !== undefined) {
    take('stages')
    charts.push(stages)
  }
  const scopes = Object.fromEntries(
    SCOPES.flatMap((key) => (json[key] === undefined ? [] : [[key, json[key] as Json]])),
  )
  const scopeChart = stageChart(scopes, 'carbonFootprint', own ?? unit, title('chart.scopes'), texts)
  if (scopeChart !== undefined) {
    for (const key of SCOPES) take(key)
    charts.push(scopeChart)
  }
  const facts = [...rest].map((key) => entryOf(json[key] as Json, key, texts, 'carbonFootprint', 1))
  return { figures, charts, facts }
}
