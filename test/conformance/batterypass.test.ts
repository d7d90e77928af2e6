import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Audiences, audienceRules } from '../../src/domain/audience.ts'
import { keyOf, propertiesOf } from '../../src/domain/field.ts'
import type { JsonRecord } from '../../src/domain/record.ts'
import { COMMON_SCHEMA } from '../../src/plugin/common-schema.ts'
import { UNIT_SCHEMA } from '../../src/plugin/unit-schema.ts'
import { ROOT } from '../../src/root.ts'
import { plugins } from '../support/categories.ts'
import { standard } from '../support/reference-tools.ts'

// BatteryPass-Ready 1.3 (DIN DKE SPEC 99100) lists the attributes of a battery passport and their readers.

const file = standard('battery/batterypass-ready-1.3/batterypass-v1.3-schema.json')

/** Place of each attribute: a metadata key, a value of a unit's condition (`unit:`), or a member of a document. */
const PLACES: Readonly<Record<string, string>> = {
  dppStatus: 'Passport:status',
  dateTimeOfLatestUpdate: 'Passport:updatedAt',
  batteryPassportIdentifier: 'batteryPassportIdentifier',
  batteryIdentifier: 'UnitDocument:digitalLinkUri',
  batteryModelIdentifier: 'modelIdentifier',
  batterySerialNumber: 'UnitDocument:serialNumber',
  economicOperatorIdentifier: 'Passport:economicOperator',
  manufacturerIdentifier: 'Passport:economicOperator',
  facilityIdentifier: 'Passport:manufacturingFacility',
  economicOperatorInformation: 'Passport:economicOperator',
  manufacturerInformation: 'manufacturerInformation',
  hasManufacturingPlace: 'manufacturingPlace',
  manufacturingDate: 'manufacturingDate',
  puttingIntoService: 'unit:puttingIntoService',
  warrantyPeriod: 'warrantyPeriod',
  batteryCategory: 'batteryCategory',
  hasBatteryMass: 'batteryMass',
  batteryStatus: 'unit:batteryStatus',
  separateCollectionSymbol: 'separateCollectionSymbol',
  symbolsForCadmiumAndLead: 'cadmiumSymbol',
  carbonFootprintLabel: 'carbonFootprint.labelUrl',
  extinguishingAgent: 'extinguishingAgent',
  meaningOfLabelsAndSymbols: 'symbolMeanings',
  hasEuDeclarationOfConformity: 'euDeclarationOfConformity',
  resultsOfTestReportsProvingCompliance: 'complianceEvidence',
  batteryCarbonFootprintPerFunctionalUnit: 'carbonFootprint.kgCo2ePerKWh',
  contributionOfRawMaterialAcquisitionAndPreProcessingLifecycleStage: 'carbonFootprint.stages.rawMaterialExtraction',
  contributionOfMainProductProductionLifecycleStage: 'carbonFootprint.stages.mainProduction',
  contributionOfDistributionLifecycleStage: 'carbonFootprint.stages.distribution',
  contributionOfEndOfLifeAndRecyclingLifecycleStage: 'carbonFootprint.stages.recycling',
  hasCarbonFootprintPerformanceClass: 'carbonFootprint.performanceClass',
  webLinkToPublicCarbonFootprintStudy: 'carbonFootprint.studyUrl',
  absoluteBatteryCarbonFootprint: 'carbonFootprint.absolute',
  informationOfDueDiligenceReport: 'dueDiligenceReportUrl',
  thirdPartyAssurancesOfRecognisedSchemes: 'thirdPartyAssurances',
  supplyChainIndices: 'supplyChainIndices',
  hasBatteryChemistry: 'chemistry',
  criticalRawMaterials: 'criticalRawMaterials',
  materialsUsedInCathode: 'circularityAndDisassembly.cathodeMaterials',
  hasHazardousSubstances: 'hazardousSubstances',
  impactOfSubstancesOnEnvironment: 'substanceEffects',
  dismantlingInformationManualsForTheRemovalAndTheDisassemblyOfTheBatteryPack:
    'circularityAndDisassembly.dismantling.sequence',
  partNumbersForComponents: 'circularityAndDisassembly.partNumbers',
  informationOnSourcesOfSpareParts: 'circularityAndDisassembly.sparePartSources[].postalAddress',
  safetyMeasures: 'circularityAndDisassembly.safetyMeasures',
  preConsumerRecycledNickelShare: 'recycledContent.nickel.preConsumer',
  preConsumerRecycledCobaltShare: 'recycledContent.cobalt.preConsumer',
  preConsumerRecycledLithiumShare: 'recycledContent.lithium.preConsumer',
  postConsumerRecycledNickelShare: 'recycledContent.nickel.postConsumer',
  postConsumerRecycledCobaltShare: 'recycledContent.cobalt.postConsumer',
  postConsumerRecycledLithiumShare: 'recycledContent.lithium.postConsumer',
  recycledLeadShare: 'recycledContent.lead',
  renewableContentShare: 'renewableContentPct',
  informationOnTheRoleOfEndUsersInContributingToWastePrevention: 'wastePrevention',
  informationOnTheRoleOfEndUsersInContributingToTheSeparateCollectionOfWasteBatteries: 'separateCollection',
  informationOnBatteryCollection: 'collectionInformation',
  hasRatedCapacity: 'ratedCapacityAh',
  hasRemainingCapacity: 'unit:remainingCapacityAh',
  hasCapacityFade: 'unit:capacityFadePct',
  certifiedUsableBatteryEnergy: 'certifiedUsableEnergyKWh',
  remainingUsableBatteryEnergy: 'unit:remainingUsableEnergyKWh',
  hasStateOfCertifiedEnergy: 'unit:stateOfCertifiedEnergyPct',
  hasStateOfCharge: 'unit:stateOfChargePct',
  hasMinimumVoltage: 'minimumVoltage',
  hasMaximumVoltage: 'maximumVoltage',
  hasNominalVoltage: 'nominalVoltage',
  hasOriginalPowerCapability: 'originalPowerCapabilityW',
  hasRemainingPowerCapability: 'unit:remainingPowerW',
  hasPowerFade: 'unit:powerFadePct',
  hasMaximumPermittedBatteryPower: 'powerLimits.maximumDischargeW',
  ratioBetweenNominalBatteryPowerAndBatteryEnergy: 'powerToEnergyRatio',
  initialRoundTripEnergyEfficiency: 'initialRoundTripEfficiencyPct',
  roundTripEnergyEfficiencyAt50PercentOfCycleLife: 'roundTripEfficiencyAt50PctCycleLifePct',
  remainingRoundTripEnergyEfficiency: 'unit:remainingRoundTripEfficiencyPct',
  energyRoundTripEfficiencyFade: 'unit:roundTripEfficiencyFadePct',
  initialSelfDischargeRate: 'detailedPerformance.initialSelfDischargePctPerMonth',
  currentSelfDischargeRate: 'unit:selfDischargeEvolutionPctPerMonth',
  evolutionOfSelfDischargeRates: 'unit:selfDischargeEvolutionPctPerMonth',
  initialInternalResistanceOfBatteryCellAndPack: 'internalResistance.pack',
  internalResistanceIncreaseOfPack: 'unit:internalResistanceIncreasePct',
  expectedLifetimeInCalendarYears: 'unit:expectedLifetimeYears',
  expectedLifetimeNumberOfChargeDischargeCycles: 'expectedLifetimeCycles',
  numberOfFullChargingAndDischargingCycles: 'unit:fullCycles',
  cycleLifeReferenceTest: 'lifetimeReferenceTest',
  cRateOfRelevantCycleLifeTest: 'cycleLifeTestCRate',
  hasEnergyThroughput: 'unit:energyThroughputKWh',
  hasCapacityThroughput: 'unit:capacityThroughputAh',
  capacityThresholdForExhaustion: 'capacityThresholdForExhaustionPct',
  temperatureInformation: 'unit:temperatureC',
  temperatureRangeIdleStateLowerBoundary: 'temperatureRangeIdle.minC',
  temperatureRangeIdleStateUpperBoundary: 'temperatureRangeIdle.maxC',
  timeSpentInExtremeTemperaturesAboveBoundary: 'unit:timeExtremeHighMinutes',
  timeSpentInExtremeTemperaturesBelowBoundary: 'unit:timeExtremeLowMinutes',
  timeSpentChargingDuringExtremeTemperaturesAboveBoundary: 'unit:chargingExtremeHighMinutes',
  timeSpentChargingDuringExtremeTemperaturesBelowBoundary: 'unit:chargingExtremeLowMinutes',
  numberOfDeepDischargeEvents: 'unit:deepDischargeEvents',
  numberOfOverchargeEvents: 'unit:overchargeEvents',
  informationOnAccidents: 'unit:accidents',
}

