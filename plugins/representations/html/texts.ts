import {
  type CategoryDescription,
  isLanguageTag,
  languageOfCountry,
  type Metadata,
  type RenderContext,
} from '../../../src/plugin/index.ts'
import { type Formats, formatsOf } from './format.ts'
import { humanise } from './text.ts'

/** Name of a value. `foreign`: text of the passport, not of the gateway. */
export interface Label {
  readonly text: string
  readonly foreign: boolean
  readonly mark?: string
}

export interface Texts {
  /** Language of the texts; English if there is no locale file. */
  readonly lang: string
  /** Preferred languages of passport texts: the reader's, then the probable original. */
  readonly languages: readonly string[]
  readonly formats: Formats
  /** Translates a key. Do not pass foreign text as a parameter: sentences cannot contain `<bdi>`. */
  readonly t: (key: string, params?: Readonly<Record<string, unknown>>) => string
  readonly category: CategoryDescription
  readonly modules: ReadonlySet<string>
  /** Falls back to a name derived from the key. */
  readonly label: (key: string, group?: string) => Label
}

const PASSPORT_NAMES: ReadonlySet<string> = new Set(['page.wordmark', 'page.description', 'unit.passport'])

export function textsFor({ lang, translate, describe, modules }: RenderContext, metadata: Metadata = {}): Texts {
  // WCAG 3.1.1 requires the actual text language, which the locale file states.
  const ownLang = localeOr(translate('page.lang'), lang)
  const isOwn = lang.split('-')[0] === ownLang.split('-')[0]
  // The reader's region determines date formats, if given.
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
    modules,
    label: (key, group) => {
      const text = description.label(key, group)
      return text === undefined ? { text: humanise(key), foreign: true } : { text, foreign: false }
    },
  }
}

// Missing keys return themselves, and Intl throws for invalid tags.
const localeOr = (tag: string, otherwise: string): string => (isLanguageTag(tag) ? tag : otherwise)
