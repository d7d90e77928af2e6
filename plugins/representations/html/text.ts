// Unicode TR9 embeddings, overrides, isolates and marks, and the C0 and C1 controls.
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Foreign text for places that cannot hold a `<bdi>`: the title, an attribute. There a right-to-left override would
 * turn round our own words beside it.
 */
export const plainText = (text: string): string => text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()

const SPELLINGS: Readonly<Record<string, string>> = {
  cas: 'CAS',
  ce: 'CE',
  co2: 'CO₂',
  co2e: 'CO₂e',
  ec: 'EC',
  eori: 'EORI',
  eu: 'EU',
  gln: 'GLN',
  gtin: 'GTIN',
  id: 'ID',
  iso: 'ISO',
  kg: 'kg',
  pct: '(%)',
  percentage: '(%)',
  url: 'link',
}

/** A readable name for a metadata key without a translation: `dyeHouseId` becomes `Dye house ID`. */
export function humanise(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => SPELLINGS[word.toLowerCase()] ?? (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
  const name = words.join(' ')
  return name === '' ? key : name.charAt(0).toUpperCase() + name.slice(1)
}
