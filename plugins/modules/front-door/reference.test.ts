import { describe, expect, test } from 'vitest'
import { correctedNumber } from '../../../src/domain/identifiers.ts'
import { readReference } from './reference.ts'

const HOST = 'dpp.example'
const ID = '0f5d3c1e-7a34-4c8e-9d55-3b1f6a2c9e01'
const GTIN = { kind: 'gtin', key: '09506000134352' }
const serial = (value: string) => ({ ai: '21', value })
const batch = (value: string) => ({ ai: '10', value })
const read = (text: string) => readReference(text, HOST)

describe('the inputs of a person', () => {
  test.each([
    ['09506000134352', GTIN],
    [' 9506000134352 ', GTIN],
    ['9 506000 134352', GTIN],
    ['9-506000-134352', GTIN],
    ['614141007349', { kind: 'gtin', key: '00614141007349' }],
    ['96385074', { kind: 'gtin', key: '00000096385074' }],
    ['(01)09506000134352', GTIN],
    ['(01) 09506000134352', GTIN],
    ['(01)09506000134352(21)SN-1', { ...GTIN, qualifiers: [serial('SN-1')] }],
    [']d2(01)09506000134352', GTIN],
    ['0109506000134352', GTIN],
    ['04012345123456A1', { kind: 'grai', key: '04012345123456A1' }],
    ['(8003)04012345123456A1', { kind: 'grai', key: '04012345123456A1' }],
    [ID, { kind: 'uuid', id: ID }],
    [ID.toUpperCase(), { kind: 'uuid', id: ID }],
    ['COAT-7/M', { kind: 'sku', key: 'COAT-7/M' }],
    ['12345', { kind: 'sku', key: '12345' }],
  ])('%j', (text, expected) => expect(read(text)).toEqual(expected))

  test('a wrong check digit comes with the right one, and may still be an article number', () => {
    expect(read('09506000134353')).toEqual({ kind: 'sku', key: '09506000134353', corrected: '09506000134352' })
    expect(read('9506000134351')).toMatchObject({ corrected: '9506000134352' })
    expect(read('00000000000000')).toEqual({ kind: 'sku', key: '00000000000000', corrected: undefined })
    expect(correctedNumber('96385075')).toBe('96385074')
    expect([correctedNumber('96385074'), correctedNumber('963850'), correctedNumber('9638507x')]).toEqual(
      Array(3).fill(undefined),
    )
  })

  test.each([
    [`https://dpp.example/passport/${ID}?grant=secret`, { kind: 'uuid', id: ID }],
    [`dpp.example/unit/${ID}`, { kind: 'uuid', id: ID }],
    [`/passport/${ID}`, { kind: 'uuid', id: ID }],
    ['https://dpp.example/01/COAT-7', { kind: 'sku', key: 'COAT-7' }],
    ['https://brand.example/01/09506000134352', GTIN],
    [
      'https://brand.example/some/path/01/09506000134352/10/LOT/21/SN%2F1?17=271231',
      { ...GTIN, qualifiers: [batch('LOT'), serial('SN/1')] },
    ],
    ['HTTPS://BRAND.EXAMPLE/01/9506000134352', GTIN],
    ['brand.example/8003/04012345123456A1', { kind: 'grai', key: '04012345123456A1' }],
    ['https://brand.example/01/09506000134353', { kind: 'sku', key: '09506000134353', corrected: '09506000134352' }],
  ])('of a link %j the keys', (text, expected) => expect(read(text)).toEqual(expected))

  test.each([
    ['', 'empty'],
    ['  \n', 'empty'],
    ['x'.repeat(2001), 'long'],
    ['https://brand.example/', 'link'],
    ['https://brand.example/01/COAT-7', 'link'],
    [`https://brand.example/passport/${ID}`, 'link'],
    ['https://dpp.example/passport/1', 'link'],
    ['https://brand.example/01/%ff', 'link'],
    ['/01/', 'link'],
    ['/8003/1', 'link'],
    ['https://', { kind: 'sku', key: 'https://' }],
  ])('%j is not a reference: %j', (text, expected) => expect(read(text)).toEqual(expected))
})

