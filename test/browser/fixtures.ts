import type { Json, Metadata, PassportView, Proof, PublishedJourney } from '../../src/plugin/index.ts'
import { REDACTED } from '../../src/plugin/index.ts'
import { certificate, token } from './given-seal.ts'

const baseUrl = 'https://passport.example'

const publicKeyPem = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeJfPXIC36wVWG2ZtPDumr0G7x2ML
xaj9YNCMKAa5EMH1zunUUx/rgJlD92Tu5IrT9Y54DHyOGLUaKFCVSRoZQw==
-----END PUBLIC KEY-----
`
const signature = 'MEQCIBX5bQyEj1PNFX8lBp3DJQ6VR63ec9tExtB7b5nl04O5AiBVkQZ6w4hYqsNIKemqtgC56nRIETy9bfT57uSSLVUvFw=='
const merkleRoot = 'f16d05ec6b29248d2c61adb1e9263f78e4f7bace1b955014a2d17872cfe4064d'

const proof = (id: string, more: Partial<Proof> = {}): Proof => ({
  type: 'MerkleTreeAttestationProof',
  '@type': ['MerkleTreeAttestationProof'],
  signatureAlgorithm: 'ECDSA-P256-SHA256-over-MerkleRoot',
  created: '2027-03-14T09:26:53.000Z',
  proofPurpose: 'assertionMethod',
  verificationMethod: `${baseUrl}/passport/${id}#key-1`,
  signatureValue: signature,
  publicKeyPem,
  merkleRoot,
  salts: { category: 'c2FsdHNhbHRzYWx0c2FsdA' },
  ...more,
})

const seal = (id: string, more: Partial<Proof> = {}) => ({ signature, publicKeyPem, proof: proof(id, more) })

const passport = (view: Partial<PassportView> & { id: string; metadata: Metadata }): PassportView => ({
  baseUrl,
  audience: 'public',
  productId: '04012345678901',
  identifier: { scheme: 'gtin', value: '04012345678901' },
  digitalLinkUri: `${baseUrl}/01/04012345678901`,
  status: 'ACTIVE',
  archivedAt: null,
  retentionUntil: null,
  createdAt: '2027-02-18T08:00:00.000Z',
  updatedAt: '2027-03-14T09:26:53.000Z',
  version: 4,
  operator: {
    id: '0b9f6c3e-3c0f-4a55-9a39-5b1f3f0c1a01',
    name: 'Nordlicht Zellwerke AG',
    regId: 'DE819203746',
    role: 'MANUFACTURER',
    contact: null,
  },
  links: [],
  media: [],
  brand: null,
  recall: null,
  registration: null,
  journey: null,
  sections: [],
  facility: null,
  maskedKeys: [],
  grantableKeys: [],
  privilegedKeys: [],
  seal: null,
  enrichment: null,
  ...view,
})

const detailedPerformance = {
  ratedCapacityAh: 78.2,
  capacityFadePct: 3.1,
  powerW: 148000,
  powerFadePct: 1.8,
  internalResistanceOhm: 0.0412,
  roundTripEfficiencyPct: 95.4,
  expectedLifetimeYears: 15,
  expectedLifetimeCycles: 3000,
}

const lifecycleAndInUse = {
  batteryStatus: 'original',
  stateOfCertifiedEnergyPct: 96.9,
  stateOfChargePct: 64,
  fullCycles: 212,
  negativeEvents: [{ type: 'Deep discharge', at: '2027-01-09' }],
  operatingConditions: { temperatureC: 21.5, timeExtremeHighMinutes: 42, timeExtremeLowMinutes: 310 },
}

const circularityAndDisassembly = {
  cathodeMaterials: [
    { name: 'Nickel', casNumber: '7440-02-0', weightPct: 48 },
    { name: 'Manganese', casNumber: '7439-96-5', weightPct: 16 },
    { name: 'Cobalt', casNumber: '7440-48-4', weightPct: 12 },
  ],
  partNumbers: ['NZ-MOD-12S-A', 'NZ-BMS-4', 'NZ-COOL-2'],
  sparePartSources: [{ name: 'Nordlicht Service', webAddress: 'https://service.nordlicht.example/parts' }],
  dismantlingUrl: 'https://docs.nordlicht.example/nz-78/dismantling.pdf',
  dismantling: {
    sequence: ['Discharge below 30 %', 'Open the service disconnect', 'Lift the lid', 'Remove modules 1 to 8'],
    fastenings: [
      { type: 'M8 screw', count: 42 },
      { type: 'Clip', count: 12 },
    ],
    tools: ['Insulated torque wrench', 'Lifting frame'],
    warnings: ['Up to 420 V DC'],
    cellCount: 96,
  },
  safetyMeasures: 'Wear insulating gloves, class 0. Keep the fire blanket at hand.',
}

