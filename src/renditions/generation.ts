import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { once } from '../domain/once.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import { ROOT } from '../root.ts'

/** Folders of `src` that decide what a rendition shows; `unit/renditions/generation` follows their imports. */
export const RENDERING =
  'carriers categories credentials domain facilities operators passports plugin renditions units'.split(' ')

type Plugins = Pick<LoadedPlugins, 'list' | 'modules'>

/**
 * Returns the cache key of the code that renders a representation: a hash of its plugin, categories, modules that add to passports, shared
 * code, locales, contexts, Node and base URL. Prevents stale output during rolling upgrades.
 */
export function generationsOf(baseUrl: string, { list, modules }: Plugins): (representation: string) => string {
  const folders = (plugins: readonly { readonly folder: string }[]) => plugins.map(({ folder }) => folder)
  // Node contains the locale rules; renderers ask which modules there are.
  const salt = `${baseUrl} ${process.version} ${modules.map(({ name }) => name)} ${ownFingerprint()}`
  const categories = list.filter(({ kind }) => kind === 'category')
  const shared = fingerprint(salt, folders([...categories, ...modules.filter(({ isRendered }) => isRendered)]))
  const ofFormats = list
    .filter(({ kind }) => kind === 'representation')
    .map((plugin) => [plugin.name, fingerprint(shared, [plugin.folder])] as const)
  const known = new Map(ofFormats)
  const ofModules = once(() => fingerprint(salt, folders(list)))
  return (representation) => known.get(representation) ?? ofModules()
}

const ownFingerprint = once(() => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const folders = RENDERING.map((name) => join(import.meta.dirname, '..', name))
  return fingerprint(JSON.stringify(dependencies), [
    ...folders,
    ...['contexts', 'locales', 'schemas'].map((name) => join(ROOT, name)),
  ])
})

/** Hashes files and folders, without tests and installed packages. */
export function fingerprint(salt: string, paths: readonly string[]): string {
  const hash = createHash('sha256').update(salt)
  for (const path of new Set(paths))
    for (const file of filesIn(path)) hash.update(`\n${file.name}\n`).update(file.bytes)
  return hash.digest('base64url').slice(0, 16)
}

function* filesIn(path: string): Iterable<{ name: string; bytes: Buffer }> {
  if (!existsSync(path)) return
  if (statSync(path).isFile()) return yield { name: basename(path), bytes: readFileSync(path) }
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.test.ts') || name.split(sep).includes('node_modules')) continue
    const file = join(path, name)
    if (statSync(file).isFile()) yield { name, bytes: readFileSync(file) }
  }
}
