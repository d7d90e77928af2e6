import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { digitalLinkUri, identify } from '../../../src/domain/identifiers.ts'
import { Gs1Engine } from '../../../src/services/gs1-engine.ts'
import { standard } from '../../support/judges.ts'

let engine: Gs1Engine
beforeAll(async () => {
  engine = await Gs1Engine.load()
})

const gtin = '09506000134352'
const codeOf = (problems: readonly { readonly code: string }[]) => problems[0]?.code

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
      'LENGTH',
    ],
    [
      'a value that looks like an identifier',
      [
        ['01', gtin],
        ['21', '(10)X'],
      ],
      undefined,
    ],
    ['a wrong check digit', [['01', '09506000134351']], 'CHECK_DIGIT'],
    ['all zeros', [['01', '00000000000000']], 'CHECK_DIGIT'],
    ['13 digits', [['01', '9506000134352']], 'LENGTH'],
    ['letters', [['01', '0950600013435A']], 'CHARSET'],
    ['a GRAI', [['8003', `${gtin}ABC`]], undefined],
    ['a GRAI without leading zero', [['8003', '19506000134352ABC']], 'LEADING_ZERO'],
    ['a serial alone', [['21', 'A']], 'MISSING_AI'],
    [
      'a serial beside a third-party serial',
      [
        ['01', gtin],
        ['21', 'A'],
        ['235', 'B'],
      ],
      'EXCLUSIVE_AI',
    ],
    [
      'two GTINs',
      [
        ['01', gtin],
        ['01', '09506000134369'],
      ],
      'REPEATED_AI',
    ],
    [
      'a month 13',
      [
        ['01', gtin],
        ['17', '261331'],
      ],
      'VALUE',
    ],
    [
      'an unknown identifier',
      [
        ['01', gtin],
        ['89', 'X'],
      ],
      'UNKNOWN_AI',
    ],
    [
      'an identifier that is none',
      [
        ['01', gtin],
        ['21)X(10', 'Y'],
      ],
      'UNKNOWN_AI',
    ],
    [
      'an empty value',
      [
        ['01', gtin],
        ['21', ''],
      ],
      'LENGTH',
    ],
    [
      'an escape of the engine',
      [
        ['01', gtin],
        ['21', '^065'],
      ],
      'CHARSET',
    ],
    [
      'letters that look Latin',
      [
        ['01', gtin],
        ['21', 'АВС'],
      ],
      'CHARSET',
    ],
    [
      'a value of 100 KB',
      [
        ['01', gtin],
        ['21', 'A'.repeat(100_000)],
      ],
      'LENGTH',
    ],
    ['nothing', [], 'NO_KEY'],
  ])('judges %s', (_, pairs, code) => {
    expect(codeOf(engine.checkElementString(pairs))).toBe(code)
  })

  it('names the identifier concerned', () => {
    expect(engine.checkElementString([['414', '9506000134353']])).toEqual([
      { code: 'CHECK_DIGIT', ai: '414', message: 'AI 414: Bad checksum' },
    ])
    expect(engine.checkElementString([['21', 'A']])[0]?.ai).toBe('21')
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
    const broken = Object.create(Gs1Engine.prototype) as Gs1Engine
    expect(() => broken.checkElementString([['01', gtin]])).toThrow(TypeError)
  })
})

describe('checkDigitalLinkPath', () => {
  it.each<[string, string | undefined]>([
    [`/01/${gtin}`, undefined],
    [`/01/${gtin}/21/AB%2fC`, undefined],
    [`/01/${gtin}/21/A%28B`, undefined],
    [`/01/${gtin}?linkType=gs1:dpp&foo=${'x'.repeat(5_000)}`, undefined],
    [`/01/${gtin}?17=261231#fragment?21=x`, undefined],
    [`/01/${gtin}/10/01/21/5`, undefined],
    [`/stem/01/${gtin}`, undefined],
    [`/8003/${gtin}ABC`, undefined],
    ['/01/9506000134352', 'LENGTH'],
    ['/01/%39506000134352', 'LENGTH'],
    ['/01/00000000000000', 'CHECK_DIGIT'],
    ['/01/09506000134351', 'CHECK_DIGIT'],
    [`/01/${gtin}/21/AB%C`, 'ENCODING'],
    [`/01/${gtin}/21/AB%ZZ`, 'ENCODING'],
    [`/01/${gtin}/21/AB%`, 'ENCODING'],
    [`/01/${gtin}/21/%00`, 'CHARSET'],
    [`/01/${gtin}/21/S1/10/L1`, 'ORDER'],
    [`/01/${gtin}?21=A`, 'ORDER'],
    [`/8003/${gtin}ABC/21/S1`, 'ORDER'],
    [`/01/${gtin}/`, 'NO_KEY'],
    ['/gtin/09506000134352', 'NO_KEY'],
    ['/passport/abc', 'NO_KEY'],
    ['/', 'NO_KEY'],
    ['', 'NO_KEY'],
    ['/01', 'NO_KEY'],
    ['/01/SKU-123', 'LENGTH'],
    [`/01/${gtin}/21/${'A'.repeat(100_000)}`, 'LENGTH'],
  ])('judges %.60s: %s', (path, code) => {
    expect(codeOf(engine.checkDigitalLinkPath(path))).toBe(code)
  })

  it('accepts the link that is emitted for a GTIN and for a GRAI', () => {
    for (const productId of [gtin, `${gtin}ABC123`]) {
      expect(engine.checkDigitalLinkPath(digitalLinkUri('', identify(productId)))).toEqual([])
    }
  })

  it('trap 38: finds no GS1 key in the link of a SKU', () => {
    expect(engine.checkDigitalLinkPath(digitalLinkUri('', identify('9506000134351')))).not.toEqual([])
  })
})

describe('conformance with the GS1 Barcode Syntax Engine', () => {
  interface Vector {
    readonly name: string
    readonly input: string
    readonly valid: boolean
  }
  const path = standard('gs1/digital-link-vectors.json')
  const file =
    path === undefined
      ? undefined
      : (JSON.parse(readFileSync(path, 'utf8')) as { elementStrings: Vector[]; uris: Vector[] })

  // Where we are stricter than that engine: all zeros name nothing, and half an escape is no URI.
  const stricter = new Set(['gtin all zeros', 'serial raw % bad escape', 'serial raw % bad escape2'])

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

  it('agrees about every Digital Link', ({ skip }) => {
    if (!file) return skip('the vectors are not beside the repository')
    for (const { name, input, valid } of file.uris) {
      // Only paths are judged; which schemes there are is the HTTP server's business.
      const path = /^https?:\/\/[^/]*(.*)$/is.exec(input)?.[1]
      if (path === undefined) expect(name).toBe('ftp')
      else expect(engine.checkDigitalLinkPath(path).length === 0, name).toBe(valid && !stricter.has(name))
    }
  })
})