describe('review-3-inputs N4: an element string', () => {
  const UNIT = { ...GTIN, qualifiers: [serial('ND64-R0102')] }
  test.each([
    ['(01) 09506000134352 (21) ND64-R0102', UNIT],
    ['(21)ND64-R0102(01)09506000134352', UNIT],
    ['(01)09506000134352(21)ND64-R0102(240)X', UNIT],
    ['(01)09506000134352(17)280101', GTIN],
    ['(01)09506000134352(10)LOT-7', { ...GTIN, qualifiers: [batch('LOT-7')] }],
    [
      '(01)09506000134352(21)S1(10)L1(22)2A',
      { ...GTIN, qualifiers: [{ ai: '22', value: '2A' }, batch('L1'), serial('S1')] },
    ],
    ['010950600013435221ND64-R0102', UNIT],
    [']d2010950600013435221ND64-R0102', UNIT],
    ['\u001d010950600013435221ND64-R0102', UNIT],
    [']C1010950600013435221ND64-R0102\u001d10LOT-7', { ...GTIN, qualifiers: [batch('LOT-7'), serial('ND64-R0102')] }],
    [']Q31728010121ND64-R0102\u001d0109506000134352', UNIT],
    [']e0010950600013435210LOT-7', { ...GTIN, qualifiers: [batch('LOT-7')] }],
    [']d28003040123451234568A1', { kind: 'grai', key: '040123451234568A1' }],
    [']E09506000134352', GTIN],
    [']Q1https://brand.example/01/09506000134352/21/ND64-R0102', UNIT],
    ['(01)09506000134353', { kind: 'sku', key: '(01)09506000134353', corrected: '09506000134352' }],
    ['(01)', { kind: 'sku', key: '(01)' }],
    ['(4)711', { kind: 'sku', key: '(4)711' }],
    ['(10)LOT-7', { kind: 'sku', key: '(10)LOT-7' }],
    ['0109506000134352X', { kind: 'sku', key: '0109506000134352X' }],
  ])('%j', (text, expected) => expect(read(text)).toEqual(expected))
})

test.each([
  ['04252614', '00042100005264'],
  ['01234531', '00012300000451'],
  ['01234543', '00012340000053'],
  ['01234565', '00012345000065'],
])('review-3-inputs N11: UPC-E %s is %s, and perhaps a GTIN-8', (text, key) => {
  expect(read(text)).toMatchObject({ kind: 'gtin', key })
})

test('review-3-inputs N15: invisible characters are ignored in a search', () => {
  expect(read('\u200b09506000134352\u202e')).toEqual(GTIN)
})

describe('a compressed link', () => {
  // Made by the GS1 Digital Link toolkit of GS1.
  test.each([
    ['ARFKk4XBoA', GTIN],
    ['DBFKk4XBoNRofXHyOmumw', { ...GTIN, qualifiers: [serial('ND64-R0102')] }],
    ['ARFKk4XBoELUaH1x8jprps', { ...GTIN, qualifiers: [serial('ND64-R0102')] }],
    ['GhFKk4XBoMpZyf3aIxKR1eA', { ...GTIN, qualifiers: [batch('LOT-7'), serial('abc')] }],
    ['ARFKk4XBoCDKWcn92LojEpCR1eA', { ...GTIN, qualifiers: [batch('LOT-7'), serial('abc')] }],
    ['CxFKk4XBoA4lrQ4', { ...GTIN, qualifiers: [batch('1234567')] }],
    ['ChFKk4XBoIRU', { ...GTIN, qualifiers: [{ ai: '22', value: '2A' }] }],
    ['DBFKk4XBoFG9W33e', { ...GTIN, qualifiers: [serial('deadbeef')] }],
    ['DBFKk4XBoQsFQxUoRVCN_', { ...GTIN, qualifiers: [serial('A(1)!')] }],
    ['LRFKk4XBoAAPYuiMSg', GTIN],
    ['ARFKk4XBoC6IxKYgYAD2', GTIN],
    ['CxFKk4XBoMReoieh6zLA4g', { ...GTIN, qualifiers: [batch('L1')] }],
    ['ARHKVAdpQg', { kind: 'gtin', key: '09780345418913' }],
    ['about-our-products', 'link'],
    ['A'.repeat(300), 'link'],
  ])('%s', (segment, expected) => expect(read(`https://id.gs1.org/${segment}`)).toEqual(expected))
})