const facilityDetails = [
  {
    facilityName: 'Cell plant Heide',
    location: 'Heide, Germany',
    activity: 'Cell production and pack assembly',
    eudrPlots: [
      {
        plotId: 'DE-SH-0042',
        polygonType: 'Polygon',
        coordinates: [
          { lat: 54.196, lng: 9.094 },
          { lat: 54.199, lng: 9.101 },
          { lat: 54.193, lng: 9.103 },
        ],
      },
    ],
    traceabilityDocs: [
      {
        documentName: 'Chain of custody 2027-02',
        documentHash: '9f2feb0f1ef425b292f2f94bc8482494df7ab0a2e3f1a1ef7b9bb6f2d8d1c9aa',
        documentUrl: 'https://docs.nordlicht.example/custody/2027-02.pdf',
      },
    ],
  },
]

const batteryMetadata: Metadata = {
  category: 'batteries',
  originCountry: 'DE',
  gtin: '04012345678901',
  productName: 'Polar 78 traction battery',
  brand: 'Nordlicht',
  modelIdentifier: 'NZ-78-NMC',
  batteryCategory: 'ev',
  chemistry: { shortName: 'NMC 622', clearName: 'Lithium nickel manganese cobalt oxide' },
  batteryMass: 438.5,
  ratedCapacityAh: 78.2,
  ratedEnergyWh: 78000,
  nominalVoltage: 355,
  minimumVoltage: 265,
  maximumVoltage: 420,
  originalPowerCapabilityW: [
    { atSoCPct: 80, powerW: 150000 },
    { atSoCPct: 20, powerW: 96000 },
  ],
  expectedLifetimeCycles: 3000,
  lifetimeReferenceTest: 'IEC 62660-1:2018',
  cycleLifeTestCRate: 0.5,
  capacityThresholdForExhaustionPct: 70,
  temperatureRangeIdle: { minC: -30, maxC: 60, referenceTest: 'IEC 62660-2' },
  operatingTemperatureRange: { minC: -25, maxC: 55 },
  warrantyPeriod: 96,
  initialRoundTripEfficiencyPct: 96.2,
  roundTripEfficiencyAt50PctCycleLifePct: 94.1,
  internalResistance: { cell: 0.0011, pack: 0.0412 },
  manufacturingDate: '2027-02',
  manufacturingPlace: { country: 'DE', city: 'Heide', plant: 'Cell plant Heide' },
  manufacturerInformation: {
    name: 'Nordlicht Zellwerke AG',
    postalAddress: 'Am Deich 1, 25746 Heide',
    webAddress: 'https://nordlicht.example/',
  },
  materialComposition: [
    { material: 'Nickel', percentage: 17.4, casNumber: '7440-02-0', countryOfOrigin: 'FI', recycledPercentage: 16 },
    { material: 'Graphite', percentage: 16.1, casNumber: '7782-42-5' },
    { material: 'Aluminium', percentage: 21.8 },
    { material: 'Copper', percentage: 11.9 },
    { material: 'Steel', percentage: 9.6 },
    { material: 'Electrolyte', percentage: 9.3 },
    { material: 'Manganese', percentage: 5.2, casNumber: '7439-96-5' },
    { material: 'Cobalt', percentage: 4.1, casNumber: '7440-48-4', countryOfOrigin: 'AU', recycledPercentage: 24 },
    { material: 'Lithium', percentage: 2.6, casNumber: '7439-93-2', countryOfOrigin: 'CL', recycledPercentage: 8.5 },
    { material: 'Plastics', percentage: 2 },
  ],
  recycledContent: {
    cobalt: { preConsumer: 4, postConsumer: 20 },
    lithium: { preConsumer: 1.5, postConsumer: 7 },
    nickel: { preConsumer: 6, postConsumer: 10 },
    lead: 0,
  },
  renewableContentPct: 1.2,
  hazardousSubstances: [
    {
      name: 'Lithium hexafluorophosphate',
      casNumber: '21324-40-3',
      concentrationPct: 1.3,
      location: 'Electrolyte',
      impact: 'Forms hydrofluoric acid with water',
    },
    { name: 'Nickel sulphate', casNumber: '7786-81-4', concentrationPct: 0.4, location: 'Cathode' },
  ],
  criticalRawMaterials: [
    { name: 'Cobalt', casNumber: '7440-48-4', weightPct: 4.1 },
    { name: 'Lithium', casNumber: '7439-93-2', weightPct: 2.6 },
    'Natural graphite',
  ],
  extinguishingAgent: ['Water mist', 'F-500 EA'],
  carbonFootprint: {
    kgCo2ePerKWh: 0.068,
    stages: { rawMaterialExtraction: 0.041, mainProduction: 0.019, distribution: 0.003, recycling: 0.005 },
    performanceClass: 'B',
    studyUrl: 'https://docs.nordlicht.example/nz-78/carbon-footprint-study.pdf',
    absolute: 5304,
  },
  dueDiligenceReportUrl: 'https://nordlicht.example/reports/due-diligence-2026',
  esgDueDiligence: { cobaltCountryOfOrigin: 'AU', lithiumCountryOfOrigin: 'CL', nickelCountryOfOrigin: 'FI' },
  separateCollectionSymbol: true,
  cadmiumSymbol: false,
  leadSymbol: false,
  euDeclarationOfConformity: 'https://docs.nordlicht.example/nz-78/declaration-of-conformity.pdf',
  wastePrevention: 'Second use as stationary storage is possible from 70 % of the rated capacity.',
  separateCollection: 'Never put the battery in household waste. Workshops take it back free of charge.',
  collectionInformation: 'https://nordlicht.example/take-back',
  instructionsForUse: 'https://docs.nordlicht.example/nz-78/instructions.pdf',
  regulatoryCompliance: {
    ceMarking: true,
    certificates: [
      {
        name: 'UN 38.3 transport test',
        referenceNumber: 'UN383-27-00817',
        issuer: 'Prüfhaus Elbe GmbH',
        validUntil: '2030-02-28',
      },
      { name: 'IEC 62660-3', referenceNumber: 'E-62660-2201', issuer: 'Prüfhaus Elbe GmbH', validUntil: '2029-11-30' },
    ],
  },
  commodityCode: '85076000',
  serialNumber: 'NZ-78-NMC-SERIES-4',
}

