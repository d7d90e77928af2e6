import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll } from 'vitest'
import type { Json } from '../../src/domain/metadata.ts'
import { once } from '../../src/domain/once.ts'
import type { PassportView } from '../../src/domain/view.ts'
import { contextLoader } from '../../src/verify/contexts.ts'
import { descriptions } from './categories.ts'
import { CONTEXTS } from './contexts.ts'
import { startIssuingGateway } from './credentials.ts'
import { BASE_URL } from './gateway.ts'
import { standard } from './reference-tools.ts'

const PUBLISHED: Readonly<Record<string, string>> = {
  'https://vocabulary.uncefact.org/untp/0.7.0/context/': 'untp/0.7.0/untp-context.jsonld',
  'https://test.uncefact.org/vocabulary/untp/dpp/0.6.1/': 'untp/0.6.1/untp-dpp-context.jsonld',
}
/** Schemas of each credential profile. */
export const SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  'untp-0.7.0': [
    'untp/0.7.0/DigitalProductPassport.reconstructed.json',
    'vc/schemas/verifiable-credential-schema.json',
  ],
  'untp-0.6.1': ['untp/0.6.1/untp-dpp-schema.json', 'vc/schemas/verifiable-credential-schema.json'],
}

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

const compiled = new Map<string, ValidateFunction>()
/** Schema errors of a document. */
export function errorsOf(schema: string, document: unknown): string {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const { $id: _id, ...rest } = json(schema)
    validate = ajv.compile(rest)
    compiled.set(schema, validate)
  }
  return validate(document) ? '' : JSON.stringify(validate.errors)
}

/** An issuing gateway and the contexts of its credentials. */
export async function useUntp() {
  const issuing = await startIssuingGateway()
  afterAll(() => issuing.gateway.close())
  const loader = once(async () => {
    const given = new Map<string, object>()
    given.set(`${BASE_URL}/context/v1`, JSON.parse(await issuing.read(`${BASE_URL}/context/v1`)))
    for (const [url, path] of Object.entries(PUBLISHED)) given.set(url, json(standard(path) ?? ''))
    const load = contextLoader(CONTEXTS, given)
    // The tag lets the library cache a processed context.
    return async (url: string) => ({ ...(await load(url)), tag: 'static' })
  })
  return { issuing, loader }
}

const signing = {
  issuer: {
    did: 'did:web:issuer.example',
    name: 'Issuer',
    url: 'https://issuer.example',
    verificationMethod: 'did:web:issuer.example#key-1',
    keyNumber: 1,
    sign: async () => new Uint8Array(64),
  },
  statusPlace: async () => ({ list: 0, index: 3 }),
}

/** Context of a profile without real signatures. */
export const contextOf = (profile: string) => ({
  profile,
  signing,
  describe: (category: Json | undefined) => descriptions.of(category, 'en'),
})

export function viewOf(metadata: PassportView['metadata'], more: Partial<PassportView> = {}): PassportView {
  return {
    baseUrl: BASE_URL,
    audience: 'public',
    id: '00000000-0000-4000-8000-000000000001',
    productId: 'SKU 1',
    identifier: { scheme: 'sku', value: 'SKU 1' },
    digitalLinkUri: `${BASE_URL}/01/SKU%201`,
    status: 'ACTIVE',
    archivedAt: null,
    retentionUntil: null,
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:04:05.678Z',
    version: 1,
    operator: {
      id: '00000000-0000-4000-8000-000000000004',
      name: 'Sample GmbH',
      regId: 'DE1',
      role: 'IMPORTER',
      contact: null,
    },
    links: [],
    media: [],
    brand: null,
    recall: null,
    registration: null,
    journey: null,
    sections: [],
    facility: {
      id: '00000000-0000-4000-8000-000000000003',
      gln: '4012345000009',
      name: 'Works',
      activity: null,
      country: 'DE',
    },
    metadata,
    maskedKeys: [],
    grantableKeys: [],
    privilegedKeys: [],
    seal: null,
    enrichment: null,
    ...more,
  }
}
