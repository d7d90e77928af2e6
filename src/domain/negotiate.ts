interface Negotiated {
  readonly name: string
  readonly mediaType: string
  /** Parameters of the range without `q`, by lower-case name. Null prototype. */
  readonly parameters: Readonly<Record<string, string>>
}

interface WeightedItem {
  /** Lower case, without parameters. */
  readonly value: string
  /** 0 to 1. */
  readonly quality: number
  /** Without `q`; null prototype. */
  readonly parameters: Readonly<Record<string, string>>
}

// Node's header limit.
const MAX_HEADER_CHARACTERS = 16_384
const MAX_ITEMS = 64
// RFC 9110 §5.6.1.2.
const MAX_PARTS = 256

/**
 * Chooses by RFC 9110 §12.5.1: quality, specificity, then order of `representations`.
 * @returns undefined if the header is absent or matches nothing, or prefers the full wildcard or an ambiguous range such as `application/*`
 */
export function negotiate(
  accept: string | undefined,
  representations: readonly { readonly name: string; readonly mediaTypes: readonly string[] }[],
): Negotiated | undefined {
  if (accept === undefined) return undefined
  const ranges = parseWeightedList(accept)
  const named = new Set(ranges.map((range) => range.value))
  const offers = representations.flatMap(({ name, mediaTypes }, order) =>
    mediaTypes.map((mediaType) => ({ name, mediaType, order, key: mediaType.toLowerCase() })),
  )

  const matching = (range: string) => {
    if (range === '*/*') return []
    if (!range.endsWith('/*')) {
      const exact = offers.filter((offer) => offer.key === range)
      return exact.length > 0 ? exact : longest(offers.filter(({ key }) => hasFragment(range, key)))
    }
    // `text/html;q=0, text/*` excludes HTML.
    return offers.filter((offer) => offer.key.startsWith(range.slice(0, -1)) && !named.has(offer.key))
  }

  let best: { quality: number; specificity: number; order: number; result: Negotiated | undefined } | undefined
  for (const { value, quality, parameters } of ranges) {
    if (quality === 0) continue
    const specificity = specificityOf(value, parameters)
    const matches = matching(value)
    const names = new Set(matches.map((match) => match.name))
    if (specificity > 0 && names.size === 0) continue
    const match = names.size === 1 ? matches[0] : undefined
    const candidate = {
      quality,
      specificity,
      order: match?.order ?? Number.POSITIVE_INFINITY,
      result: match && { name: match.name, mediaType: match.mediaType, parameters },
    }
    if (!best || isBetter(candidate, best)) best = candidate
  }
  return best?.result
}

/** Selects the longest subtypes: `vc+ld+json` contains `ld+json`. */
function longest<Offer extends { readonly key: string }>(offers: readonly Offer[]): Offer[] {
  const lengthOf = ({ key }: Offer) => key.length - key.indexOf('/')
  const maxLength = Math.max(...offers.map(lengthOf))
  return offers.filter((offer) => lengthOf(offer) === maxLength)
}

/** True if the range contains a suffixed subtype, such as `vc+sd-jwt`, as a word (specification 4.1: substring match). */
function hasFragment(range: string, mediaType: string): boolean {
  const fragment = mediaType.slice(mediaType.indexOf('/') + 1)
  const at = fragment.includes('+') ? range.indexOf(fragment) : -1
  const isWord = (character: string | undefined) => character !== undefined && /[a-z0-9]/.test(character)
  return at !== -1 && !isWord(range[at - 1]) && !isWord(range[at + fragment.length])
}

function specificityOf(range: string, parameters: object): number {
  if (range === '*/*') return 0
  if (range.endsWith('/*')) return 1
  return Object.keys(parameters).length > 0 ? 3 : 2
}

type Rank = { readonly quality: number; readonly specificity: number; readonly order: number }

function isBetter(a: Rank, b: Rank): boolean {
  if (a.quality !== b.quality) return a.quality > b.quality
  const isWildcard = (rank: Rank) => rank.specificity < 2
  if (isWildcard(a) || isWildcard(b)) {
    if (a.specificity !== b.specificity) return a.specificity > b.specificity
  }
  // A parameter outranks the same type without it, not another type.
  return a.order === b.order ? a.specificity > b.specificity : a.order < b.order
}

/**
 * Parses a weighted list (RFC 9110 §5.6.1, §12.4.2) in linear time. A malformed quality counts as 1. Ignores everything beyond 64 elements,
 * 16 KiB, 256 commas or 256 parameters.
 */
export function parseWeightedList(header: string): WeightedItem[] {
  if (header.length > MAX_HEADER_CHARACTERS) return []
  const items: WeightedItem[] = []
  for (const element of splitOutsideQuotes(header, ',')) {
    const [value = '', ...pairs] = splitOutsideQuotes(element, ';')
    const name = value.trim().toLowerCase()
    if (name === '') continue
    let quality = 1
    const parameters: Record<string, string> = Object.create(null)
    for (const pair of pairs) {
      const equals = pair.indexOf('=')
      if (equals === -1) continue
      const parameter = pair.slice(0, equals).trim().toLowerCase()
      const text = unquote(pair.slice(equals + 1).trim())
      if (parameter === 'q') quality = qualityOf(text)
      else if (parameter !== '') parameters[parameter] = text
    }
    items.push({ value: name, quality, parameters })
    if (items.length === MAX_ITEMS) break
  }
  return items
}

function qualityOf(text: string): number {
  return /^(?:[01](?:\.[0-9]*)?|\.[0-9]+)$/.test(text) ? Math.min(Number(text), 1) : 1
}

/** Splits outside quoted strings (RFC 9110 §5.6.4). */
function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator, MAX_PARTS)
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length && parts.length < MAX_PARTS; at += 1) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\' && isQuoted) at += 1
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  if (parts.length < MAX_PARTS) parts.push(text.slice(start))
  return parts
}

function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
  return text.slice(1, -1).replace(/\\(.)/g, '$1')
}