const BATTERY_KEYS = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly']

const batteryId = '3f0d7a52-7f0e-4d0f-9d5e-0d9f3c6c2b11'

const battery = passport({
  id: batteryId,
  facility: {
    id: 'f9c8b7a6-1111-4222-8333-944455556666',
    gln: '4012345000009',
    name: 'Cell plant Heide',
    activity: 'Cell production and pack assembly',
    country: 'DE',
  },
  metadata: {
    ...batteryMetadata,
    ...Object.fromEntries(BATTERY_KEYS.map((key) => [key, REDACTED])),
    facilityDetails: REDACTED,
  },
  maskedKeys: [...BATTERY_KEYS, 'facilityDetails'],
  grantableKeys: BATTERY_KEYS,
  seal: seal(batteryId, {
    redactedLeaves: Object.fromEntries(BATTERY_KEYS.map((key) => [key, merkleRoot])),
    rfc3161: { genTime: '2027-03-14T09:26:55.000Z', token },
    x5c: [certificate],
  }),
  enrichment: {
    tagline: 'Made for fifteen winters, and for what comes after the car.',
    description:
      'Polar 78 is built in Heide with electricity from wind. Every module can be taken out and replaced on its own.\n\nWhen the battery no longer suits a car, we buy it back and give it a second life as storage.',
    images: [
      { url: 'https://cdn.nordlicht.example/polar-78.avif', caption: 'Polar 78 on the test bench' },
      { url: 'https://cdn.nordlicht.example/module.avif' },
    ],
    links: [
      { label: 'How we take back batteries', url: 'https://nordlicht.example/take-back' },
      { label: 'Workshops near you', url: 'https://nordlicht.example/workshops' },
    ],
  },
})

