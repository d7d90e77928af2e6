import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Schema } from '../domain/schema.ts'

/** Retained for 90 days. */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid().nullable(),
    type: p.text().$type<Schema<'Notification'>['type']>(),
    subjectId: p.text(),
    message: p.text(),
    readAt: p.string().columnType('timestamptz(3)').nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type Notification = InferEntity<typeof Notification>

export const MailCount = defineEntity({
  name: 'MailCount',
  tableName: 'mail_count',
  properties: (p) => ({
    addressHash: p.blob().primary(),
    day: p.date().primary(),
    total: p.integer(),
  }),
})
export type MailCount = InferEntity<typeof MailCount>
