import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { EventType } from './epcis/event.ts'

export const TraceEvent = defineEntity({
  name: 'TraceEvent',
  tableName: 'trace_event',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    place: p.bigint('number'),
    eventId: p.text(),
    hash: p.text(),
    type: p.text().$type<EventType>(),
    eventTime: p.string().columnType('timestamptz(3)'),
    recordedAt: p.string().columnType('timestamptz(3)'),
    action: p.text().$type<'ADD' | 'OBSERVE' | 'DELETE'>().nullable(),
    bizStep: p.text().nullable(),
    disposition: p.text().nullable(),
    readPoint: p.text().nullable(),
    bizLocation: p.text().nullable(),
    transformationId: p.text().nullable(),
    correctedAt: p.string().columnType('timestamptz(3)').nullable(),
    correctiveEventIds: p.array().nullable(),
    isUntp: p.boolean(),
    issuer: p.text().nullable(),
    event: p.json().columnType('json'),
    itemCount: p.integer(),
  }),
})
export type TraceEvent = InferEntity<typeof TraceEvent>

/** MikroORM requires a primary key; the table has none. */
export const TraceItem = defineEntity({
  name: 'TraceItem',
  tableName: 'trace_item',
  properties: (p) => ({
    traceId: p.uuid().primary(),
    tenantId: p.uuid(),
    eventTime: p.string().columnType('timestamptz(3)'),
    field: p.text().primary(),
    key: p.text().primary(),
    level: p.text(),
    isInput: p.boolean(),
    isOutput: p.boolean(),
  }),
})
export type TraceItem = InferEntity<typeof TraceItem>

export const CaptureJob = defineEntity({
  name: 'CaptureJob',
  tableName: 'capture_job',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    place: p.bigint('number'),
    around: p.json().columnType('json'),
    eventCount: p.integer(),
    judgedCount: p.integer(),
    attempt: p.integer(),
    isSuccess: p.boolean().nullable(),
    errors: p.json().columnType('json'),
    createdAt: p.string().columnType('timestamptz(3)'),
    finishedAt: p.string().columnType('timestamptz(3)').nullable(),
    expiresAt: p.string().columnType('timestamptz(3)'),
    begun: p.smallint(),
  }),
})
export type CaptureJob = InferEntity<typeof CaptureJob>

export const CapturePiece = defineEntity({
  name: 'CapturePiece',
  tableName: 'capture_piece',
  properties: (p) => ({
    jobId: p.uuid().primary(),
    tenantId: p.uuid(),
    place: p.integer().primary(),
    events: p.json().columnType('json'),
  }),
})
export type CapturePiece = InferEntity<typeof CapturePiece>
