import { isCountryCode } from './countries.ts'
import { primaryLanguage } from './language.ts'
import { memoize } from './memoize.ts'
import type { Json } from './metadata.ts'
import { isRecord } from './record.ts'
import { beginningOf } from './text.ts'
import { REDACTED } from './view.ts'

/** A text in one of the languages that a value states it in. */
export interface LocalText {
  /** As stated: a BCP 47 tag where the value is a language map, else whatever stands there. */
  readonly language: string
  readonly text: string
}

/** More languages than this are no text for people. */
const MAX_LANGUAGES = 60

/**
 * The languages of a text that is stated in several: a language map (`{"en": …, "pl": …}`), or the list of EN 18223
 * (`[{"value": …, "language": …}]`). Undefined for any other value.
 */
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

/** Language codes that are words or codes of something else just as well: of members, units, markets. */
const WORDS: ReadonlySet<string> = new Set(['as', 'eu', 'id', 'is', 'mg', 'ml', 'no', 'or', 'to', 'uk'])

/** Near its beginning: thousands of long texts may have none. */
const WORD = /\p{L}{3}/u
const WORD_WITHIN = 40

/**
 * A group is a language map where every member is a text under a language tag. Groups of other things can look like one:
 * symbols of elements are capitalised, so the language must not be; sizes by market (`{"it": "44"}`) have no word in them;
 * and a group of nothing but {@link WORDS} stays a group.
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
 * The text in the first of the languages that there is one in, else in English, else the first. Tags are compared as they
 * are, then by their primary language (RFC 4647 §3.4).
 * @param texts one at least
 */
export function bestText(texts: readonly LocalText[], languages: readonly (string | undefined)[]): LocalText {
  const wanted = [...languages, 'en'].filter((language) => language !== undefined)
  for (const language of wanted) {
    const found =
      texts.find((text) => text.language.toLowerCase() === language.toLowerCase()) ??
      texts.find((text) => primaryLanguage(text.language) === primaryLanguage(language))
    if (found !== undefined) return found
  }
  return texts[0] as LocalText
}

/** A text, or the best of several for the languages; undefined for anything else, and for what is blank. */
export function textFor(value: Json | undefined, languages: readonly (string | undefined)[]): string | undefined {
  if (typeof value === 'string') return value.trim() === '' || value === REDACTED ? undefined : value
  const texts = localTextsOf(value)
  return texts && bestText(texts, languages).text
}

/** A language map with every text cut, and without what is none; undefined where nothing is left. */
export function usableTexts(value: unknown, most: number): Readonly<Record<string, string>> | undefined {
  if (!isRecord(value)) return undefined
  const texts = Object.entries(value)
    .filter(([language, text]) => isLanguageTag(language) && typeof text === 'string' && text.trim() !== '')
    .slice(0, MAX_LANGUAGES)
    .map(([language, text]) => [language, beginningOf((text as string).trim(), most)])
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Intl needs too long for thousands of language maps. */
const isLanguage = memoize((language: string) => names.of(language) !== undefined, { entries: 2000, characters: 3 })

/** Language, script, region and variants (UTS 35, `unicode_language_id`). */
const LANGUAGE_ID = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?((?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)$/i

/** Whether the tag names a language that software will recognise (BCP 47). */
export function isLanguageTag(tag: string): boolean {
  const [, language, variants = ''] = (tag.length <= 35 && LANGUAGE_ID.exec(tag)) || []
  if (language === undefined || !isLanguage(language)) return false
  const named = variants.toLowerCase().split('-')
  return new Set(named).size === named.length
}

/** The language that most people speak in the country (CLDR), or undefined. */
export function languageOfCountry(country: Json | undefined): string | undefined {
  if (typeof country !== 'string' || !isCountryCode(country)) return undefined
  return new Intl.Locale(`und-${country}`).maximize().language
}
