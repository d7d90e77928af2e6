import { parseWeightedList } from './negotiate.ts'

const FALLBACK = 'en'
// Longer than any language tag in use (RFC 5646 §4.4.1 names 35 as enough).
const MAX_TAG_CHARACTERS = 64

/**
 * The language of an answer: the `lang` parameter if it is available, else the best of Accept-Language, else English. An
 * unknown language is ignored, never an error (specification section 4). Tags are compared by their primary language, as
 * RFC 4647 §3.4 looks them up: `de-AT` finds `de`. `available` holds lower-case codes.
 */
export function chooseLanguage(
  langParam: string | null,
  acceptLanguage: string | undefined,
  available: ReadonlySet<string>,
): string {
  const asked = langParam === null ? undefined : primaryLanguage(langParam.trim())
  if (asked !== undefined && available.has(asked)) return asked
  if (acceptLanguage === undefined) return FALLBACK

  let best = FALLBACK
  let bestQuality = 0
  for (const { value, quality } of parseWeightedList(acceptLanguage)) {
    if (quality <= bestQuality) continue
    const language = value === '*' ? FALLBACK : primaryLanguage(value)
    if (language === undefined || !available.has(language)) continue
    best = language
    bestQuality = quality
  }
  return best
}

/** The primary language of a tag, by which tags are compared; undefined for what is none. */
export function primaryLanguage(tag: string): string | undefined {
  if (tag === '' || tag.length > MAX_TAG_CHARACTERS) return undefined
  const primary = (tag.split(/[-_]/, 1)[0] as string).toLowerCase()
  // Bokmål and Nynorsk are told apart by their own codes, and our Norwegian texts carry the macrolanguage's.
  return primary === 'nb' || primary === 'nn' ? 'no' : primary
}
