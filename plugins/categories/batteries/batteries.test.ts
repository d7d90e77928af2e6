import { expect, it } from 'vitest'
import { errorPaths } from '../../../test/support/categories.ts'

const valid = {
  category: 'batteries',
  originCountry: 'DE',
  productName: 'Traction battery 80',
  batteryCategory: 'ev',
  chemistry: { shortName: 'NMC', clearName: 'Lithium nickel manganese cobalt oxide' },
  electrochemicalCapacity: { value: 150, unit: 'Ah' },
  durability: { cycleLife: 3000, calendarLifeYears: 12 },
  recycledContentShare: { cobalt: 16, lithium: 6, nickel: 6, lead: 0 },
  recycledContent: { cobalt: { preConsumer: 10, postConsumer: 6 }, lead: 85 },
  carbonFootprint: {
    kgCo2ePerKWh: 61.2,
    stages: { rawMaterialExtraction: 40, mainProduction: 18, distribution: 1.2, recycling: 2 },
    performanceClass: 'B',
    studyUrl: 'https://docs.example.org/pcf.pdf',
  },
  minimumVoltage: 280,
  nominalVoltage: 350,
  maximumVoltage: 403.2,
  ratedCapacityAh: 150,
  batteryMass: 430.5,
  manufacturingDate: '2027-02',
  dateOfManufacture: '2027-02-18',
  placeOfManufacture: { country: 'DE' },
  manufacturer: { name: 'Example Cells GmbH' },
  stateOfCharge: 55,
  temperatureRangeIdle: { minC: -30, maxC: 60 },
  esgDueDiligence: { dueDiligenceReportUrl: 'https://docs.example.org/dd.pdf', cobaltCountryOfOrigin: 'CD' },
  criticalRawMaterials: ['cobalt', { name: 'lithium', weightPct: 1.9 }],
  extinguishingAgent: ['Class D powder'],
  detailedPerformance: { ratedCapacityAh: 150, cRate: 0.5, capacityFadePct: 2 },
  lifecycleAndInUse: {
    batteryStatus: 'original',
    fullCycles: 12,
    negativeEvents: [{ type: 'deep discharge', at: '2028-01-03' }],
    operatingConditions: { temperatureC: -5, timeExtremeLowMinutes: 90 },
  },
  circularityAndDisassembly: {
    dismantlingUrl: 'https://docs.example.org/dismantling.pdf',
    dismantling: { cellCount: 96, sequence: ['Open the case'], fastenings: [{ type: 'M6', count: 24 }] },
    sparePartSources: ['Example Parts'],
  },
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it('review-3-inputs N14: takes the chemistry as the Battery Pass data model has it', () => {
  const { chemistry: batteryChemistry, ...others } = valid
  expect(errorPaths({ ...others, batteryChemistry })).toEqual([])
  expect(errorPaths({ ...others, batteryChemistry: { shortName: 5 } })).toEqual(['batteryChemistry.shortName'])
})

it('asks for nothing but category and originCountry', () => {
  expect(errorPaths({ category: 'batteries', originCountry: 'DE' })).toEqual([])
  expect(errorPaths({ category: 'batteries' })).toEqual(['originCountry'])
})

it.each([
  ['batteryCategory', { batteryCategory: 'car' }],
  ['chemistry', { chemistry: 5 }],
  ['chemistry.shortName', { chemistry: { shortName: 5 } }],
  ['electrochemicalCapacity.value', { electrochemicalCapacity: { unit: 'Ah' } }],
  ['durability.cycleLife', { durability: { cycleLife: 0 } }],
  ['recycledContentShare.cobalt', { recycledContentShare: { cobalt: 101 } }],
  ['recycledContent.lithium.preConsumer', { recycledContent: { lithium: { preConsumer: '5' } } }],
  ['carbonFootprint', { carbonFootprint: -1 }],
  ['carbonFootprint.co2eKg', { carbonFootprint: { co2eKg: -1 } }],
  ['carbonFootprint.studyUrl', { carbonFootprint: { studyUrl: 'javascript:alert(1)' } }],
  ['manufacturingDate', { manufacturingDate: '2027-13' }],
  ['ratedCapacityAh', { ratedCapacityAh: 0 }],
  ['detailedPerformance', { detailedPerformance: '[REDACTED - Privileged Access Required]' }],
  ['detailedPerformance.cRate', { detailedPerformance: { cRate: 'fast' } }],
  ['lifecycleAndInUse.batteryStatus', { lifecycleAndInUse: { batteryStatus: 'new' } }],
  [
    'circularityAndDisassembly.dismantling.fastenings[0].count',
    { circularityAndDisassembly: { dismantling: { fastenings: [{ count: 1.5 }] } } },
  ],
  ['minimumVoltage', { minimumVoltage: 351 }],
  ['nominalVoltage', { nominalVoltage: 404 }],
  ['minimumVoltage', { minimumVoltage: 500, nominalVoltage: undefined }],
  ['temperatureRangeIdle.minC', { temperatureRangeIdle: { minC: 10, maxC: -10 } }],
  ['operatingTemperatureRange.minC', { operatingTemperatureRange: { minC: 10, maxC: 9.9 } }],
  ['placeOfManufacture.country', { placeOfManufacture: { country: 'UK' } }],
  ['esgDueDiligence.nickelCountryOfOrigin', { esgDueDiligence: { nickelCountryOfOrigin: 'XK' } }],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})

it('accepts equal voltages, upper-case categories and plain figures', () => {
  const plain = { batteryCategory: 'LMT', chemistry: 'LFP', carbonFootprint: 61.2 }
  expect(errorPaths({ ...valid, ...plain, minimumVoltage: 350, maximumVoltage: 350 })).toEqual([])
})