const batteryRestricted: PassportView = {
  ...battery,
  audience: 'legitimateInterest',
  metadata: {
    ...batteryMetadata,
    detailedPerformance,
    lifecycleAndInUse,
    circularityAndDisassembly,
    facilityDetails: REDACTED,
  },
  maskedKeys: ['facilityDetails'],
  grantableKeys: [],
  privilegedKeys: BATTERY_KEYS,
}

const textile = passport({
  id: '8a4f1c1e-55f1-4a0a-9a0e-3b3f0c1a0002',
  productId: '05901234123457',
  identifier: { scheme: 'gtin', value: '05901234123457' },
  digitalLinkUri: `${baseUrl}/01/05901234123457`,
  version: 1,
  operator: {
    id: '0b9f6c3e-3c0f-4a55-9a39-5b1f3f0c1a02',
    name: 'Tecelagem do Minho, Lda.',
    regId: 'PT509876543',
    role: 'MANUFACTURER',
    contact: null,
  },
  facility: {
    id: 'f9c8b7a6-1111-4222-8333-944455556667',
    gln: '5601234000008',
    name: 'Guimarães weaving mill',
    activity: 'Weaving and finishing',
    country: 'PT',
  },
  metadata: {
    category: 'textiles',
    originCountry: 'PT',
    gtin: '05901234123457',
    productName: [
      { value: 'Linen overshirt', language: 'en' },
      { value: 'Leinen-Überhemd', language: 'de' },
    ],
    brand: 'Ribeira',
    size: 'M',
    fiberComposition: [
      { fiber: 'Linen', percentage: 72, countryOfOrigin: 'FR' },
      { fiber: 'Cotton', percentage: 24, countryOfOrigin: 'TR', recycled: true },
      { fiber: 'Elastane', percentage: 4 },
    ],
    materialComposition: [
      { material: 'Fabric', percentage: 96 },
      { material: 'Corozo buttons', percentage: 3 },
      { material: 'Polyester thread', percentage: 1 },
    ],
    recycledContent: { percentage: 24, source: 'pre-consumer' },
    careInstructions: ['Wash at 40 °C', 'Do not tumble dry', 'Iron while damp'],
    expectedWashCycles: 80,
    productWeightGrams: 312,
    carbonFootprint: { unit: 'kg CO2e per piece', co2eKg: 6.8, scope1: 0.9, scope2: 1.4, scope3: 4.5 },
    waterUseLitres: 1250,
    microplasticSheddingMgPerWash: 12,
    pillingResistance: 4,
    colorFastness: 4,
    countryOfRawMaterialOrigin: 'FR',
    countryOfWeaving: 'PT',
    countryOfDyeing: 'PT',
    chemicalComplianceStandard: 'OEKO-TEX Standard 100, class II',
    regulatoryCompliance: {
      ceMarking: false,
      certificates: [
        { name: 'European Flax', referenceNumber: 'EF-2026-1187', issuer: 'Alliance', validUntil: '2027-12-31' },
      ],
    },
    repairManualUrl: 'https://ribeira.example/mending',
    endOfLifeInstructions: 'Bring it back to any of our shops; we shred and respin it.',
    dyeHouseId: 'PT-GMR-07',
    facilityDetails: REDACTED,
  },
  maskedKeys: ['facilityDetails'],
  enrichment: { tagline: 'Woven on the river Ave, to be worn for years.' },
})

