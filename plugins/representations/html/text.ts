import { beginningOf, dictionary } from '../../../src/plugin/index.ts'

/** Removes bidi controls from text in titles and attributes, which cannot contain `<bdi>`. */
export const plainText = (text: string): string =>
  text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

const SPELLINGS = dictionary<string>({
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
})

const MAX_NAME_CHARACTERS = 64

/** `dyeHouseId` becomes `Dye house ID`. */
export function humanise(key: string): string {
  if (key.length > MAX_NAME_CHARACTERS) return `${humanise(beginningOf(key, MAX_NAME_CHARACTERS))}…`
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => SPELLINGS[word.toLowerCase()] ?? (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
  const name = words.join(' ')
  return name === '' ? key : name.charAt(0).toUpperCase() + name.slice(1)
}
