import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { RegistryEntry } from './registry-entry.ts'

export const Registration = defineEntity({
  name: 'Registration',
  tableName: 'registration',
  properties: (p) => ({
    subjectId: p.uuid().primary(),
    passportId: p.uuid(),
    unitId: p.uuid().nullable(),
    tenantId: p.uuid(),
    state: p.text().$type<'PENDING' | 'REGISTERED' | 'FAILED'>(),
    reason: p.text().nullable(),
    requestedAt: p.string().columnType('timestamptz(3)'),
    registry: p.text().nullable(),
    identifier: p.text().nullable(),
    registeredAt: p.string().columnType('timestamptz(3)').nullable(),
    version: p.integer().nullable(),
    hash: p.text().nullable(),
    entry: p.json().columnType('json').$type<RegistryEntry>().nullable(),
    proofType: p.text().nullable(),
    proof: p.blob().nullable(),
  }),
})
export type Registration = InferEntity<typeof Registration>
