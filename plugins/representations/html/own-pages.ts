import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { plainText } from './text.ts'

/** What every one of the gateway's own pages has. */
export interface OwnPage {
  readonly lang: string
  readonly title: string
  readonly text: string
  readonly languages: readonly { readonly lang: string; readonly name: string }[]
}

/** The languages that there are texts in, by their own names. */
export const LANGUAGES: OwnPage['languages'] = readdirSync(join(import.meta.dirname, 'locales'))
  .map((file) => basename(file, '.json'))
  .sort()
  .map((lang) => {
    const name = new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? lang
    return { lang, name: name.charAt(0).toLocaleUpperCase(lang) + name.slice(1) }
  })

/** A name within a sentence: in another direction it must not turn the sentence around (First strong isolate, UAX #9). */
export const isolated = (name: string): string => `\u2068${plainText(name)}\u2069`
