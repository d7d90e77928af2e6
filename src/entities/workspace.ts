import { defineEntity, type InferEntity } from '@mikro-orm/core'

/** A tenant. */
export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspace',
  properties: (p) => ({
    id: p.uuid().primary(),
    name: p.text(),
    legalName: p.text(),
    country: p.text().nullable(),
    subdomain: p.text().nullable(),
    /** Where its mail goes. */
    email: p.text().nullable(),
    plan: p.text(),
    subscription: p.text(),
    passportLimit: p.integer().nullable(),
    /** Bytes and rows that it may store, where the plan's numbers are not its own. */
    storageLimit: p.bigint('number').nullable(),
    rowLimit: p.bigint('number').nullable(),
    requireMfa: p.boolean(),
    /** Whether an authority reads nothing that is for a legitimate interest alone. */
    strictAudiences: p.boolean(),
    /** Since when none of its credentials holds. */
    suspendedAt: p.datetime(3).nullable(),
    suspensionReason: p.text().nullable(),
    accent: p.text().nullable(),
    logoId: p.uuid().nullable(),
  }),
})
export type Workspace = InferEntity<typeof Workspace>

/** An API key; of its secret only the SHA-256 is kept. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: (p) => ({
    id: p.text().primary(),
    tenantId: p.uuid(),
    secretHash: p.blob(),
    role: p.text(),
    permissions: p.array().nullable(),
    operatorId: p.uuid().nullable(),
    name: p.text().nullable(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
  }),
})
export type ApiKey = InferEntity<typeof ApiKey>
