import type { JsonWebKey } from 'node:crypto'
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
    subdomain: p.text().nullable().unique(),
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
    createdAt: p.datetime(3).defaultRaw('now()').lazy(),
    /** The least number of the next index of a status list, and of the next key, after a restore. */
    statusFloor: p.integer().default(0).lazy(),
    keyFloor: p.integer().default(0).lazy(),
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
    createdAt: p.datetime(3).defaultRaw('now()').lazy(),
  }),
})
export type ApiKey = InferEntity<typeof ApiKey>

/** Keys of the node, such as the one that signs session tokens. The signer has the private part. */
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

/** Limits of a plan; null is unlimited. Written at start. */
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

/** Stored responses by Idempotency-Key, for 24 hours. */
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

/** The sum over all slots is what a workspace uses. With a limit, all writers share slot 0, whose lock makes the limit exact. */
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
