import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { Schema } from '../domain/schema.ts'
import type { WebhookEvent as EventName } from '../domain/webhooks.ts'

type Filter = Schema<'WebhookSubscription'>['events'][number]

/** Secrets are encrypted. */
export const WebhookSubscription = defineEntity({
  name: 'WebhookSubscription',
  tableName: 'webhook_subscription',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    url: p.text(),
    events: p.array().$type<Filter[]>(),
    isActive: p.boolean(),
    secret: p.blob(),
    formerSecret: p.blob().nullable(),
    formerUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  }),
})
export type WebhookSubscription = InferEntity<typeof WebhookSubscription>

export const WebhookListener = defineEntity({
  name: 'WebhookListener',
  tableName: 'webhook_listener',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    expiresAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type WebhookListener = InferEntity<typeof WebhookListener>

/** Retained for 30 days. */
export const WebhookEvent = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    type: p.text().$type<EventName>(),
    body: p.text(),
    createdAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type WebhookEvent = InferEntity<typeof WebhookEvent>

export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    subscriptionId: p.uuid(),
    eventId: p.uuid(),
    status: p.text().$type<Schema<'WebhookDelivery'>['status']>(),
    attemptCount: p.integer(),
    planStart: p.integer(),
    lastAttemptAt: p.string().columnType('timestamptz(3)').nullable(),
    nextAttemptAt: p.string().columnType('timestamptz(3)').nullable(),
    errorMessage: p.text().nullable(),
    attempts: p.json().$type<Schema<'WebhookDelivery'>['attempts']>(),
    createdAt: p.string().columnType('timestamptz(3)'),
  }),
  uniques: [{ properties: ['eventId', 'subscriptionId'] }],
})
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>
