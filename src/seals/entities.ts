import { defineEntity, type InferEntity } from '@mikro-orm/core'

/** At most one is active. */
export const TenantKey = defineEntity({
  name: 'TenantKey',
  tableName: 'tenant_key',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    number: p.integer(),
    signerKey: p.text(),
    publicKeyPem: p.text(),
    fingerprint: p.text().unique(),
    createdAt: p.string().columnType('timestamptz(3)'),
    retiredAt: p.string().columnType('timestamptz(3)').nullable(),
    certificate: p.text().nullable(),
  }),
  uniques: [{ properties: ['tenantId', 'number'] }],
})
export type TenantKey = InferEntity<typeof TenantKey>

export const SealRevocation = defineEntity({
  name: 'SealRevocation',
  tableName: 'seal_revocation',
  properties: (p) => ({
    authority: p.text().primary(),
    serial: p.text().primary(),
    fingerprint: p.text(),
    revokedAt: p.string().columnType('timestamptz'),
    reason: p.text(),
    createdAt: p.string().columnType('timestamptz'),
  }),
})
export type SealRevocation = InferEntity<typeof SealRevocation>
