import { parseWeightedList } from './negotiate.ts'

const FALLBACK = 'en'
// Longer than any language tag in use (RFC 5646 §4.4.1: 35).
const MAX_TAG_CHARACTERS = 64

/**
 * Chooses `lang` if available, else the best of Accept-Language, else English. Ignores unknown languages (specification section 4).
 * Compares primary languages (RFC 4647 §3.4).
 */
export function chooseLanguage(
  langParam: string | null,
  acceptLanguage: string | undefined,
  available: ReadonlySet<string>,
): string {
  const requested = langParam === null ? undefined : primaryLanguage(langParam.trim())
  if (requested !== undefined && available.has(requested)) return requested
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

export function primaryLanguage(tag: string): string | undefined {
  if (tag === '' || tag.length > MAX_TAG_CHARACTERS) return undefined
  const primary = (tag.split(/[-_]/, 1)[0] as string).toLowerCase()
  // Norwegian texts use the macrolanguage code.
  return primary === 'nb' || primary === 'nn' ? 'no' : primary
}
