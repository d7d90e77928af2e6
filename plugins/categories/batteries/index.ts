import { type CategoryPlugin, isCountryCode, type Metadata } from '../../../src/plugin/index.ts'

const countryPaths = [
  ['manufacturingPlace', 'country'],
  ['placeOfManufacture', 'country'],
  ['esgDueDiligence', 'cobaltCountryOfOrigin'],
  ['esgDueDiligence', 'lithiumCountryOfOrigin'],
  ['esgDueDiligence', 'nickelCountryOfOrigin'],
] as const

const voltageOrder = [
  ['minimumVoltage', 'nominalVoltage'],
  ['nominalVoltage', 'maximumVoltage'],
  ['minimumVoltage', 'maximumVoltage'],
] as const

const TEMPERATURE_RANGES = [
  'temperatureRangeIdle',
  'operatingTemperatureRange',
  'voltageTemperatureRange',
  'powerTemperatureRange',
] as const

const number = (value: unknown) => (typeof value === 'number' ? value : Number.NaN)

/** Batteries under Regulation (EU) 2023/1542. The schema declares the restricted keys of Annex XIII points 2 to 4. */
export default {
  kind: 'category',
  name: 'batteries',
  *check(metadata) {
    for (const [lower, upper] of voltageOrder) {
      // The outer pair is compared only if there is no nominal voltage, so that an error names neighbours.
      if (lower === 'minimumVoltage' && upper === 'maximumVoltage' && metadata.nominalVoltage !== undefined) continue
      if (number(metadata[lower]) > number(metadata[upper])) {
        yield { path: lower, code: 'voltageOrder', params: { upper, limit: metadata[upper] } }
      }
    }
    for (const key of TEMPERATURE_RANGES) {
      const range = metadata[key] as Metadata | undefined
      if (number(range?.minC) > number(range?.maxC)) {
        yield { path: `${key}.minC`, code: 'temperatureOrder', params: { upper: `${key}.maxC`, limit: range?.maxC } }
      }
    }
    for (const [group, key] of countryPaths) {
      const country = (metadata[group] as Metadata | undefined)?.[key]
      if (typeof country === 'string' && !isCountryCode(country)) {
        yield { path: `${group}.${key}`, code: 'unknownCountry' }
      }
    }
  },
} satisfies CategoryPlugin
