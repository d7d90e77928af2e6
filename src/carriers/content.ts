import { digitalLinkUri, encodeSegment, type Identifier, identify } from '../domain/identifiers.ts'

/** A GS1 element: an application identifier and its value. */
export type Gs1Element = readonly [ai: string, value: string]

/** What the code of a passport or a unit says. */
export interface CarrierContent {
  /** What a QR code encodes; it resolves here. */
  readonly uri: string
  /** The same as GS1 elements, which is what a DataMatrix encodes; undefined where its identifiers are not all GS1 keys. */
  readonly elements: readonly Gs1Element[] | undefined
  /** What a person reads beside the code. */
  readonly text: string
}

interface Product {
  readonly id: string
  readonly productId: string
}

interface Unit {
  readonly id: string
  readonly serialNumber: string
  /** Of the passport that it stands under. */
  readonly productId: string
}

/** AI of a GS1 key (GS1 General Specifications, 3.2). */
const AI = { gtin: '01', grai: '8003' } as const
/** AI of a serial number. */
const SERIAL = '21'

/**
 * What the code on a product says: its Digital Link. The link of a SKU has no GS1 meaning, so that its code has the
 * address of the passport (decisions on digital links).
 */
export function passportContent(baseUrl: string, { id, productId }: Product): CarrierContent {
  const key = gs1KeyOf(productId)
  if (key === undefined) return { uri: `${baseUrl}/passport/${id}`, elements: undefined, text: productId }
  return content(digitalLinkUri(baseUrl, key), [[AI[key.scheme], key.value]])
}

/**
 * What the code on a unit says: its Digital Link below a GTIN, which alone can have a serial number beside it; any other
 * unit's has the address of the unit (decisions on digital links).
 */
export function unitContent(baseUrl: string, { id, serialNumber, productId }: Unit): CarrierContent {
  const key = gs1KeyOf(productId)
  if (key?.scheme !== 'gtin') {
    return { uri: `${baseUrl}/unit/${id}`, elements: undefined, text: `${productId} · ${serialNumber}` }
  }
  return content(`${digitalLinkUri(baseUrl, key)}/${SERIAL}/${encodeSegment(serialNumber)}`, [
    [AI.gtin, key.value],
    [SERIAL, serialNumber],
  ])
}

function content(uri: string, elements: readonly Gs1Element[]): CarrierContent {
  // Human readable interpretation (GS1 General Specifications, 4.14): identifiers in brackets.
  return { uri, elements, text: elements.map(([ai, value]) => `(${ai}) ${value}`).join(' ') }
}

/** The GS1 key that a product id is. A draft may have an id that publication would refuse. */
function gs1KeyOf(productId: string): (Identifier & { readonly scheme: keyof typeof AI }) | undefined {
  try {
    const { scheme, value } = identify(productId)
    return scheme === 'sku' ? undefined : { scheme, value }
  } catch {
    return undefined
  }
}
