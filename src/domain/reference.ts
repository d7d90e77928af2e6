import { GTIN_LENGTHS, isAnyGrai, isGtin14, isUuid, MOST_PRODUCT_ID_CHARACTERS, mod10Valid } from './identifiers.ts'
import { isOwnAddress } from './own-address.ts'

/** What a person has of a product, as something that can be looked up here. */
export type Reference =
  | { readonly kind: 'uuid'; readonly id: string }
  | { readonly kind: 'gtin' | 'grai'; readonly key: string; readonly serial?: string }
  | {
      readonly kind: 'sku'
      readonly key: string
      /** The text is a number whose last digit is not its check digit; this is the number with the right one. */
      readonly corrected?: string
    }

/** Why a text is none: nothing is there, it is longer than any, or it is a link without anything that is known here. */
type Unreadable = 'empty' | 'long' | 'link'

/** Longer than any link that a code may carry. */
export const MOST_SOUGHT_CHARACTERS = 2000

/** What people and printers put between digits. */
const SEPARATORS = /[\s.\-\u00a0]/g

/**
 * Reads a GTIN of any length, a GRAI, a UUID, an article number, the text of a GS1 code, or a link. Of a link of another
 * host the keys count alone (GS1 Digital Link URI syntax, section 4), of this one its addresses as well.
 * @param ownHost host, and port if there is one, of this gateway
 */
export function readReference(text: string, ownHost: string): Reference | Unreadable {
  const given = text.trim()
  if (given === '') return 'empty'
  if (given.length > MOST_SOUGHT_CHARACTERS) return 'long'
  const segments = segmentsOf(given, ownHost)
  return segments === undefined ? readNumber(given) : (readSegments(segments) ?? 'link')
}

/**
 * The segments of a link, without escapes; undefined for what is none. An article number may have a slash, so that a link
 * without scheme begins with one, or with a host.
 */
function segmentsOf(
  given: string,
  ownHost: string,
): { readonly path: readonly string[]; readonly isOwn: boolean } | undefined {
  const isPath = given.startsWith('/')
  const hasHost =
    /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}(?::\d{1,5})?\//i.test(given) || given.startsWith(`${ownHost}/`)
  if (!isPath && !hasHost && !/^https?:\/\//i.test(given)) return undefined
  const url = URL.parse(isPath || !hasHost ? given : `https://${given}`, `https://${ownHost}`)
  if (url === null) return undefined
  const path = url.pathname.split('/').slice(1)
  try {
    return { path: path.map(decodeURIComponent), isOwn: isOwnAddress(url, { baseUrl: `https://${ownHost}` }) }
  } catch {
    return { path: [], isOwn: false }
  }
}

function readSegments({ path, isOwn }: { path: readonly string[]; isOwn: boolean }): Reference | undefined {
  const [kind, id = ''] = path
  if (isOwn && (kind === 'passport' || kind === 'unit') && isUuid(id)) return { kind: 'uuid', id: id.toLowerCase() }
  const at = path.findIndex((segment) => segment === '01' || segment === '8003')
  const key = path[at + 1]
  if (at === -1 || key === undefined || key === '' || key.length > MOST_PRODUCT_ID_CHARACTERS) return undefined
  const serialAt = path.indexOf('21', at + 2)
  const serial = serialAt === -1 ? undefined : path[serialAt + 1]
  if (path[at] === '8003') return isAnyGrai(key) ? withSerial('grai', key, serial) : undefined
  // The link of an article number has its form, and is of this gateway alone.
  const read = readNumber(key)
  if (read.kind === 'gtin') return withSerial('gtin', read.key, serial)
  return isOwn || read.kind !== 'sku' || read.corrected !== undefined ? read : undefined
}

const withSerial = (kind: 'gtin' | 'grai', key: string, serial: string | undefined): Reference =>
  serial === undefined || serial === ''
    ? { kind, key }
    : { kind, key, serial: serial.slice(0, MOST_PRODUCT_ID_CHARACTERS) }

// As scanners give the text of a code, and as people read it below one: AI 01 or AI 8003 ahead of the key.
const ELEMENT = /^(?:\][A-Za-z]\d)?(?:\((01|8003)\)|(01)(?=\d{14}$))([0-9A-Za-z]{14,30})(?:\(21\)([!-z]{1,20}))?$/

function readNumber(given: string): Reference {
  if (isUuid(given)) return { kind: 'uuid', id: given.toLowerCase() }
  const [, application = '01', , key, serial] = ELEMENT.exec(given) ?? []
  if (key !== undefined) {
    if (application === '8003' && isAnyGrai(key)) return withSerial('grai', key, serial)
    if (application === '01' && isGtin14(key)) return withSerial('gtin', key, serial)
  }
  const bare = (key ?? given).replace(SEPARATORS, '')
  if (/^\d+$/.test(bare) && GTIN_LENGTHS.has(bare.length)) {
    const gtin = bare.padStart(14, '0')
    if (isGtin14(gtin)) return { kind: 'gtin', key: gtin }
    return { kind: 'sku', key: given, corrected: withCheckDigit(bare) }
  }
  if (isAnyGrai(bare)) return { kind: 'grai', key: bare }
  return { kind: 'sku', key: given.slice(0, MOST_PRODUCT_ID_CHARACTERS) }
}

/** The number with the check digit that it should have; undefined for what is as long as no GTIN, or right. */
export function correctedGtin(text: string): string | undefined {
  if (!GTIN_LENGTHS.has(text.length) || !/^\d+$/.test(text) || mod10Valid(text)) return undefined
  return withCheckDigit(text)
}

function withCheckDigit(digits: string): string | undefined {
  const rest = digits.slice(0, -1)
  if (!/[^0]/.test(rest)) return undefined
  return Array.from({ length: 10 }, (_, digit) => `${rest}${digit}`).find(mod10Valid)
}
