import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Schema } from '../domain/schema.ts'
import type { ContactView } from '../domain/view.ts'

/** An economic operator (specification 2.3). */
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
    contact: p.json().$type<ContactView>().nullable(),
    archivedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  }),
})
export type Operator = InferEntity<typeof Operator>

/** That a workspace may act on behalf of an operator. The workspace that registered it is bound at once. */
export const OperatorBinding = defineEntity({
  name: 'OperatorBinding',
  tableName: 'operator_binding',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    operatorId: p.uuid().primary(),
  }),
})

/** A manufacturing facility (specification 2.4). */
export const Facility = defineEntity({
  name: 'Facility',
  tableName: 'facility',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid().nullable(),
    gln: p.text(),
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
