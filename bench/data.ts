import type { Cradle } from '../src/cradle.ts'
import { checkDigitOf } from '../src/domain/identifiers.ts'
import { loadConfig } from '../src/start/config.ts'
import { openGateway } from '../src/start/gateway.ts'
import { type BenchRequest, COUNTER, exchange, makeRequest } from './http.ts'
import type { BenchDatabase } from './pg.ts'
import { MASTER_KEY, type Server } from './processes.ts'

const CALLERS = 8

const WORDS =
  'the cells of this module were made from traced material and tested for capacity resistance and safety before they left the plant where every record is kept for the time that the law asks for'.split(
    ' ',
  )

export type Size = '6k' | '25k'

export interface BenchData {
  readonly tenantId: string
  readonly operatorId: string
  /** `Authorization` header of a key that may read and write. */
  readonly authorization: string
  /** `Authorization` header of a key that sees no more of a passport than anonymous callers. */
  readonly narrowAuthorization: string
  /** Ids of sealed battery passports by approximate size of their JSON-LD: 16 and 60 metadata keys. */
  readonly passports: Readonly<Record<Size, readonly string[]>>
}

/** Creates a workspace and `count` sealed passports of each size through the gateway. */
export async function makeData(
  database: BenchDatabase,
  gateway: Server,
  { count, say }: { readonly count: number; readonly say: (message: string) => void },
): Promise<BenchData> {
  const workspace = await makeWorkspace(database.url)
  const json = { Authorization: workspace.authorization, 'Content-Type': 'application/json' }
  const operator = makeRequest('POST', '/api/v1/operators', json, '{"name":"Bench Cells GmbH","regId":"HRB 1"}')
  const [operatorId] = await write(gateway.port, [operator], 201, ({ operator }) => operator.id)
  const passports: Record<Size, string[]> = { '6k': [], '25k': [] }
  // Small ones last: they are on the first pages of a list.
  for (const size of ['25k', '6k'] as const) {
    say(`making ${count} sealed battery passports of ${size}B JSON-LD`)
    const creations = Array.from({ length: count }, (_, index) =>
      makeRequest('POST', '/api/v1/passports', json, JSON.stringify(battery(size, index))),
    )
    passports[size] = await write(gateway.port, creations, 201, ({ passport }) => passport.id)
    const seals = passports[size].map((id) =>
      makeRequest('POST', `/api/v1/passports/${id}/seal`, { Authorization: workspace.authorization }),
    )
    await write(gateway.port, seals, 200, () => '')
  }
  return { ...workspace, operatorId: operatorId as string, passports }
}

/** Request that creates a textile passport of 1.4 KB; the product id contains the counter. */
export function textileCreation(data: BenchData): BenchRequest {
  return makeRequest(
    'POST',
    '/api/v1/passports',
    { Authorization: data.authorization, 'Content-Type': 'application/json' },
    JSON.stringify({ productId: `BENCH-${COUNTER}`, operatorId: data.operatorId, metadata: textile }),
  )
}

export const BULK_ROWS = 200
const BULK_ROW_BYTES = 5 * 1024

/** Product ids of the bulk request with this number. */
export const bulkProducts = (number: number | typeof COUNTER): string[] =>
  Array.from({ length: BULK_ROWS }, (_, index) => `BULK-${number}-${index}`)

/** Request that ingests 200 textile passports of 5 KiB, close to the body limit; the product ids contain the counter. */
export function bulkOf(data: BenchData): BenchRequest {
  const passports = bulkProducts(COUNTER).map((productId, index) => {
    const row = { productId, metadata: { ...textile, supplierStatement: '' } }
    row.metadata.supplierStatement = filler(BULK_ROW_BYTES - JSON.stringify(row).length, index)
    return row
  })
  return makeRequest(
    'POST',
    '/api/v1/passports/bulk',
    { Authorization: data.authorization, 'Content-Type': 'application/json' },
    JSON.stringify({ passports }),
  )
}

