import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Enrichment, Metadata } from '../domain/metadata.ts'
import type { PassportStatus } from '../domain/view.ts'

/** A passport (specification 2.1). Its `version` column is counted by the database, see the core migration. */
export const Passport = defineEntity({
  name: 'Passport',
  tableName: 'passport',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid(),
    facilityId: p.uuid().nullable(),
    productId: p.text(),
    status: p.text().$type<PassportStatus>(),
    metadata: p.json<Metadata>().columnType('json'),
    enrichment: p.json<Enrichment>().columnType('json').nullable(),
    sealId: p.uuid().nullable(),
    archivedAt: p.datetime(3).nullable(),
    retentionUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  }),
})
export type Passport = InferEntity<typeof Passport>

/** The metadata before a change (specification 2.1, history). */
export const PassportHistory = defineEntity({
  name: 'PassportHistory',
  tableName: 'passport_history',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    version: p.integer().primary(),
    metadata: p.json<Metadata>().columnType('json'),
    changedBy: p.text(),
    changeReason: p.text(),
    createdAt: p.datetime(3),
  }),
})

/** One seal: which content, by which key, when. Kept when a new seal replaces it. */
export const Seal = defineEntity({
  name: 'Seal',
  tableName: 'seal',
  properties: (p) => ({
    id: p.uuid().primary(),
    passportId: p.uuid(),
    tenantId: p.uuid(),
    operatorId: p.uuid(),
    keyId: p.uuid(),
    passportVersion: p.integer(),
    merkleRoot: p.text(),
    signature: p.text(),
    publicKeyPem: p.text(),
    leaves: p.json<Record<string, { hash: string; salt: string }>>().columnType('json'),
    createdAt: p.datetime(3),
  }),
})
export type Seal = InferEntity<typeof Seal>
