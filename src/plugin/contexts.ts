import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { BASE, type Contexts } from '../domain/contexts.ts'
import { isRecord } from '../domain/record.ts'

/**
 * Reads `index.json` of a folder: each address maps to a file (`./name`), an npm package that lists it in `contexts`, or null if it may not
 * be shipped.
 * @throws Error with the reason
 */
export function readContexts(folder: string): Contexts {
  const index = join(folder, 'index.json')
  if (!existsSync(index)) return new Map()
  const requireFrom = createRequire(index)
  const documentOf = (address: string, place: unknown): object | null => {
    if (!address.startsWith(`${BASE}/`) && !URL.canParse(address)) throw new Error(`${address} is not a URL.`)
    if (place === null) return null
    if (typeof place !== 'string') throw new Error(`${address} must be a file, a package or null.`)
    if (place.startsWith('./')) return readObject(join(folder, place))
    const document = requireFrom(place).contexts?.get(address)
    if (!isRecord(document)) throw new Error(`${place} has no context ${address}.`)
    return document
  }
  return new Map(Object.entries(readObject(index)).map(([address, place]) => [address, documentOf(address, place)]))
}

function readObject(file: string): object {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isRecord(value)) throw new Error(`${file} is not a JSON object.`)
  return value
}
