import { defineEntity, type InferEntity } from '@mikro-orm/core'

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
