import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Schema } from '../domain/schema.ts'
import type { ContactView } from '../domain/view.ts'

export const Operator = defineEntity({
  name: 'Operator',
  tableName: 'operator',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    regId: p.text(),
    regIdScheme: p.text().$type<Schema<'RegIdScheme'>>().nullable(),
    role: p.text(),
    contact: p.json().columnType('json').$type<ContactView>().nullable(),
    archivedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  }),
  uniques: [{ properties: ['tenantId', 'regId'] }],
})
export type Operator = InferEntity<typeof Operator>

export const OperatorBinding = defineEntity({
  name: 'OperatorBinding',
  tableName: 'operator_binding',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    operatorId: p.uuid().primary(),
    boundAt: p.datetime(3).defaultRaw('clock_timestamp()').lazy(),
  }),
})

export const OperatorVersion = defineEntity({
  name: 'OperatorVersion',
  tableName: 'operator_version',
  properties: (p) => ({
    operatorId: p.uuid().primary(),
    version: p.integer().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    role: p.text(),
    contact: p.json().columnType('json').$type<ContactView>().nullable(),
    shownUntil: p.string().columnType('timestamptz(3)'),
  }),
})
export type OperatorVersion = InferEntity<typeof OperatorVersion>
