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

export const Facility = defineEntity({
  name: 'Facility',
  tableName: 'facility',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid().nullable(),
    gln: p.text().unique(),
    name: p.text(),
    activity: p.text().nullable(),
    streetAddress: p.text().nullable(),
    city: p.text().nullable(),
    postalCode: p.text().nullable(),
    country: p.text(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  }),
})
export type Facility = InferEntity<typeof Facility>

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

/** Retained after deletion. */
export const FacilityVersion = defineEntity({
  name: 'FacilityVersion',
  tableName: 'facility_version',
  properties: (p) => ({
    facilityId: p.uuid().primary(),
    version: p.integer().primary(),
    tenantId: p.uuid(),
    gln: p.text(),
    name: p.text(),
    activity: p.text().nullable(),
    streetAddress: p.text().nullable(),
    city: p.text().nullable(),
    postalCode: p.text().nullable(),
    country: p.text(),
    shownUntil: p.string().columnType('timestamptz(3)'),
  }),
})
export type FacilityVersion = InferEntity<typeof FacilityVersion>
