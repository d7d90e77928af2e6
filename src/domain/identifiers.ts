import { badRequest } from './problem.ts'

/** What a product identifier is: GS1 keys of AI 01 and AI 8003, or the operator's own stock-keeping unit. */
export interface Identifier {
  readonly scheme: 'gtin' | 'grai' | 'sku'
  readonly value: string
}

/** Longest product identifier, in UTF-16 code units; keeps index rows and links within every limit downstream. */
export const MAX_PRODUCT_ID_CHARACTERS = 200

const FOURTEEN_DIGITS = /^[0-9]{14}$/
// GS1 General Specifications §3.9.3: the first digit of the asset identifier is a filler zero.
const GRAI = /^0[0-9]{13}[0-9A-Za-z]{1,16}$/

/** Lengths of GTINs (GS1 General Specifications 3.3). */
export const GTIN_LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14])

const ANY_GRAI = /^[0-9]{14}[0-9A-Za-z]{0,16}$/

/** Control and format characters: nobody sees them, and they make two identifiers that look alike. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/u

/**
 * The product identifier as it is kept: in Unicode's form NFC (UAX 15), without surrounding space.
 * @throws Problem 400 if it is empty or too long, or has a character that nobody sees
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
  // Some characters become several.
  if (trimmed.length > MAX_PRODUCT_ID_CHARACTERS) throw tooLong()
  return trimmed
}

const tooLong = () => badRequest(`productId must have at most ${MAX_PRODUCT_ID_CHARACTERS} characters.`)

/**
 * Classifies a product identifier (specification 4.1). Fourteen digits are always a GTIN, also where they could
 * be a GRAI without serial; whatever is not a GS1 key is a SKU.
 * @throws Problem 400 as {@link trimmedProductId}, for one that no link can hold and, with code `GTIN_CHECK_DIGIT_INVALID`,
 * for fourteen digits that are not a GTIN
 */
export function identify(text: string): Identifier {
  const productId = trimmedProductId(text)
  // RFC 3986 §5.2.4 removes such a segment from an address, encoded or not (WHATWG URL), so no link could hold it.
  if (productId === '.' || productId === '..') throw badRequest('productId must not be "." or "..".')
  if (isGtin14(productId)) return { scheme: 'gtin', value: productId }
  if (FOURTEEN_DIGITS.test(productId)) {
    const corrected = correctedNumber(productId)
    const meant = corrected === undefined ? '' : ` Did you mean ${corrected}?`
    throw badRequest(`productId has 14 digits but no valid GS1 check digit.${meant}`, 'GTIN_CHECK_DIGIT_INVALID')
  }
  return { scheme: isGrai(productId) ? 'grai' : 'sku', value: productId }
}

/** Whether the text is a GTIN in the 14-digit form. All zeros pass the checksum but name no product. */
export function isGtin14(text: string): boolean {
  return FOURTEEN_DIGITS.test(text) && mod10Valid(text) && !isAllZeros(text)
}

/**
 * Whether the text is a GRAI that can be told from a GTIN: filler zero, 13 digits with check digit, and a serial of 1 to
 * 16 letters and digits.
 */
export function isGrai(text: string): boolean {
  const asset = text.slice(0, 14)
  return GRAI.test(text) && mod10Valid(asset) && !isAllZeros(asset)
}

/** Whether AI 8003 answers for the text: a GRAI, or the asset identifier of one without a serial. */
export function isAnyGrai(text: string): boolean {
  return ANY_GRAI.test(text) && mod10Valid(text.slice(0, 14))
}

/** A GTIN of 8, 12 or 13 digits as GS1 links and keys have it; undefined for everything else (GS1 General Specifications 3.3). */
export function paddedGtin(text: string): string | undefined {
  if (text.length > 13 || !GTIN_LENGTHS.has(text.length)) return undefined
  const gtin = text.padStart(14, '0')
  return isGtin14(gtin) ? gtin : undefined
}

/** Whether the text is a GS1 Global Location Number. */
export function isGln13(text: string): boolean {
  return /^[0-9]{13}$/.test(text) && mod10Valid(text) && !isAllZeros(text)
}

/** A GTIN or GLN with the check digit that it should have; undefined for another text, and for one that is right. */
export function correctedNumber(text: string): string | undefined {
  if (!GTIN_LENGTHS.has(text.length) || !/^\d+$/.test(text) || mod10Valid(text)) return undefined
  const rest = text.slice(0, -1)
  return isAllZeros(rest) ? undefined : `${rest}${checkDigitOf(rest)}`
}

/** Whether the last digit is the check digit of those before it. False for anything but digits. */
export function mod10Valid(digits: string): boolean {
  return /^[0-9]{2,}$/.test(digits) && Number(digits.at(-1)) === checkDigitOf(digits.slice(0, -1))
}

/**
 * The check digit behind these digits (GS1 General Specifications §7.9.1): weights 3 and 1 alternate, counted from the
 * right.
 */
export function checkDigitOf(digits: string): number {
  let sum = 0
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    sum += (digits.charCodeAt(digits.length - 1 - fromRight) - 48) * (fromRight % 2 === 0 ? 3 : 1)
  }
  return (10 - (sum % 10)) % 10
}

/** The GS1 keys at which a passport can be found: its product id, and what its metadata names. */
export function gs1KeysOf(productId: string, { gtin, grai }: { readonly [key: string]: unknown }): string[] {
  return [...new Set([productId, gtin, grai])].filter(
    (key): key is string => typeof key === 'string' && (isGtin14(key) || isAnyGrai(key)),
  )
}

/** The GS1 Digital Link URI of a product. For a SKU it has the printed form of the specification but no GS1 meaning. */
export function digitalLinkUri(baseUrl: string, identifier: Identifier): string {
  const { scheme, value } = identifier
  return `${baseUrl}/${scheme === 'grai' ? '8003' : '01'}/${encodeSegment(value)}`
}

/** The link of one unit of a product, by its serial number (AI 21). */
export const unitLinkUri = (productLink: string, serialNumber: string): string =>
  `${productLink}/21/${encodeSegment(serialNumber)}`

/** The link of one batch of a product, by its number (AI 10). */
export const batchLinkUri = (productLink: string, batchNumber: string): string =>
  `${productLink}/10/${encodeSegment(batchNumber)}`

/** One path segment, with every reserved character of RFC 3986 §2.2 encoded, as GS1's canonical form demands. */
export function encodeSegment(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Whether there is nothing but zeros: they pass the checksum and are nobody's number. */
export function isAllZeros(digits: string): boolean {
  return !/[^0]/.test(digits)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID (RFC 9562, section 4), so that it may be given to a uuid column. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * The results of a look-up by a text as it was sent, or by its form NFC, in which identifiers are kept since they are normalised.
 */
export async function inEitherForm<T>(
  text: string,
  find: (text: string) => Promise<readonly T[]> | readonly T[],
): Promise<T[]> {
  const found = await find(text)
  const normal = text.normalize('NFC')
  return [...(found.length > 0 || normal === text ? found : await find(normal))]
}
