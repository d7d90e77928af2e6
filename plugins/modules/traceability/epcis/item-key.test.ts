import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDigitOf } from '../../../../src/domain/identifiers.ts'
import { itemKey } from './item-key.ts'

describe('an identifier has one key, whatever it is spelt like', () => {
  // Pairs of the EPCglobal Tag Data Standard and of GS1's samples of EPCIS; the event hash's tests also cover every
  // kind.
  test.each([
    ['urn:epc:id:sgtin:0614141.107346.2018', '/01/10614141073464/21/2018', 'instance'],
    ['urn:epc:id:sgtin:0614141.812345.a%2Fb.c', '/01/80614141123458/21/a%2Fb.c', 'instance'],
    ['urn:epc:class:lgtin:4012345.012345.998877', '/01/04012345123456/10/998877', 'lot'],
    ['urn:epc:idpat:sgtin:4012345.098765.*', '/01/04012345987652', 'class'],
    ['urn:epc:id:sscc:0614141.1234567890', '/00/106141412345678908', 'instance'],
    ['urn:epc:id:sgln:0037000.00729.8202', '/414/0037000007296/254/8202', 'instance'],
    ['urn:epc:id:sgln:0037000.00729.0', '/414/0037000007296', 'instance'],
    ['urn:epc:id:grai:4012345.55555.987', '/8003/04012345555554987', 'instance'],
    ['urn:epc:idpat:grai:4012345.66666.*', '/8003/04012345666663', 'class'],
    ['urn:epc:id:giai:4000001.12345', '/8004/400000112345', 'instance'],
    ['https://id.gs1.org/01/10614141073464/21/2018', '/01/10614141073464/21/2018', 'instance'],
    ['https://dpp.example.com/some/path/01/10614141073464/21/2018?a=b#c', '/01/10614141073464/21/2018', 'instance'],
    ['HTTP://localhost:3000/01/10614141073464/22/v/10/L/21/2018', '/01/10614141073464/21/2018', 'instance'],
    ['https://id.gs1.org/01/10614141073464/22/v/10/L', '/01/10614141073464/10/L', 'lot'],
    ['https://id.gs1.org/01/10614141073464/22/v', '/01/10614141073464', 'class'],
    ['https://id.gs1.org/01/10614141073464/21/a%2fb', '/01/10614141073464/21/a%2Fb', 'instance'],
    ['https://id.gs1.org/01/0614141073467', '/01/00614141073467', 'class'],
    ['https://id.gs1.org/gtin/10614141073464/lot/L', '/01/10614141073464/10/L', 'lot'],
    ['https://id.gs1.org/01/10614141073464/21/lot', '/01/10614141073464/21/lot', 'instance'],
    ['https://id.gs1.org/8003/04012345555554987', '/8003/04012345555554987', 'instance'],
    ['https://id.gs1.org/414/0037000007296', '/414/0037000007296', 'instance'],
  ])('%s', (uri, key, level) => {
    expect(itemKey(uri)).toEqual({ key, level })
  })

  test.each([
    'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8',
    'https://example.com/passport/374d95fc-9457-4a51-bd6a-0bba133845a8',
    'https://blog.example.com/2026/01/20260115/a',
    'https://example.com/401/error',
    'urn:epc:id:sgtin:0614141.10734.2018',
    'urn:epc:id:sgtin:0614141.107346',
    'urn:epc:id:sgtin:0614141.107346.',
    'urn:epc:id:sgtin:abcdefg.107346.1',
    'urn:epc:id:unknown:1.2.3',
    'urn:epc:id:constructor:0614141.1.1',
    'urn:epc:',
    'urn:epc:id:giai:0614141.\ud800',
    'https://id.gs1.org/01/10614141073464/21/\ud800',
    'did:web:example.com',
    'https://',
    '',
  ])('an identifier outside GS1 stays unchanged: %s', (uri) => {
    expect(itemKey(uri)).toEqual({ key: uri, level: 'instance' })
  })
})

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`))
const CHARACTERS = 'ABCXYZabcxyz0123456789-_.!"%&\'()*+,/:;<=>?'.split('')
const serial = fc.array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 20 }).map((all) => all.join(''))

test('an EPC and the Digital Link of the same item agree, with the check digit that the EPC does not have', () => {
  fc.assert(
    fc.property(digits(13), fc.integer({ min: 6, max: 12 }), serial, (number, prefixLength, value) => {
      const gtin = `${number}${checkDigitOf(number)}`
      const prefix = number.slice(1, 1 + prefixLength)
      const reference = number.slice(0, 1) + number.slice(1 + prefixLength)
      const epc = `urn:epc:id:sgtin:${prefix}.${reference}.${encodeURIComponent(value)}`
      const link = `https://shop.example/p/01/${gtin}/21/${encodeURIComponent(value)}`
      expect(itemKey(epc)).toEqual(itemKey(link))
      expect(itemKey(epc).key.startsWith(`/01/${gtin}/21/`)).toBe(true)
    }),
    { seed: 18 },
  )
})

test('a key is the key of itself, and no text is refused', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.string(),
        serial.map((one) => `urn:epc:id:sgtin:0614141.107346.${one}`),
      ),
      (uri) => {
        const { key, level } = itemKey(uri)
        if (key !== uri) expect(itemKey(`https://id.gs1.org${key}`)).toEqual({ key, level })
      },
    ),
    { seed: 18, numRuns: 1_000 },
  )
})
