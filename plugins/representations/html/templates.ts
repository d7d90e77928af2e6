import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Eta } from 'eta'
import type { Rendered } from '../../../src/plugin/index.ts'
import { hashOf, offlineOf } from './offline.ts'
import type { PageHead } from './page-head.ts'
import type { PassportPage } from './passport-page.ts'
import type { Texts } from './texts.ts'

// `rmWhitespace` affects only template lines, not inserted values.
const eta = new Eta({
  autoEscape: true,
  rmWhitespace: true,
  functionHeader: `const isLong = ({ kind, items = [] }) =>
    ['group', 'code', 'table'].includes(kind) || (kind === 'items' && items.some(({ isBrief }) => !isBrief))`,
})
const folder = join(import.meta.dirname, 'templates')
for (const file of readdirSync(folder).filter((name) => name.endsWith('.eta'))) {
  eta.loadTemplate(`@${basename(file, '.eta')}`, readFileSync(join(folder, file), 'utf8'))
}

const sheet = (name: string): string =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(' > ', '>')
    .replaceAll(' / ', '/')
    // Only between selectors: `calc` needs its spaces.
    .replace(/ \+ (?=[^{}]*\{)/g, '+')
    .replace(/([ :(,-])0\.(?=\d)/g, '$1.')
    .replaceAll(';}', '}')
    .trim()

const base = sheet('base.css')
export const stylesheet: string = base + sheet('style.css')
const stylesheets = { passport: stylesheet, unit: stylesheet + sheet('unit.css'), batch: stylesheet } as const
const journeyStylesheet = sheet('journey.css')
const warningsStylesheet = sheet('warnings.css')
const picturesStylesheet = sheet('pictures.css')
const grantedStylesheet = sheet('granted.css')
const ownStylesheet = stylesheet + sheet('pages.css')
const referenceStylesheet = base + sheet('reference.css')

/**
 * Content Security Policy (CSP Level 3): one style sheet by hash, pictures of this host, the inline icon and only the given scripts.
 * `frame-ancestors` works only in a header, which the server sends.
 */
const policyOf = (styles: string, scripts: string, more: readonly string[] = []): string =>
  [
    "default-src 'none'",
    scripts,
    `style-src ${hashOf(styles)}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    ...more,
  ].join('; ')

const inAddress = (text: string): string =>
  encodeURIComponent(text).replaceAll('%3D', '=').replaceAll('%2F', '/').replaceAll('%3A', ':')

// Inline, so that browsers do not request /favicon.ico.
const icon = `data:image/svg+xml,${inAddress(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#0b5f5a" stroke-width="2.5">' +
    '<rect x="6" y="2.5" width="20" height="27" rx="3.5" fill="#fff"/><path d="M11 23.5h10" stroke-linecap="round"/>' +
    '<circle cx="16" cy="13" r="4.75"/></svg>',
)}`

type PageTexts = Pick<Texts, 't' | 'modules'>

const contentType = 'text/html; charset=utf-8'

/** Renders `templates/<name>.eta`. The brand colour is a rule of the style sheet, because the CSP blocks other styles. */
export function renderTemplate(
  name: keyof typeof stylesheets,
  page: PageHead & Partial<Pick<PassportPage, 'journey' | 'warnings' | 'pictures' | 'presentation'>>,
  { t, modules }: PageTexts,
): { body: string; contentType: string } {
  const accent = page.brand?.accent
  const own = [
    stylesheets[name],
    page.journey === undefined ? '' : journeyStylesheet,
    page.warnings === undefined ? '' : warningsStylesheet,
    hasPictures(page) ? picturesStylesheet : '',
    page.granted === undefined ? '' : grantedStylesheet,
  ].join('')
  const styles = own + (accent === undefined ? '' : `:root{--accent:${accent}}`)
  const { scripts, sources } = offlineOf(modules)
  const it = { page, t, stylesheet: styles, policy: policyOf(styles, sources), icon, scripts }
  return { body: eta.render(`@${name}`, it), contentType }
}

const hasPictures = ({ pictures, presentation }: Partial<Pick<PassportPage, 'pictures' | 'presentation'>>): boolean =>
  (pictures?.others.length ?? 0) > 0 || presentation?.pictures.some(({ isShown }) => isShown) === true

export function renderOwn(
  name: 'access' | 'ceased-unit' | 'choices' | 'problem' | 'vocabulary',
  page: object,
  { t, modules }: PageTexts,
) {
  const { scripts, sources } = offlineOf(modules)
  const it = { page, t, icon, stylesheet: ownStylesheet, policy: policyOf(ownStylesheet, sources), scripts }
  return { body: eta.render(`@${name}`, it), contentType }
}

/** Renders a gateway page with a script, allowed by hash in the CSP. The script reads `texts` from the page. */
export function renderScripted(
  name: 'door' | 'verifier',
  page: object,
  { t, modules }: PageTexts,
  { script, texts }: { readonly script: string; readonly texts: object },
): Rendered {
  const { scripts } = offlineOf(modules)
  const hashes = [...scripts, script].map(hashOf).join(' ')
  // The front page loads the code reader, and the verifier loads passports, from this host only.
  const policy =
    name === 'door'
      ? policyOf(ownStylesheet, `script-src ${hashes} 'self'; worker-src 'self'`)
      : policyOf(ownStylesheet, `script-src ${hashes}; worker-src 'self'`, ["connect-src 'self'"])
  const data = JSON.stringify(texts).replaceAll('<', '\\u003c')
  const it = { page, t, icon, stylesheet: ownStylesheet, policy, data, scripts: [script, ...scripts] }
  return { body: eta.render(`@${name}`, it), contentType }
}

/** Renders a reference page. It omits the passport styles: there are hundreds of such pages. */
export const renderReference = (page: object, { t }: PageTexts): Rendered => ({
  body: eta.render('@reference', {
    page,
    t,
    icon,
    stylesheet: referenceStylesheet,
    policy: policyOf(referenceStylesheet, `script-src ${hashOf(referenceScript)}`),
    scripts: [referenceScript],
  }),
  contentType,
})

/** Joins and minifies scripts: removes indentation and single-line comments. */
export const scriptOf = (...names: readonly string[]): string =>
  names
    .map((file) => readFileSync(join(import.meta.dirname, 'scripts', file), 'utf8'))
    .join('\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//') && !line.startsWith('/*'))
    .join('\n')

const referenceScript = scriptOf('reference.js')
