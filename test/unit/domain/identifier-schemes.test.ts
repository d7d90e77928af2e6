import { describe, expect, test } from 'vitest'
import {
  checkIdentifier,
  IDENTIFIER_SCHEMES,
  type IdentifierScheme,
  isIdentifierScheme,
} from '../../../src/domain/identifier-schemes.ts'

/** Numbers published by companies, authorities and standards. */
const PUBLISHED: Readonly<Record<IdentifierScheme, readonly string[]>> = {
  EORI: ['DE6480562', 'GB123456789000', 'FR83404833048', 'IT00905811006'],
  VAT: [
    'ATU14189108',
    'BE0403091220',
    'BG831642181',
    'CY10259033P',
    'CZ00177041',
    'CZ25123891',
    'DE129274202',
    'DE143454214',
    'DE811128135',
    'DK24256790',
    'EE100931558',
    'EL094019245',
    'ESA28015865',
    'ES54362315K',
    'ESX2482300W',
    'FI01120389',
    'FR59542051180',
    'FR40303265045',
    'HR33392005961',
    'HU10625790',
    'IE8256796U',
    'IE6388047V',
    'IE8D79739I',
    'IT00905811006',
    'LT119511515',
    'LT100001919017',
    'LU20260743',
    'LU26375245',
    'LV40003245752',
    'MT11679112',
    'NL004495445B01',
    'NL123456789B13',
    'PL7740001454',
    'PT500697256',
    'RO1590082',
    'RO18547290',
    'SE556703748501',
    'SI82646716',
    'SK2020372640',
    'XI110305878',
    'CHE116281838',
  ],
  LEI: ['529900T8BM49AURSDO55', '7LTWFZYICNSX8D621K86', '5493006MHB84DD0ZWV18', 'HWUPKR0MPOU8FGXBT394'],
  GLN: ['5412345000013', '9506000134338', '4006381000000'],
  DID: [
    'did:example:123456789abcdefghi',
    'did:web:w3c-ccg.github.io:user:alice',
    'did:web:example.com%3A3000',
    'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  ],
  DUNS: ['150483782', '804735132'],
}

test.each(IDENTIFIER_SCHEMES)('%s takes what is published', (scheme) => {
  const refused = PUBLISHED[scheme].filter((value) => checkIdentifier(scheme, value) !== undefined)
  expect(refused).toEqual([])
})

describe('a wrong digit is found', () => {
  const isCounted = (value: string) =>
    // Only the format is checked for Northern Ireland, Switzerland and French keys with letters.
    !/^(XI|CH)/.test(value)
  test.each(PUBLISHED.VAT.filter(isCounted))('in the VAT number %s', (value) => {
    const place = value.search(/\d(?=\D*$)/) - 2
    expect(checkIdentifier('VAT', withOther(value, place))).toBeDefined()
  })
  test.each(PUBLISHED.LEI)('at every place of the LEI %s', (value) => {
    const taken = [...value].flatMap((_, place) =>
      checkIdentifier('LEI', withOther(value, place)) === undefined ? [place] : [],
    )
    expect(taken).toEqual([])
  })
  test.each(PUBLISHED.GLN)('at every place of the GLN %s', (value) => {
    const taken = [...value].flatMap((_, place) =>
      checkIdentifier('GLN', withOther(value, place)) === undefined ? [place] : [],
    )
    expect(taken).toEqual([])
  })
})

/** Replaces a digit by another digit, or a letter by another letter. */
function withOther(value: string, place: number): string {
  const character = value.charAt(place)
  const other = /\d/.test(character) ? String((Number(character) + 1) % 10) : character === 'A' ? 'B' : 'A'
  return value.slice(0, place) + other + value.slice(place + 1)
}

test.each<[IdentifierScheme, readonly string[]]>([
  ['EORI', ['', 'DE', 'de123', 'D1234567', `DE${'1'.repeat(16)}`, 'DE-1', 'DEÜ1', ' DE1']],
  [
    'VAT',
    [
      '',
      'DE',
      '129274202',
      'DE 129274202',
      'de129274202',
      'DE12927420',
      'DE1292742022',
      'ATU1418910',
      'ZZ',
      'U1234567',
    ],
  ],
  ['LEI', ['', '529900T8BM49AURSDO5', '529900T8BM49AURSDO555', '529900t8bm49aursdo55', '5299 00T8BM49AURSDO']],
  ['GLN', ['', '0000000000000', '541234500001', '54123450000130', '5412345000014']],
  [
    'DID',
    [
      '',
      'did:',
      'did:web',
      'did:web:',
      'did:Web:a',
      'did:web:a:',
      'did:web:a#k',
      'did:web:a/b',
      'did:web:%4',
      `did:web:${'a'.repeat(500)}`,
    ],
  ],
  ['DUNS', ['', '15048378', '1504837822', '15-048-3782', 'ABCDEFGHI']],
])('%s refuses what is written otherwise, and says how it is written', (scheme, values) => {
  for (const value of values) expect(checkIdentifier(scheme, value), value).toMatch(/^a(n)? .+\.$/)
})

test('other words are not schemes, including members of objects', () => {
  expect(IDENTIFIER_SCHEMES.every(isIdentifierScheme)).toBe(true)
  for (const word of ['eori', 'NATIONAL', '', 'constructor', '__proto__', undefined, null, 5]) {
    expect(isIdentifierScheme(word)).toBe(false)
  }
})

test('a long value is refused before it is looked into', () => {
  const long = '1'.repeat(1_000_000)
  for (const scheme of IDENTIFIER_SCHEMES) expect(checkIdentifier(scheme, long)).toBeDefined()
})
