import { dictionary } from '../../../src/plugin/index.ts'
import { isIntlUnit } from './format.ts'
import type { Texts } from './texts.ts'

const SPELLINGS = dictionary<string>(
  Object.fromEntries(
    Object.entries({
      percent: '% percent pct percentage',
      gram: 'g gram grams gramme grammes',
      kilogram: 'kg kilogram kilograms kilogramme kilogrammes kgm',
      millimeter: 'mm millimeter millimetre millimeters millimetres mmt',
      centimeter: 'cm centimeter centimetre centimeters centimetres cmt',
      meter: 'm meter metre meters metres mtr',
      kilometer: 'km kilometer kilometre kilometers kilometres kmt',
      milliliter: 'ml milliliter millilitre milliliters millilitres mlt',
      liter: 'l liter litre liters litres ltr',
      celsius: '°c ℃ celsius degc cel',
      second: 's sec second seconds',
      minute: 'min minute minutes',
      hour: 'h hour hours hrs',
      day: 'day days',
      week: 'week weeks',
      month: 'month months mon',
      year: 'year years yr ann',
      cycles: 'cycle cycles',
      piece: 'piece pieces pc pcs item unit',
    }).flatMap(([unit, spellings]) => spellings.split(' ').map((spelling) => [spelling, unit] as const)),
  ),
)

const MAX_CHARACTERS = 60

const LARGER = dictionary<{ readonly unit: string; readonly size: number }>({
  Wh: { unit: 'kWh', size: 1000 },
  W: { unit: 'kW', size: 1000 },
  minute: { unit: 'hour', size: 60 },
})
const SCALED_FROM = 10_000
const SCALED_DIGITS = 6

/** Undefined if unchanged. */
export function scaled(value: number, unit: string): { readonly value: number; readonly unit: string } | undefined {
  const larger = LARGER[knownUnit(unit)]
  if (larger === undefined || Math.abs(value) < SCALED_FROM) return undefined
  return { value: Number((value / larger.size).toPrecision(SCALED_DIGITS)), unit: larger.unit }
}

export function quantity(value: number, unit: string | undefined, texts: Texts): string {
  const larger = unit === undefined ? undefined : scaled(value, unit)
  return larger === undefined ? exactQuantity(value, unit, texts) : exactQuantity(larger.value, larger.unit, texts)
}

/** Undefined if {@link quantity} has not scaled the number. */
export const statedQuantity = (value: number, unit: string | undefined, texts: Texts): string | undefined =>
  unit === undefined || scaled(value, unit) === undefined ? undefined : exactQuantity(value, unit, texts)

function exactQuantity(value: number, unit: string | undefined, texts: Texts): string {
  if (unit === undefined) return texts.formats.number(value)
  const known = knownUnit(unit)
  if (isIntlUnit(known)) return texts.formats.unit(value, known)
  return `${texts.formats.number(value)}\u00a0${unitWords(unit, texts)}`
}

/** Unknown units are unchanged. */
export const knownUnit = (unit: string): string => SPELLINGS[unit.toLowerCase()] ?? unit

export function unitWords(unit: string, texts: Texts): string {
  if (unit.length > MAX_CHARACTERS) return unit
  const named = texts.category.unit(knownUnit(unit))
  if (named !== unit) return named
  const [, amount = unit, per] = /^(\S[^/]*?) ?(?:\/| per ) ?(\S.*)$/i.exec(unit) ?? []
  const gas = greenhouseGas(amount)
  if (gas === undefined) return symbols(unit)
  return per === undefined ? gas : perUnit(gas, per, texts)
}

function greenhouseGas(unit: string): string | undefined {
  const [, mass] = /^(mg|g|kg|t) ?CO[2₂] ?-?(?:e|eq|equiv|equivalent|equivalents)?\.?$/i.exec(unit) ?? []
  return mass && `${mass.toLowerCase()} CO₂e`
}

export const perUnit = (amount: string, per: string, texts: Texts): string => {
  const known = knownUnit(per)
  return texts.t('value.per', { amount, unit: known === 'piece' ? texts.category.unit(known) : symbols(per) })
}

const symbols = (unit: string): string =>
  unit
    .replace(/CO2/g, 'CO₂')
    .replace(/\b(mm|cm|dm|km|m)([23])\b/g, (_, length, power) => `${length}${power === '2' ? '²' : '³'}`)
