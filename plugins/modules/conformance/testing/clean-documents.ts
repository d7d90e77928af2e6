import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { signDataIntegrity } from '../../../../src/plugin/index.ts'

// Documents of a small correct service, which is not the gateway.

export const GTIN = '09506000134352'
export const KEY = 'key-of-the-operator'
export const GRANT = 'token-of-a-repairer'
export const UPDATED = '2026-03-01T10:00:00Z'
const CREATED = '2026-01-01T00:00:00Z'

/** Content of the passport, and of the full form. */
const CONTENT = {
  productName: [
    { value: 'Battery pack', language: 'en-GB' },
    { value: 'Batteriepaket', language: 'de-DE' },
  ],
  ratedCapacity: 94.5,
  cycles: 1500,
  isRechargeable: true,
  manufacturedOn: '2026-01-15',
  hazards: ['flammable', 'corrosive'],
  casing: { material: 'aluminium', massKilograms: 12 },
} as const

export const RESTRICTED = { dismantling: 'Open the casing with tool 4711-A', internalResistance: 1234567 }

export type Document = Readonly<Record<string, unknown>>

export interface Documents {
  readonly dppId: string
  readonly link: string
  compressed(isOpen: boolean): Document
  full(isOpen: boolean): Document
  readonly linkset: Document
  readonly description: Document
  readonly environment: Document
  readonly didDocument: Document
  readonly page: string
  vcJwt(): string
  dataIntegrity(): Promise<object>
  sdJwt(): string
  statusList(): string
  readonly vct: Document
  readonly jwtIssuer: Document
}

export function documentsAt(base: string): Documents {
  const link = `${base}/01/${GTIN}`
  const dppId = `${base}/passports/1`
  const header = {
    digitalProductPassportId: dppId,
    uniqueProductIdentifier: link,
    granularity: 'model',
    dppSchemaVersion: 'EN 18223:2026',
    dppStatus: 'active',
    lastUpdated: UPDATED,
    economicOperatorId: didOf(base),
    facilityId: 'https://id.gs1.org/414/9506000134352',
    contentSpecificationIds: [`${base}/specifications/battery`],
  }
  const manual = { contentType: 'application/pdf', url: `${base}/manual.pdf`, resourceTitle: 'Manual', language: 'en' }
  const contentOf = (isOpen: boolean) => ({ ...CONTENT, manual, ...(isOpen ? RESTRICTED : {}) })
  const issuer = issuerAt(base)
  return {
    dppId,
    link,
    compressed: (isOpen) => ({ ...header, ...contentOf(isOpen) }),
    full: (isOpen) => ({
      ...header,
      elements: Object.entries(contentOf(isOpen)).map(([elementId, value]) => elementOf(elementId, value)),
    }),
    linkset: linksetOf(base, link),
    description: { name: 'Resolver', resolverRoot: base, supportedPrimaryKeys: ['01'] },
    environment: environmentOf(base, link, header),
    didDocument: issuer.document,
    page: pageOf(link),
    vcJwt: () =>
      issuer.token({ alg: 'ES256', typ: 'vc+jwt', kid: issuer.verificationMethod }, credentialOf(base, link)),
    dataIntegrity: () => signDataIntegrity(credentialOf(base, link) as never, issuer as never),
    sdJwt: () => sdJwtOf(base, link, issuer),
    statusList: () => issuer.token({ alg: 'ES256', typ: 'vc+jwt', kid: issuer.verificationMethod }, listOf(base)),
    jwtIssuer: {
      issuer: base,
      jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: issuer.verificationMethod }] },
    },
    vct: { vct: `${base}/vct`, name: 'Digital product passport' },
  }
}

/** Data element of EN 18223 in the full form. */
export function elementOf(elementId: string, value: unknown): Document {
  const named = { elementId, dictionaryReference: `https://dictionary.example/${elementId}` }
  if (Array.isArray(value) && typeof value[0] === 'object')
    return { ...named, objectType: 'MultiLanguageDataElement', value }
  if (Array.isArray(value))
    return { ...named, objectType: 'MultiValuedDataElement', valueDataType: 'xsd:string', value }
  if (typeof value !== 'object' || value === null)
    return { ...named, objectType: 'SingleValuedDataElement', valueDataType: dataTypeOf(value), value }
  if ('url' in value) return { ...named, objectType: 'RelatedResource', ...value }
  const elements = Object.entries(value).map(([key, member]) => elementOf(key, member))
  return { ...named, objectType: 'DataElementCollection', elements }
}

function dataTypeOf(value: unknown): string {
  if (typeof value === 'boolean') return 'xsd:boolean'
  if (typeof value === 'number') return Number.isInteger(value) ? 'xsd:integer' : 'xsd:double'
  return /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? 'xsd:date' : 'xsd:string'
}

const linksetOf = (base: string, link: string): Document => {
  const title = 'Digital product passport of the battery pack'
  const voc = 'https://ref.gs1.org/voc/'
  return {
    linkset: [
      {
        anchor: link,
        itemDescription: 'Battery pack',
        [`${voc}defaultLink`]: [{ href: `${base}/passports/1`, title }],
        [`${voc}dpp`]: [{ href: `${base}/passports/1`, title, type: 'application/json' }],
        [`${voc}pip`]: [{ href: `${base}/passports/1`, title, type: 'text/html', hreflang: ['en'] }],
      },
    ],
  }
}

