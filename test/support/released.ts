import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadContract } from '../../src/http/contract.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import { CONTRACT_VERSION } from '../../src/root.ts'
import { loadConfig } from '../../src/start/config.ts'
import { allMigrations } from '../../src/start/gateway.ts'
import { sqlOf } from '../../src/storage/migrate.ts'
import type { MarkedMigration } from './expand-only.ts'
import { promisedBy } from './promised-contract.ts'

/** Promises of the last release, in test/released.json; written only by `npm run released` with each release. */
export interface Released {
  readonly version: string
  /** SHA-256 of each migration, in order. */
  readonly migrations: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document.
  readonly contract: any
}

const FILE = join(import.meta.dirname, '../released.json')

export const released = (): Released => JSON.parse(readFileSync(FILE, 'utf8'))

/** The releasable state and its migrations. */
export async function releasable(): Promise<Released & { readonly classes: ReadonlyMap<string, MarkedMigration> }> {
  const plugins = await loadPlugins(loadConfig({}).plugins)
  const classes = new Map<string, MarkedMigration>()
  const migrations: Record<string, string> = {}
  for (const { name: withDigest, class: migration } of await allMigrations(plugins)) {
    const [name = ''] = withDigest.split('#')
    classes.set(name, migration)
    const text = (await sqlOf(migration)).join(';\n')
    migrations[name] = createHash('sha256').update(text).digest('hex')
  }
  return {
    version: CONTRACT_VERSION,
    migrations,
    contract: promisedBy((await loadContract(plugins)).document),
    classes,
  }
}

/** JSON with one line per member down to this depth, for readable diffs. */
function inLines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const lines = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${inLines(each, depth - 1)}`)
  return `{\n${lines.join(',\n')}\n}`
}

if (import.meta.main) {
  const { version, migrations, contract } = await releasable()
  writeFileSync(FILE, `${inLines({ version, migrations, contract }, 4)}\n`)
}
