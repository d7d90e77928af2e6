import type { Problem, RequestedResource } from '../../../src/plugin/index.ts'
import { dictionary } from '../../../src/plugin/index.ts'
import { type LanguageLink, languageLinks } from './own-links.ts'
import { plainText } from './text.ts'
import type { Texts } from './texts.ts'

interface ProblemPage {
  readonly lang: string
  readonly switcher: readonly LanguageLink[]
  readonly title: string
  readonly text: string
  readonly hints: readonly string[]
  readonly code: string
  readonly requested: string
  /** Address with the correct check digit. */
  readonly corrected?: { readonly text: string; readonly href: string | undefined; readonly label: string }
  /** Undefined without the module `front-door`. */
  readonly homeUrl: string | undefined
}

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

const OF_PAGES: Readonly<Record<string, string>> = { 400: 'page', 404: 'page' }

/** Omits the technical message, which is in English. */
export function problemPage({ status, fields }: Problem, requested: RequestedResource, texts: Texts): ProblemPage {
  const { t } = texts
  const known = knownAs(status)
  const hints = Array.from({ length: HINTS[known] as number }, (_, index) => t(`problem.${known}.hint${index + 1}`))
  // RFC 9110 §10.2.3: seconds, or a date, which is ignored.
  const wait = fields.headers?.['retry-after']
  if (status === 429 && wait !== undefined && /^[1-9]\d{0,4}$/.test(wait)) {
    hints[0] = t('problem.429.retry', { count: Number(wait) })
  }
  const own = requested.kind === 'page' && Object.hasOwn(OF_PAGES, known) ? OF_PAGES[known] : undefined
  const { corrected } = requested
  const frontPage = (query: string) => (texts.modules.has('front-door') ? `/?${query}lang=${texts.lang}` : undefined)
  return {
    lang: texts.lang,
    switcher: languageLinks(texts),
    title: t(own === undefined ? `problem.${known}.title` : `problem.${own}.title`),
    text: t(own === undefined ? `problem.${known}.text` : `problem.${own}.text`),
    hints: own === undefined ? hints : [],
    requested: plainText(requested.text),
    corrected:
      corrected === undefined
        ? undefined
        : { text: t('door.problem.checkDigit'), href: frontPage(`q=${corrected}&`), label: corrected },
    homeUrl: frontPage(''),
    code: t('problem.code', { status }),
  }
}

function knownAs(status: number): string {
  if (Object.hasOwn(HINTS, status)) return String(status)
  return status >= 500 ? '500' : 'other'
}
