import { defineEntity, type InferEntity } from '@mikro-orm/core'

/** Rows are never deleted; their subject never changes. */
export const AccessGrant = defineEntity({
  name: 'AccessGrant',
  tableName: 'access_grant',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    status: p.text(),
    kind: p.text(),
    granteeName: p.text(),
    granteeEmail: p.text().nullable(),
    organization: p.text().nullable(),
    purpose: p.text().nullable(),
    scopeType: p.text(),
    passportId: p.uuid().nullable(),
    batteryUnitId: p.uuid().nullable(),
    issuerType: p.text(),
    issuerEmail: p.text().nullable(),
    decidedAt: p.string().columnType('timestamptz(3)').nullable(),
    decidedBy: p.text().nullable(),
    expiresAt: p.string().columnType('timestamptz(3)'),
    revokedAt: p.string().columnType('timestamptz(3)').nullable(),
    lastUsedAt: p.string().columnType('timestamptz(3)').nullable(),
    useCount: p.bigint('number'),
    tokenHash: p.blob().nullable().unique(),
    createdAt: p.string().columnType('timestamptz(3)'),
    operatorId: p.uuid().nullable(),
    language: p.text().nullable(),
    referenceHash: p.blob().nullable().unique(),
    actorKind: p.text().nullable(),
    identifierScheme: p.text().nullable(),
    identifier: p.text().nullable(),
  }),
})
export type AccessGrant = InferEntity<typeof AccessGrant>

export const GrantCount = defineEntity({
  name: 'GrantCount',
  tableName: 'grant_count',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    operatorId: p.uuid().primary(),
    slot: p.integer().primary(),
    total: p.integer(),
  }),
})
export type GrantCount = InferEntity<typeof GrantCount>
