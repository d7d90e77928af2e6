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

/** How many pages are looked at for their longest words. */
const WIDEST = 5

/**
 * Of one page in all languages those whose words are the longest, and those that stand for the others. What makes a page too wide
 * is a word that cannot be broken: where the longest fit, the others do.
 * @param textOf what a page says, without markup
 */
export function withLongestWords<Page extends { readonly lang: string }>(
  pages: readonly Page[],
  textOf: (page: Page) => string,
): Page[] {
  const longest = (page: Page) =>
    Math.max(
      ...textOf(page)
        .split(/\s+/)
        .map(({ length }) => length),
    )
  const widest = pages.toSorted((one, other) => longest(other) - longest(one)).slice(0, WIDEST)
  return pages.filter((page) => widest.includes(page) || SCRIPTS_AND_LENGTHS.includes(page.lang))
}
