import { html } from '../../plugins/representations/html/index.ts'
import { OFFLINE_SCRIPT } from '../../plugins/representations/html/offline.ts'
import { fieldsOf } from '../../src/domain/field.ts'
import { COMMON_SCHEMA } from '../../src/plugin/common-schema.ts'
import type {
  BatchView,
  CeasedUnitView,
  PassportStatus,
  PassportView,
  Problem,
  RenderContext,
  RequestedResource,
  UnitView,
} from '../../src/plugin/index.ts'
import { descriptions, plugins, translator } from '../support/categories.ts'
import { SCRIPTS_AND_LENGTHS } from '../support/languages.ts'

export const contextFor = (lang = 'en'): RenderContext => ({
  lang,
  translate: (key, params) => translator.translate(lang, 'html', key, params),
  mediaTypes: [
    'application/aas+json',
    'application/vc+jwt',
    'text/html',
    'application/ld+json',
    'application/example+json',
  ],
  modules: new Set(['front-door', 'reference', 'verifier']),
  describe: (category) => descriptions.of(category, lang),
})

/** Every metadata key of a category or the common schema. */
export const keysOfCategories: readonly string[] = [
  ...new Set(
    [COMMON_SCHEMA, ...[...plugins.categories.values()].map(({ schema }) => schema)].flatMap((schema) => [
      ...fieldsOf(schema, COMMON_SCHEMA).keys(),
    ]),
  ),
]

/** Caches pages by view and language: many tests share them. */
function cached<View extends object>(render: (view: View, lang: string) => string) {
  const pages = new WeakMap<View, Map<string, string>>()
  return (view: View, lang = 'en'): string => {
    const ofView = pages.get(view) ?? new Map<string, string>()
    pages.set(view, ofView)
    const page = ofView.get(lang) ?? render(view, lang)
    ofView.set(lang, page)
    return page
  }
}

export const renderPage = cached<PassportView>((view, lang) => html.render(view, contextFor(lang)).body)

/** The page of a superseded version. */
export const renderVersionPage = (view: PassportView, statusNow: PassportStatus, lang = 'en'): string => {
  const currentUrl = `${view.baseUrl}/passport/${view.id}`
  const superseded = {
    number: 2,
    at: '2027-01-31T10:00:00.000Z',
    url: `${currentUrl}?version=2`,
    currentUrl,
    statusNow,
  }
  const versions = { shown: superseded.number, earlier: [] }
  return html.renderVersion({ ...view, superseded, versions }, contextFor(lang)).body
}

export const renderUnitPage = cached<UnitView>((unit, lang) => html.renderUnit(unit, contextFor(lang)).body)

export const renderBatchPage = cached<BatchView>(
  (batch, lang) => html.levels.batch.render(batch, contextFor(lang)).body,
)

/** The page of a recycled unit. */
export const renderCeasedUnitPage = (unit: CeasedUnitView, lang = 'en'): string =>
  html.renderCeasedUnit(unit, contextFor(lang)).body

export const renderProblemPage = (
  problem: Problem,
  lang = 'en',
  requested: RequestedResource = { kind: 'passport', text: '09506000134353' },
): string => html.renderProblem(problem, contextFor(lang), requested).body

/** The page of several passports for one product. */
export const renderChoicesPage = (lang = 'en'): string =>
  html.renderChoices(
    ['Nordlicht Zellwerke AG', `${'Donaudampfschifffahrt'.repeat(12)} <b>&</b>`].map((company, index) => ({
      href: `https://passport.example/passport/${index}`,
      company,
      country: 'DE',
      status: 'ACTIVE',
      isClaimed: index === 0,
      isSealed: index === 0,
    })),
    contextFor(lang),
  ).body

/** The page without the gateway's own style sheet and script, which look like content. */
export const withoutOwnCode = (page: string) =>
  page.replace(/<style>[\s\S]*?<\/style>/, '').replace(`<script>${OFFLINE_SCRIPT}</script>`, '')

/** Anchors that the page links to and lacks. */
export function deadAnchors(page: string): string[] {
  const ids = new Set([...page.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id))
  return [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id = '']) => id).filter((id) => !ids.has(id))
}

/** Visible text, without markup and soft hyphens. */
export const words = (page: string) =>
  withoutOwnCode(page)
    .replaceAll('\u00ad', '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

/** Pages checked for their longest words. */
const WIDEST = 5

/**
 * Pages with the longest words of all languages, and the sample languages. Only unbreakable words make a page too wide.
 */
export function withLongestWords<Page extends { readonly lang: string; readonly html: string }>(
  pages: readonly Page[],
): Page[] {
  const measured = pages.map((page) => ({ page, longest: longestWord(page.html) }))
  const widest = measured
    .toSorted((one, other) => other.longest - one.longest)
    .slice(0, WIDEST)
    .map(({ page }) => page)
  return pages.filter((page) => widest.includes(page) || SCRIPTS_AND_LENGTHS.includes(page.lang))
}

/** Length of the longest word, which may break at a soft hyphen. */
const longestWord = (html: string) =>
  Math.max(
    ...words(withoutScripts(html).replaceAll('\u00ad', ' '))
      .split(' ')
      .map(({ length }) => length),
  )

export const withoutScripts = (page: string) => page.replace(/<script>[\s\S]*?<\/script>/g, '')