function environmentOf(base: string, link: string, header: Document): Document {
  const property = (idShort: string, value: unknown) => ({
    modelType: 'Property',
    idShort,
    valueType: 'xs:string',
    value: String(value),
    semanticId: {
      type: 'ExternalReference',
      keys: [{ type: 'GlobalReference', value: `https://dictionary.example/${idShort}` }],
    },
  })
  const submodel = `${base}/submodels/1`
  const fields = Object.entries(header).filter(([, value]) => typeof value === 'string')
  const names = [{ language: 'en', text: 'Battery pack' }]
  return {
    assetAdministrationShells: [
      {
        modelType: 'AssetAdministrationShell',
        id: `${base}/shells/1`,
        idShort: 'Passport',
        assetInformation: { assetKind: 'Type', globalAssetId: link },
        submodels: [{ type: 'ModelReference', keys: [{ type: 'Submodel', value: submodel }] }],
      },
    ],
    submodels: [
      {
        modelType: 'Submodel',
        id: submodel,
        idShort: 'DppMetadata',
        submodelElements: [
          ...fields.map(([name, value]) => property(name, value)),
          { modelType: 'MultiLanguageProperty', idShort: 'productName', value: names },
          {
            modelType: 'SubmodelElementList',
            idShort: 'hazards',
            typeValueListElement: 'Property',
            valueTypeListElement: 'xs:string',
            value: [{ modelType: 'Property', valueType: 'xs:string', value: 'flammable' }],
          },
        ],
      },
    ],
  }
}

const pageOf = (link: string) =>
  `<!doctype html><html lang="en"><head><title>Battery pack</title></head><body><h1>Battery pack</h1>
<p>${link}</p><img src="/picture.png" alt="The battery pack"></body></html>`

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const didOf = (base: string) => `did:web:${new URL(base).host.replace(':', '%3A')}`
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function issuerAt(base: string) {
  const did = didOf(base)
  const verificationMethod = `${did}#key-1`
  const signed = (data: Uint8Array) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const key = {
    type: 'JsonWebKey',
    id: verificationMethod,
    controller: did,
    publicKeyJwk: publicKey.export({ format: 'jwk' }),
  }
  return {
    ...{ did, verificationMethod, name: 'Maker', url: base, keyNumber: 1 },
    sign: async (data: Uint8Array) => signed(data),
    document: {
      '@context': ['https://www.w3.org/ns/did/v1'],
      id: did,
      verificationMethod: [key],
      assertionMethod: [verificationMethod],
    },
    token(protectedHeader: object, payload: object): string {
      const text = `${encode(protectedHeader)}.${encode(payload)}`
      return `${text}.${signed(Buffer.from(text)).toString('base64url')}`
    },
  }
}

const subjectOf = (link: string) => ({
  type: ['Product'],
  id: link,
  name: 'Battery pack',
  idGranularity: 'model',
  countryOfProduction: { countryCode: 'DE' },
  materialProvenance: [
    { name: 'Aluminium', massFraction: 0.4 },
    { name: 'Lithium', massFraction: 0.05 },
  ],
})

const credentialOf = (base: string, link: string): Document => ({
  '@context': ['https://www.w3.org/ns/credentials/v2', 'https://vocabulary.uncefact.org/untp/0.7.0/context/'],
  type: ['DigitalProductPassport', 'VerifiableCredential'],
  id: `${base}/credentials/1`,
  issuer: { type: ['CredentialIssuer'], id: didOf(base), name: 'Maker' },
  validFrom: CREATED,
  credentialSchema: { id: 'https://vocabulary.uncefact.org/untp/dpp.json', type: 'JsonSchema' },
  credentialStatus: {
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: 7,
    statusListCredential: `${base}/status`,
  },
  credentialSubject: subjectOf(link),
})

const listOf = (base: string) => ({
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['VerifiableCredential', 'BitstringStatusListCredential'],
  id: `${base}/status`,
  issuer: didOf(base),
  validFrom: CREATED,
  credentialSubject: {
    type: 'BitstringStatusList',
    statusPurpose: 'revocation',
    encodedList: `u${gzipSync(Buffer.alloc(16_384)).toString('base64url')}`,
  },
})

const saltOf = (name: string) => createHash('sha256').update(name).digest().subarray(0, 16).toString('base64url')

function sdJwtOf(base: string, link: string, issuer: ReturnType<typeof issuerAt>): string {
  const { materialProvenance, countryOfProduction, ...clear } = subjectOf(link)
  const hidden = Object.entries({ materialProvenance, countryOfProduction })
  const disclosures = hidden.map(([name, value]) => encode([saltOf(name), name, value]))
  const digests = disclosures.map((text) => createHash('sha256').update(text).digest('base64url')).sort()
  const { credentialSubject: _, ...credential } = credentialOf(base, link)
  const payload = {
    ...{ iss: base, vct: `${base}/vct`, iat: Date.parse(CREATED) / 1000, _sd_alg: 'sha-256', ...credential },
    credentialSubject: { ...clear, _sd: digests },
  }
  const header = { alg: 'ES256', typ: 'dc+sd-jwt', kid: issuer.verificationMethod }
  return `${issuer.token(header, payload)}~${disclosures.join('~')}~`
}
