import { beginningOf, bestText, type Json, localTextsOf, type Metadata } from '../../../src/plugin/index.ts'

// Limits keep every page below 1 MB and are far above what the categories require. Omitted values are counted.
const MAX_FIELDS = 300
const MAX_MEMBERS = 100
const MAX_ITEMS = 100
const MAX_CHARACTERS = 4000
const MAX_LEVELS = 24
const MAX_BYTES = 640_000
const MARKUP_BYTES = 450

interface Excerpt {
  readonly metadata: Metadata
  readonly left: number
}

interface Budget {
  bytes: number
  left: number
  readonly languages: readonly string[]
}

const leftOut = new WeakMap<object, number>()

export const leftOf = (list: readonly Json[]): number => leftOut.get(list) ?? 0

/**
 * Returns the part of the metadata that fits on a page. Unused budget of a field goes to the next. Language maps count only the displayed
 * text.
 * @param languages as in {@link bestText}
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
  const maxCharacters = Math.max(0, Math.min(MAX_CHARACTERS, budget.bytes))
  const shown = text.length > maxCharacters ? `${beginningOf(text, maxCharacters)}…` : text
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

/** Charges the escaped size of a text; addresses count twice (text and target). */
function charge(text: string, budget: Budget): void {
  const escaped = (text.match(/[&<>"']/g)?.length ?? 0) * 5
  const isAddress = /^https?:/i.test(text)
  const bytes = isAddress ? 2 * encodeURI(text.toWellFormed()).length : Buffer.byteLength(text)
  budget.bytes -= bytes + escaped
}
