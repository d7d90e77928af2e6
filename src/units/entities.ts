import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Json } from '../domain/metadata.ts'
import type { UnitEventType, UnitStatus } from '../domain/unit.ts'

/** Measured columns have the latest values. */
export const BatteryUnit = defineEntity({
  name: 'BatteryUnit',
  tableName: 'battery_unit',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    passportId: p.uuid(),
    operatorId: p.uuid(),
    serialNumber: p.text(),
    manufacturedAt: p.string().columnType('timestamptz(3)').nullable(),
    status: p.text().$type<UnitStatus>(),
    ceasedAt: p.string().columnType('timestamptz(3)').nullable(),
    predecessorUnitId: p.uuid().nullable(),
    version: p.integer(),
    stateOfHealth: p.double().nullable(),
    cycleCount: p.bigint('number').nullable(),
    remainingCapacityAh: p.double().nullable(),
    temperatureC: p.double().nullable(),
    measuredAt: p.string().columnType('timestamptz(3)').nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
    updatedAt: p.string().columnType('timestamptz(3)'),
    condition: p.json().columnType('json'),
    legalStatus: p.text(),
    statusChanges: p.json().columnType('json'),
    placedOnMarketAt: p.string().columnType('timestamptz(3)').nullable(),
    batchNumber: p.text().nullable(),
  }),
  uniques: [{ properties: ['passportId', 'serialNumber'] }],
})
export type BatteryUnit = InferEntity<typeof BatteryUnit>

/** Immutable. */
export const BatteryUnitEvent = defineEntity({
  name: 'BatteryUnitEvent',
  tableName: 'battery_unit_event',
  properties: (p) => ({
    id: p.uuid(),
    unitId: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid(),
    eventType: p.text().$type<UnitEventType>(),
    stateOfHealth: p.double().nullable(),
    cycleCount: p.bigint('number').nullable(),
    remainingCapacityAh: p.double().nullable(),
    temperatureC: p.double().nullable(),
    payload: p.json().columnType('json').$type<Json>().nullable(),
    recordedAt: p.string().columnType('timestamptz(3)').primary(),
    createdAt: p.string().columnType('timestamptz(3)'),
    place: p.bigint('number').primary(),
  }),
})
export type BatteryUnitEvent = InferEntity<typeof BatteryUnitEvent>

export const BatteryUnitCount = defineEntity({
  name: 'BatteryUnitCount',
  tableName: 'battery_unit_count',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    slot: p.integer().primary(),
    total: p.integer(),
  }),
})
export type BatteryUnitCount = InferEntity<typeof BatteryUnitCount>

export const UnitRendition = defineEntity({
  name: 'UnitRendition',
  tableName: 'unit_rendition',
  properties: (p) => ({
    unitId: p.uuid().primary(),
    unitVersion: p.integer().primary(),
    passportVersion: p.integer().primary(),
    representation: p.text().primary(),
    variant: p.text().primary(),
    tier: p.text().primary(),
    keyNumber: p.integer().primary(),
    generation: p.text().primary(),
    etag: p.text(),
    contentType: p.text(),
    body: p.text().nullable(),
    bytes: p.blob().nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type UnitRendition = InferEntity<typeof UnitRendition>
