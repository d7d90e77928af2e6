import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Metadata } from '../../../src/plugin/index.ts'

export const ProductBatch = defineEntity({
  name: 'ProductBatch',
  tableName: 'product_batch',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    passportId: p.uuid(),
    operatorId: p.uuid(),
    batchNumber: p.text(),
    manufacturedAt: p.string().columnType('timestamptz(3)').nullable(),
    metadata: p.json().columnType('json').$type<Metadata>(),
    createdAt: p.string().columnType('timestamptz(3)'),
  }),
  uniques: [{ properties: ['passportId', 'batchNumber'] }],
})
export type ProductBatch = InferEntity<typeof ProductBatch>

export const BatchRendition = defineEntity({
  name: 'BatchRendition',
  tableName: 'batch_rendition',
  properties: (p) => ({
    batchId: p.uuid().primary(),
    passportVersion: p.integer().primary(),
    representation: p.text().primary(),
    variant: p.text().primary(),
    tier: p.text().primary(),
    keyNumber: p.integer().primary(),
    generation: p.text().primary(),
    etag: p.text(),
    contentType: p.text(),
    body: p.text().nullable(),
    bytes: p.blob().nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type BatchRendition = InferEntity<typeof BatchRendition>
