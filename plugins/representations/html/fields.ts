/** Where on the page a metadata key stands. Its name is the key `section.<name>` of the locale files. */
export type SectionName =
  | 'composition'
  | 'footprint'
  | 'performance'
  | 'use'
  | 'safety'
  | 'documents'
  | 'origin'
  | 'further'

/** How a known metadata key is shown. Labels are `field.<key>` of the locale files. */
export interface Field {
  /** Of a top-level key. */
  readonly section?: SectionName
  /** A unit of `Intl.NumberFormat`, a key below `unit` of the locale files, or the symbol itself. */
  readonly unit?: string
  /** A month alone (`2027-02`) is a date here; elsewhere it may be a part number. */
  readonly month?: true
  /** Shown large, ahead of the list of its section. */
  readonly figure?: true
  /** The members stand in the section themselves, without the name of the group. */
  readonly flat?: true
}

const percent = { unit: 'percent' } as const

const composition = { section: 'composition' } as const
const footprint = { section: 'footprint' } as const
const performance = { section: 'performance' } as const
const use = { section: 'use' } as const
const safety = { section: 'safety' } as const
const documents = { section: 'documents' } as const
const origin = { section: 'origin' } as const

/**
 * Known keys, by the categories' schemas; a key that is not here goes to "further details" under a readable form of
 * its own name. `group/key` holds for that key inside that group only. Within a section, this is the order.
 */
