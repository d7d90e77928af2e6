import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Container } from './container.ts'
import { createDemoUnits } from './demo-units.ts'
import type { Metadata } from './domain/metadata.ts'
import { DEMO_GTIN } from './services/front-door.ts'
import { allWorkspaces, deleteWorkspace } from './storage/credentials.ts'

const NAME = 'Demo workspace'

/** Long enough to look around, and no longer: the key may do everything. */
const KEY_DAYS = 30

/** What a later start needs for the tour; the key is not among it. */
interface Demo {
  readonly workspaceId: string
  readonly batteryGtin: string
}

/** What is printed on the first start, and kept nowhere. */
interface ShownOnce {
  readonly key: string
  /** Of a unit, with the token of a grant. */
  readonly unitPath: string
}

/**
 * Fills an empty database with a workspace that shows what the gateway does, and answers the lines of the tour. What a
 * later start needs for the tour is kept in `DATA_DIR/demo.json`; the key is in the lines of the first start and nowhere
 * else, like every other key.
 */
export async function prepareDemo(container: Container): Promise<string[]> {
  const { config, database, log } = container.cradle
  const file = join(config.dataDir, 'demo.json')
  const kept: Partial<Demo> | undefined = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined
  if (kept?.workspaceId !== undefined) return tour(config.baseUrl, kept as Demo, undefined)
  const rows = await allWorkspaces(database)
  if (kept !== undefined) {
    // Earlier versions kept the key in this file.
    const workspaceId = rows.find(({ name }) => name === NAME)?.id
    if (workspaceId === undefined) return []
    const demo = { workspaceId, batteryGtin: DEMO_GTIN }
    await writeFile(file, JSON.stringify(demo), { mode: 0o600 })
    return tour(config.baseUrl, demo, undefined)
  }
  const [unfinished] = rows
  if (rows.length > 1 || (unfinished !== undefined && unfinished.name !== NAME)) return []
  if (unfinished !== undefined) {
    // A start was interrupted while it made the demo.
    log.warn('the demo is made anew')
    await deleteWorkspace(database.forTenant(unfinished.id))
  }
  const { demo, shown } = await createDemo(container)
  await writeFile(file, JSON.stringify(demo), { mode: 0o600 })
  return tour(config.baseUrl, demo, shown)
}

async function createDemo({ cradle }: Container): Promise<{ demo: Demo; shown: ShownOnce }> {
  const { workspaces, identity, operators, facilities, passportIntake, seals, grants } = cradle
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
      productId: DEMO_GTIN,
      operatorId: maker.id,
      facilityId: facility.id,
      metadata: BATTERY,
      enrichment: BATTERY_STORY,
    },
    'en',
  )
  await seals.seal(principal, String(battery.passport.id))
  const unitId = await createDemoUnits(cradle, principal, String(battery.passport.id))
  const repairer = { granteeName: 'A repairer', scopeType: 'UNIT', batteryUnitId: unitId, expiresAt } as const
  const { token } = await grants.issue(principal, repairer)
  await passportIntake.create(
    principal,
    { productId: '09501101530003', operatorId: importer.id, metadata: TEXTILE },
    'en',
  )
  await passportIntake.create(
    principal,
    { productId: '09501101531000', operatorId: maker.id, facilityId: facility.id, metadata: ELECTRONICS, draft: true },
    'en',
  )
  return {
    demo: { workspaceId: workspace.id, batteryGtin: DEMO_GTIN },
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
    `  A sealed battery passport, as people see it:  ${baseUrl}/01/${batteryGtin}   (open it in a browser)`,
    ...(shown === undefined
      ? []
      : ['  One such battery and its year, as its repairer sees it:', `    ${baseUrl}${shown.unitPath}`]),
    '',
    ...(shown === undefined
      ? [
          '  The demo key was shown on the first start. This makes another; put it where the dots are:',
          `    npm run -s dpp -- key create --workspace ${workspaceId} --role BRAND_OPERATOR`,
          '    export KEY=…',
        ]
      : [`  Demo API key, shown this once and good for ${KEY_DAYS} days:`, `    export KEY=${shown.key}`]),
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
    '  Stop with Ctrl-C; everything is kept for the next start.',
  ]
}

const BATTERY: Metadata = {
  category: 'batteries',
  originCountry: 'DE',
  productName: 'Nordlicht Home 5.1',
  brand: 'Nordlicht',
  modelIdentifier: 'NH-51-LFP',
  batteryCategory: 'stationary',
  chemistry: 'Lithium iron phosphate (LFP)',
  manufacturingDate: '2025-09',
  batteryMass: 52.4,
  ratedCapacityAh: 100,
  ratedEnergyWh: 5120,
  minimumVoltage: 44.8,
  nominalVoltage: 51.2,
  maximumVoltage: 58.4,
  expectedLifetimeCycles: 6000,
  carbonFootprint: { unit: 'kg CO2e per kWh', co2eKg: 61.3, scope1: 8.2, scope2: 14.6, scope3: 38.5 },
  recycledContentShare: { cobalt: 0, lithium: 6.5, lead: 0, nickel: 0 },
  materialComposition: [
    { material: 'Lithium iron phosphate', percentage: 38.5 },
    { material: 'Graphite', percentage: 19 },
    { material: 'Aluminium', percentage: 16.5 },
    { material: 'Copper', percentage: 12 },
    { material: 'Electrolyte', percentage: 9 },
    { material: 'Separator and housing', percentage: 5 },
  ],
  regulatoryCompliance: {
    ceMarking: true,
    certificates: [
      {
        name: 'IEC 62619 safety test',
        referenceNumber: 'N-62619-0451',
        issuer: 'Prüflabor Nord',
        validUntil: '2031-06-30',
      },
    ],
  },
  facilityDetails: [
    {
      facilityName: 'Nordlicht Batteriewerk Itzehoe',
      location: 'Itzehoe, Germany',
      activity: 'Cell and pack assembly',
    },
  ],
  detailedPerformance: { internalResistanceOhm: 0.0021, roundTripEfficiencyPct: 95.4, capacityFadePct: 0 },
  lifecycleAndInUse: { expectedLifetimeYears: 15, stateOfCertifiedEnergyPct: 100 },
  circularityAndDisassembly: {
    safetyMeasures: 'Discharge below 30 % before opening.',
    partNumbers: ['NH-51-BMS', 'NH-51-CELL'],
  },
}

const BATTERY_STORY = {
  tagline: 'Keeps the evening running on the afternoon’s sun.',
  description: 'A home battery of 5.1 kWh, made to be opened, repaired and, after its first life, used again.',
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
