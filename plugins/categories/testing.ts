import { readdirSync, readFileSync } from 'node:fs'
import { createInstance } from 'i18next'
import type { Metadata } from '../../src/domain/metadata.ts'
import type { CategoryPlugin } from '../../src/plugin/contracts.ts'
import { type CategoryEntry, CategoryValidator, type Translate } from '../../src/services/category-validator.ts'

const root = new URL('../../', import.meta.url)

const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))

const readJsonIfAny = (path: string) => {
  try {
    return readJson(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Names of the category plugins in the repository. */
export const categoryNames: readonly string[] = readdirSync(new URL('plugins/categories/', root), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** The gateway's own texts. */
export const gatewayTexts = (lang: string) => readJson(`locales/${lang}.json`)

/** The texts of one category, if it has any of its own. */
export const categoryTexts = (name: string, lang: string) =>
  readJsonIfAny(`plugins/categories/${name}/locales/${lang}.json`)

/** The schema behind every category. */
export const commonSchema: object = readJson('schemas/common.json')

/** A real i18next over the real locale files, set up for plain text. */
export function translator(namespaces: readonly string[] = categoryNames): Translate {
  const texts = (lang: string) => ({
    gateway: gatewayTexts(lang),
    ...Object.fromEntries(namespaces.map((name) => [name, categoryTexts(name, lang) ?? {}])),
  })
  const i18next = createInstance({
    resources: { en: texts('en'), de: texts('de') },
    fallbackLng: 'en',
    fallbackNS: 'gateway',
    defaultNS: 'gateway',
    interpolation: { escapeValue: false },
    initAsync: false,
  })
  i18next.init()
  return (lang, ns, key, params) => i18next.t(key, { ...params, lng: lang, ns })
}

/** What the plugin loader makes of one category folder. */
export async function categoryEntry(name: string): Promise<CategoryEntry> {
  const { default: plugin } = (await import(`./${name}/index.ts`)) as { default: CategoryPlugin }
  const file = readJsonIfAny(`plugins/categories/${name}/schemas/${name}.json`)
  return { plugin, schema: file ?? plugin.schema, published: file !== undefined }
}

/** A validator over the given categories, by default all of the repository. */
export async function validatorOf(names: readonly string[] = categoryNames): Promise<CategoryValidator> {
  const entries = await Promise.all(names.map(async (name) => [name, await categoryEntry(name)] as const))
  return new CategoryValidator(new Map(entries), commonSchema, translator(names))
}

/** A function that answers the paths of all errors in metadata of the category `name`. */
export async function pathsOf(name: string) {
  const validator = await validatorOf([name])
  return (metadata: object) => validator.validate(metadata as Metadata, 'en').errors.map(({ path }) => path)
}