export const FIELDS: Readonly<Record<string, Field>> = {
  // What it is made of
  materialComposition: composition,
  fiberComposition: composition,
  primaryMaterial: composition,
  chemistry: composition,
  batteryChemistry: composition,
  recycledContent: composition,
  recycledContentShare: composition,
  recycledContentPct: { ...composition, ...percent },
  renewableContentPct: { ...composition, ...percent },
  recycledPlasticContent: { ...composition, ...percent },
  scrapMetalContentRatio: { ...composition, ...percent },
  postConsumerScrapPct: { ...composition, ...percent },
  postConsumerScrapContent: { ...composition, ...percent },
  ingredients: composition,
  ingredientList: composition,
  surfactants: composition,
  criticalRawMaterials: composition,
  hazardousSubstances: composition,
  substancesOfConcern: composition,
  presenceOfSVHC: composition,
  allergenicFragrances: composition,

  // Climate and environment
  carbonFootprint: footprint,
  carbonFootprintKgCo2e: { ...footprint, unit: 'kgCo2e', figure: true },
  carbonEmissionIntensityPerTon: { ...footprint, unit: 'tCo2ePerT', figure: true },
  co2ePerTonneKg: { ...footprint, unit: 'kgCo2ePerT', figure: true },
  globalWarmingPotential: footprint,
  energyIntensityPerKg: { ...footprint, unit: 'kWhPerKg' },
  smelterElectricitySource: footprint,
  waterUseLitres: { ...footprint, unit: 'liter', figure: true },
  microplasticSheddingMgPerWash: { ...footprint, unit: 'mg' },
  packagingRecyclability: { ...footprint, ...percent },

  // Performance and durability
  batteryCategory: performance,
  productCategory: performance,
  productFamily: performance,
  productForm: performance,
  productFunction: performance,
  steelGrade: performance,
  alloyGrade: performance,
  productionRoute: performance,
  energyEfficiencyClass: { ...performance, figure: true },
  ratedEnergyWh: { ...performance, unit: 'Wh', figure: true },
  ratedCapacityAh: { ...performance, unit: 'Ah', figure: true },
  electrochemicalCapacity: performance,
  nominalVoltage: { ...performance, unit: 'V', figure: true },
  batteryMass: { ...performance, unit: 'kilogram', figure: true },
  minimumVoltage: { ...performance, unit: 'V' },
  maximumVoltage: { ...performance, unit: 'V' },
  originalPowerCapabilityW: { ...performance, unit: 'W' },
  expectedLifetimeCycles: performance,
  lifetimeReferenceTest: performance,
  cycleLifeTestCRate: { ...performance, unit: 'C' },
  durability: { ...performance, flat: true },
  expectedLifetimeYears: { ...performance, unit: 'year' },
  capacityThresholdForExhaustionPct: { ...performance, ...percent },
  temperatureRangeIdle: performance,
  operatingTemperatureRange: performance,
  warrantyPeriod: { ...performance, unit: 'month' },
  initialRoundTripEfficiencyPct: { ...performance, ...percent },
  roundTripEfficiencyAt50PctCycleLifePct: { ...performance, ...percent },
  internalResistance: performance,
  stateOfCharge: { ...performance, ...percent },
  standbyPowerW: { ...performance, unit: 'W' },
  standbyPower: performance,
  batteryLife: performance,
  containsBattery: performance,
  durabilityScore: { ...performance, unit: 'outOf10' },
  tensileStrengthClass: { ...performance, figure: true },
  yieldStrengthMPa: { ...performance, unit: 'MPa' },
  tensileStrengthMPa: { ...performance, unit: 'MPa' },
  thermalConductivity: { ...performance, unit: 'W/(m·K)' },
  compressiveStrength: { ...performance, unit: 'MPa' },
  essentialCharacteristics: performance,
  productWeightGrams: { ...performance, unit: 'gram' },
  nominalContent: performance,
  expectedWashCycles: { ...performance, figure: true },
  pillingResistance: { ...performance, unit: 'outOf5' },
  colorFastness: { ...performance, unit: 'outOf5' },
  detailedPerformance: performance,
  lifecycleAndInUse: performance,

  // Use, repair and end of life
  size: use,
  careInstructions: use,
  precautions: use,
  ageGroup: use,
  ageGrading: use,
  periodAfterOpeningMonths: { ...use, unit: 'month' },
  minimumDurabilityDate: { ...use, month: true },
  securityUpdateUntil: use,
  firmwareUpdateUntil: use,
  repairabilityIndex: use,
  repairScore: { ...use, unit: 'outOf10' },
  circularityIndices: { ...use, flat: true },
  sparePartsAvailable: use,
  wastePrevention: use,
  separateCollection: use,
  collectionInformation: use,
  endOfLifeInstructions: use,
  electronicWasteInstructions: use,
  circularityAndDisassembly: use,

  // Safety and conformity
  signalWord: safety,
  hazardClassification: safety,
  hStatements: safety,
  pStatements: safety,
  ageWarning: safety,
  safetyWarnings: safety,
  containsMagnets: safety,
  physicalSafetyParameters: { ...safety, flat: true },
  regulatoryCompliance: { ...safety, flat: true },
  rohsCompliant: safety,
  weeeCategory: safety,
  separateCollectionSymbol: safety,
  cadmiumSymbol: safety,
  leadSymbol: safety,
  extinguishingAgent: safety,
  chemicalComplianceStandard: safety,
  chemicalContentCertificates: safety,
  harmonisedStandard: safety,
  harmonisedStandards: safety,
  declarationOfPerformance: safety,
  declarationOfPerformanceNumber: safety,
  reactionToFireClass: safety,
  avcpSystem: safety,
  testReportReferences: safety,
  euDeclarationOfConformity: safety,

  // Documents; a top-level key whose value is a web address comes here, whatever its section
  'regulatoryCompliance/declarationOfConformityUrl': documents,
  'declarationOfPerformance/url': documents,
  'esgDueDiligence/dueDiligenceReportUrl': documents,
  'carbonFootprint/studyUrl': documents,
  'circularityAndDisassembly/dismantlingUrl': documents,

  // Origin
  manufacturerInformation: origin,
  manufacturer: origin,
  responsiblePerson: origin,
  manufacturingPlace: origin,
  placeOfManufacture: origin,
  manufacturingDate: { ...origin, month: true },
  dateOfManufacture: { ...origin, month: true },
  countryOfRawMaterialOrigin: origin,
  countryOfWeaving: origin,
  countryOfDyeing: origin,
  meltAndPourCountry: origin,
  smelterCountry: origin,
  esgDueDiligence: { ...origin, flat: true },
  facilityDetails: origin,

  // Inside groups
  weightGrams: { unit: 'gram' },
  weightPct: percent,
  concentrationPct: percent,
  recycledPercentage: percent,
  percentage: percent,
  atSoCPct: percent,
  powerW: { unit: 'W' },
  minC: { unit: 'celsius' },
  maxC: { unit: 'celsius' },
  temperatureC: { unit: 'celsius' },
  calendarLifeYears: { unit: 'year' },
  repairabilityScore: { unit: 'outOf10' },
  'internalResistance/cell': { unit: 'Ω' },
  'internalResistance/pack': { unit: 'Ω' },
  'carbonFootprint/absolute': { unit: 'kgCo2e', figure: true },
  capacityFadePct: percent,
  powerFadePct: percent,
  internalResistanceOhm: { unit: 'Ω' },
  internalResistanceIncreasePct: percent,
  roundTripEfficiencyPct: percent,
  roundTripEfficiencyFadePct: percent,
  cRate: { unit: 'C' },
  stateOfCertifiedEnergyPct: percent,
  stateOfChargePct: percent,
  remainingCapacityAh: { unit: 'Ah' },
  remainingPowerW: { unit: 'W' },
  remainingRoundTripEfficiencyPct: percent,
  selfDischargeEvolutionPctPerMonth: { unit: 'percentPerMonth' },
  ohmicResistanceOhm: { unit: 'Ω' },
  timeExtremeHighMinutes: { unit: 'minute' },
  timeExtremeLowMinutes: { unit: 'minute' },
  chargingExtremeHighMinutes: { unit: 'minute' },
  chargingExtremeLowMinutes: { unit: 'minute' },
  recycledContentPercentage: percent,
  at: { month: true },
}

/** What is known about a key, first inside its group. */
export function fieldOf(key: string, group?: string): Field | undefined {
  const path = group === undefined ? undefined : `${group}/${key}`
  if (path !== undefined && Object.hasOwn(FIELDS, path)) return FIELDS[path]
  return Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined
}

const ORDER: ReadonlyMap<string, number> = new Map(Object.keys(FIELDS).map((key, index) => [key, index]))

/** Sorts metadata keys into the order of the page; unknown keys keep theirs and come last. */
export const inPageOrder = (keys: readonly string[]): string[] =>
  keys.toSorted((a, b) => (ORDER.get(a) ?? ORDER.size) - (ORDER.get(b) ?? ORDER.size))
