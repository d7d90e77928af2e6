import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { addPart, type Document, usedIn } from '../http/document.ts'
import { Unreadable } from '../outside/files.ts'
import { ROOT } from '../root.ts'
import { type Commands, word } from './command.ts'

const TYPES = 'generated.ts'

export const PLUGIN_COMMANDS: Commands = {
  'plugin types': {
    summary: 'generate the types of a module',
    words: ['FOLDER'],
    options: { check: { meaning: 'write nothing, and fail if the file is out of date' } },
    notes: [
      `It writes the operations of FOLDER/openapi.yaml to FOLDER/${TYPES}, for the handlers of the module.`,
      'It needs the package openapi-typescript.',
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
  const own = { openapi, info, paths: part.paths, components: usedIn(part.paths, components) }
  const nodes = await openapiTS(JSON.stringify(own), { immutable: true, defaultNonNullable: false })
  return `// Made of openapi.yaml by \`dpp plugin types\`.\n\n${astToString(nodes)}`
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
