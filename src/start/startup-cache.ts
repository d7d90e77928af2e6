import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'

/** Inside the package: a folder writable by others could inject content. `npm ci` clears it. */
const FOLDER = join(ROOT, 'node_modules/.cache')

interface CacheEntry {
  /** Read from disk at each access; undefined if absent, damaged or made of other sources. */
  readonly text: string | undefined
  /** Ignores write errors. */
  keep(text: string): void
}

/** @param sources all inputs, including the generating code */
export function startupCache(file: string, sources: readonly string[], folder = FOLDER): CacheEntry {
  const name = digestOf(sources)
  // Up to 16 files, so that gateways with other plugins do not replace the entry at each start.
  const path = join(folder, `${file}-${name[0]}`)
  return {
    get text() {
      return read(path, name)
    },
    keep: (text) => write(path, headOf(name, text) + text, folder),
  }
}

/** A list of digests has one digest for each text; joining megabytes of text as JSON takes longer. */
export const digestOf = (sources: readonly string[]): string =>
  hash('sha256', sources.map((source) => hash('sha256', source)).join())

const headOf = (name: string, text: string) => `${name} ${hash('sha256', text)}\n`

function read(path: string, name: string): string | undefined {
  try {
    const all = readFileSync(path, 'utf8')
    const text = all.slice(all.indexOf('\n') + 1)
    return all.startsWith(headOf(name, text)) ? text : undefined
  } catch {
    return undefined
  }
}

/** Atomic for concurrent readers. */
function write(path: string, all: string, folder: string): void {
  const unfinished = `${path}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(unfinished, all)
    renameSync(unfinished, path)
  } catch {
    try {
      rmSync(unfinished, { force: true })
    } catch {}
  }
}