/** Required readers. */
const AUDIENCES: Readonly<Record<string, Audiences>> = {
  Public: [],
  'persons with a legitimate interest': ['legitimateInterest'],
  'persons with a legitimate interest and the Commission': ['legitimateInterest', 'authority'],
  'Notified bodies, market surveillance authorities and the Commission': ['authority'],
}

const { components } = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'))

const membersOf = (name: string): string[] => {
  const { properties = {}, allOf = [] } = components.schemas[name]
  return [
    ...Object.keys(properties),
    ...allOf.flatMap((part: { $ref?: string; properties?: object }) =>
      part.$ref === undefined ? Object.keys(part.properties ?? {}) : membersOf(part.$ref.split('/').at(-1) ?? ''),
    ),
  ]
}

test.skipIf(file === undefined)('every attribute of BatteryPass-Ready has a key of ours, for the same readers', () => {
  const { properties } = JSON.parse(readFileSync(file as string, 'utf8')) as {
    properties: Record<string, { 'x-access-level': string }>
  }
  const schema = plugins.categories.get('batteries')?.schema
  const keysOf = (one: JsonRecord | undefined) =>
    new Set([...propertiesOf(one, COMMON_SCHEMA)].map(([, , trail]) => keyOf(trail)))
  const [ofMetadata, ofUnits] = [keysOf(schema), keysOf(UNIT_SCHEMA)]
  const rules = audienceRules([COMMON_SCHEMA, schema])
  const wrong = Object.entries(properties).flatMap(([name, { 'x-access-level': level }]) => {
    const place = PLACES[name]
    if (place === undefined) return [name]
    const [where = '', key] = place.split(':')
    if (key === undefined) {
      const readers = rules.get(where.replace(/[.[].*$/, '')) ?? []
      const isSame = JSON.stringify(readers) === JSON.stringify(AUDIENCES[level])
      return ofMetadata.has(where) && isSame ? [] : [`${name}: ${where} (${readers.join()}, ${level})`]
    }
    if (where === 'unit') return ofUnits.has(key) && level === 'persons with a legitimate interest' ? [] : [name]
    return membersOf(where).includes(key) ? [] : [name]
  })
  // Passports do not yet contain the schema version and their granularity.
  expect(wrong).toEqual(['dppSchemaVersion', 'dppGranularity'])
})
