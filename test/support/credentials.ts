import type { Documents } from '../../src/verify/documents.ts'
import {
  BASE_URL,
  createWorkspace,
  newGln,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
} from './gateway.ts'
import { battery, passportClient } from './passport-client.ts'

export const FORMS = {
  jwt: 'application/vc+jwt',
  dataIntegrity: 'application/vc+ld+json',
  sdJwt: 'application/dc+sd-jwt',
} as const

/** One passport for each kind of credential. */
export const METADATA: Readonly<Record<string, object>> = {
  textiles: {
    category: 'textiles',
    originCountry: 'PT',
    productName: { pl: 'Płaszcz wełniany', id: 'Mantel wol', en: 'Wool coat' },
    fiberComposition: [
      { fiber: 'Wool', percentage: 55, countryOfOrigin: 'NZ' },
      { fiber: 'Polyester', percentage: 45 },
    ],
    recycledContent: { percentage: 12.5, source: 'post-consumer' },
    careInstructions: [[{ value: 'Kalt waschen', language: 'de' }]],
    facilityDetails: [{ facilityName: 'Secret mill', location: 'Braga' }],
  },
  batteries: battery({ carbonFootprintKgCo2e: 61.5, batteryMass: 450, chemistry: { shortName: 'NMC' } }),
  'iron-steel': {
    category: 'iron-steel',
    originCountry: 'DE',
    scrapMetalContentRatio: 30,
    carbonEmissionIntensityPerTon: 1.85,
    tensileStrengthClass: 'S355',
    type: 'a member that JSON-LD would read as a keyword',
    note: { id: 7 },
  },
}

/** A workspace that issues, and its public responses. */
export interface IssuingGateway {
  readonly gateway: TestGateway
  readonly workspace: TestWorkspace
  readonly passports: ReturnType<typeof passportClient>
  readonly did: string
  /** Issuer URL. */
  readonly url: string
  readonly facilityId: string
  /**
   * Creates a passport with a facility.
   * @returns its id
   */
  given(metadata: object, more?: object): Promise<string>
  /** Reads an address below BASE_URL as text. */
  read(url: string, accept?: string, headers?: Record<string, string>): Promise<string>
  credential(id: string, accept: string, headers?: Record<string, string>): Promise<string>
  didDocument(): Promise<Record<string, unknown>>
  /** Documents below BASE_URL only, from the gateway. */
  readonly documents: Documents
}

export const startIssuingGateway = async (): Promise<IssuingGateway> => issuerIn(await startTestGateway())

export async function issuerIn(gateway: TestGateway): Promise<IssuingGateway> {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const { body } = await gateway.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: { gln: newGln(), name: 'Works 1', country: 'PT', streetAddress: 'Rua 1', city: 'Porto' },
  })
  const facilityId = body.facility.id
  const read = async (url: string, accept = '*/*', headers = {}) => {
    if (!url.startsWith(`${BASE_URL}/`)) throw new Error(`${url} is not on this gateway.`)
    const { status, text } = await gateway.request('GET', url.slice(BASE_URL.length), {
      headers: { accept, ...headers },
    })
    if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`)
    return text
  }
  const url = `${BASE_URL}/tenants/${workspace.id}`
  return {
    gateway,
    workspace,
    passports,
    facilityId,
    url,
    did: `did:web:dpp.example.test:tenants:${workspace.id}`,
    given: async (metadata, more = {}) =>
      (await passports.given({ productId: newGtin(), metadata, facilityId, ...more })).id,
    read,
    credential: (id, accept, headers) => read(`${BASE_URL}/passport/${id}`, accept, headers),
    didDocument: async () => JSON.parse(await read(`${url}/did.json`)),
    documents: { read: (at, accept) => read(at, accept) },
  }
}

/** A JWS with a changed header or payload and the original signature. */
export function forged(compact: string, change: { header?: object; payload?: object }): string {
  const [header = '', payload = '', signature = ''] = compact.split('.')
  const merge = (part: string, more: object = {}) =>
    encode({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...more })
  return [
    change.header === undefined ? header : merge(header, change.header),
    change.payload === undefined ? payload : merge(payload, change.payload),
    signature,
  ].join('.')
}

/** The header or the payload of a JWS. */
// biome-ignore lint/suspicious/noExplicitAny: tests read into what they have issued.
export const partOf = (compact: string, index: 0 | 1): any =>
  JSON.parse(Buffer.from(compact.split('~')[0]?.split('.')[index] ?? '', 'base64url').toString())

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Index of a credential (JWT) in the status lists of its workspace. */
export function statusPlaceOf(compact: string): number {
  const { statusListCredential, statusListIndex } = partOf(compact, 1).credentialStatus
  const list = Number(new URL(statusListCredential).searchParams.get('list') ?? 0)
  return list * 131_072 + Number(statusListIndex)
}
