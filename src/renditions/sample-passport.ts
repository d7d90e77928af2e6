import type { PassportRow } from '../passports/passport-columns.ts'
import METADATA from './sample-metadata.json' with { type: 'json' }

/** Passport with nothing that is optional. */
export const bareProduct = (): PassportRow => ({
  id: '00000000-0000-4000-8000-000000000001',
  tenantId: '00000000-0000-4000-8000-000000000002',
  operatorId: '00000000-0000-4000-8000-000000000004',
  productId: 'SKU-1',
  status: 'ACTIVE',
  metadata: { category: 'unheard-of', originCountry: 'FR' },
  enrichment: null,
  version: 1,
  archivedAt: null,
  retentionUntil: null,
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
  operator: {
    id: '00000000-0000-4000-8000-000000000004',
    name: 'Sample GmbH',
    regId: 'DE1',
    role: 'MANUFACTURER',
    contact: null,
  },
  facility: null,
  recall: null,
  journey: null,
  parts: {},
  seal: null,
})

/** Sealed passport; its seal does not verify. */
export function sealedSample(): PassportRow {
  const passport = bareProduct()
  const { id, operator, createdAt } = passport
  const productId = METADATA.gtin
  const leaf = { hash: '0'.repeat(64), salt: 'A'.repeat(22) }
  return {
    ...passport,
    productId,
    metadata: METADATA,
    seal: {
      merkleRoot: leaf.hash,
      signature: 'MEQCIA==',
      publicKeyPem: '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----',
      leaves: Object.fromEntries([...Object.keys(METADATA), '@passport'].map((key) => [key, leaf])),
      createdAt,
      x5c: null,
      rfc3161: null,
      subject: { id, productId, operator, created: createdAt, maskable: [] },
    },
  }
}
