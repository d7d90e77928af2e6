import { isGtin14, isUuid, paddedGtin } from '../../../src/plugin/module.ts'

/** Passport, unit or batch of an identifier. */
export interface SubjectName {
  readonly column: 'id' | 'unit' | 'batch'
  readonly id: string
}

const COLUMNS = [
  ['/passport/', 'id'],
  ['/unit/', 'unit'],
  ['/batch/', 'batch'],
] as const

/** Reads the identifier of a passport, a unit or a batch; a bare UUID is that of a passport. */
export function readPassportId(text: string, baseUrl: string): SubjectName | undefined {
  if (isUuid(text)) return { column: 'id', id: text }
  for (const [path, column] of COLUMNS) {
    const id = text.startsWith(baseUrl + path) ? text.slice(baseUrl.length + path.length) : ''
    if (isUuid(id)) return { column, id }
  }
  return undefined
}

/** Product, item or batch of an identifier (EN 18219). */
export interface ProductName {
  readonly key: string
  readonly by: 'gtin' | 'grai' | undefined
  readonly serial?: string
  readonly batch?: string
}

const GS1 = 'https://id.gs1.org'
const LINK = /^\/(01|8003)\/([^/?#]+)(?:\/(10|21)\/([^/?#]+))?$/

/**
 * Reads a Digital Link of this gateway or of GS1, or a product id: GTIN, GRAI, SKU, DID or identification link (IEC 61406).
 * @returns undefined for a link of this gateway that names no product
 */
export function readProductId(text: string, baseUrl: string): ProductName | undefined {
  const origin = [baseUrl, GS1].find((one) => text.startsWith(`${one}/`))
  const [, ai, key, qualifier, value] = (origin && LINK.exec(text.slice(origin.length))) ?? []
  if (ai === undefined || key === undefined) {
    if (origin === baseUrl) return undefined
    const gtin = isGtin14(text) ? text : paddedGtin(text)
    return gtin === undefined ? { key: text, by: undefined } : { key: gtin, by: 'gtin' }
  }
  const decoded = decode(key)
  const qualified = value === undefined ? undefined : decode(value)
  if (decoded === undefined || (value !== undefined && qualified === undefined)) return undefined
  const by = ai === '8003' ? 'grai' : isGtin14(decoded) ? 'gtin' : undefined
  if (qualified === undefined) return { key: decoded, by }
  return { key: decoded, by, ...(qualifier === '21' ? { serial: qualified } : { batch: qualified }) }
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** International code designators (ISO/IEC 6523). EORI has none. */
const DESIGNATORS = new Map([
  ['DUNS', '0060'],
  ['LEI', '0199'],
  ['VAT', '0223'],
])

export function operatorIdOf(regId: string, scheme: string | null | undefined): string {
  if (scheme === 'GLN') return `${GS1}/417/${regId}`
  const designator = DESIGNATORS.get(scheme ?? '')
  return designator === undefined ? regId : `${designator}:${regId}`
}

export const facilityIdOf = (gln: string): string => `${GS1}/414/${gln}`
