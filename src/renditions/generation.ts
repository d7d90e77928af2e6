import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { once } from '../domain/once.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import { ROOT } from '../root.ts'

/**
 * Cache key of the rendering code: a hash of source, locales, contexts, plugins, dependency versions, Node and base URL. Prevents stale
 * output during rolling upgrades.
 */
export function generationOf(baseUrl: string, { list }: Pick<LoadedPlugins, 'list'>): string {
  // Node contains the locale rules.
  const salt = `${baseUrl} ${process.version} ${ownFingerprint()}`
  return fingerprint(
    salt,
    list.map(({ folder }) => folder),
  )
}

const ownFingerprint = once(() =>
  fingerprint('', [
    join(import.meta.dirname, '..'),
    ...['contexts', 'locales', 'schemas', 'package.json', 'package-lock.json'].map((name) => join(ROOT, name)),
  ]),
)

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
