import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../root.ts'

/** Within the package, as what Node has compiled: a folder that others may write would be a way in. */
const FILE = join(ROOT, 'node_modules/.cache/contract')

/**
 * A document that takes a second to read and check, from where the last start with the same sources left it.
 * @param sources all that the document is made of, the code that makes it among them
 * @param make reads and checks it; whatever it throws is not kept
 * @param file where it is left
 * @returns the document as JSON, and what names it: the same sources have the same name
 */
export async function checkedDocument(
  sources: readonly string[],
  make: () => Promise<object>,
  file = FILE,
): Promise<{ readonly name: string; readonly json: string }> {
  const name = hash('sha256', JSON.stringify(sources))
  const kept = keptIn(file, name)
  if (kept !== undefined) return { name, json: kept }
  const json = JSON.stringify(await make())
  keep(file, `${headOf(name, json)}${json}`)
  return { name, json }
}

/** Before the document: whose it is, and what it was when it was whole. */
const headOf = (name: string, json: string) => `${name} ${hash('sha256', json)}\n`

function keptIn(file: string, name: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    const json = text.slice(text.indexOf('\n') + 1)
    return text.startsWith(headOf(name, json)) ? json : undefined
  } catch {
    return undefined
  }
}

/** Where it cannot be written, nothing is kept. Others may read at the same time, and find all of it or what was there before. */
function keep(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(unfinished, text)
    renameSync(unfinished, file)
  } catch {
    try {
      rmSync(unfinished, { force: true })
    } catch {}
  }
}
