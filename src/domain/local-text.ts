import { isCountryCode } from './countries.ts'
import { primaryLanguage } from './language.ts'
import { memoize } from './memoize.ts'
import type { Json } from './metadata.ts'
import { isRecord } from './record.ts'
import { beginningOf } from './text.ts'
import { REDACTED } from './view.ts'

export interface LocalText {
  /** BCP 47 tag in a language map; unvalidated in a list. */
  readonly language: string
  readonly text: string
}

const MAX_LANGUAGES = 60

/** Returns the translations in a language map (`{"en": …}`) or an EN 18223 list (`[{"value": …, "language": …}]`). */
export function localTextsOf(value: unknown): readonly LocalText[] | undefined {
  const texts = Array.isArray(value) ? listed(value) : isRecord(value) ? mapped(value) : undefined
  return texts === undefined || texts.length === 0 ? undefined : texts
}

function listed(list: readonly unknown[]): LocalText[] | undefined {
  const texts: LocalText[] = []
  for (const item of list) {
    if (!isRecord(item) || Object.keys(item).length !== 2) return undefined
    const { value: text, language } = item
    if (typeof text !== 'string' || typeof language !== 'string') return undefined
    texts.push({ language, text })
  }
  return texts
}

/** Codes that are also words, units or markets. */
const WORDS: ReadonlySet<string> = new Set(['as', 'eu', 'id', 'is', 'mg', 'ml', 'no', 'or', 'to', 'uk'])

/** Word required near the start, to bound the cost. */
const WORD = /\p{L}{3}/u
const WORD_WITHIN = 40

/**
 * Parses a language map. Excludes similar groups: element symbols (capitalized), sizes by market (`{"it": "44"}`), and groups with only
 * {@link WORDS}.
 */
function mapped(group: Readonly<Record<string, unknown>>): LocalText[] | undefined {
  const entries = Object.entries(group)
  if (entries.length > MAX_LANGUAGES) return undefined
  const texts: LocalText[] = []
  for (const [language, text] of entries) {
    if (typeof text !== 'string' || text === REDACTED || !/^[a-z]{2,3}(-|$)/.test(language)) return undefined
    if (!isLanguageTag(language)) return undefined
    if (text.trim() !== '') texts.push({ language, text })
  }
  const isNoOtherGroup = texts.some(({ language }) => /^[a-z]{2}(-|$)/.test(language) && !WORDS.has(language))
  return isNoOtherGroup && texts.some(({ text }) => WORD.test(text.slice(0, WORD_WITHIN))) ? texts : undefined
}

/**
 * Returns the text in the first available language, else English, else the first. Compares tags, then primary languages (RFC 4647 §3.4).
 * @param texts at least one
 */
export function bestText(texts: readonly LocalText[], languages: readonly (string | undefined)[]): LocalText {
  const preferred = [...languages, 'en'].filter((language) => language !== undefined)
  for (const language of preferred) {
    const found =
      texts.find((text) => text.language.toLowerCase() === language.toLowerCase()) ??
      texts.find((text) => primaryLanguage(text.language) === primaryLanguage(language))
    if (found !== undefined) return found
  }
  return texts[0] as LocalText
}

export function textFor(value: Json | undefined, languages: readonly (string | undefined)[]): string | undefined {
  if (typeof value === 'string') return value.trim() === '' || value === REDACTED ? undefined : value
  const texts = localTextsOf(value)
  return texts && bestText(texts, languages).text
}

/** Returns valid entries, cut to `maxCharacters` characters each. */
export function usableTexts(value: unknown, maxCharacters: number): Readonly<Record<string, string>> | undefined {
  if (!isRecord(value)) return undefined
  const texts = Object.entries(value)
    .filter(([language, text]) => isLanguageTag(language) && typeof text === 'string' && text.trim() !== '')
    .slice(0, MAX_LANGUAGES)
    .map(([language, text]) => [language, beginningOf((text as string).trim(), maxCharacters)])
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Memoized: Intl is too slow for thousands of maps. */
const isLanguage = memoize((language: string) => names.of(language) !== undefined, { entries: 2000, characters: 3 })

/** UTS 35, `unicode_language_id`. */
const LANGUAGE_ID = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?((?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)$/i

/** True for a BCP 47 tag that software recognizes. */
export function isLanguageTag(tag: string): boolean {
  const [, language, variants = ''] = (tag.length <= 35 && LANGUAGE_ID.exec(tag)) || []
  if (language === undefined || !isLanguage(language)) return false
  const named = variants.toLowerCase().split('-')
  return new Set(named).size === named.length
}

/** Returns the most spoken language (CLDR). */
export function languageOfCountry(country: Json | undefined): string | undefined {
  if (typeof country !== 'string' || !isCountryCode(country)) return undefined
  return new Intl.Locale(`und-${country}`).maximize().language
}
