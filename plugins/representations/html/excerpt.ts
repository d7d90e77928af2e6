import { beginningOf, bestText, type Json, localTextsOf, type Metadata } from '../../../src/plugin/index.ts'

// A page is for people: what nobody would scroll through is left out and counted. Every bound is far above what the
// categories ask for, and together they keep any page below a megabyte.
const MAX_FIELDS = 300
const MAX_MEMBERS = 100
const MAX_ITEMS = 100
const MAX_CHARACTERS = 4000
const MAX_LEVELS = 24
/** Bytes of a page that its values may take, and of the markup around one of them. */
const MAX_BYTES = 640_000
const MARKUP_BYTES = 450

/** What the page shows of the metadata. */
interface Excerpt {
  readonly metadata: Metadata
  /** Values that it does not show, or not to their end. */
  readonly left: number
}

interface Budget {
  bytes: number
  left: number
  readonly languages: readonly string[]
}

const leftOut = new WeakMap<object, number>()

/** Items that an excerpt has left out of this list. */
export const leftOf = (list: readonly Json[]): number => leftOut.get(list) ?? 0

/**
 * The part of the metadata that fits on a page; what is not used of the share of one field is there for the next. Of a
 * text in several languages it is the one that the page shows, for the others would take its room.
 * @param languages as {@link bestText} takes them
 */
export function excerptOf(metadata: Metadata, languages: readonly string[]): Excerpt {
  const keys = Object.keys(metadata)
  const shown = keys.slice(0, MAX_FIELDS)
  const fields: [string, Json][] = []
  let bytes = MAX_BYTES
  let left = keys.length - shown.length
  for (const [index, key] of shown.entries()) {
    const share = Math.floor(bytes / (shown.length - index))
    const budget = { bytes: share, left: 0, languages }
    charge(key, budget)
    fields.push([key, cut(metadata[key] as Json, budget, 1)])
    bytes -= share - budget.bytes
    left += budget.left
  }
  return { metadata: Object.fromEntries(fields), left }
}

function cut(value: Json, budget: Budget, depth: number): Json {
  budget.bytes -= MARKUP_BYTES
  if (typeof value === 'string') return cutText(value, budget)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_LEVELS) {
    budget.left += 1
    return '…'
  }
  const texts = localTextsOf(value)
  if (texts !== undefined) {
    const { language, text } = bestText(texts, budget.languages)
    return [{ value: cutText(text, budget), language: cutText(language, budget) }]
  }
  return Array.isArray(value) ? cutList(value, budget, depth) : cutObject(value as Metadata, budget, depth)
}

function cutText(text: string, budget: Budget): string {
  const most = Math.max(0, Math.min(MAX_CHARACTERS, budget.bytes))
  const shown = text.length > most ? `${beginningOf(text, most)}…` : text
  if (shown !== text) budget.left += 1
  charge(shown, budget)
  return shown
}

function cutList(list: readonly Json[], budget: Budget, depth: number): Json {
  const items: Json[] = []
  for (const item of list) {
    if (items.length === MAX_ITEMS || budget.bytes <= 0) break
    items.push(cut(item, budget, depth + 1))
  }
  const left = list.length - items.length
  if (left > 0) leftOut.set(items, left)
  budget.left += left
  return items
}

function cutObject(object: Metadata, budget: Budget, depth: number): Json {
  const keys = Object.keys(object)
  const members: [string, Json][] = []
  for (const key of keys) {
    if (members.length === MAX_MEMBERS || budget.bytes <= 0) break
    charge(key, budget)
    members.push([key, cut(object[key] as Json, budget, depth + 1)])
  }
  budget.left += keys.length - members.length
  return Object.fromEntries(members)
}

/** Takes what a text costs on the page: escaped, and twice where it is an address, which is text and target. */
function charge(text: string, budget: Budget): void {
  const escaped = (text.match(/[&<>"']/g)?.length ?? 0) * 5
  const isAddress = /^https?:/i.test(text)
  const bytes = isAddress ? 2 * encodeURI(text.toWellFormed()).length : Buffer.byteLength(text)
  budget.bytes -= bytes + escaped
}
