import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metadata } from '../../../src/plugin/index.ts'
import { allWorkspaces, type DemoContent, deleteWorkspace, type ModuleCradle } from '../../../src/plugin/module.ts'
import { BATTERY_GTIN, GATEWAY_GTIN, SHIRT_GTIN } from './gtins.ts'
import { createDemoUnits } from './units.ts'

const NAME = 'Demo workspace'

/** Short, because the key has every permission. */
const KEY_DAYS = 30

const READ_KEY = `node -p 'JSON.parse(require("fs").readFileSync(0)).key'`

interface Demo {
  readonly workspaceId: string
  readonly batteryGtin: string
}

/** Printed only at the first start, never stored. */
interface ShownOnce {
  readonly key: string
  readonly unitPath: string
}

/** Fills an empty database with the demo and returns the tour. `DATA_DIR/demo.json` never contains the key. */
export async function prepareDemo(services: ModuleCradle, report: (message: string) => void): Promise<string[]> {
  const { config, database, log } = services
  const file = join(config.dataDir, 'demo.json')
  const stored: Partial<Demo> | undefined = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined
  if (stored?.workspaceId !== undefined) return tour(config.baseUrl, stored as Demo, undefined)
  const rows = await allWorkspaces(database)
  if (stored !== undefined) {
    // Earlier versions stored the key here.
    const workspaceId = rows.find(({ name }) => name === NAME)?.id
    if (workspaceId === undefined) return []
    const demo = { workspaceId, batteryGtin: BATTERY_GTIN }
    await writeFile(file, JSON.stringify(demo), { mode: 0o600 })
    return tour(config.baseUrl, demo, undefined)
  }
  const [unfinished] = rows
  if (rows.length > 1 || (unfinished !== undefined && unfinished.name !== NAME)) return []
  if (unfinished !== undefined) {
    log.warn('demo re-created')
    await deleteWorkspace(database.forTenant(unfinished.id))
  }
  report('Creating the demo workspace …')
  const { demo, shown } = await createDemo(services)
  await writeFile(file, JSON.stringify(demo), { mode: 0o600 })
  return tour(config.baseUrl, demo, shown)
}

async function createDemo(services: ModuleCradle): Promise<{ demo: Demo; shown: ShownOnce }> {
  const { workspaces, identity, operators, facilities, passportIntake, seals, grants, plugins } = services
  const expiresAt = new Date(Date.now() + KEY_DAYS * 86_400_000).toISOString()
  const workspace = await workspaces.create({
    name: NAME,
    legalName: 'Nordlicht Energie GmbH',
    country: 'DE',
    subdomain: 'demo',
    plan: 'enterprise',
    withKey: true,
  })
  const { key } = await workspaces.createKey({
    workspaceId: workspace.id,
    role: 'BRAND_OPERATOR',
    name: 'demo',
    expiresAt,
  })
  const principal = await identity.fromBearer(key)
  if (principal === undefined) throw new Error('The demo key is not accepted.')
  const { operator: maker } = await operators.register(
    principal,
    {
      name: 'Nordlicht Energie GmbH',
      regId: 'DE1234567890',
      regIdScheme: 'EORI',
      role: 'MANUFACTURER',
      contact: MAKER_CONTACT,
    },
    'en',
  )
  const { operator: importer } = await operators.register(
    principal,
    {
      name: 'Atelier Rivage SAS',
      regId: 'FR40303265045',
      regIdScheme: 'VAT',
      role: 'IMPORTER',
      contact: IMPORTER_CONTACT,
    },
    'en',
  )
  const facility = await facilities.register(principal, {
    gln: '4012345000009',
    name: 'Nordlicht Batteriewerk Itzehoe',
    activity: 'Cell and pack assembly',
    country: 'DE',
    streetAddress: 'Werkstraße 1',
    city: 'Itzehoe',
    postalCode: '25524',
    operatorId: maker.id,
  })
  const battery = await passportIntake.create(
    principal,
    {
      productId: BATTERY_GTIN,
      operatorId: maker.id,
      facilityId: facility.id,
      metadata: BATTERY,
      enrichment: BATTERY_STORY,
    },
    'en',
  )
  await seals.seal(principal, String(battery.passport.id))
  const unitId = await createDemoUnits(services, principal, String(battery.passport.id))
  const repairer = { granteeName: 'A repairer', scopeType: 'UNIT', batteryUnitId: unitId, expiresAt } as const
  const { token } = await grants.issue(principal, repairer)
  const shirt = await passportIntake.create(
    principal,
    { productId: SHIRT_GTIN, operatorId: importer.id, metadata: TEXTILE },
    'en',
  )
  await seals.seal(principal, String(shirt.passport.id))
  const energyManager = await passportIntake.create(
    principal,
    { productId: GATEWAY_GTIN, operatorId: maker.id, facilityId: facility.id, metadata: ELECTRONICS, draft: true },
    'en',
  )
  const content: DemoContent = {
    principal,
    passports: {
      battery: { id: String(battery.passport.id), gtin: BATTERY_GTIN },
      shirt: { id: String(shirt.passport.id), gtin: SHIRT_GTIN },
      energyManager: { id: String(energyManager.passport.id), gtin: GATEWAY_GTIN },
    },
  }
  for (const { demo } of plugins.modules) await demo?.(services, content)
  return {
    demo: { workspaceId: workspace.id, batteryGtin: BATTERY_GTIN },
    shown: { key, unitPath: `/unit/${unitId}?grant=${token}` },
  }
}

