import { isGroup, type Json, type Metadata } from './metadata.ts'
import { dictionary } from './record.ts'

interface Emissions {
  /** Known unit such as `kgCo2e`, or the passport's text. */
  readonly unit: string
  /** Reference such as `kWh` or `piece`; undefined unless in kg CO2. */
  readonly per: string | undefined
}

export interface FootprintFigure extends Emissions {
  readonly member?: string
  readonly value: number
}

export interface FootprintBreakdown extends Emissions {
  readonly kind: 'stages' | 'scopes'
  readonly parts: Readonly<Record<string, number>>
}

export interface CarbonFootprint {
  readonly figures: readonly FootprintFigure[]
  readonly breakdowns: readonly FootprintBreakdown[]
  readonly details: Metadata
}

const UNITS = dictionary<string>({ kgCo2e: 'piece', kgCo2ePerKwh: 'kWh', kgCo2ePerT: 't' })

const SCOPES = ['scope1', 'scope2', 'scope3'] as const

/**
 * Parses `metadata.carbonFootprint`, a number or a group (specification 2.1); undefined if invalid.
 * @param unit `x-unit` of the key; batteries are per kWh (Regulation (EU) 2023/1542, Annex II)
 */
export function carbonFootprintOf(value: Json | undefined, unit = 'kgCo2e'): CarbonFootprint | undefined {
  const usual = { unit, per: UNITS[unit] }
  const figures = footprintFiguresOf(value, unit)
  if (typeof value === 'number') return { figures, breakdowns: [], details: {} }
  if (!isGroup(value)) return undefined
  const stages = amountsIn(value.stages)
  const scopes = amountsIn(only(value, SCOPES))
  const taken = new Set<string | undefined>([
    ...figures.map(({ member }) => member),
    ...(figures.some(({ member }) => member === 'co2eKg') ? ['unit'] : []),
    ...(stages === undefined ? [] : ['stages']),
    ...(scopes === undefined ? [] : SCOPES),
  ])
  return {
    figures,
    breakdowns: [
      ...(stages === undefined ? [] : [{ kind: 'stages' as const, parts: stages, ...usual }]),
      ...(scopes === undefined
        ? []
        : [{ kind: 'scopes' as const, parts: scopes, ...(namedUnit(value.unit) ?? usual) }]),
    ],
    details: only(
      value,
      Object.keys(value).filter((key) => !taken.has(key)),
    ),
  }
}

export function footprintFiguresOf(value: Json | undefined, unit = 'kgCo2e'): FootprintFigure[] {
  if (typeof value === 'number') return [{ value, unit, per: UNITS[unit] }]
  if (!isGroup(value)) return []
  const piece = { unit: 'kgCo2e', per: 'piece' }
  return [
    figureOf(value, 'kgCo2ePerKWh', { unit: 'kgCo2ePerKwh', per: 'kWh' }),
    figureOf(value, 'co2eKg', namedUnit(value.unit) ?? piece),
    figureOf(value, 'absolute', piece),
  ].filter((figure) => figure !== undefined)
}

const only = (group: Metadata, keys: readonly string[]): Metadata =>
  Object.fromEntries(keys.flatMap((key) => (group[key] === undefined ? [] : [[key, group[key]]])))

function figureOf(group: Metadata, member: string, emissions: Emissions): FootprintFigure | undefined {
  const value = group[member]
  return typeof value === 'number' ? { member, value, ...emissions } : undefined
}

function namedUnit(unit: Json | undefined): Emissions | undefined {
  if (typeof unit !== 'string' || unit === '') return undefined
  const words = unit.trim().replaceAll(/\s+/g, ' ')
  const [found, per = 'piece'] = /^kg ?CO[2₂] ?(?:-?eq?|equivalent)? ?(?:(?:per|\/) ?(\S.*))?$/i.exec(words) ?? []
  return { unit, per: found === undefined ? undefined : per }
}

function amountsIn(group: Json | undefined): Readonly<Record<string, number>> | undefined {
  if (!isGroup(group)) return undefined
  const amounts = Object.entries(group).filter((entry): entry is [string, number] => isAmount(entry[1]))
  return amounts.length > 0 && amounts.length === Object.keys(group).length ? Object.fromEntries(amounts) : undefined
}

const isAmount = (value: Json): value is number => typeof value === 'number' && value >= 0
