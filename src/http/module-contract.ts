import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { PluginDocument } from '../plugin/loader.ts'
import { ROOT } from '../root.ts'
import { addPart, type Document, usedIn } from './document.ts'

/** Returns the paths of a module and those of the core that it extends, with their components. */
export async function moduleContract(folder: string): Promise<Document> {
  const { parse } = await import('yaml')
  const { readDocument } = await import('../plugin/loader.ts')
  const document: Document = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'))
  const part = await readDocument(join(folder, 'openapi.yaml'), basename(folder), true)
  addPart(document, { plugin: basename(folder), ...part })
  const { openapi, info, components } = document
  const paths = { ...pathsExtendedBy(part, document), ...part.paths }
  return { openapi, info, paths, components: usedIn(paths, components) }
}

/** Paths of the core that refer to a schema which the module extends. */
function pathsExtendedBy({ components }: Pick<PluginDocument, 'components'>, { paths }: Document): Document {
  const extended = Object.entries<Document>(components.schemas ?? {}).flatMap(([name, schema]) =>
    schema['x-extends'] === true ? [`"#/components/schemas/${name}"`] : [],
  )
  return Object.fromEntries(
    Object.entries(paths).filter(([, item]) => extended.some((name) => JSON.stringify(item).includes(name))),
  )
}
