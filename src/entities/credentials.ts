import { defineEntity, type InferEntity } from '@mikro-orm/core'

/** One index per subject that was issued as a credential. It stays after the subject is deleted, so that no index is used twice (W3C Bitstring Status List 1.0, 2.1). */
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

/** One row per changed bit until the list is signed again, so that writers do not wait for each other. */
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

/** The signed list of each form. state names the key and the name that it was signed with. */
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