function tour(baseUrl: string, { workspaceId, batteryGtin }: Demo, shown: ShownOnce | undefined): string[] {
  const newPassport = JSON.stringify({
    productId: 'TOUR-1',
    metadata: {
      category: 'textiles',
      originCountry: 'PT',
      productName: 'Linen shirt',
      fiberComposition: [{ fiber: 'Linen', percentage: 100 }],
    },
  })
  return [
    '',
    `  A sealed battery passport (HTML page):  ${baseUrl}/01/${batteryGtin}   (open it in a browser)`,
    ...(shown === undefined
      ? []
      : [
          '  A battery of this passport with a year of measurements (view of a repairer):',
          `    ${baseUrl}${shown.unitPath}`,
        ]),
    `  A shirt and its supply chain:  ${baseUrl}/01/${SHIRT_GTIN}`,
    '',
    ...(shown === undefined
      ? [
          '  The demo key was shown on the first start. Create another key:',
          `    export BASE=${baseUrl}`,
          `    export KEY=$(npm run -s dpp -- key create --workspace ${workspaceId} --role BRAND_OPERATOR --json | ${READ_KEY})`,
        ]
      : [
          `  Paste these lines into another terminal. The demo key is shown only once and is valid for ${KEY_DAYS} days:`,
          `    export BASE=${baseUrl}`,
          `    export KEY=${shown.key}`,
        ]),
    '',
    '  Read the passport as JSON-LD:',
    `    curl -s ${baseUrl}/01/${batteryGtin}`,
    '  Create a passport:',
    `    curl -s ${baseUrl}/api/v1/passports -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${newPassport}'`,
    '  Seal it:',
    `    curl -s -X POST ${baseUrl}/api/v1/passports/TOUR-1/seal -H "Authorization: Bearer $KEY"`,
    '  List the batteries of the first passport, some with a year of measurements:',
    `    curl -s ${baseUrl}/api/v1/passports/${batteryGtin}/units -H "Authorization: Bearer $KEY"`,
    '',
    `  API reference:  ${baseUrl}/docs`,
    '',
    '  Stop with Ctrl-C. Data is preserved for the next start.',
  ]
}

// Fictional; the French number is reserved for fiction.
const MAKER_CONTACT = {
  address: 'Werkstraße 1\n25524 Itzehoe\nDE',
  email: 'service@nordlicht.example',
  phone: '+49 4821 5550178',
  website: 'https://nordlicht.example/',
}
const IMPORTER_CONTACT = {
  address: '4 quai des Ormeaux\n17000 La Rochelle\nFR',
  email: 'bonjour@rivage.example',
  phone: '+33 1 99 00 12 34',
  website: 'https://rivage.example/',
}

