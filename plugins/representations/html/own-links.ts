import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Superseded } from '../../../src/plugin/index.ts'
import type { Texts } from './texts.ts'

export interface LanguageLink {
  readonly lang: string
  readonly name: string
  readonly href: string
  readonly isCurrent: boolean
}

const codes = readdirSync(join(import.meta.dirname, 'locales')).map((file) => basename(file, '.json'))

const LANGUAGES: readonly { readonly lang: string; readonly name: string }[] = codes
  .map((lang) => ({ lang, name: ownNameOf(lang) }))
  .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))

function ownNameOf(lang: string): string {
  const name = new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? lang
  return name.charAt(0).toLocaleUpperCase(lang) + name.slice(1)
}

export const codeOf = ({ lang }: Pick<Texts, 'lang'>): string => lang.split('-')[0] as string

export function withLanguage(address: string, lang: string): string {
  const [, path = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(address) ?? []
  return `${path}${path.includes('?') ? '&' : '?'}lang=${lang}${fragment}`
}

/** Returns the version query of an earlier version with `?`; empty for the current one. */
export const queryOf = (superseded: Superseded | null): string =>
  superseded === null ? '' : new URL(superseded.url).search

/**
 * Returns the language links. They have no path, so they work at any address, and contain only `query`: pages are cached by language.
 * @param query required query of the page
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
