import { join } from 'node:path'
import categoryValidator from '../../src/categories/category-validator.ts'
import descriptionsOf, { type Descriptions } from '../../src/categories/descriptions.ts'
import type { Metadata } from '../../src/domain/metadata.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import translatorOf from '../../src/renditions/translator.ts'
import { ROOT } from '../../src/root.ts'

const FOLDERS = ['plugins/categories', 'plugins/representations/html'].map((folder) => join(ROOT, folder))

export const plugins = await loadPlugins(FOLDERS)

export const categoryNames: readonly string[] = [...plugins.categories.keys()]

export const translator = translatorOf({ plugins })
export const descriptions: Descriptions = descriptionsOf({ plugins, translator })
export const validator = categoryValidator({ plugins, translator, descriptions })

/** All categories, including the optional ones. */
export const allPlugins = await loadPlugins([...FOLDERS, join(ROOT, 'optional')])
const allTexts = translatorOf({ plugins: allPlugins })
const ofAll = categoryValidator({
  plugins: allPlugins,
  translator: allTexts,
  descriptions: descriptionsOf({ plugins: allPlugins, translator: allTexts }),
})

/** Paths of all errors in metadata of any category. */
export const errorPaths = (metadata: object): string[] =>
  ofAll.validate(metadata as Metadata, 'en').errors.map(({ path }) => path)
