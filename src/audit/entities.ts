import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Tier } from '../domain/audience.ts'

/** Hash chain: each entry contains the hash of the previous one. */
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

/** Entries that are not in the chain yet. */
export const AuditInbox = defineEntity({
  name: 'AuditInbox',
  tableName: 'audit_inbox',
  properties: (p) => ({
    id: p.bigint('number').primary(),
    tenantId: p.uuid().primary(),
    action: p.text(),
    subjectId: p.text(),
    actor: p.text(),
    detail: p.json().columnType('json').nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type AuditInbox = InferEntity<typeof AuditInbox>

/** Until the roll-up; identical accesses of one second share a row. */
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

export const ResolutionCount = defineEntity({
  name: 'ResolutionCount',
  tableName: 'resolution_count',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    day: p.date().primary(),
    resolutions: p.integer(),
    representation: p.text().primary(),
    tier: p.text().$type<Tier>().primary(),
  }),
})
export type ResolutionCount = InferEntity<typeof ResolutionCount>
