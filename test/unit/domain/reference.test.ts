import { describe, expect, test } from 'vitest'
import { correctedGtin, readReference } from '../../../src/domain/reference.ts'

const HOST = 'dpp.example'
const ID = '0f5d3c1e-7a34-4c8e-9d55-3b1f6a2c9e01'
const GTIN = { kind: 'gtin', key: '09506000134352' }
const read = (text: string) => readReference(text, HOST)

describe('what a person has of a product', () => {
  test.each([
    ['09506000134352', GTIN],
    [' 9506000134352 ', GTIN],
    ['9 506000 134352', GTIN],
    ['9-506000-134352', GTIN],
    ['614141007349', { kind: 'gtin', key: '00614141007349' }],
    ['96385074', { kind: 'gtin', key: '00000096385074' }],
    ['(01)09506000134352', GTIN],
    ['(01) 09506000134352', { kind: 'sku', key: '(01) 09506000134352' }],
    ['(01)09506000134352(21)SN-1', { ...GTIN, serial: 'SN-1' }],
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
    expect(correctedGtin('96385075')).toBe('96385074')
    expect([correctedGtin('96385074'), correctedGtin('963850'), correctedGtin('9638507x')]).toEqual(
      Array(3).fill(undefined),
    )
  })

  test.each([
    [`https://dpp.example/passport/${ID}?grant=secret`, { kind: 'uuid', id: ID }],
    [`dpp.example/unit/${ID}`, { kind: 'uuid', id: ID }],
    [`/passport/${ID}`, { kind: 'uuid', id: ID }],
    ['https://dpp.example/01/COAT-7', { kind: 'sku', key: 'COAT-7' }],
    ['https://brand.example/01/09506000134352', GTIN],
    ['https://brand.example/some/path/01/09506000134352/10/LOT/21/SN%2F1?17=271231', { ...GTIN, serial: 'SN/1' }],
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
  ])('%j is none: %j', (text, expected) => expect(read(text)).toEqual(expected))
})
