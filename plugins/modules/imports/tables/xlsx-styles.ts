import { setImmediate } from 'node:timers/promises'
import type { NumberReader } from './number-format.ts'
import { type Parts, readPart } from './package.ts'
import { TableError } from './table.ts'
import { NAMESPACES } from './xlsx-namespaces.ts'

const MAX_STYLES = 65_536
/** Excel writes 250 custom formats; the library caches 1,000. */
const MAX_FORMATS = 320

/**
 * Returns number readers per cell style; undefined if unformatted.
 * @throws TableError for too many formats
 */
export async function readStyles(
  parts: Parts,
  path: string | undefined,
  is1904: boolean,
): Promise<(NumberReader | undefined)[]> {
  if (path === undefined) return []
  const { formatCode, numberReader } = await import('./number-format.ts')
  const own = new Map<number, string>()
  const codes: string[] = []
  let isInside = false
  await readPart(parts, path, {
    namespaces: NAMESPACES,
    open(name, { numFmtId = '0', formatCode: code = '' }) {
      if (name === 'cellXfs') isInside = true
      const id = Number(numFmtId)
      if (name === 'numFmt' && own.size < MAX_STYLES) own.set(id, code)
      if (name === 'xf' && isInside && codes.length < MAX_STYLES) codes.push(formatCode(id, own))
    },
    close(name) {
      if (name === 'cellXfs') isInside = false
    },
  })
  const readers = new Map<string, NumberReader | undefined>()
  for (const code of new Set(codes)) {
    if (readers.size === MAX_FORMATS) {
      throw new TableError(`The workbook has more than ${MAX_FORMATS} number formats. Send it as CSV.`)
    }
    readers.set(code, numberReader(code, is1904))
    // A format may take 1 ms.
    await setImmediate()
  }
  return codes.map((code) => readers.get(code))
}
