/** EPCIS 2.0, 7.4. */
export const EVENT_TYPES = [
  'ObjectEvent',
  'AggregationEvent',
  'AssociationEvent',
  'TransactionEvent',
  'TransformationEvent',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const ITEM_FIELDS = [
  'epcList',
  'quantityList',
  'parentID',
  'childEPCs',
  'childQuantityList',
  'inputEPCList',
  'inputQuantityList',
  'outputEPCList',
  'outputQuantityList',
] as const
export type ItemField = (typeof ITEM_FIELDS)[number]

export interface EventItem {
  readonly field: ItemField
  /** GS1 Digital Link path, or the URI unchanged. */
  readonly key: string
  readonly level: 'instance' | 'lot' | 'class'
  /** True if the item exists before the event: its parents are earlier events that output the item. */
  readonly isInput: boolean
  /** True if the item exists after the event. Observed items are input and output. */
  readonly isOutput: boolean
}

export interface CapturedEvent {
  readonly type: EventType
  /** `eventID`; the hash if absent. */
  readonly eventId: string
  /** EPCIS event hash `ni:///sha-256;…?ver=CBV2.0` (CBV 2.0, 8.9); does not cover `eventID`. */
  readonly hash: string
  readonly eventTime: Date
  readonly action: 'ADD' | 'OBSERVE' | 'DELETE' | undefined
  /** CBV word without namespace ("shipping"), or another URI. */
  readonly bizStep: string | undefined
  readonly disposition: string | undefined
  readonly readPoint: string | undefined
  readonly bizLocation: string | undefined
  readonly transformationId: string | undefined
  /** `errorDeclaration`: this event voids the earlier event with the same id or hash. */
  readonly correction: { readonly declaredAt: Date; readonly correctiveEventIds: readonly string[] } | undefined
  readonly items: readonly EventItem[]
  /** The event as sent, without comments; with `eventID` and the contexts of its document. */
  readonly event: Readonly<Record<string, unknown>>
}

export interface CaptureFinding {
  /** JSON pointer (RFC 6901) into the input. */
  readonly pointer: string
  readonly code: string
  readonly message: string
}

/** Valid events, or at most 100 findings. */
export type CaptureValidation =
  | { readonly events: readonly CapturedEvent[]; readonly findings?: undefined }
  | { readonly events?: undefined; readonly findings: readonly CaptureFinding[] }