/** Metadata of {@link textileCreation}. */
export const textile = {
  category: 'textiles',
  originCountry: 'PT',
  productName: 'Crew-neck T-shirt',
  commodityCode: '61091000',
  productDescription: filler(380, 1),
  materialComposition: [
    { material: 'Organic cotton', percentage: 80, countryOfOrigin: 'TR' },
    { material: 'Recycled polyester', percentage: 20 },
  ],
  fiberComposition: [
    { fiber: 'cotton', percentage: 80 },
    { fiber: 'polyester', percentage: 20, recycled: true },
  ],
  careInstructions: ['Wash at 30 °C', 'Do not tumble dry', 'Iron at low temperature'],
  size: 'M',
  carbonFootprint: { unit: 'kg CO2e', co2eKg: 8.5, scope1: 1, scope2: 2.5, scope3: 5 },
  recycledContent: { percentage: 20, source: 'post-consumer' },
  regulatoryCompliance: {
    ceMarking: false,
    certificates: [{ name: 'GOTS', referenceNumber: 'C-12', issuer: 'Example Cert', validUntil: '2028-06-30' }],
  },
  expectedWashCycles: 60,
  countryOfWeaving: 'PT',
}

export type Workspace = Pick<BenchData, 'tenantId' | 'authorization' | 'narrowAuthorization'>

/** Creates a workspace with a signing key and two API keys. */
export const makeWorkspace = async (url: string): Promise<Workspace> => (await makeWorkspaces(url, 1))[0] as Workspace

export async function makeWorkspaces(url: string, count: number): Promise<Workspace[]> {
  const cradle = await services(url)
  const made: Workspace[] = []
  while (made.length < count) made.push(await workspaceOf(cradle))
  return made
}

const opened = new Map<string, ReturnType<typeof openServices>>()

/** Services of the gateway, open until {@link closeServices}: opening takes two seconds of processor time. */
export async function services(url: string): Promise<Cradle> {
  const gateway = opened.get(url) ?? openServices(url)
  opened.set(url, gateway)
  return (await gateway).container.cradle
}

export async function closeServices(): Promise<void> {
  for (const gateway of opened.values()) await (await gateway).close()
  opened.clear()
}

/** Opens the gateway's services without a server, as the command line does. */
function openServices(url: string) {
  const config = loadConfig({ DATABASE_URL: url, MASTER_KEY, LOG_LEVEL: 'fatal', RATE_LIMITS: 'off' })
  return openGateway(config, { report: () => {}, isServer: false })
}

/** Opens services only for `use`, which may start background work. */
export async function withServices<T>(url: string, use: (cradle: Cradle) => Promise<T>): Promise<T> {
  const gateway = await openServices(url)
  try {
    return await use(gateway.container.cradle)
  } finally {
    await gateway.close()
  }
}

async function workspaceOf({ workspaces }: Cradle): Promise<Workspace> {
  const { id } = await workspaces.create({ name: 'Bench', country: 'DE', plan: 'enterprise', withKey: true })
  const { key } = await workspaces.createKey({ workspaceId: id, role: 'BRAND_OPERATOR' })
  const narrow = await workspaces.createKey({ workspaceId: id, role: 'BRAND_OPERATOR', permissions: ['facility:read'] })
  return { tenantId: id, authorization: `Bearer ${key}`, narrowAuthorization: `Bearer ${narrow.key}` }
}

// biome-ignore lint/suspicious/noExplicitAny: the caller knows the response of its request.
type Body = any

/** Sends requests over a few connections. @returns one text per response, in the order of the requests */
async function write(
  port: number,
  requests: readonly BenchRequest[],
  status: number,
  read: (body: Body) => string,
): Promise<string[]> {
  const share = Math.ceil(requests.length / CALLERS)
  const shares = await Promise.all(
    Array.from({ length: CALLERS }, (_, caller) =>
      exchange(port, requests.slice(caller * share, (caller + 1) * share)),
    ),
  )
  return shares.flat().map((answer) => {
    if (answer.status !== status) throw new Error(`Status ${answer.status}: ${answer.body}`)
    return read(JSON.parse(answer.body.toString()))
  })
}

/** Makes a battery passport, the same in every run. */
export function battery(size: Size, index: number) {
  const keys = size === '6k' ? 16 : 60
  const entries = Object.entries(batteryMetadata(size, index)).slice(0, keys)
  const digits = `09506${size === '6k' ? 0 : 1}${String(index).padStart(7, '0')}`
  return { productId: `${digits}${checkDigitOf(digits)}`, metadata: Object.fromEntries(entries) }
}

