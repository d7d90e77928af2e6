import { usableTexts } from '../domain/local-text.ts'
import type { Enrichment } from '../domain/metadata.ts'
import { isRecord } from '../domain/record.ts'
import { beginningOf, usableText } from '../domain/text.ts'

const MAX_ITEMS = 24

/** Sanitises an enrichment block: cuts texts and lists, drops unusable members. Never rejects input (specification 2.1). */
export function sanitiseEnrichment(input: unknown): Enrichment | null {
  if (!isRecord(input)) return null
  const images = list(input.images, (image) => {
    const url = webAddress(image.url)
    return url === undefined ? undefined : { url, ...textField('caption', image.caption, 200) }
  })
  const links = list(input.links, (link) => {
    const url = webAddress(link.url)
    return url === undefined ? undefined : { label: usableWords(link.label, 120) ?? beginningOf(url, 120), url }
  })
  const enrichment = {
    ...textField('tagline', input.tagline, 200),
    ...textField('description', input.description, 4000),
    ...(images.length === 0 ? {} : { images }),
    ...(links.length === 0 ? {} : { links }),
  }
  return Object.keys(enrichment).length === 0 ? null : enrichment
}

function list<T>(value: unknown, item: (entry: Record<string, unknown>) => T | undefined): T[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, MAX_ITEMS)
    .map((entry) => (isRecord(entry) ? item(entry) : undefined))
    .filter((entry) => entry !== undefined)
}

const usableWords = (value: unknown, maxCharacters: number) =>
  usableText(value, maxCharacters) ?? usableTexts(value, maxCharacters)

const textField = (name: string, value: unknown, maxCharacters: number) => {
  const result = usableWords(value, maxCharacters)
  return result === undefined ? {} : { [name]: result }
}

function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return undefined
  const url = new URL(value)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}
