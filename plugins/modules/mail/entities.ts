import { defineEntity, type InferEntity } from '@mikro-orm/core'

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
