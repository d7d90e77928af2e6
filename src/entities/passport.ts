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