/** Complete by Regulation (EU) 2023/1542, Annex XIII. */
export const BATTERY: Metadata = {
  category: 'batteries',
  originCountry: 'DE',
  productName: 'Nordlicht Drive 64',
  brand: 'Nordlicht',
  modelIdentifier: 'ND-64-NMC',
  batteryCategory: 'ev',
  manufacturerInformation: {
    name: 'Nordlicht Energie GmbH',
    postalAddress: 'Werkstraße 1, 25524 Itzehoe, DE',
    email: 'service@nordlicht.example',
    webAddress: 'https://nordlicht.example/',
  },
  manufacturingPlace: { country: 'DE', city: 'Itzehoe', plant: 'Nordlicht Batteriewerk Itzehoe' },
  manufacturingDate: '2025-09',
  placedOnMarketAt: '2025-10-06',
  batteryMass: 412,
  chemistry: { shortName: 'NMC 622', clearName: 'Lithium nickel manganese cobalt oxide' },
  materialComposition: [
    { material: 'Lithium nickel manganese cobalt oxide', percentage: 31.5 },
    { material: 'Graphite', percentage: 17 },
    { material: 'Aluminium', percentage: 22.5 },
    { material: 'Copper', percentage: 12 },
    { material: 'Electrolyte', percentage: 9 },
    { material: 'Separator and housing', percentage: 8 },
  ],
  criticalRawMaterials: [
    { name: 'Lithium', casNumber: '7439-93-2', weightPct: 2.3 },
    { name: 'Cobalt', casNumber: '7440-48-4', weightPct: 3.8 },
    { name: 'Nickel', casNumber: '7440-02-0', weightPct: 11.4 },
    { name: 'Graphite', casNumber: '7782-42-5', weightPct: 17 },
  ],
  hazardousSubstances: [
    {
      name: 'Lithium hexafluorophosphate',
      casNumber: '21324-40-3',
      concentrationPct: 1.2,
      location: 'Electrolyte',
      impact: 'Forms hydrofluoric acid with water',
    },
  ],
  substanceEffects: 'Electrolyte that leaks burns skin and eyes, and harms life in water.',
  recycledContent: {
    cobalt: { preConsumer: 4, postConsumer: 14 },
    lithium: { preConsumer: 1, postConsumer: 6 },
    nickel: { preConsumer: 3, postConsumer: 8 },
    lead: 0,
  },
  renewableContentPct: 1.4,
  carbonFootprint: {
    kgCo2ePerKWh: 0.061,
    stages: { rawMaterialExtraction: 0.037, mainProduction: 0.017, distribution: 0.002, recycling: 0.005 },
    performanceClass: 'B',
    labelUrl: 'https://nordlicht.example/nd-64/carbon-footprint-label.pdf',
    studyUrl: 'https://nordlicht.example/nd-64/carbon-footprint-study.pdf',
    absolute: 3904,
  },
  ratedCapacityAh: 180,
  ratedEnergyWh: 64000,
  minimumVoltage: 269,
  nominalVoltage: 355,
  maximumVoltage: 408,
  voltageTemperatureRange: { minC: -20, maxC: 55 },
  originalPowerCapabilityW: [
    { atSoCPct: 80, powerW: 150000 },
    { atSoCPct: 20, powerW: 98000 },
  ],
  powerLimits: { maximumDischargeW: 165000, maximumChargeW: 128000 },
  powerTemperatureRange: { minC: -10, maxC: 45 },
  expectedLifetimeCycles: 2000,
  lifetimeReferenceTest: 'IEC 62660-1:2018',
  cycleLifeTestCRate: 0.5,
  capacityThresholdForExhaustionPct: 70,
  temperatureRangeIdle: { minC: -30, maxC: 60, referenceTest: 'IEC 62660-2:2018' },
  warrantyPeriod: 96,
  initialRoundTripEfficiencyPct: 96.1,
  roundTripEfficiencyAt50PctCycleLifePct: 94.3,
  internalResistance: { cell: 0.0011, pack: 0.106 },
  separateCollectionSymbol: true,
  cadmiumSymbol: false,
  leadSymbol: false,
  symbolMeanings: 'The crossed-out bin: collect separately. Nothing is marked Cd or Pb.',
  extinguishingAgent: ['Water mist', 'F-500 EA'],
  euDeclarationOfConformity: 'https://nordlicht.example/nd-64/declaration-of-conformity.pdf',
  dueDiligenceReportUrl: 'https://nordlicht.example/due-diligence-2025.pdf',
  instructionsForUse: 'https://nordlicht.example/nd-64/instructions.pdf',
  wastePrevention: 'Charge to 80 % from day to day: it lasts longer.',
  separateCollection: 'It never goes into household waste. Leave it in the vehicle until a workshop takes it out.',
  collectionInformation: 'Workshops and the maker take it back free of charge.',
  wasteSafety: 'Do not open, crush or heat it. If it is damaged, keep away and call the fire brigade.',
  regulatoryCompliance: {
    ceMarking: true,
    certificates: [
      {
        name: 'UN 38.3 transport test',
        referenceNumber: 'N-383-0451',
        issuer: 'Prüflabor Nord',
        validUntil: '2031-06-30',
      },
    ],
  },
  complianceEvidence: [
    { test: 'IEC 62660-2:2018', result: 'Passed', reportNumber: 'N-62660-2-0451', testedOn: '2025-06-12' },
    { test: 'IEC 62660-3:2022', result: 'Passed', reportNumber: 'N-62660-3-0452', testedOn: '2025-06-19' },
  ],
  facilityDetails: [
    {
      facilityName: 'Nordlicht Batteriewerk Itzehoe',
      location: 'Itzehoe, Germany',
      activity: 'Cell and pack assembly',
    },
  ],
  detailedPerformance: {
    ratedCapacityAh: 180,
    powerW: 150000,
    internalResistanceOhm: 0.106,
    roundTripEfficiencyPct: 96.1,
  },
  lifecycleAndInUse: { batteryStatus: 'original', stateOfCertifiedEnergyPct: 100 },
  circularityAndDisassembly: {
    cathodeMaterials: [
      { name: 'Nickel', casNumber: '7440-02-0', weightPct: 36 },
      { name: 'Manganese', casNumber: '7439-96-5', weightPct: 11 },
      { name: 'Cobalt', casNumber: '7440-48-4', weightPct: 12 },
    ],
    anodeMaterials: [{ name: 'Graphite', casNumber: '7782-42-5', weightPct: 96 }],
    electrolyteMaterials: [{ name: 'Lithium hexafluorophosphate', casNumber: '21324-40-3', weightPct: 13 }],
    partNumbers: ['ND-64-BMS', 'ND-64-MOD12'],
    sparePartSources: [
      {
        name: 'Nordlicht Service',
        postalAddress: 'Werkstraße 1, 25524 Itzehoe, DE',
        email: 'parts@nordlicht.example',
        phone: '+49 4821 5550100',
        webAddress: 'https://nordlicht.example/parts',
      },
    ],
    dismantling: {
      explodedDiagramUrl: 'https://nordlicht.example/nd-64/exploded-diagram.pdf',
      sequence: ['Discharge below 30 %', 'Pull the service disconnect', 'Lift the lid', 'Take out modules 1 to 8'],
      fastenings: [
        { type: 'M8 screw', count: 38 },
        { type: 'Clip', count: 16 },
      ],
      tools: ['Insulated torque wrench', 'Lifting frame'],
      warnings: ['Up to 408 V DC'],
      cellCount: 192,
      cellLayout: '96 in series, 2 in parallel, 8 modules',
    },
    safetyMeasures: 'Wear insulating gloves, class 0.',
  },
}

const BATTERY_STORY = {
  tagline: 'Made for fifteen winters, and for what comes after the car.',
  description: 'A traction battery of 64 kWh, made to be opened, repaired and, after its first life, used again.',
}

const TEXTILE: Metadata = {
  category: 'textiles',
  originCountry: 'PT',
  productName: 'Rivage overshirt',
  brand: 'Atelier Rivage',
  fiberComposition: [
    { fiber: 'Organic cotton', percentage: 78 },
    { fiber: 'Linen', percentage: 22 },
  ],
  careInstructions: 'Wash at 30 °C with similar colours. Dry in the shade.',
  size: 'M',
  countryOfWeaving: 'PT',
  countryOfRawMaterialOrigin: 'TR',
  expectedWashCycles: 60,
}

const ELECTRONICS: Metadata = {
  category: 'electronics',
  originCountry: 'DE',
  productName: 'Nordlicht Gateway',
  productCategory: 'energy manager',
  standbyPowerW: 1.2,
  repairabilityIndex: 8.4,
}
