import { defineEntity, type InferEntity } from '@mikro-orm/core'

export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid().nullable(),
    type: p.text(),
    subjectId: p.text(),
    message: p.text(),
    readAt: p.string().columnType('timestamptz(3)').nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type Notification = InferEntity<typeof Notification>
