import { mod10Valid } from '../../../../src/plugin/module.ts'

// GS1 Digital Link: URI Syntax 1.7.0.

const KEYS = ['01', '8003', '8006', '8010', '8013', '8017', '8018', '414', '417', '253', '255', '00']
const QUALIFIERS = new Map([
  ['01', ['22', '10', '21', '235']],
  ['8006', ['22', '10', '21']],
])

export interface Gs1Link {
  readonly root: string
  readonly key: string
  readonly value: string
  readonly qualifiers: readonly (readonly [ai: string, value: string])[]
}

/** Undefined if the address is not a GS1 Digital Link. A prefix of the path is allowed. */
export function readGs1Link(text: string): Gs1Link | undefined {
  if (!URL.canParse(text) || !/^https?:/.test(text)) return undefined
  const { origin, pathname } = new URL(text)
  const parts = pathname.split('/').slice(1)
  const at = parts.findIndex((part, index) => KEYS.includes(part) && (parts.length - index) % 2 === 0)
  if (at === -1) return undefined
  const [key = '', value = '', ...rest] = parts.slice(at)
  if (!/^[0-9]{8,18}/.test(value)) return undefined
  const qualifiers = rest.flatMap((ai, index) => (index % 2 === 0 ? [[ai, rest[index + 1] ?? ''] as const] : []))
  return { root: [origin, ...parts.slice(0, at)].join('/'), key, value, qualifiers }
}

export const isGs1Link = (text: string) => readGs1Link(text) !== undefined

/** Granularity that the link states (EN 18219, 5.2.2.1). */
export function levelOf({ qualifiers }: Gs1Link): string {
  const ais = qualifiers.map(([ai]) => ai)
  return ais.includes('21') ? 'item' : ais.includes('10') ? 'batch' : 'model'
}

export function faultsOfLink(link: Gs1Link): string[] {
  const { key, value, qualifiers } = link
  const faults: string[] = []
  if (key === '01' && !/^\d{14}$/.test(value)) faults.push(`GTIN ${value} must have 14 digits`)
  if (key === '01' && /^\d{14}$/.test(value) && !mod10Valid(value)) faults.push(`check digit of ${value} is wrong`)
  if (key === '8003' && !mod10Valid(value.slice(0, 14))) faults.push(`check digit of ${value} is wrong`)
  const allowed = QUALIFIERS.get(key) ?? (key === '8003' ? ['21'] : [])
  const places = qualifiers.map(([ai]) => allowed.indexOf(ai))
  if (places.includes(-1)) faults.push(`a qualifier does not belong to AI ${key}`)
  if (places.some((place, index) => index > 0 && place <= (places[index - 1] ?? -1)))
    faults.push(`qualifiers are not in the order ${allowed.join(', ')}`)
  if (qualifiers.some(([, text]) => text === '' || decoded(text).length > 28))
    faults.push('a qualifier is empty or too long')
  return faults
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
