import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.ts'

// What takes long to make or to check at a start is kept for the next one.

/**
 * Within the package, as what Node has compiled: a folder that others may write would be a way in. `npm ci` takes it away with the
 * libraries that had a part in it.
 */
const FOLDER = join(ROOT, 'node_modules/.cache')

/** A text that a start may leave to the next, as long as what it is made of stays the same. */
interface CacheEntry {
  /** What an earlier start has left. */
  readonly text: string | undefined
  /** Leaves `text` to the next start. Where nothing can be written, nothing is. */
  keep(text: string): void
}

/**
 * What was kept under `file`, if it was made of these sources and is whole.
 * @param sources all that it is made of, the code that makes it among them
 */
export function startupCache(file: string, sources: readonly string[], folder = FOLDER): CacheEntry {
  const name = hash('sha256', JSON.stringify(sources))
  const path = join(folder, file)
  return { text: read(path, name), keep: (text) => write(path, headOf(name, text) + text, folder) }
}

/** Before the text: of which sources it is, and what it was when it was whole. */
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

/** Others may read at the same time, and find all of it or what was there before. */
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
