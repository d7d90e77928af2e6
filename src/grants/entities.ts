import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Schema } from '../domain/schema.ts'

type Grant = Schema<'Grant'>

/** Rows are never deleted; their subject never changes. */
export const AccessGrant = defineEntity({
  name: 'AccessGrant',
  tableName: 'access_grant',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    status: p.text().$type<Grant['status']>(),
    kind: p.text().$type<Grant['kind']>(),
    granteeName: p.text(),
    granteeEmail: p.text().nullable(),
    organization: p.text().nullable(),
    purpose: p.text().nullable(),
    scopeType: p.text().$type<Grant['scopeType']>(),
    passportId: p.uuid().nullable(),
    batteryUnitId: p.uuid().nullable(),
    issuerType: p.text().$type<Grant['issuerType']>(),
    issuerEmail: p.text().nullable(),
    decidedAt: p.datetime(3).nullable(),
    decidedBy: p.text().nullable(),
    expiresAt: p.datetime(3),
    revokedAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
    useCount: p.bigint('number'),
    tokenHash: p.blob().nullable().unique(),
    createdAt: p.datetime(3),
    operatorId: p.uuid().nullable(),
    language: p.text().nullable(),
    referenceHash: p.blob().nullable().unique(),
    actorKind: p.text().$type<Grant['actorKind']>().nullable(),
    identifierScheme: p.text().$type<Grant['identifierScheme']>().nullable(),
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
