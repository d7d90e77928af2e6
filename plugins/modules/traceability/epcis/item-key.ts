import { dictionary } from '../../../../src/plugin/index.ts'
import { checkDigitOf, encodeSegment, memoize, mod10Valid } from '../../../../src/plugin/module.ts'
import type { EventItem } from './event.ts'

interface ItemKey {
  /** GS1 Digital Link path to the finest level, or the URI. */
  readonly key: string
  readonly level: EventItem['level']
}

/** Conversion of EPC URIs to GS1 Digital Links (Tag Data Standard 2.0, sections 6 and 7). */
interface Scheme {
  /** Length of company prefix plus reference; absent if the reference is free text. */
  readonly digits?: number
  readonly values: number
  /** `number` includes the check digit. */
  readonly path: (number: string, rest: readonly string[]) => string
  readonly level: EventItem['level']
}

/** Without check digit. */
const GTIN_DIGITS = 13

const SCHEMES = dictionary<Scheme>({
  'urn:epc:id:sgtin': instance(GTIN_DIGITS, 3, (gtin, [serial]) => `/01/${gtin}/21/${segment(serial)}`),
  'urn:epc:id:upui': instance(GTIN_DIGITS, 3, (gtin, [extension]) => `/01/${gtin}/235/${segment(extension)}`),
  'urn:epc:id:itip': instance(
    GTIN_DIGITS,
    5,
    (gtin, [piece, total, serial]) => `/8006/${gtin}${piece}${total}/21/${segment(serial)}`,
  ),
  'urn:epc:id:sscc': instance(17, 2, (sscc) => `/00/${sscc}`),
  'urn:epc:id:sgln': instance(12, 3, (gln, [extension]) =>
    extension === '0' ? `/414/${gln}` : `/414/${gln}/254/${segment(extension)}`,
  ),
  'urn:epc:id:pgln': instance(12, 2, (gln) => `/417/${gln}`),
  'urn:epc:id:grai': instance(12, 3, (asset, [serial]) => `/8003/0${asset}${segment(serial)}`),
  'urn:epc:id:gdti': instance(12, 3, (document, [serial]) => `/253/${document}${segment(serial)}`),
  'urn:epc:id:sgcn': instance(12, 3, (coupon, [serial]) => `/255/${coupon}${segment(serial)}`),
  'urn:epc:id:gsrn': instance(17, 2, (service) => `/8018/${service}`),
  'urn:epc:id:gsrnp': instance(17, 2, (service) => `/8017/${service}`),
  'urn:epc:id:gsin': instance(16, 2, (shipment) => `/402/${shipment}`),
  'urn:epc:id:giai': instance(undefined, 2, (prefix, [asset]) => `/8004/${prefix}${segment(asset)}`),
  'urn:epc:id:ginc': instance(undefined, 2, (prefix, [consignment]) => `/401/${prefix}${segment(consignment)}`),
  'urn:epc:id:cpi': instance(
    undefined,
    3,
    (prefix, [part, serial]) => `/8010/${prefix}${segment(part)}/8011/${segment(serial)}`,
  ),
  'urn:epc:class:lgtin': {
    digits: GTIN_DIGITS,
    values: 3,
    path: (gtin, [lot]) => `/01/${gtin}/10/${segment(lot)}`,
    level: 'lot',
  },
  'urn:epc:idpat:sgtin': classOf(GTIN_DIGITS, 3, (gtin) => `/01/${gtin}`),
  'urn:epc:idpat:upui': classOf(GTIN_DIGITS, 3, (gtin) => `/01/${gtin}`),
  'urn:epc:idpat:itip': classOf(GTIN_DIGITS, 5, (gtin, [piece, total]) => `/8006/${gtin}${piece}${total}`),
  'urn:epc:idpat:grai': classOf(12, 3, (asset) => `/8003/0${asset}`),
  'urn:epc:idpat:gdti': classOf(12, 3, (document) => `/253/${document}`),
  'urn:epc:idpat:sgcn': classOf(12, 3, (coupon) => `/255/${coupon}`),
  'urn:epc:idpat:cpi': classOf(undefined, 3, (prefix, [part]) => `/8010/${prefix}${segment(part)}`),
})

function instance(digits: number | undefined, values: number, path: Scheme['path']): Scheme {
  return { digits, values, path, level: 'instance' }
}

function classOf(digits: number | undefined, values: number, path: Scheme['path']): Scheme {
  return { digits, values, path, level: 'class' }
}

/** Testing is cheaper than encoding. */
function segment(value = ''): string {
  return /^[\w.~-]*$/.test(value) ? value : encodeSegment(value)
}

interface LinkKey {
  readonly fits: (value: string) => boolean
  readonly qualifiers: readonly { readonly ai: string; readonly level: EventItem['level'] }[]
  readonly level: (value: string) => EventItem['level']
}

const serial = { ai: '21', level: 'instance' } as const
const lot = { ai: '10', level: 'lot' } as const
const always = (level: EventItem['level']) => () => level
const key = (pattern: RegExp, level: LinkKey['level'], ...qualifiers: LinkKey['qualifiers']): LinkKey => ({
  fits: (value) => pattern.test(value),
  level,
  qualifiers,
})
const FREE = /^[0-9]{4}.{0,26}$/s
/** Assets, documents and coupons with a serial are instances. */
const serialBehind = (digits: number) => (value: string) =>
  value.length > digits ? ('instance' as const) : ('class' as const)