const electronicsRecalled = passport({
  id: '8a4f1c1e-55f1-4a0a-9a0e-3b3f0c1a0003',
  status: 'RECALLED',
  operator: {
    id: '0b9f6c3e-3c0f-4a55-9a39-5b1f3f0c1a03',
    name: 'Halo Devices Import B.V.',
    regId: 'NL004495445B01',
    role: 'IMPORTER',
    contact: null,
  },
  metadata: {
    category: 'electronics',
    originCountry: 'VN',
    gtin: '04012345678901',
    productName: 'Halo One 65 W travel charger',
    brand: 'Halo',
    model: 'H1-65',
    productCategory: 'Power supply',
    energyEfficiencyClass: 'A',
    repairabilityIndex: 3.4,
    standbyPower: { value: 0.08, unit: 'W' },
    expectedLifetimeYears: 5,
    firmwareUpdateUntil: '2030-06-30',
    rohsCompliant: true,
    weeeCategory: 5,
    containsBattery: false,
    recycledPlasticContent: 35,
    carbonFootprint: 7.9,
    circularityIndices: { repairabilityScore: 3.4, durabilityScore: 6 },
    criticalRawMaterials: [{ name: 'Gallium', casNumber: '7440-55-3', weightGrams: 0.04, countryOfOrigin: 'CN' }],
    substancesOfConcern: [
      { name: 'Lead', casNumber: '7439-92-1', ecNumber: '231-100-4', concentrationPct: 0.12, location: 'Solder' },
    ],
    eprelUrl: 'https://eprel.ec.europa.eu/screen/product/externalpowersupplies',
    electronicWasteInstructions: 'Hand it in at any collection point for electronic waste.',
    regulatoryCompliance: { ceMarking: true, declarationOfConformityUrl: 'https://halo.example/doc/h1-65.pdf' },
  },
  seal: seal('8a4f1c1e-55f1-4a0a-9a0e-3b3f0c1a0003'),
})

const draft = passport({
  id: '8a4f1c1e-55f1-4a0a-9a0e-3b3f0c1a0004',
  status: 'DRAFT',
  audience: 'owner',
  version: 1,
  facility: {
    id: 'f9c8b7a6-1111-4222-8333-944455556666',
    gln: '4012345000009',
    name: 'Cell plant Heide',
    activity: 'Cell production and pack assembly',
    country: 'DE',
    streetAddress: 'Am Deich 1',
    postalCode: '25746',
    city: 'Heide',
  },
  metadata: {
    category: 'batteries',
    productName: 'Polar 40',
    materialComposition: [{ material: 'to be filled in', percentage: 'about 40' }],
    recycledContent: { cobalt: 'unknown' },
    carbonFootprint: {},
    certificates: [],
    notes: null,
    detailedPerformance,
    facilityDetails,
  },
})

const sku = passport({
  id: '8a4f1c1e-55f1-4a0a-9a0e-3b3f0c1a0005',
  productId: 'GARTENSTUHL-2027/grün',
  identifier: { scheme: 'sku', value: 'GARTENSTUHL-2027/grün' },
  digitalLinkUri: `${baseUrl}/01/GARTENSTUHL-2027%2Fgr%C3%BCn`,
  version: 1,
  metadata: { category: 'toys', originCountry: 'AT' },
})

const chemicalArchived = passport({
  id: '8a4f1c1e-55f1-4a0a-9a0e-3b3f0c1a0006',
  status: 'DECOMMISSIONED',
  archivedAt: '2028-01-05T00:00:00.000Z',
  retentionUntil: '2038-01-05T00:00:00.000Z',
  productId: '04012345678901A7',
  identifier: { scheme: 'grai', value: '04012345678901A7' },
  digitalLinkUri: `${baseUrl}/8003/04012345678901A7`,
  metadata: {
    category: 'chemicals',
    originCountry: 'BE',
    productName: 'Descaler concentrate',
    signalWord: 'Warning',
    hazardClassification: ['Skin Irrit. 2', 'Eye Irrit. 2'],
    hStatements: ['H315', 'H319'],
    pStatements: ['P102', 'P280'],
    ufi: 'A1B2-C3D4-E5F6-G7H8',
    presenceOfSVHC: false,
    safetyDatasheetUrl: 'https://chem.example/sds/descaler.pdf',
    surfactants: [{ name: 'Alkyl polyglucoside', biodegradable: true, concentrationBand: '5-15 %' }],
  },
  seal: seal('8a4f1c1e-55f1-4a0a-9a0e-3b3f0c1a0006'),
})

