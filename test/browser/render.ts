import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInstance } from 'i18next'
import html from '../../plugins/representations/html/index.ts'
import type { PassportView, Problem, RenderContext } from '../../src/plugin/index.ts'
import { LANGUAGES } from '../support/languages.ts'

const locales = join(import.meta.dirname, '../../plugins/representations/html/locales')
const textsOf = (lang: string): object => JSON.parse(readFileSync(join(locales, `${lang}.json`), 'utf8'))

const i18n = createInstance()
i18n.init({
  resources: Object.fromEntries(LANGUAGES.map((lang) => [lang, { html: textsOf(lang) }])),
  fallbackLng: 'en',
  defaultNS: 'html',
  initAsync: false,
  showSupportNotice: false,
  interpolation: { escapeValue: false },
} as Parameters<typeof i18n.init>[0])

/** What the gateway gives to a renderer, with the plugin's own locale files only. */
export const contextFor = (lang = 'en'): RenderContext => ({
  lang,
  translate: (key, params) => i18n.t(key, { ...params, lng: lang }) as string,
  mediaTypes: [
    'application/aas+json',
    'application/vc+jwt',
    'text/html',
    'application/ld+json',
    'application/example+json',
  ],
})

/** The passport page of a view. */
export const renderPage = (view: PassportView, lang = 'en'): string => html.render(view, contextFor(lang)).body

/** The error page of a problem. */
export const renderProblemPage = (problem: Problem, lang = 'en'): string =>
  html.renderProblem(problem, contextFor(lang)).body

/** The page of several passports for one product. */
export const renderChoicesPage = (lang = 'en'): string =>
  html.renderChoices(
    ['Nordlicht Zellwerke AG', `${'Donaudampfschifffahrt'.repeat(12)} <b>&</b>`].map((company, index) => ({
      href: `https://passport.example/passport/${index}`,
      company,
      isClaimed: index === 0,
      isSealed: index === 0,
    })),
    contextFor(lang),
  ).body
