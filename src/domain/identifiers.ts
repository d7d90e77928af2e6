import { badRequest } from './problem.ts'

/** GS1 key of AI 01 or AI 8003, or the operator's SKU. */
export interface Identifier {
  readonly scheme: 'gtin' | 'grai' | 'sku'
  readonly value: string
}

/** UTF-16 code units; fits index rows and links. */
export const MAX_PRODUCT_ID_CHARACTERS = 200

const FOURTEEN_DIGITS = /^[0-9]{14}$/
// GS1 General Specifications §3.9.3: starts with a filler zero.
const GRAI = /^0[0-9]{13}[0-9A-Za-z]{1,16}$/

/** GS1 General Specifications 3.3. */
export const GTIN_LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14])

const ANY_GRAI = /^[0-9]{14}[0-9A-Za-z]{0,16}$/

/** Invisible characters make different identifiers look alike. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/u

/**
 * Normalizes a product identifier to trimmed NFC (UAX 15).
 * @throws Problem 400 if empty, too long or with invisible characters
 */
export function trimmedProductId(productId: string): string {
  const given = productId.trim()
  if (given.length > MAX_PRODUCT_ID_CHARACTERS) throw tooLong()
  const trimmed = given.normalize('NFC')
  const [invisible] = INVISIBLE.exec(trimmed) ?? []
  if (invisible !== undefined) {
    const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    throw badRequest(
      `productId has the invisible character U+${code} after ${trimmed.indexOf(invisible)} characters. Remove it.`,
    )
  }
  if (trimmed === '') throw badRequest('productId must not be empty.')
  // NFC can lengthen a text.
  if (trimmed.length > MAX_PRODUCT_ID_CHARACTERS) throw tooLong()
  return trimmed
}

const tooLong = () => badRequest(`productId must have at most ${MAX_PRODUCT_ID_CHARACTERS} characters.`)

/**
 * Classifies a product identifier (specification 4.1). Fourteen digits are always a GTIN, never a GRAI without serial.
 * @throws Problem 400 as {@link trimmedProductId}, for dot segments, and for an invalid GTIN
 */
export function identify(text: string): Identifier {
  const productId = trimmedProductId(text)
  // RFC 3986 §5.2.4 removes dot segments, even encoded (WHATWG URL).
  if (productId === '.' || productId === '..') throw badRequest('productId must not be "." or "..".')
  if (isGtin14(productId)) return { scheme: 'gtin', value: productId }
  if (FOURTEEN_DIGITS.test(productId)) {
    const corrected = correctedNumber(productId)
    const meant = corrected === undefined ? '' : ` Did you mean ${corrected}?`
    throw badRequest(`productId has 14 digits but no valid GS1 check digit.${meant}`, 'GTIN_CHECK_DIGIT_INVALID')
  }
  return { scheme: isGrai(productId) ? 'grai' : 'sku', value: productId }
}

export function isGtin14(text: string): boolean {
  return FOURTEEN_DIGITS.test(text) && mod10Valid(text) && !isAllZeros(text)
}

/** True for a GRAI with filler zero and serial, which cannot be a GTIN. */
export function isGrai(text: string): boolean {
  const asset = text.slice(0, 14)
  return GRAI.test(text) && mod10Valid(asset) && !isAllZeros(asset)
}

export function isAnyGrai(text: string): boolean {
  return ANY_GRAI.test(text) && mod10Valid(text.slice(0, 14))
}

/** GS1 General Specifications 3.3. */
export function paddedGtin(text: string): string | undefined {
  if (text.length > 13 || !GTIN_LENGTHS.has(text.length)) return undefined
  const gtin = text.padStart(14, '0')
  return isGtin14(gtin) ? gtin : undefined
}

export function isGln13(text: string): boolean {
  return /^[0-9]{13}$/.test(text) && mod10Valid(text) && !isAllZeros(text)
}

export function correctedNumber(text: string): string | undefined {
  if (!GTIN_LENGTHS.has(text.length) || !/^\d+$/.test(text) || mod10Valid(text)) return undefined
  const rest = text.slice(0, -1)
  return isAllZeros(rest) ? undefined : `${rest}${checkDigitOf(rest)}`
}

export function mod10Valid(digits: string): boolean {
  return /^[0-9]{2,}$/.test(digits) && Number(digits.at(-1)) === checkDigitOf(digits.slice(0, -1))
}

/** Computes the check digit (GS1 General Specifications §7.9.1). */
export function checkDigitOf(digits: string): number {
  let sum = 0
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    sum += (digits.charCodeAt(digits.length - 1 - fromRight) - 48) * (fromRight % 2 === 0 ? 3 : 1)
  }
  return (10 - (sum % 10)) % 10
}

export function gs1KeysOf(productId: string, { gtin, grai }: { readonly [key: string]: unknown }): string[] {
  return [...new Set([productId, gtin, grai])].filter(
    (key): key is string => typeof key === 'string' && (isGtin14(key) || isAnyGrai(key)),
  )
}

/** Returns the GS1 Digital Link URI. SKU links have its form but no GS1 meaning. */
export function digitalLinkUri(baseUrl: string, identifier: Identifier): string {
  const { scheme, value } = identifier
  return `${baseUrl}/${scheme === 'grai' ? '8003' : '01'}/${encodeSegment(value)}`
}

/** DIDs, and web addresses as in identification links (IEC 61406). */
const GLOBAL = /^(?:did:[a-z0-9]+:|https?:\/\/)[!-~]+$/

/** Returns the identifier of a product (EN 18219): its own if it is globally unique, else its link. */
export const uniqueProductIdentifier = (productId: string, link: string): string =>
  GLOBAL.test(productId) ? productId : link

/** AI 21. */
export const unitLinkUri = (productLink: string, serialNumber: string): string =>
  `${productLink}/21/${encodeSegment(serialNumber)}`

/** Encodes every reserved character of RFC 3986 §2.2, as GS1's canonical form requires. */
export function encodeSegment(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Zeros pass the checksum but identify nothing. */
export function isAllZeros(digits: string): boolean {
  return !/[^0]/.test(digits)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** RFC 9562, section 4. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Looks up a text as sent, then in NFC: older identifiers are not normalized. */
export async function inEitherForm<T>(
  text: string,
  find: (text: string) => Promise<readonly T[]> | readonly T[],
): Promise<T[]> {
  const found = await find(text)
  const normal = text.normalize('NFC')
  return [...(found.length > 0 || normal === text ? found : await find(normal))]
}
