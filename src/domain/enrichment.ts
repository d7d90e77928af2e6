import type { Enrichment } from './metadata.ts'

const MOST_ITEMS = 24

/**
 * Sanitises an enrichment block: texts are cut, lists sliced, addresses other than http(s) dropped, unknown members
 * ignored. Nothing is ever refused (specification 2.1). Nothing usable gives null.
 */
export function sanitiseEnrichment(input: unknown): Enrichment | null {
  if (!isObject(input)) return null
  const images = list(input.images, (image) => {
    const url = webAddress(image.url)
    return url === undefined ? undefined : { url, ...textField('caption', image.caption, 200) }
  })
  const links = list(input.links, (link) => {
    const url = webAddress(link.url)
    return url === undefined ? undefined : { label: text(link.label, 120) ?? cut(url, 120), url }
  })
  const enrichment = {
    ...textField('tagline', input.tagline, 200),
    ...textField('description', input.description, 4000),
    ...(images.length === 0 ? {} : { images }),
    ...(links.length === 0 ? {} : { links }),
  }
  return Object.keys(enrichment).length === 0 ? null : enrichment
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function list<T>(value: unknown, item: (entry: Record<string, unknown>) => T | undefined): T[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, MOST_ITEMS)
    .map((entry) => (isObject(entry) ? item(entry) : undefined))
    .filter((entry) => entry !== undefined)
}

const textField = (name: string, value: unknown, most: number) => {
  const result = text(value, most)
  return result === undefined ? {} : { [name]: result }
}

function text(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : cut(trimmed, most)
}

// A cut must not leave half of a surrogate pair: PostgreSQL would store something else.
const cut = (value: string, most: number) =>
  value
    .slice(0, most)
    .toWellFormed()
    .replace(/\uFFFD$/, '')

function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return undefined
  const url = new URL(value)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}
