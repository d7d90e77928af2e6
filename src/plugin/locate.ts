import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/** Invalid plugin; stops start-up. */
export class PluginError extends Error {
  override name = 'PluginError'
}

const INDEX_FILES = ['index.ts', 'index.js', 'index.mjs']

/** Returns the entries of the variable `PLUGINS`; by default the plugins of the gateway. */
export function pluginEntries(value: string | undefined): string[] {
  const given = value === undefined || value === '' ? resolve(import.meta.dirname, '../../plugins') : value
  return given
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/**
 * Finds plugins without loading them.
 * @param entry a plugin folder, a folder of plugin folders, or an npm package, resolved from `from`
 * @throws PluginError if there is none
 */
export function locate(entry: string, from: string): { main: string; folder: string }[] {
  const folder = resolve(from, entry)
  if (existsSync(folder) && statSync(folder).isDirectory()) {
    const found = pluginFolders(folder)
    if (found.length === 0)
      throw new PluginError(`PLUGINS: the folder ${folder} has no plugin (no ${INDEX_FILES.join(', ')}).`)
    return found
  }
  try {
    const main = createRequire(join(from, 'package.json')).resolve(entry)
    return [{ main, folder: dirname(main) }]
  } catch {
    throw new PluginError(`PLUGINS: "${entry}" is neither a folder (${folder}) nor an installed package.`)
  }
}

function pluginFolders(folder: string): { main: string; folder: string }[] {
  const main = INDEX_FILES.map((name) => join(folder, name)).find((file) => existsSync(file))
  if (main !== undefined) return [{ main, folder }]
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => pluginFolders(join(folder, entry.name)))
}
