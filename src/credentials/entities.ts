import { defineEntity, type InferEntity } from '@mikro-orm/core'

/** Retained after deletion of the subject: indexes are never reused (W3C Bitstring Status List 1.0, 2.1). */
export const StatusEntry = defineEntity({
  name: 'StatusEntry',
  tableName: 'status_entry',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    index: p.integer().primary(),
    subjectId: p.uuid().unique(),
    revoked: p.boolean(),
    list: p.integer(),
  }),
})
export type StatusEntry = InferEntity<typeof StatusEntry>

/** Changes until the next signature, so that writers do not block each other. */
export const StatusChange = defineEntity({
  name: 'StatusChange',
  tableName: 'status_change',
  properties: (p) => ({
    tenantId: p.uuid(),
    list: p.integer(),
    id: p.bigint('number').primary(),
  }),
})
export type StatusChange = InferEntity<typeof StatusChange>

/** `state` identifies key and name used to sign. */
export const SignedStatusList = defineEntity({
  name: 'SignedStatusList',
  tableName: 'signed_status_list',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    list: p.integer().primary(),
    form: p.text().primary(),
    state: p.text(),
    etag: p.text(),
    body: p.text(),
    signedAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type SignedStatusList = InferEntity<typeof SignedStatusList>
