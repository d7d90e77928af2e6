import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { addPart, type Document, usedIn } from '../http/document.ts'
import { Unreadable } from '../outside/files.ts'
import type { PluginDocument } from '../plugin/loader.ts'
import { ROOT } from '../root.ts'
import { type Commands, segment, UsageError, word } from './command.ts'
import type { Kind } from './plugin-skeletons.ts'

const TYPES = 'generated.ts'

export const KINDS: readonly Kind[] = ['category', 'representation', 'signer', 'module']

export const PLUGIN_COMMANDS: Commands = {
  'plugin new': {
    summary: 'Create a working sample plugin with a test',
    words: [KINDS.join('|'), 'NAME'],
    notes: [
      'NAME: lower-case letters, digits and hyphens. Creates a folder of this name.',
      'The kinds are described in docs/reference/plugins.md.',
    ],
    async run({ words }) {
      const kind = KINDS.find((each) => each === words[0])
      if (kind === undefined) throw new UsageError(`The kind must be one of: ${KINDS.join(', ')}.`)
      const name = segment(words, 'NAME', 1)
      if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) {
        throw new UsageError(`"${name}" is not a valid name: use lower-case letters, digits and hyphens.`)
      }
      const folder = resolve(name)
      if (existsSync(folder)) throw new UsageError(`${folder} already exists. Choose another name.`)
      const { skeletonOf } = await import('./plugin-skeletons.ts')
      const files = [...skeletonOf(kind, name)]
      for (const [path, text] of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      if (kind === 'module') writeFileSync(join(folder, TYPES), await typesOf(folder))
      return {
        json: { folder, files: files.map(([path]) => path) },
        lines: [
          ...files.map(([path]) => join(name, path)),
          `Test it:                node --test ${name}/${name}.test.ts`,
          `Start a gateway with it: ${kind === 'signer' ? `SIGNER=${name} ` : ''}PLUGINS=plugins,${folder} npm start`,
        ],
      }
    },
  },
  'plugin types': {
    summary: 'Generate the types of a module',
    words: ['FOLDER'],
    options: { check: { meaning: 'Fail if the file is out of date, without writing' } },
    notes: [
      `Writes the types of the operations in FOLDER/openapi.yaml to FOLDER/${TYPES}.`,
      'Requires the package openapi-typescript.',
    ],
    async run({ words, options }) {
      const folder = resolve(word(words, 'FOLDER'))
      const file = join(folder, TYPES)
      const types = await typesOf(folder)
      if (options.check !== true) writeFileSync(file, types)
      else if (textIn(file) !== types) {
        return {
          exitCode: 1,
          json: { file, isCurrent: false },
          lines: [`${file} is out of date: run dpp plugin types.`],
        }
      }
      return { json: { file, isCurrent: true }, lines: [file] }
    },
  },
}

async function typesOf(folder: string): Promise<string> {
  const { parse } = await import('yaml')
  const { readDocument } = await import('../plugin/loader.ts')
  const { default: openapiTS, astToString } = await import('openapi-typescript').catch((error) => {
    throw new Unreadable(`The package openapi-typescript is not installed: ${(error as Error).message}`)
  })
  const document: Document = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'))
  const part = await readDocument(join(folder, 'openapi.yaml'), basename(folder), true)
  addPart(document, { plugin: basename(folder), ...part })
  const { openapi, info, components } = document
  const paths = { ...pathsExtendedBy(part, document), ...part.paths }
  const own = { openapi, info, paths, components: usedIn(paths, components) }
  const nodes = await openapiTS(JSON.stringify(own), { immutable: true, defaultNonNullable: false })
  return `// Made of openapi.yaml by \`dpp plugin types\`.\n\n${astToString(nodes)}`
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

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