/** GS1 Digital Link URI Syntax, section 4.11, limited to the finest level (CBV event hash). */
const LINK_KEYS = dictionary<LinkKey>({
  '00': key(/^[0-9]{18}$/, always('instance')),
  '01': {
    // The check digit excludes a year and month in a path.
    fits: (value) => /^[0-9]{14}$/.test(value) || (/^[0-9]{8}(?:[0-9]{4,5})?$/.test(value) && mod10Valid(value)),
    level: always('class'),
    qualifiers: [serial, { ai: '235', level: 'instance' }, lot],
  },
  253: key(/^[0-9]{13}.{0,17}$/s, serialBehind(13)),
  255: key(/^[0-9]{13,25}$/, serialBehind(13)),
  401: key(FREE, always('instance')),
  402: key(/^[0-9]{17}$/, always('instance')),
  414: key(/^[0-9]{13}$/, always('instance'), { ai: '254', level: 'instance' }),
  417: key(/^[0-9]{13}$/, always('instance')),
  8003: key(/^[0-9]{14}.{0,16}$/s, serialBehind(14)),
  8004: key(FREE, always('instance')),
  8006: key(/^[0-9]{18}$/, always('class'), serial, lot),
  8010: key(FREE, always('class'), { ai: '8011', level: 'instance' }),
  8017: key(/^[0-9]{18}$/, always('instance')),
  8018: key(/^[0-9]{18}$/, always('instance')),
})

/** Key names of GS1 Digital Link 1.1. */
const NAMES = dictionary({
  ...{ sscc: '00', gtin: '01', gln: '414', grai: '8003', giai: '8004' },
  ...{ lot: '10', ser: '21' },
})

/** Canonicalizes an identifier: EPC URIs and GS1 Digital Links of any host become the Digital Link path; others stay unchanged. */
export const itemKey = memoize<ItemKey>(
  (uri) => (uri.isWellFormed() ? (fromEpc(uri) ?? fromLink(uri)) : undefined) ?? { key: uri, level: 'instance' },
  // Documents repeat the same places.
  { entries: 8_192, characters: 256 },
)

function fromEpc(uri: string): ItemKey | undefined {
  if (!uri.startsWith('urn:epc:')) return undefined
  const at = uri.indexOf(':', uri.indexOf(':', 8) + 1)
  const scheme = SCHEMES[uri.slice(0, at)]
  if (scheme === undefined) return undefined
  const values = uri.slice(at + 1).split('.')
  // The last value is free text and may contain points.
  const rest = values.splice(scheme.values - 1).join('.')
  if (values.length < scheme.values - 1) return undefined
  const [prefix = '', reference = '', ...others] = [...values, rest].map(decoded)
  if (!/^[0-9]{6,12}$/.test(prefix) || others.includes('')) return undefined
  if (scheme.digits === undefined) {
    return reference === '' ? undefined : { key: scheme.path(prefix, [reference, ...others]), level: scheme.level }
  }
  const number = numberOf(prefix, reference, scheme.digits, uri.startsWith('urn:epc:id:sscc:'))
  if (number === undefined) return undefined
  return { key: scheme.path(number, others), level: scheme.level }
}

/** Adds the check digit; GTIN indicator and SSCC extension move to the front. */
function numberOf(prefix: string, reference: string, digits: number, isSscc: boolean): string | undefined {
  const isIndicated = digits === GTIN_DIGITS || isSscc
  const number = isIndicated ? reference.slice(0, 1) + prefix + reference.slice(1) : prefix + reference
  if (number.length !== digits || !/^[0-9]+$/.test(number)) return undefined
  return `${number}${checkDigitOf(number)}`
}

function fromLink(uri: string): ItemKey | undefined {
  if (!/^https?:\/\//i.test(uri)) return undefined
  const from = uri.indexOf('/', uri.indexOf('//') + 2)
  if (from === -1) return undefined
  const end = uri.slice(from).search(/[?#]/)
  const path = uri.slice(from + 1, end === -1 ? undefined : from + end)
  const segments = path.split('/')
  for (let at = 0; at + 1 < segments.length; at += 1) {
    const ai = aiOf(segments[at])
    const value = decoded(segments[at + 1] ?? '')
    const found = LINK_KEYS[ai]
    if (found === undefined || !found.fits(value)) continue
    const full = ai === '01' ? value.padStart(14, '0') : value
    return keyOfLink(ai, full, found, segments.slice(at + 2))
  }
  return undefined
}

function keyOfLink(ai: string, value: string, { qualifiers, level }: LinkKey, behind: readonly string[]): ItemKey {
  const key = `/${ai}/${segment(value)}`
  for (const qualifier of qualifiers) {
    for (let at = 0; at + 1 < behind.length; at += 2) {
      if (aiOf(behind[at]) !== qualifier.ai) continue
      return { key: `${key}/${qualifier.ai}/${segment(decoded(behind[at + 1] ?? ''))}`, level: qualifier.level }
    }
  }
  return { key, level: level(value) }
}

const aiOf = (segment = ''): string => NAMES[segment] ?? segment

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
