import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bwip } from '../../src/carriers/matrix.ts'
import { meansDigitalLink, readDigitalLink } from '../../src/domain/digital-link.ts'
import { checkDigitOf, encodeSegment } from '../../src/domain/identifiers.ts'
import { Problem } from '../../src/domain/problem.ts'
import { anyText } from '../support/any-text.ts'
import { standard } from '../support/reference-tools.ts'

/** Canonical path of a link, or GS1's reason for rejecting it. */
function verdict(target: string): { path: string } | { refusal: string } {
  try {
    const { path, fault } = readDigitalLink(target)
    return fault === undefined ? { path } : { refusal: fault }
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return { refusal: error.message }
    throw error
  }
}

const refusal = (target: string) => (verdict(target) as { refusal?: string }).refusal

interface Vector {
  readonly name: string
  readonly input: string
  readonly valid: boolean
  readonly canonicalPath?: string
}

/** Intended differences from GS1's engine, with reasons. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'gtin trailing slash': 'one slash at the end is one too many (GS1-Conformant Resolver 1.2)',
  'stem path': 'links begin at the root of this gateway',
  'serial raw % bad escape': 'RFC 3986, 2.1: no address',
  'serial raw % bad escape2': 'RFC 3986, 2.1: no address',
  'attr 17 bad': 'attributes in the query are passed on and not judged',
  'grai/21': 'links of units, as the specification shows them',
  gln: 'other keys are not resolved',
  'gln ext': 'other keys are not resolved',
  'gln 417': 'other keys are not resolved',
}

const file = standard('gs1/digital-link-vectors.json')

describe.skipIf(file === undefined)('the verdicts of GS1’s own engine', () => {
  const vectors: Vector[] = file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8')).uris
  // Other schemes and invalid HTTP never reach the resolver.
  const heard = vectors.filter(({ input }) => /^https?:/i.test(input))

  test.each(heard.map((vector) => [vector.name, vector] as const))(
    '%s',
    (name, { input, valid, canonicalPath = '' }) => {
      const target = input.replace(/^https?:\/\/[^/]*/i, '').replace(/#.*$/, '')
      const ours = verdict(target)
      const agrees = 'path' in ours === valid
      expect([name, agrees, refusal(target)]).toEqual([name, DIFFERENCES[name] === undefined, refusal(target)])
      if (agrees && 'path' in ours) expect(ours.path).toBe(canonicalPath.replace(/\?.*$/, ''))
    },
  )

  test('differ from ours where it says so, and nowhere else', () => {
    const names = new Set(heard.map(({ name }) => name))
    expect(Object.keys(DIFFERENCES).filter((name) => !names.has(name))).toEqual([])
  })
})

describe('the rules in bwip-js', () => {
  const holds = (uri: string): boolean => {
    try {
      bwip().raw({ bcid: 'gs1dldatamatrix', text: uri })
      return true
    } catch (error) {
      if (/^bwipp\./.test((error as Error).message)) return false
      throw error
    }
  }
  const body = fc.stringMatching(/^[0-9]{13}$/).filter((digits) => /[1-9]/.test(digits))
  // A 14-digit GTIN: bwip-js accepts shorter ones, GS1's engine and the gateway do not.
  const gtin = fc
    .tuple(body, fc.constantFrom(0, 0, 0, 1))
    .map(([digits, wrong]) => `${digits}${(checkDigitOf(digits) + wrong) % 10}`)
  const value = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9._-]{1,22}$/),
    fc.stringMatching(/^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,30}$/),
    anyText({ minLength: 1, maxLength: 8 }).filter((text) => text.isWellFormed()),
  )
  const qualifiers = fc.array(fc.tuple(fc.constantFrom('22', '10', '21', '235', '17', '99'), value), { maxLength: 3 })

  test('say of every GTIN and its qualifiers what we say', { timeout: 120_000 }, () => {
    const seen = { true: 0, false: 0 }
    const inOrder = qualifiers.map((all) => [...all].sort(([a], [b]) => '22 10 21'.indexOf(a) - '22 10 21'.indexOf(b)))
    fc.assert(
      fc.property(gtin, fc.oneof(qualifiers, inOrder), (key, further) => {
        const path = `/01/${key}${further.map(([ai, text]) => `/${ai}/${encodeSegment(text)}`).join('')}`
        const theirs = holds(`https://id.example.org${path}`)
        seen[`${theirs}`] += 1
        expect([path, 'path' in verdict(path)]).toEqual([path, theirs])
      }),
      { numRuns: 400 },
    )
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(20)
  })
})

