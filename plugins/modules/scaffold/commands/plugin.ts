import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Commands, moduleContract, segment, Unreadable, UsageError, word } from '../../../../src/plugin/command.ts'

const TYPES = 'generated.ts'
const SKELETONS = join(import.meta.dirname, '../skeletons')
const TEMPLATE = '.template'

export const KINDS = ['category', 'representation', 'signer', 'module'] as const

export default {
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
      const files = skeletonOf(kind, name)
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
} satisfies Commands

/** Returns path and text of each file of a new plugin: its template with the name of the plugin. */
function skeletonOf(kind: string, name: string): [path: string, text: string][] {
  const folder = join(SKELETONS, kind)
  const pascal = name.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase())
  const withName = (text: string) =>
    text
      .replaceAll('my-plugin', name)
      .replaceAll('my_plugin', name.replaceAll('-', '_'))
      .replaceAll('myPlugin', `${name.charAt(0)}${pascal.slice(1)}`)
      .replaceAll('MyPlugin', pascal)
  return globSync(`**/*${TEMPLATE}`, { cwd: folder })
    .toSorted()
    .map((file) => [withName(file.slice(0, -TEMPLATE.length)), withName(readFileSync(join(folder, file), 'utf8'))])
}

async function typesOf(folder: string): Promise<string> {
  const { default: openapiTS, astToString } = await import('openapi-typescript').catch((error) => {
    throw new Unreadable(`The package openapi-typescript is not installed: ${(error as Error).message}`)
  })
  const contract = JSON.stringify(await moduleContract(folder))
  const nodes = await openapiTS(contract, { immutable: true, defaultNonNullable: false })
  return `// Made of openapi.yaml by \`dpp plugin types\`.\n\n${astToString(nodes)}`
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