/** Every sign: keys of several categories, which no passport combines. */
const everySign = passport({
  id: '8a4f1c1e-55f1-4a0a-9a0e-3b3f0c1a0008',
  updatedAt: '2027-03-14T09:26:53.000Z',
  metadata: {
    category: 'chemicals',
    originCountry: 'BE',
    productName: 'One of each',
    signalWord: 'Danger',
    hazardClassification: ['Flam. Liq. 2', 'H225'],
    hStatements: [
      'H200',
      'H270',
      'H280',
      'H290 Kann gegenüber Metallen korrosiv sein.',
      'H318',
      'H300+H310',
      'H351',
      'H410',
      'EUH208 Contains limonene.',
      'H999',
    ],
    pStatements: ['P102', 'P301+P330+P331', 'P305 + P351 + P338', 'P501'],
    presenceOfSVHC: true,
    ageGroup: '3-6',
    ageWarning: 'For use under the supervision of an adult.',
    safetyWarnings: ['Keep away from fire.', 'Do not aim at eyes or face.'],
    containsMagnets: true,
    physicalSafetyParameters: { chokingHazardWarning: true, sharpEdgesChecked: true },
    allergenicFragrances: ['Limonene', 'Linalool'],
    precautions: 'Avoid contact with eyes.',
    separateCollectionSymbol: true,
    cadmiumSymbol: true,
    leadSymbol: true,
    energyEfficiencyClass: 'C',
    careInstructions: [
      'Machine wash at 30 °C',
      'Wash 40 gentle',
      'Wash at 60 °C',
      'Hand wash only',
      'Do not wash',
      'Use only oxygen bleach',
      'Do not bleach',
      'Tumble dry low',
      'Do not tumble dry',
      'Line dry',
      'Dry flat',
      'Cool iron',
      'Warm iron',
      'Hot iron',
      'Do not iron',
      'Dry clean',
      'Do not dry clean',
    ],
    regulatoryCompliance: {
      ceMarking: true,
      certificates: [
        { name: 'OEKO-TEX', validUntil: '2025-01-31' },
        { name: 'GOTS', validUntil: '2028-01-31' },
      ],
    },
  },
})

const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3)

const longWords = passport({
  id: '8a4f1c1e-55f1-4a0a-9a0e-3b3f0c1a0007',
  operator: {
    id: '0b9f6c3e-3c0f-4a55-9a39-5b1f3f0c1a07',
    name: unbroken,
    regId: unbroken,
    role: unbroken,
    contact: null,
  },
  metadata: {
    category: unbroken,
    originCountry: 'DE',
    productName: unbroken,
    brand: unbroken,
    modelIdentifier: unbroken,
    materialComposition: [{ material: unbroken, percentage: 100, remark: unbroken }],
    recycledContent: { [unbroken]: 50 },
    carbonFootprint: { unit: unbroken, co2eKg: 123456789.123456, scope1: 1, scope2: 2 },
    energyEfficiencyClass: 'W'.repeat(16),
    [unbroken]: { [unbroken]: { [unbroken]: [{ [unbroken]: [unbroken] }] } },
    manualUrl: `https://example.org/${unbroken}?${unbroken}`,
    deep: nested(60),
  },
  enrichment: {
    tagline: unbroken,
    description: unbroken,
    images: [{ url: `https://example.org/${unbroken}.png`, caption: unbroken }],
    links: [{ label: unbroken, url: `https://example.org/${unbroken}` }],
  },
})

function nested(depth: number): Json {
  return depth === 0 ? 'bottom' : { level: nested(depth - 1) }
}

/** Passports for every test of the page. All names and hosts are invented. */
const step = (
  stage: PublishedJourney['steps'][number]['stage'],
  time: string,
  from: number[],
  name?: string,
  country?: string,
) => ({
  stage,
  time: `${time}T08:00:00.000Z`,
  place: { name: name ?? null, country: country ?? null, uri: null },
  from,
})

/** A multi-level journey: a shirt of cloth and buttons. */
const journey: PublishedJourney = {
  audience: [],
  publishedAt: '2026-03-09T10:00:00.000Z',
  isCut: true,
  steps: [
    step('origin', '2026-01-05', [], 'Nile Delta Cotton Cooperative', 'EG'),
    step('processing', '2026-01-20', [0], 'Spinnerei Hof', 'DE'),
    step('processing', '2026-02-02', [1], 'Tessitura di Prato', 'IT'),
    step('origin', '2026-02-04', [], undefined, 'EC'),
    step('making', '2026-02-14', [2, 3], 'Confecções do Minho', 'PT'),
    step('transport', '2026-02-20', [4], 'Porto de Leixões', 'PT'),
  ],
}

