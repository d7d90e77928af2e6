import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Rel } from './rel.ts'

/** Names of both sides: readers of one passport may not see the other. */
export const PassportLink = defineEntity({
  name: 'PassportLink',
  tableName: 'passport_link',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    passportId: p.uuid(),
    productId: p.text(),
    askedBy: p.text(),
    rel: p.text().$type<Rel>(),
    targetTenantId: p.uuid().nullable(),
    targetId: p.uuid().nullable(),
    targetUrl: p.text().nullable(),
    identifier: p.text(),
    status: p.text().$type<'PENDING' | 'ACCEPTED'>(),
    createdAt: p.string().columnType('timestamptz(3)'),
    acceptedAt: p.string().columnType('timestamptz(3)').nullable(),
  }),
})
export type PassportLink = InferEntity<typeof PassportLink>

/** Stores only the SHA-256 of the code. */
export const Handover = defineEntity({
  name: 'Handover',
  tableName: 'handover',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    passportId: p.uuid(),
    unitId: p.uuid().nullable(),
    codeHash: p.blob().unique(),
    forTenantId: p.uuid().nullable(),
    forRegId: p.text().nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
    expiresAt: p.string().columnType('timestamptz(3)'),
    withdrawnAt: p.string().columnType('timestamptz(3)').nullable(),
    acceptedAt: p.string().columnType('timestamptz(3)').nullable(),
    acceptedBy: p.uuid().nullable(),
  }),
})
export type Handover = InferEntity<typeof Handover>
