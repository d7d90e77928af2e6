import { readFileSync } from 'node:fs'
import bwip from 'bwip-js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digitalLinkUri, identify } from '../../../src/domain/identifiers.ts'
import { Gs1Engine } from '../../../src/resolution/gs1-engine.ts'
import { standard } from '../../support/reference-tools.ts'

const engine = new Gs1Engine()

const gtin = '09506000134352'

describe('a GTIN alone', () => {
  const withCheckDigit = (digits: string) => {
    const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
    return `${digits}${(10 - (sum % 10)) % 10}`
  }
  const conforms = (value: string) => {
    try {
      bwip.raw({ bcid: 'gs1datamatrix', text: `(01)${value}`, parse: true })
      return true
    } catch {
      return false
    }
  }

  it('is judged without the engine, and as by it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{13}$/), fc.nat({ max: 9 }), (digits, last) => {
        fc.pre(!/^0+$/.test(digits))
        for (const value of [withCheckDigit(digits), `${digits}${last}`]) {
          expect([value, engine.checkElementString([['01', value]]).length === 0]).toEqual([value, conforms(value)])
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a serial number', () => {
  const conforms = (serial: string) => {
    try {
      bwip.raw({ bcid: 'gs1datamatrix', text: `(01)${gtin}(21)${serial.replaceAll('(', '^040')}`, parse: true })
      return true
    } catch {
      return false
    }
  }

  it('is judged without the engine up to 20 characters, and as by it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9._"%&'()*+,/:;<=>?-]{1,22}$/), (serial) => {
        expect([serial, engine.checkSerial(serial).length === 0]).toEqual([serial, conforms(serial)])
      }),
      { numRuns: 300 },
    )
  })

  it('of the form that units have is always one (specification 4.4)', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/), (serial) => {
        expect([serial, conforms(serial)]).toEqual([serial, true])
      }),
      { numRuns: 300 },
    )
  })

  it.each(['', 'A B', 'Ä', 'A^B', 'A'.repeat(21)])('refuses %j', (serial) => {
    expect(engine.checkSerial(serial)).not.toEqual([])
  })
})

describe('checkElementString', () => {
  it.each<[string, [string, string][], string | undefined]>([
    ['a GTIN', [['01', gtin]], undefined],
    [
      'a serial',
      [
        ['01', gtin],
        ['21', 'ABC123'],
      ],
      undefined,
    ],
    [
      'a serial with brackets',
      [
        ['01', gtin],
        ['21', 'A(B)C'],
      ],
      undefined,
    ],
    [
      '20 opening brackets',
      [
        ['01', gtin],
        ['21', '('.repeat(20)],
      ],
      undefined,
    ],
    [
      '21 opening brackets',
      [
        ['01', gtin],
        ['21', '('.repeat(21)],
      ],
      'AI 21: Too long',
    ],
    [
      'a value that looks like an identifier',
      [
        ['01', gtin],
        ['21', '(10)X'],
      ],
      undefined,
    ],
    ['a wrong check digit', [['01', '09506000134351']], 'AI 01: bad check digit'],
    ['all zeros', [['01', '00000000000000']], 'AI 01: bad check digit'],
    ['13 digits', [['01', '9506000134352']], 'AI 01: must have 14 digits'],
    ['letters', [['01', '0950600013435A']], 'AI 01: Not numeric'],
    ['a GRAI', [['8003', `${gtin}ABC`]], undefined],
    ['a GRAI without leading zero', [['8003', '19506000134352ABC']], 'AI 8003: Zero is required'],
    ['a serial alone', [['21', 'A']], 'One of more requisite AIs for AI (21) are missing: 01 OR 03 OR 8006'],
    [
      'a serial beside a third-party serial',
      [
        ['01', gtin],
        ['21', 'A'],
        ['235', 'B'],
      ],
      'AIs (21) and (235) are mutually exclusive',
    ],
    [
      'two GTINs',
      [
        ['01', gtin],
        ['01', '09506000134369'],
      ],
      'Repeated AIs (01) must have the same value',
    ],
    [
      'a month 13',
      [
        ['01', gtin],
        ['17', '261331'],
      ],
      'AI 17: Invalid month',
    ],
    [
      'an unknown identifier',
      [
        ['01', gtin],
        ['89', 'X'],
      ],
      'AI 89: Unrecognised AI',
    ],
    [
      'an identifier that is none',
      [
        ['01', gtin],
        ['21)X(10', 'Y'],
      ],
      'AI 21)X(10: unrecognised',
    ],
    [
      'an empty value',
      [
        ['01', gtin],
        ['21', ''],
      ],
      'AI 21: Too short',
    ],
    [
      'an escape of the engine',
      [
        ['01', gtin],
        ['21', '^065'],
      ],
      'AI 21: invalid character for character set 82',
    ],
    [
      'letters that look Latin',
      [
        ['01', gtin],
        ['21', 'АВС'],
      ],
      'AI 21: invalid character for character set 82',
    ],
    [
      'a value of 100 KB',
      [
        ['01', gtin],
        ['21', 'A'.repeat(100_000)],
      ],
      'AI 21: too long',
    ],
    ['nothing', [], 'The application identifier is missing.'],
  ])('judges %s', (_, pairs, problem) => {
    expect(engine.checkElementString(pairs)[0]).toBe(problem)
  })

  it('names the identifier concerned', () => {
    expect(engine.checkElementString([['414', '9506000134353']])).toEqual(['AI 414: Bad checksum'])
    expect(engine.checkElementString([['21', 'A']])[0]).toContain('AI (21)')
  })

  it('trap 89: accepts every serial that the pattern of a battery unit allows', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/), (serial) => {
        expect(
          engine.checkElementString([
            ['01', gtin],
            ['21', serial],
          ]),
        ).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('reports a fault of the engine as such and never as a verdict', () => {
    const broken = new Gs1Engine(() => {
      throw new TypeError('Cannot read properties of undefined.')
    })
    expect(() =>
      broken.checkElementString([
        ['01', gtin],
        ['10', 'A'],
      ]),
    ).toThrow(TypeError)
  })
})

describe('the link of a product, judged by the engine as a Digital Link', () => {
  const parseLink = (productId: string) => () =>
    bwip.raw({ bcid: 'gs1dldatamatrix', text: digitalLinkUri('https://gs1.example', identify(productId)) } as never)

  it('is accepted for a GTIN and for a GRAI', () => {
    for (const productId of [gtin, `${gtin}ABC123`]) expect(parseLink(productId)).not.toThrow()
  })

  it('trap 38: has no GS1 key for a SKU', () => {
    expect(parseLink('SKU-1')).toThrow(/^bwipp\.GS1/)
  })
})

describe('conformance with the GS1 Barcode Syntax Engine', () => {
  interface Vector {
    readonly name: string
    readonly input: string
    readonly valid: boolean
  }
  const path = standard('gs1/digital-link-vectors.json')
  const file = path === undefined ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as { elementStrings: Vector[] })

  // The gateway is stricter than that engine: it rejects all zeros.
  const stricter = new Set(['gtin all zeros'])

  it('agrees about every element string', ({ skip }) => {
    if (!file) return skip('the vectors are not beside the repository')
    for (const { name, input, valid } of file.elementStrings) {
      const pairs = [...input.matchAll(/\((\d+)\)([^(]*)/g)].map((match): [string, string] => [
        match[1] as string,
        match[2] as string,
      ])
      expect(engine.checkElementString(pairs).length === 0, name).toBe(valid && !stricter.has(name))
    }
  })
})
