import { mod10Valid } from '../../../../src/plugin/module.ts'
import { isGs1Link, readGs1Link } from './gs1-link.ts'

// Identifiers of EN 18219:2026, as its implementers describe the schemes.

const DID = /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/
const DOI = /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:)?10\.\d{4,9}\/\S+$/i
const EPC = /^urn:epc:(?:id|tag|raw|class|idpat):\S+$/i
// ISO/IEC 6523: an international code designator, and the identifier of the organization.
const ICD = /^(?:iso6523:|urn:iso:std:iso:6523:)?(\d{4})[:/]([A-Za-z0-9.:-]{2,35})$/i

/** Scheme of a product identifier (EN 18219, 5.2 to 5.6); undefined for others. */
export function productScheme(id: string): string | undefined {
  if (isGs1Link(id)) return 'GS1 Digital Link'
  if (DID.test(id)) return 'DID'
  if (DOI.test(id)) return 'DOI'
  if (EPC.test(id)) return 'RAIN RFID'
  if (/^https:\/\//.test(id) && URL.canParse(id)) return 'identification link'
  // Services on this machine, for development.
  if (/^http:\/\/(?:localhost|127\.0\.0\.1)[:/]/.test(id)) return 'identification link'
  return undefined
}

/** Scheme of an operator or facility (EN 18219, 6.2 to 6.5); undefined for others. */
export function partyScheme(id: string): string | undefined {
  if (DID.test(id)) return 'DID'
  if (DOI.test(id)) return 'DOI'
  if (ICD.test(id)) return 'ISO/IEC 6523'
  if (glnOf(id) !== undefined) return 'GS1 GLN'
  if (/^https:\/\/\S+$/.test(id) && URL.canParse(id)) return 'identification link'
  return undefined
}

/** GLN of a link, URN or number. */
function glnOf(id: string): string | undefined {
  const link = readGs1Link(id)
  if (link !== undefined) return ['414', '417', '410'].includes(link.key) ? link.value : undefined
  const [, gln] = /^(?:urn:gs1:gln:|0088:)?(\d{13})$/.exec(id) ?? []
  return gln
}

/** Faults of check digits, for schemes that have them. */
export function partyFaults(id: string): string[] {
  const gln = glnOf(id)
  if (gln !== undefined) return /^\d{13}$/.test(gln) && mod10Valid(gln) ? [] : [`check digit of GLN ${gln} is wrong`]
  const [, code, number = ''] = ICD.exec(id) ?? []
  if (code === '0199' && !isLei(number)) return [`${number} is not an LEI (ISO 17442)`]
  return []
}

/** ISO 17442 with check digits of ISO/IEC 7064 MOD 97-10. */
function isLei(text: string): boolean {
  if (!/^[A-Z0-9]{18}\d{2}$/.test(text)) return false
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** Address of a DID document by did:web; undefined for other methods. */
export function didWebUrl(did: string): string | undefined {
  const [, host = '', path = ''] = /^did:web:([A-Za-z0-9.%-]+)((?::[A-Za-z0-9._-]+)*)$/.exec(did) ?? []
  if (host === '') return undefined
  const authority = host.replace(/%3A/i, ':')
  const scheme = /^localhost(?::|$)/.test(authority) ? 'http' : 'https'
  return `${scheme}://${authority}${path === '' ? '/.well-known' : path.replaceAll(':', '/')}/did.json`
}
