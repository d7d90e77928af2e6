import { join } from 'node:path'
import type { Metadata } from '../../src/domain/metadata.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import descriptionsOf, { type Descriptions } from '../../src/publication/descriptions.ts'
import translatorOf from '../../src/publication/translator.ts'
import { ROOT } from '../../src/root.ts'
import categoryValidator from '../../src/services/category-validator.ts'

/** The categories of the repository, as the gateway loads them, and the page that shows them. */
export const plugins = await loadPlugins([join(ROOT, 'plugins/categories'), join(ROOT, 'plugins/representations/html')])

export const categoryNames: readonly string[] = [...plugins.categories.keys()]

export const translator = translatorOf({ plugins })
export const descriptions: Descriptions = descriptionsOf({ plugins, translator })
export const validator = categoryValidator({ plugins, translator })

/** The paths of all errors in metadata. */
export const errorPaths = (metadata: object): string[] =>
  validator.validate(metadata as Metadata, 'en').errors.map(({ path }) => path)
