import { digitalLinkUri, encodeSegment, type Identifier, identify } from '../domain/identifiers.ts'

/** GS1 application identifier and value. */
export type Gs1Element = readonly [ai: string, value: string]

export interface CarrierContent {
  /** QR content; resolves at this gateway. */
  readonly uri: string
  /** DataMatrix content; undefined unless all identifiers are GS1 keys. */
  readonly elements: readonly Gs1Element[] | undefined
  readonly text: string
}

interface Product {
  readonly id: string
  readonly productId: string
}

interface Unit {
  readonly id: string
  readonly serialNumber: string
  readonly productId: string
}

/** GS1 General Specifications, 3.2. */
const AI = { gtin: '01', grai: '8003' } as const
const SERIAL = '21'

/**
 * Returns the Digital Link of a passport, or the passport address for a SKU, whose link has no GS1 meaning (decisions on digital links).
 */
export function passportContent(baseUrl: string, { id, productId }: Product): CarrierContent {
  const key = gs1KeyOf(productId)
  if (key === undefined) return { uri: `${baseUrl}/passport/${id}`, elements: undefined, text: productId }
  return content(digitalLinkUri(baseUrl, key), [[AI[key.scheme], key.value]])
}

/** Returns the Digital Link of a unit below a GTIN, or the unit address: other keys allow no serial number (decisions on digital links). */
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
  // Human-readable interpretation (GS1 General Specifications, 4.14).
  return { uri, elements, text: elements.map(([ai, value]) => `(${ai}) ${value}`).join(' ') }
}

/** Returns undefined for invalid IDs, which drafts may have. */
function gs1KeyOf(productId: string): (Identifier & { readonly scheme: keyof typeof AI }) | undefined {
  try {
    const { scheme, value } = identify(productId)
    return scheme === 'sku' ? undefined : { scheme, value }
  } catch {
    return undefined
  }
}

const MAX_NAME_CHARACTERS = 80

export const fileNameOf = (key: string): string =>
  `qr-${key.slice(0, MAX_NAME_CHARACTERS).replace(/[^A-Za-z0-9._-]/g, '_')}`
