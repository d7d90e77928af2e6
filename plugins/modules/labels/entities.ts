import { defineEntity, type InferEntity } from '@mikro-orm/core'

export interface SkippedLabel {
  readonly id: string
  readonly reason: 'NOT_FOUND' | 'NOT_GS1' | 'TOO_SMALL'
}

export const LabelJob = defineEntity({
  name: 'LabelJob',
  tableName: 'label_job',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid().nullable(),
    subject: p.text().$type<'passport' | 'unit'>(),
    request: p.json().columnType('json'),
    status: p.text().$type<'waiting' | 'working' | 'done' | 'failed'>(),
    attempt: p.integer(),
    bytes: p.bigint('number').nullable(),
    included: p.integer().nullable(),
    skipped: p.json().columnType('json').$type<readonly SkippedLabel[]>().nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
    expiresAt: p.string().columnType('timestamptz(3)'),
    begun: p.smallint(),
  }),
})
export type LabelJob = InferEntity<typeof LabelJob>

export const LabelPiece = defineEntity({
  name: 'LabelPiece',
  tableName: 'label_piece',
  properties: (p) => ({
    jobId: p.uuid().primary(),
    tenantId: p.uuid(),
    place: p.integer().primary(),
    bytes: p.blob(),
  }),
})
export type LabelPiece = InferEntity<typeof LabelPiece>
