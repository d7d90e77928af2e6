import {
  type CategoryDescription,
  isLanguageTag,
  languageOfCountry,
  type Metadata,
  type RenderContext,
} from '../../../src/plugin/index.ts'
import { type Formats, formatsOf } from './format.ts'
import { humanise } from './text.ts'

/** A name beside a value. `foreign` when it is the passport's own word and not a text of ours. */
export interface Label {
  readonly text: string
  readonly foreign: boolean
  /** Numbers of the acts that ask for it, in the list of the page. */
  readonly mark?: string
}

/** The words and number forms of one page. */
export interface Texts {
  /** Language of the words. Not always the one asked for: a language without a locale file is answered in English. */
  readonly lang: string
  /** Those in which a text of the passport is looked for: the reader's, then that which it was probably written in. */
  readonly languages: readonly string[]
  readonly formats: Formats
  /** A text of the locale files. Give it no foreign text as a parameter: a sentence has no place for a `<bdi>`. */
  readonly t: (key: string, params?: Readonly<Record<string, unknown>>) => string
  /** What the category of the passport says of its keys. */
  readonly category: CategoryDescription
  /** Name of a metadata key, in a readable form of its own where nobody names it. */
  readonly label: (key: string, group?: string) => Label
}

/** Texts that call the page a passport. */
const PASSPORT_NAMES: ReadonlySet<string> = new Set(['page.wordmark', 'page.description', 'unit.passport'])

/** @param metadata of the passport that the page is about */
export function textsFor({ lang, translate, describe }: RenderContext, metadata: Metadata = {}): Texts {
  // WCAG 3.1.1 wants the language that the words are in; the locale file says its own.
  const ownLang = localeOr(translate('page.lang'), lang)
  const isOwn = lang.split('-')[0] === ownLang.split('-')[0]
  // A region that the reader named decides on the form of dates; else the locale file does.
  const locale = isOwn && lang.includes('-') ? lang : localeOr(translate('page.formats'), ownLang)
  const description = describe(metadata.category)
  const instead = description.withoutPassport(metadata)
  return {
    lang: isOwn ? lang : ownLang,
    languages: [lang, ownLang, languageOfCountry(metadata.originCountry) ?? ownLang],
    formats: formatsOf(locale),
    t:
      instead === undefined
        ? translate
        : (key, params) => (PASSPORT_NAMES.has(key) ? instead.title : translate(key, params)),
    category: description,
    label: (key, group) => {
      const text = description.label(key, group)
      return text === undefined ? { text: humanise(key), foreign: true } : { text, foreign: false }
    },
  }
}

// A key without a text answers itself, and Intl throws for what is not a language tag.
const localeOr = (tag: string, otherwise: string): string => (isLanguageTag(tag) ? tag : otherwise)
