import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Tier } from '../domain/audience.ts'

/** The chain: each entry has the hash of the one before. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    sequence: p.bigint('number').primary(),
    action: p.text(),
    subjectId: p.text(),
    actor: p.text(),
    detail: p.json().columnType('json').nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
    hash: p.blob(),
  }),
})
export type AuditEntry = InferEntity<typeof AuditEntry>

/** The last entry of a chain. */
export const AuditHead = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_head',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    sequence: p.bigint('number'),
    hash: p.blob(),
  }),
})
export type AuditHead = InferEntity<typeof AuditHead>

/** Entries that are not in the chain yet. The table has no primary key; MikroORM needs one. */
export const AuditInbox = defineEntity({
  name: 'AuditInbox',
  tableName: 'audit_inbox',
  properties: (p) => ({
    id: p.bigint('number').primary(),
    tenantId: p.uuid(),
    action: p.text(),
    subjectId: p.text(),
    actor: p.text(),
    detail: p.json().columnType('json').nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type AuditInbox = InferEntity<typeof AuditInbox>

/** Accesses of one second that differ in nothing else share a row. The table has no primary key; MikroORM needs one. */
export const AccessAudit = defineEntity({
  name: 'AccessAudit',
  tableName: 'access_audit',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    unitId: p.uuid().nullable(),
    representation: p.text().primary(),
    tier: p.text().$type<Tier>().primary(),
    network: p.text().primary(),
    accessedAt: p.string().columnType('timestamptz(0)').primary(),
    accesses: p.integer(),
  }),
})
export type AccessAudit = InferEntity<typeof AccessAudit>

/** Accesses per day. */
export const ResolutionCount = defineEntity({
  name: 'ResolutionCount',
  tableName: 'resolution_count',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    day: p.date().primary(),
    representation: p.text().primary(),
    tier: p.text().$type<Tier>().primary(),
    resolutions: p.bigint('number'),
  }),
})
export type ResolutionCount = InferEntity<typeof ResolutionCount>
