import {
  correctedNumber,
  GTIN_LENGTHS,
  isAnyGrai,
  isGtin14,
  isOwnAddress,
  isUuid,
  MAX_PRODUCT_ID_CHARACTERS,
} from '../../../src/plugin/module.ts'
import { decompress } from './compressed-link.ts'
import { type Elements, readElements } from './element-string.ts'

export type Reference =
  | { readonly kind: 'uuid'; readonly id: string }
  | {
      readonly kind: 'gtin' | 'grai'
      readonly key: string
      /** Path order: variant, batch, serial number. */
      readonly qualifiers?: readonly Qualifier[]
      readonly otherKey?: string
    }
  | {
      readonly kind: 'sku'
      readonly key: string
      readonly corrected?: string
    }

interface Qualifier {
  readonly ai: '22' | '10' | '21'
  readonly value: string
}

type Unreadable = 'empty' | 'long' | 'link'

export const MAX_SOUGHT_CHARACTERS = 2000

const SEPARATORS = /[\s.\-\u00a0]/g

/**
 * Parses typed, scanned or pasted text. Links of other hosts need GS1 keys (GS1 Digital Link URI syntax, section 4).
 * @param ownHost with port, if any
 */
export function readReference(text: string, ownHost: string): Reference | Unreadable {
  if (text.length > MAX_SOUGHT_CHARACTERS) return 'long'
  // Removes symbology identifiers (ISO/IEC 15424) and invisible characters.
  const given = text
    .replace(/[\p{Cf}]/gu, '')
    .trim()
    .replace(/^\][A-Za-z][0-9A-Z]/, '')
  if (given === '') return 'empty'
  const segments = segmentsOf(given, ownHost)
  return segments === undefined ? readNumber(given) : (readSegments(segments) ?? 'link')
}

/** Returns decoded path segments of a link. Article numbers may contain slashes, so a link needs a scheme, a host or a leading slash. */
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
  if (at === -1) {
    const elements = decompress(path.findLast((segment) => segment !== '') ?? '')
    return elements === undefined ? undefined : toReference(elements)
  }
  if (key === undefined || key === '' || key.length > MAX_PRODUCT_ID_CHARACTERS) return undefined
  const qualifiers = new Map<string, string>()
  for (let place = at + 2; place + 1 < path.length; place += 2) {
    qualifiers.set(path[place] as string, path[place + 1] as string)
  }
  if (path[at] === '8003') return toReference(new Map([['8003', key], ...qualifiers]))
  // Article number links are valid only on this gateway.
  const read = readNumber(key)
  if (read.kind === 'gtin') return toReference(new Map([['01', read.key], ...qualifiers]))
  return isOwn || read.kind !== 'sku' || read.corrected !== undefined ? read : undefined
}

function toReference(elements: Elements): Reference | undefined {
  const gtin = elements.get('01')
  const grai = elements.get('8003')
  const named =
    gtin === undefined ? ({ kind: 'grai', key: grai ?? '' } as const) : ({ kind: 'gtin', key: gtin } as const)
  if (named.kind === 'gtin' ? !isGtin14(named.key) : !isAnyGrai(named.key)) return undefined
  const qualifiers = QUALIFIERS.flatMap((ai) => {
    const value = elements.get(ai)?.slice(0, MAX_PRODUCT_ID_CHARACTERS)
    return value === undefined || value === '' ? [] : [{ ai, value }]
  })
  return qualifiers.length === 0 ? named : { ...named, qualifiers }
}

const QUALIFIERS = ['22', '10', '21'] as const

function readNumber(given: string): Reference {
  if (isUuid(given)) return { kind: 'uuid', id: given.toLowerCase() }
  const elements = readElements(given)
  const named = elements === undefined ? undefined : toReference(elements)
  if (named !== undefined) return named
  const bare = (elements?.get('01') ?? given).replace(SEPARATORS, '')
  if (/^\d+$/.test(bare) && GTIN_LENGTHS.has(bare.length)) {
    const gtin = bare.padStart(14, '0')
    const [key, otherKey] = [fromUpcE(bare), isGtin14(gtin) ? gtin : undefined].filter((one) => one !== undefined)
    if (key !== undefined) return { kind: 'gtin', key, ...(otherKey === undefined ? {} : { otherKey }) }
    return { kind: 'sku', key: given, corrected: correctedNumber(bare) }
  }
  if (isAnyGrai(bare)) return { kind: 'grai', key: bare }
  return { kind: 'sku', key: given.slice(0, MAX_PRODUCT_ID_CHARACTERS) }
}

/** Expands a UPC-E to a GTIN (GS1 General Specifications, 5.2.2.4.2). */
function fromUpcE(digits: string): string | undefined {
  const [, start = '', end = '', last = '', check = ''] = /^0(\d{2})(\d{3})(\d)(\d)$/.exec(digits) ?? []
  if (last === '') return undefined
  const whole = `${start}${end}`
  const body =
    last <= '2'
      ? `${start}${last}0000${end}`
      : last === '3'
        ? `${whole.slice(0, 3)}00000${whole.slice(3)}`
        : last === '4'
          ? `${whole.slice(0, 4)}00000${whole.slice(4)}`
          : `${whole}0000${last}`
  const gtin = `0${body}${check}`.padStart(14, '0')
  return isGtin14(gtin) ? gtin : undefined
}
