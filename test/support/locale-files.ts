import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../src/root.ts'

/** Folders of locale files: the gateway's own and those of the plugins that come with it, switched on or not. */
export const LOCALE_FOLDERS = ['locales', ...globSync('{plugins,optional}/*/*/locales', { cwd: ROOT })]
/** The suffix of a plural form. */
export const PLURAL = /_(zero|one|two|few|many|other)$/

/** Returns the texts of a locale file by their dotted keys, without the help of fields. */
export const readTexts = (folder: string, language: string): ReadonlyMap<string, string> => {
  const { fieldHelp: _, ...texts } = read(folder, language)
  return new Map(flatten(texts))
}

/** Returns the help of fields, by the English description of the schema. */
export const readHelp = (folder: string, language: string): ReadonlyMap<string, string> =>
  new Map(Object.entries(read(folder, language).fieldHelp ?? {}))

const read = (folder: string, language: string): { readonly fieldHelp?: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync(join(ROOT, folder, `${language}.json`), 'utf8'))

function* flatten(texts: object, path = ''): Iterable<[string, string]> {
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text === 'string') yield [path + key, text]
    else yield* flatten(text, `${path}${key}.`)
  }
}
