/** The types of event of EPCIS 2.0 (7.4). */
export const EVENT_TYPES = [
  'ObjectEvent',
  'AggregationEvent',
  'AssociationEvent',
  'TransactionEvent',
  'TransformationEvent',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Where an event of EPCIS 2.0 names items. */
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

/** An item, a lot or a class that an event speaks of. */
export interface EventItem {
  readonly field: ItemField
  /** The one form that all spellings of the identifier come to: the path of its GS1 Digital Link, or the URI as it is. */
  readonly key: string
  readonly level: 'instance' | 'lot' | 'class'
  /** The event took it in: what put it out before is a parent of this event. */
  readonly isInput: boolean
  /** The event put it out. */
  readonly isOutput: boolean
}

/** An event as it is stored, whatever it came in as. */
export interface CapturedEvent {
  readonly type: EventType
  /** The event's own `eventID`, or its hash where it has none. */
  readonly eventId: string
  /** By the EPCIS event hash algorithm, `ni:///sha-256;…?ver=CBV2.0`: two that agree in everything but their ids are one. */
  readonly hash: string
  readonly eventTime: Date
  readonly action: 'ADD' | 'OBSERVE' | 'DELETE' | undefined
  /** Words of the CBV are short ("shipping"), others are URIs. */
  readonly bizStep: string | undefined
  readonly disposition: string | undefined
  readonly readPoint: string | undefined
  readonly bizLocation: string | undefined
  readonly transformationId: string | undefined
  /** Set where the event withdraws another that has its `eventID` or its hash (`errorDeclaration`). */
  readonly correction: { readonly declaredAt: Date; readonly correctiveEventIds: readonly string[] } | undefined
  readonly items: readonly EventItem[]
  /** The event in the form of EPCIS 2.0 (JSON), with `eventID`. */
  readonly event: Readonly<Record<string, unknown>>
}

/** What is wrong with a captured document, and where. */
export interface CaptureFinding {
  /** JSON pointer (RFC 6901) into what was sent. */
  readonly pointer: string
  readonly code: string
  /** Says what to do. */
  readonly message: string
}

/** What a capture came to: its events, or everything that is wrong with it (at most 100 findings). */
export type CaptureValidation =
  | { readonly events: readonly CapturedEvent[]; readonly findings?: undefined }
  | { readonly events?: undefined; readonly findings: readonly CaptureFinding[] }
