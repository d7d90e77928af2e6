/** Languages that texts are usually translated into; others are entered as a BCP 47 tag. */
export const LANGUAGES: readonly string[] = [
  ...['bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fi', 'fr', 'ga', 'hr', 'hu', 'is', 'it', 'lt', 'lv', 'mt', 'nl', 'no'],
  ...['pl', 'pt', 'ro', 'sk', 'sl', 'sv', 'tr', 'uk', 'ar', 'ja', 'ko', 'zh'],
]
