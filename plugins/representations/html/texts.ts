import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RenderContext } from '../../../src/plugin/index.ts'
import { type Formats, formatsOf, isLanguage } from './format.ts'
import { humanise } from './text.ts'

/** A name beside a value. `foreign` when it is the passport's own word and not a text of ours. */
export interface Label {
  readonly text: string
  readonly foreign: boolean
}

/** The words and number forms of one page. */
export interface Texts {
  /** Language of the words. Not always the one asked for: a language without a locale file is answered in English. */
  readonly lang: string
  readonly formats: Formats
  /** A text of the locale files. Give it no foreign text as a parameter: a sentence has no place for a `<bdi>`. */
  readonly t: (key: string, params?: Readonly<Record<string, unknown>>) => string
  /** Name of a metadata key, first inside its group. */
  readonly label: (key: string, group?: string) => Label
  /** Meaning of an enumerated value, or undefined. */
  readonly option: (key: string, value: string) => string | undefined
}

// Metadata keys are foreign text, and i18next gives `.` and `:` a meaning: only keys that are known are looked up.
const KNOWN = new Set(keysOf(JSON.parse(readFileSync(join(import.meta.dirname, 'locales', 'en.json'), 'utf8'))))

function* keysOf(texts: object, path = ''): Iterable<string> {
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text === 'object') yield* keysOf(text, `${path}${key}.`)
    else yield `${path}${key}`
  }
}

export function textsFor({ lang, translate }: RenderContext): Texts {
  // WCAG 3.1.1 wants the language that the words are in; the locale file says its own.
  const ownLang = localeOr(translate('page.lang'), lang)
  const isOwn = lang.split('-')[0] === ownLang.split('-')[0]
  // A region that the reader named decides on the form of dates; else the locale file does.
  const locale = isOwn && lang.includes('-') ? lang : localeOr(translate('page.formats'), ownLang)
  return {
    lang: isOwn ? lang : ownLang,
    formats: formatsOf(locale),
    t: translate,
    label: (key, group) => {
      for (const path of group === undefined ? [key] : [`${group}/${key}`, key]) {
        if (KNOWN.has(`field.${path}`)) return { text: translate(`field.${path}`), foreign: false }
      }
      return { text: humanise(key), foreign: true }
    },
    option: (key, value) => {
      const path = `option.${key}.${value.toLowerCase()}`
      return KNOWN.has(path) ? translate(path) : undefined
    },
  }
}

// A key without a text answers itself, and Intl throws for what is no language tag.
const localeOr = (tag: string, otherwise: string): string => (isLanguage(tag) ? tag : otherwise)