export const fixtures = {
  journey: { ...textile, journey },
  battery,
  batteryRestricted,
  textile,
  electronicsRecalled,
  draft,
  sku,
  chemicalArchived,
  everySign,
  longWords,
} satisfies Record<string, PassportView>

/** Exceeds every display limit: texts, lists, records and fields are cut. */
export const largeView: PassportView = {
  ...textile,
  metadata: {
    ...Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`furtherField${index}`, index])),
    materialComposition: Array.from({ length: 140 }, (_, index) => ({ material: `Fibre ${index}`, percentage: 0.7 })),
    careInstructions: Array.from({ length: 130 }, (_, index) => `Step ${index}`),
    suppliers: Array.from({ length: 120 }, (_, index) => ({ name: `Supplier ${index}`, city: 'Porto' })),
    story: 'long '.repeat(2000),
    category: 'textiles',
  },
}

/** A view with the payload in every string and variable metadata key. */
export function hostileView(payload: string): PassportView {
  const record = { [payload]: payload, name: payload, url: payload, value: payload, unit: payload, nested: [payload] }
  return passport({
    id: payload,
    audience: 'legitimateInterest',
    journey: {
      ...journey,
      audience: ['authority'],
      steps: journey.steps.map((one) => ({ ...one, place: { name: payload, country: payload, uri: payload } })),
    },
    productId: payload,
    identifier: { scheme: 'sku', value: payload },
    digitalLinkUri: payload,
    createdAt: payload,
    updatedAt: payload,
    archivedAt: payload,
    retentionUntil: payload,
    operator: {
      id: payload,
      name: payload,
      regId: payload,
      role: payload,
      contact: { address: payload, email: payload, phone: payload, website: payload },
    },
    media: [
      {
        id: payload,
        kind: 'document',
        mediaType: 'application/pdf',
        title: { en: payload, de: payload },
        url: `${baseUrl}/media/1.pdf`,
        sizes: [],
        language: payload,
        bytes: 40_000,
      },
    ],
    recall: { reason: payload, at: payload, contact: payload, url: payload },
    status: 'RECALLED',
    privilegedKeys: [`${payload} `],
    facility: {
      id: payload,
      gln: payload,
      name: payload,
      activity: payload,
      country: payload,
      streetAddress: payload,
      city: payload,
      postalCode: payload,
    },
    maskedKeys: [payload],
    grantableKeys: [payload],
    metadata: {
      category: payload,
      originCountry: payload,
      productName: [
        { value: payload, language: payload },
        { value: payload, language: 'en' },
      ],
      brand: payload,
      modelIdentifier: payload,
      [payload]: payload,
      [`${payload} `]: record,
      materialComposition: [{ material: payload, percentage: 60, [payload]: payload, casNumber: payload }],
      fiberComposition: [{ fiber: payload, percentage: 100 }],
      recycledContent: { [payload]: 50, cobalt: { [payload]: 3 } },
      carbonFootprint: { unit: payload, co2eKg: 3, scope1: 1, stages: { [payload]: 1 }, studyUrl: payload },
      energyEfficiencyClass: payload,
      regulatoryCompliance: {
        declarationOfConformityUrl: payload,
        certificates: [{ name: payload, referenceNumber: payload, issuer: payload, validUntil: payload }],
      },
      careInstructions: [payload, payload],
      manufacturingDate: payload,
      dueDiligenceReportUrl: payload,
      safetyDatasheetUrl: payload,
      endOfLifeInstructions: [{ value: payload, language: payload }],
      commodityCode: payload,
      facilityDetails: [record, { ...record, deeper: { [payload]: [[payload], { [payload]: payload }] } }],
    },
    seal: {
      signature: payload,
      publicKeyPem: payload,
      proof: {
        ...proof(payload),
        signatureAlgorithm: payload as Proof['signatureAlgorithm'],
        created: payload,
        verificationMethod: payload,
        signatureValue: payload,
        publicKeyPem: payload,
        merkleRoot: payload,
        x5c: [payload],
        rfc3161: { genTime: payload, token: payload },
        redactedLeaves: { [payload]: payload },
      },
    },
    enrichment: {
      tagline: payload,
      description: payload,
      images: [{ url: payload, caption: payload }],
      links: [{ label: payload, url: payload }],
    },
  })
}
