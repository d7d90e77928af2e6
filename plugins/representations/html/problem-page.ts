import type { Problem, RequestedResource } from '../../../src/plugin/index.ts'
import { dictionary } from '../../../src/plugin/index.ts'
import { type LanguageLink, languageLinks } from './own-links.ts'
import { plainText } from './text.ts'
import type { Texts } from './texts.ts'

/** Everything that `templates/problem.eta` writes. */
interface ProblemPage {
  readonly lang: string
  readonly switcher: readonly LanguageLink[]
  readonly title: string
  readonly text: string
  readonly hints: readonly string[]
  readonly code: string
  /** What the address asked for. */
  readonly asked: string
  /** The address with the right check digit. */
  readonly corrected?: { readonly text: string; readonly href: string; readonly label: string }
  /** The page that finds passports. */
  readonly homeUrl: string
}

/** How many hints the locale files have for each status; any other status is answered by `other`. */
const HINTS = dictionary<number>({
  400: 2,
  401: 2,
  403: 2,
  404: 3,
  406: 1,
  410: 1,
  429: 1,
  500: 1,
  503: 1,
  other: 2,
})

/** Texts for addresses that are none of a passport. */
const OF_PAGES: Readonly<Record<string, string>> = { 400: 'page', 404: 'page' }

/**
 * A problem for people: what was asked for, what the answer means and what to do. The message of the problem is technical
 * English, and is left out.
 */
export function problemPage({ status, fields }: Problem, asked: RequestedResource, texts: Texts): ProblemPage {
  const { t } = texts
  const known = knownAs(status)
  const hints = Array.from({ length: HINTS[known] as number }, (_, index) => t(`problem.${known}.hint${index + 1}`))
  // RFC 9110 §10.2.3: seconds, or a date that only a clock could turn into a waiting time.
  const wait = fields.headers?.['retry-after']
  if (status === 429 && wait !== undefined && /^[1-9]\d{0,4}$/.test(wait)) {
    hints[0] = t('problem.429.retry', { count: Number(wait) })
  }
  // What is said of passports is not said of an address that is none of a passport.
  const own = asked.kind === 'page' && Object.hasOwn(OF_PAGES, known) ? OF_PAGES[known] : undefined
  const { corrected } = asked
  return {
    lang: texts.lang,
    switcher: languageLinks(texts),
    title: t(own === undefined ? `problem.${known}.title` : `problem.${own}.title`),
    text: t(own === undefined ? `problem.${known}.text` : `problem.${own}.text`),
    hints: own === undefined ? hints : [],
    asked: plainText(asked.text),
    corrected:
      corrected === undefined
        ? undefined
        : { text: t('door.problem.checkDigit'), href: `/?q=${corrected}&lang=${texts.lang}`, label: corrected },
    homeUrl: `/?lang=${texts.lang}`,
    code: t('problem.code', { status }),
  }
}

/** Under which of {@link HINTS} a status stands. */
function knownAs(status: number): string {
  if (Object.hasOwn(HINTS, status)) return String(status)
  return status >= 500 ? '500' : 'other'
}
