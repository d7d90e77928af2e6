import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { PublishedJourney } from '../domain/journey.ts'
import type { SealedLeaf } from '../domain/merkle.ts'
import type { Enrichment, Metadata } from '../domain/metadata.ts'
import type { PassportStatus, RecallView, SealSubject } from '../domain/view.ts'

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
    leaves: p.json().columnType('json').$type<Readonly<Record<string, SealedLeaf>>>(),
    createdAt: p.string().columnType('timestamptz(3)'),
    x5c: p.json().columnType('json').$type<readonly string[]>().nullable(),
    rfc3161: p.json().columnType('json').$type<{ readonly genTime: string; readonly token: string }>().nullable(),
    subject: p.json().columnType('json').$type<SealSubject>().nullable(),
  }),
})
export type Seal = InferEntity<typeof Seal>

/** A trigger copies category, originCountry, gtin and grai from metadata. */
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
    metadata: p.json().columnType('json').$type<Metadata>(),
    enrichment: p.json().columnType('json').$type<Enrichment>().nullable(),
    version: p.integer(),
    sealId: p.uuid().nullable(),
    archivedAt: p.string().columnType('timestamptz(3)').nullable(),
    retentionUntil: p.string().columnType('timestamptz(3)').nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
    updatedAt: p.string().columnType('timestamptz(3)'),
    category: p.text().nullable(),
    originCountry: p.text().nullable(),
    gtin: p.text().nullable(),
    grai: p.text().nullable(),
    storedBytes: p.integer(),
    isRepeatable: p.boolean(),
    recall: p.json().columnType('json').$type<RecallView>().nullable(),
    schemaVersion: p.text().nullable(),
    journey: p.json().columnType('json').$type<PublishedJourney>().nullable(),
  }),
  uniques: [{ properties: ['productId', 'operatorId'] }],
})
export type Passport = InferEntity<typeof Passport>

/** metadata is the next stored one. */
export const PassportHistory = defineEntity({
  name: 'PassportHistory',
  tableName: 'passport_history',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    version: p.integer().primary(),
    metadata: p.json().columnType('json').$type<Metadata>().nullable(),
    changedBy: p.text(),
    changeReason: p.text(),
    createdAt: p.string().columnType('timestamptz(3)'),
    tenantId: p.uuid(),
    status: p.text().$type<PassportStatus>().nullable(),
    sealId: p.uuid().nullable(),
    recall: p.json().columnType('json').$type<RecallView>().nullable(),
    archivedAt: p.string().columnType('timestamptz(3)').nullable(),
    retentionUntil: p.string().columnType('timestamptz(3)').nullable(),
    schemaVersion: p.text().nullable(),
  }),
})
export type PassportHistory = InferEntity<typeof PassportHistory>

export const PassportFacility = defineEntity({
  name: 'PassportFacility',
  tableName: 'passport_facility',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    place: p.integer().primary(),
    facilityId: p.uuid().nullable(),
    shownUntil: p.string().columnType('timestamptz(3)'),
  }),
})
export type PassportFacility = InferEntity<typeof PassportFacility>

/** Versions and seals stay for the retention period. */
export const DeletedPassport = defineEntity({
  name: 'DeletedPassport',
  tableName: 'deleted_passport',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid(),
    productId: p.text(),
    facilityId: p.uuid().nullable(),
    category: p.text().nullable(),
    metadata: p.json().columnType('json').$type<Metadata>(),
    enrichment: p.json().columnType('json').$type<Enrichment>().nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
    deletedAt: p.string().columnType('timestamptz(3)'),
    retentionUntil: p.string().columnType('timestamptz(3)'),
  }),
})
export type DeletedPassport = InferEntity<typeof DeletedPassport>

export const PassportCount = defineEntity({
  name: 'PassportCount',
  tableName: 'passport_count',
  properties: (p) => ({
    operatorId: p.uuid().primary(),
    tenantId: p.uuid().primary(),
    slot: p.integer().primary(),
    ready: p.integer(),
    notReady: p.integer(),
    published: p.integer(),
  }),
})
export type PassportCount = InferEntity<typeof PassportCount>

export const Rendition = defineEntity({
  name: 'Rendition',
  tableName: 'rendition',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    representation: p.text().primary(),
    variant: p.text().primary(),
    version: p.integer().primary(),
    generation: p.text().primary(),
    etag: p.text(),
    contentType: p.text(),
    body: p.text().nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
    tier: p.text().primary(),
    keyNumber: p.integer().primary(),
    bytes: p.blob().nullable(),
  }),
})
export type Rendition = InferEntity<typeof Rendition>

export const SealedVersion = defineEntity({
  name: 'SealedVersion',
  tableName: 'sealed_version',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    passportVersion: p.integer().primary(),
    tenantId: p.uuid(),
    version: p.integer(),
    sealId: p.uuid(),
    status: p.text(),
    operator: p.json().columnType('json'),
    facility: p.json().columnType('json').nullable(),
    masked: p.array(),
    enrichment: p.json().columnType('json').nullable(),
    archivedAt: p.string().columnType('timestamptz(3)').nullable(),
    retentionUntil: p.string().columnType('timestamptz(3)').nullable(),
    shownFrom: p.string().columnType('timestamptz(3)'),
    shownUntil: p.string().columnType('timestamptz(3)'),
    recall: p.json().columnType('json').nullable(),
  }),
})
export type SealedVersion = InferEntity<typeof SealedVersion>