function batteryMetadata(size: Size, index: number): Record<string, unknown> {
  const serial = String(index).padStart(6, '0')
  const documents = 'https://docs.example.org/batteries'
  return {
    category: 'batteries',
    originCountry: 'DE',
    productName: `Traction battery 80 series ${serial}`,
    productDescription: filler(size === '6k' ? 180 : 700, index),
    batteryCategory: 'ev',
    batteryPassportIdentifier: `urn:battery:bench:${serial}`,
    serialNumber: `SN-${serial}`,
    chemistry: { shortName: 'NMC', clearName: 'Lithium nickel manganese cobalt oxide' },
    manufacturerInformation: { name: 'Bench Cells GmbH', postalAddress: 'Zellenweg 1, 38100 Braunschweig, Germany' },
    manufacturingPlace: { country: 'DE', city: 'Braunschweig' },
    manufacturingDate: '2027-02',
    batteryMass: 430.5 + (index % 40),
    ratedCapacityAh: 150,
    nominalVoltage: 350,
    carbonFootprint: {
      kgCo2ePerKWh: 61.2,
      stages: { rawMaterialExtraction: 40, mainProduction: 18, distribution: 1.2, recycling: 2 },
      performanceClass: 'B',
      studyUrl: `${documents}/${serial}/pcf.pdf`,
    },
    recycledContentShare: { cobalt: 16, lithium: 6, nickel: 6, lead: 0 },
    // Sixteen keys end here.
    minimumVoltage: 280,
    maximumVoltage: 403.2,
    ratedEnergyWh: 52_500,
    electrochemicalCapacity: { value: 150, unit: 'Ah' },
    originalPowerCapabilityW: [
      { atSoCPct: 80, powerW: 150_000 },
      { atSoCPct: 20, powerW: 120_000 },
    ],
    expectedLifetimeCycles: 3000,
    lifetimeReferenceTest: 'IEC 62660-1:2018',
    cycleLifeTestCRate: 0.5,
    durability: { cycleLife: 3000, calendarLifeYears: 12 },
    capacityThresholdForExhaustionPct: 70,
    temperatureRangeIdle: { minC: -30, maxC: 60 },
    operatingTemperatureRange: { minC: -20, maxC: 55 },
    warrantyPeriod: 96,
    initialRoundTripEfficiencyPct: 95.5,
    roundTripEfficiencyAt50PctCycleLifePct: 92.1,
    internalResistance: { cell: 0.0012, pack: 0.06 },
    stateOfCharge: 55,
    hazardousSubstances: [{ name: 'Lithium hexafluorophosphate', casNumber: '21324-40-3' }],
    criticalRawMaterials: ['cobalt', { name: 'lithium', weightPct: 1.9 }, { name: 'nickel', weightPct: 12.4 }],
    extinguishingAgent: ['Class D powder', 'Water mist in large quantities'],
    dueDiligenceReportUrl: `${documents}/due-diligence.pdf`,
    esgDueDiligence: { dueDiligenceReportUrl: `${documents}/dd.pdf`, cobaltCountryOfOrigin: 'CD' },
    recycledContent: { cobalt: { preConsumer: 10, postConsumer: 6 }, lead: 85 },
    renewableContentPct: 3.5,
    separateCollectionSymbol: true,
    cadmiumSymbol: false,
    leadSymbol: false,
    euDeclarationOfConformity: `${documents}/${serial}/declaration.pdf`,
    wastePrevention: filler(200, index + 1),
    separateCollection: filler(200, index + 2),
    collectionInformation: filler(200, index + 3),
    instructionsForUse: `${documents}/instructions.pdf`,
    testReportReferences: ['TR-2027-0042', 'TR-2027-0043'],
    manufacturer: { name: 'Bench Cells GmbH' },
    ...Object.fromEntries(
      Array.from({ length: 26 }, (_, extra) => [`supplierStatement${extra + 1}`, filler(230, index + 4 + extra)]),
    ),
  }
}

/** Makes text of exactly this length that differs by `seed`. */
function filler(length: number, seed: number): string {
  let text = ''
  for (let index = seed * 7; text.length < length; index += 1 + (seed % 5)) text += `${WORDS[index % WORDS.length]} `
  return `${text.slice(0, length - 1)}.`
}
