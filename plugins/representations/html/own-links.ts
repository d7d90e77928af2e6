import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Superseded } from '../../../src/plugin/index.ts'
import type { Texts } from './texts.ts'

/** A link to this page in another language. */
export interface LanguageLink {
  readonly lang: string
  /** What speakers call their language. */
  readonly name: string
  readonly href: string
  readonly isCurrent: boolean
}

const codes = readdirSync(join(import.meta.dirname, 'locales')).map((file) => basename(file, '.json'))

/** The languages of the page by the names that their speakers know. */
const LANGUAGES: readonly { readonly lang: string; readonly name: string }[] = codes
  .map((lang) => ({ lang, name: ownNameOf(lang) }))
  .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))

function ownNameOf(lang: string): string {
  const name = new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? lang
  return name.charAt(0).toLocaleUpperCase(lang) + name.slice(1)
}

/** The code by which the gateway knows the language of a page. */
export const codeOf = ({ lang }: Pick<Texts, 'lang'>): string => lang.split('-')[0] as string

/** An address of the gateway's own that goes on in the language of the page. */
export function withLanguage(address: string, lang: string): string {
  const [, path = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(address) ?? []
  return `${path}${path.includes('?') ? '&' : '?'}lang=${lang}${fragment}`
}

/** What the address of an earlier version names it by, with its question mark; nothing where it is what the passport is now. */
export const queryOf = (superseded: Superseded | null): string =>
  superseded === null ? '' : new URL(superseded.url).search

/**
 * The switcher: addresses without a path, so that they lead back to the page wherever it was asked for. A page is kept by
 * its language, whatever its address said besides, so that only what the page itself knows can stand in them.
 * @param query what else the address of the page needs
 */
export function languageLinks(texts: Texts, query = ''): LanguageLink[] {
  const current = codeOf(texts)
  return LANGUAGES.map(({ lang, name }) => ({
    lang,
    name,
    href: withLanguage(query, lang),
    isCurrent: lang === current,
  }))
}
