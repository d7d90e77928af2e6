import type { JsonWebKey } from 'node:crypto'
import { defineEntity, type InferEntity } from '@mikro-orm/core'

export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspace',
  properties: (p) => ({
    id: p.uuid().primary(),
    name: p.text(),
    legalName: p.text(),
    country: p.text().nullable(),
    subdomain: p.text().nullable().unique(),
    email: p.text().nullable(),
    plan: p.text(),
    subscription: p.text(),
    passportLimit: p.integer().nullable(),
    /** Override the plan. */
    storageLimit: p.bigint('number').nullable(),
    rowLimit: p.bigint('number').nullable(),
    requireMfa: p.boolean(),
    /** True if authorities do not see legitimate-interest data. */
    strictAudiences: p.boolean(),
    /** All credentials are invalid from then on. */
    suspendedAt: p.datetime(3).nullable(),
    suspensionReason: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()').lazy(),
    /** Minimum for the next status-list index and key after a restore. */
    statusFloor: p.integer().default(0).lazy(),
    keyFloor: p.integer().default(0).lazy(),
  }),
})
export type Workspace = InferEntity<typeof Workspace>

/** Stores only the SHA-256 of the secret. */
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
    createdAt: p.datetime(3).defaultRaw('now()').lazy(),
  }),
})
export type ApiKey = InferEntity<typeof ApiKey>

/** The signer has the private part. */
export const NodeKey = defineEntity({
  name: 'NodeKey',
  tableName: 'node_key',
  properties: (p) => ({
    purpose: p.text().primary(),
    signerKey: p.text(),
    publicJwk: p.json().$type<JsonWebKey>(),
    certificate: p.text().nullable(),
  }),
})
export type NodeKey = InferEntity<typeof NodeKey>

/** null is unlimited. */
export const Plan = defineEntity({
  name: 'Plan',
  tableName: 'plan',
  properties: (p) => ({
    name: p.text().primary(),
    storageLimit: p.bigint('number').nullable(),
    rowLimit: p.bigint('number').nullable(),
  }),
})
export type Plan = InferEntity<typeof Plan>

/** Retained for 24 hours. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    endpoint: p.text().primary(),
    key: p.text().primary(),
    requestHash: p.text(),
    status: p.integer().nullable(),
    answer: p.text().nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
    caller: p.text().primary(),
  }),
})
export type IdempotencyKey = InferEntity<typeof IdempotencyKey>

/** Sum over slots. With a limit, writers lock slot 0, so that it is exact. */
export const WorkspaceUsage = defineEntity({
  name: 'WorkspaceUsage',
  tableName: 'workspace_usage',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    slot: p.integer().primary(),
    bytes: p.bigint('number'),
    rows: p.bigint('number'),
  }),
})
export type WorkspaceUsage = InferEntity<typeof WorkspaceUsage>

/** No claimed prefix starts with another. */
export const CompanyPrefix = defineEntity({
  name: 'CompanyPrefix',
  tableName: 'company_prefix',
  properties: (p) => ({
    prefix: p.text().primary(),
    tenantId: p.uuid(),
    claimedAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type CompanyPrefix = InferEntity<typeof CompanyPrefix>
