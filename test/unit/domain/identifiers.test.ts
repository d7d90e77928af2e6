import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  digitalLinkUri,
  encodeSegment,
  identify,
  isGln13,
  isGrai,
  isGtin14,
  MAX_PRODUCT_ID_CHARACTERS,
  mod10Valid,
} from '../../../src/domain/identifiers.ts'
import { Problem } from '../../../src/domain/problem.ts'
import { anyText } from '../../support/any-text.ts'

const problemOf = (productId: string): Problem => {
  try {
    identify(productId)
  } catch (error) {
    return error as Problem
  }
  throw new Error(`${productId} was accepted`)
}

describe('identify', () => {
  it.each([
    ['09506000134352', 'gtin'],
    ['19506000134359', 'gtin'],
    ['09506000134352A', 'grai'],
    ['09506000134352ABCDEFGHIJKLMNOP', 'grai'],
    ['095060001343520', 'grai'],
    ['09506000134352ABCDEFGHIJKLMNOPQ', 'sku'],
    ['09506000134351A', 'sku'],
    ['19506000134359A', 'sku'],
    ['00000000000000A', 'sku'],
    ['09506000134352-1', 'sku'],
    ['9506000134352', 'sku'],
    ['SKU-123', 'sku'],
    ['Größe 42/blau', 'sku'],
    ['١٢٣٤٥٦٧٨٩٠١٢٣٤', 'sku'],
  ])('takes %s as %s', (productId, scheme) => {
    expect(identify(productId)).toEqual({ scheme, value: productId })
  })

  it.each(['09506000134351', '00000000000000', '12345678901234'])(
    'trap 38: refuses the 14 digits %s without a valid check digit',
    (productId) => {
      const problem = problemOf(productId)
      expect(problem).toBeInstanceOf(Problem)
      expect(problem).toMatchObject({
        status: 400,
        fields: { title: 'Bad Request', code: 'GTIN_CHECK_DIGIT_INVALID' },
      })
    },
  )

  it('trap 38: accepts 13 digits as a SKU', () => {
    expect(identify('9506000134351').scheme).toBe('sku')
  })

  it('refuses an empty and an overlong identifier', () => {
    expect(problemOf('').status).toBe(400)
    expect(problemOf('x'.repeat(MAX_PRODUCT_ID_CHARACTERS + 1)).status).toBe(400)
    expect(identify('x'.repeat(MAX_PRODUCT_ID_CHARACTERS)).scheme).toBe('sku')
  })

  it('detects every change of a single digit of a GTIN', () => {
    fc.assert(
      fc.property(fc.nat(13), fc.integer({ min: 1, max: 9 }), (at, change) => {
        const digits = [...'09506000134352']
        digits[at] = String((Number(digits[at]) + change) % 10)
        expect(isGtin14(digits.join(''))).toBe(false)
      }),
    )
  })
})

describe('GS1 keys', () => {
  it.each([
    ['9506000134352', true],
    ['9506000134353', false],
    ['950600013435', false],
    ['0000000000000', false],
    ['950600013435A', false],
    ['9506000134352\n', false],
  ])('judges %j as a GLN: %s', (text, verdict) => {
    expect(isGln13(text)).toBe(verdict)
  })

  it.each(['', '7', 'abc', '١٢', '12 ', '-8', '1.7'])('finds no check digit in %j', (text) => {
    expect(mod10Valid(text)).toBe(false)
  })

  it('finds the check digit of every key length', () => {
    for (const key of ['96385074', '614141000036', '9506000134352', '09506000134352', '006141411234567890']) {
      expect(mod10Valid(key)).toBe(true)
    }
  })

  it('does not take a bare asset identifier for a GRAI', () => {
    expect(isGrai('09506000134352')).toBe(false)
    expect(isGrai('09506000134352\n')).toBe(false)
  })

  it('judges 100 KB without delay', () => {
    const start = process.cpuUsage()
    for (const text of ['0'.repeat(100_000), `${'0'.repeat(99_999)}x`]) {
      isGrai(text)
      isGtin14(text)
      isGln13(text)
      mod10Valid(text)
    }
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(200)
  })
})

describe('digitalLinkUri', () => {
  const base = 'https://dpp.example'

  it.each([
    ['09506000134352', `${base}/01/09506000134352`],
    ['09506000134352ABC', `${base}/8003/09506000134352ABC`],
    ['SKU 1/2', `${base}/01/SKU%201%2F2`],
    ["!'()*", `${base}/01/%21%27%28%29%2A`],
    ['a?b#c%d', `${base}/01/a%3Fb%23c%25d`],
    ['Größe', `${base}/01/Gr%C3%B6%C3%9Fe`],
  ])('links %s', (productId, uri) => {
    expect(digitalLinkUri(base, identify(productId))).toBe(uri)
  })

  it('leaves only unreserved characters and loses nothing', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const segment = encodeSegment(text)
        expect(segment).toMatch(/^(?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*$/)
        expect(decodeURIComponent(segment)).toBe(text)
      }),
    )
  })
})
