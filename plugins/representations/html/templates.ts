import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Eta } from 'eta'

// Read once. `rmWhitespace` acts on the templates' own lines, never on what is put into them.
const eta = new Eta({ autoEscape: true, rmWhitespace: true })
const folder = join(import.meta.dirname, 'templates')
for (const file of readdirSync(folder).filter((name) => name.endsWith('.eta'))) {
  eta.loadTemplate(`@${basename(file, '.eta')}`, readFileSync(join(folder, file), 'utf8'))
}

/** The style sheet as it stands in the page, without comments and indentation. */
export const stylesheet: string = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8')
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\s+/g, ' ')
  .replace(/ ?([{};,]) ?/g, '$1')
  .replaceAll(': ', ':')
  .replaceAll(';}', '}')
  .trim()

/**
 * Content Security Policy of every page (CSP Level 3): one style sheet, by its hash; pictures of this host and the icon
 * within the page; no script and no other host at all. `frame-ancestors` works in a response header only, so the server
 * sends that one.
 */
export const policy: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

// In the page, so that a browser does not ask for /favicon.ico.
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#0b5f5a" stroke-width="2.5">' +
    '<rect x="6" y="2.5" width="20" height="27" rx="3.5" fill="#fff"/><path d="M11 23.5h10" stroke-linecap="round"/>' +
    '<circle cx="16" cy="13" r="4.75"/></svg>',
)}`

/** A page from `templates/<name>.eta`. */
export const renderTemplate = (
  name: 'access' | 'ceased-unit' | 'choices' | 'passport' | 'problem' | 'unit',
  page: object,
  t: (key: string, params?: Readonly<Record<string, unknown>>) => string,
): string => eta.render(`@${name}`, { page, t, stylesheet, policy, icon })
