/** The languages of the specification (section 4). */
export const LANGUAGES = [
  'en',
  'bg',
  'hr',
  'cs',
  'da',
  'nl',
  'et',
  'fi',
  'fr',
  'de',
  'el',
  'hu',
  'ga',
  'it',
  'lv',
  'lt',
  'mt',
  'pl',
  'pt',
  'ro',
  'sk',
  'sl',
  'es',
  'sv',
  'no',
  'is',
  'uk',
  'tr',
] as const

/** Languages that stand for the others where a page is the same in other words: long words, other letters, many cases. */
export const SCRIPTS_AND_LENGTHS: readonly string[] = ['de', 'el', 'fi']