test('any input is parsed or rejected with a sentence, and parsing is stable', () => {
  const segment = fc.oneof(
    fc.string(),
    fc.webSegment(),
    fc.constantFrom('01', '8003', '21', '09506000134352', '%2F', ''),
  )
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
      const target = `/${segments.join('/')}`
      const ours = verdict(target)
      if ('path' in ours) expect(verdict(ours.path)).toEqual(ours)
      else expect(ours.refusal).toMatch(/^[A-Z].*[.…]$/)
      expect(typeof meansDigitalLink(target)).toBe('boolean')
    }),
    { numRuns: 2000 },
  )
})

const GTIN = '09506000134352'

test.each([
  ['/01/09506000134351', 'The check digit of 09506000134351 is wrong: the last digit must be 2.'],
  ['/01/9506000134352', 'write 09506000134352'],
  ['/01/9506000134351', 'write 09506000134352'],
  ['/01/9506000134351', 'check digit'],
  ['/01/96385074', 'write 00000096385074'],
  ['/01/036000291452', 'write 00036000291452'],
  [`/01/${'0'.repeat(14)}`, 'zeros'],
  ['/01/SKU-1', '14 digits'],
  ['/8003/09506000134351A', 'the 14th digit must be 2'],
  [`/8003/${'0'.repeat(14)}`, 'zeros'],
  ['/8003/x', '14 digits'],
  [`/8003/${GTIN}A/10/B`, 'no qualifiers'],
  [`/01/${GTIN}/21/S/10/L`, `Write /01/${GTIN}/10/L/21/S.`],
  [`/01/${GTIN}/10/a%2Fb/22/V`, `Write /01/${GTIN}/22/V/10/a%2Fb.`],
  [`/01/${GTIN}/10/L/10/M`, 'once'],
  [`/01/${GTIN}/21/S/235/T`, 'the only qualifier'],
  [`/01/${GTIN}/17/261231`, '?17='],
  [`/01/${GTIN}/ser/S`, '/01/{gtin}/21/{serial}'],
  [`/01/${GTIN}/21`, 'without a value'],
  [`/01/${GTIN}/21/`, 'without a value'],
  [`/01/${GTIN}/10//21/S`, 'value is missing'],
  ['/01', 'value is missing'],
  ['/01/', 'value is missing'],
  [`/01/${GTIN}?21=S`, `Write /01/${GTIN}/21/S.`],
  [`/01/${GTIN}?255=1`, 'Remove it'],
  [`/gtin/${GTIN}`, 'Write /01/{gtin}'],
  ['/414/9506000134352', 'Write /01/{gtin} or /8003/{grai}'],
  [`/01/${GTIN}/21/${'x'.repeat(21)}`, 'at most 20'],
  [`/01/${GTIN}/235/${'x'.repeat(29)}`, 'at most 28'],
  [`/01/${GTIN}/21/a%20b`, 'letters from A to Z'],
  [`/01/${GTIN}/21/a%zz`, 'escape'],
  [`/01/${GTIN}/21/a%FF`, 'escape'],
  [`/01/${GTIN}/21/a"b`, 'an invalid character'],
  ['/eh3074257bf7194e4000001a85', 'EPC binary'],
  ['/exMHQle_cZTkAAABqFAA1', 'EPC binary'],
])('%s is refused with what to do: %s', (target, words) => {
  expect(refusal(target)).toContain(words)
  expect(meansDigitalLink(target)).toBe(true)
})

test.each(['/passport/x', '/', '', '/010/x', '/exhibition-catalogue-2026', '/ehrenamt', '/verify', '/404'])(
  '%s is not a Digital Link, in any spelling',
  (path) => expect(meansDigitalLink(path)).toBe(false),
)
