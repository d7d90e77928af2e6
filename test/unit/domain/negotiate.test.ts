import { describe, expect, it } from 'vitest'
import { negotiate, parseWeightedList } from '../../../src/domain/negotiate.ts'
import { leastProcessorTime } from '../../support/processor-time.ts'

const representations = [
  { name: 'aas', mediaTypes: ['application/aas+json'] },
  { name: 'vc-jwt', mediaTypes: ['application/vc+jwt'] },
  { name: 'data-integrity', mediaTypes: ['application/vc+ld+json', 'application/vc'] },
  { name: 'sd-jwt', mediaTypes: ['application/dc+sd-jwt', 'application/vc+sd-jwt', 'vc+sd-jwt'] },
  { name: 'html', mediaTypes: ['text/html'] },
  { name: 'jsonld', mediaTypes: ['application/ld+json'] },
]
const choose = (accept?: string) => negotiate(accept, representations)?.name

describe('negotiate', () => {
  it.each<[string | undefined, string | undefined]>([
    // One type: the substring rule of specification 4.1.
    [undefined, undefined],
    ['', undefined],
    ['*/*', undefined],
    ['application/*', undefined],
    ['application/aas+json', 'aas'],
    ['application/vc+jwt', 'vc-jwt'],
    ['application/vc+ld+json', 'data-integrity'],
    ['application/vc', 'data-integrity'],
    ['application/dc+sd-jwt', 'sd-jwt'],
    ['vc+sd-jwt', 'sd-jwt'],
    ['text/html', 'html'],
    ['text/*', 'html'],
    ['application/ld+json', 'jsonld'],
    // review-3-inputs N35: fragments too.
    ['x-application/aas+json-foo', 'aas'],
    ['vc+jwt', 'vc-jwt'],
    ['ld+json', 'jsonld'],
    ['vc+ld+json', 'data-integrity'],
    ['x-application/vc+ld+json-foo', 'data-integrity'],
    ['application/xhtml+xml', undefined],
    ['image/png', undefined],
    ['foo', undefined],
    ['TEXT/HTML', 'html'],
    ['  text/html  ', 'html'],
    ['text/html; charset=utf-8', 'html'],
    // Quality values.
    ['text/html;q=0.5, application/vc+jwt;q=0.9', 'vc-jwt'],
    ['text/html;q=0.9, application/vc+jwt;q=0.5', 'html'],
    ['text/html;q=0', undefined],
    ['text/html;q=0.000, application/vc+jwt;q=0.001', 'vc-jwt'],
    ['text/html;q=0, */*', undefined],
    ['text/html;q=0, text/*', undefined],
    ['text/html ; Q=0.2 , application/ld+json ; q=0.1', 'html'],
    ['text/html;q=bad', 'html'],
    ['text/html;q=7, application/aas+json;q=1', 'aas'],
    ['text/html;q=.4, application/ld+json;q=.3', 'html'],
    // Equal qualities: the order of the list, not of the header.
    ['application/ld+json, text/html, application/dc+sd-jwt', 'sd-jwt'],
    ['text/html, application/aas+json', 'aas'],
    ['application/ld+json, text/html', 'html'],
    // A wildcard leaves the choice to the server and is less specific than a name.
    ['*/*, text/html', 'html'],
    ['text/html;q=0.8, */*;q=0.8', 'html'],
    ['text/html;q=0.7, */*;q=0.8', undefined],
    ['application/json, */*;q=0.5', undefined],
    ['application/*, text/html', 'html'],
    ['text/*, application/ld+json;q=0.9', 'html'],
    ['text/*;q=0.5, application/ld+json;q=0.9', 'jsonld'],
    ['text/html;q=0.2, text/*;q=0.9, application/vc+jwt;q=0.5', 'vc-jwt'],
    // Headers of browsers.
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'html'],
    // Malformed.
    ['text/html,foo', 'html'],
    ['foo,,;,text/html', 'html'],
    [',', undefined],
    ['application/json;profile="text/html, application/vc+jwt"', undefined],
    ['application/vc+jwtx', undefined],
    ['"text/html', undefined],
  ])('answers %j with %s', (accept, name) => {
    expect(choose(accept)).toBe(name)
  })

  it('trap 33: takes application/json and */* as naming none of ours', () => {
    expect(negotiate('application/json', representations)).toBeUndefined()
    expect(negotiate('*/*', representations)).toBeUndefined()
  })

  it('trap 35: gives the SD-JWT for its legacy media type', () => {
    expect(negotiate('application/vc+sd-jwt', representations)).toMatchObject({
      name: 'sd-jwt',
      mediaType: 'application/vc+sd-jwt',
    })
  })

  it('returns the parameters of the range that matched', () => {
    const result = negotiate('application/vc+jwt;Profile="untp-0.6.1";q=0.9, text/html;level=1;q=0.1', representations)
    expect(result).toEqual({ name: 'vc-jwt', mediaType: 'application/vc+jwt', parameters: { profile: 'untp-0.6.1' } })
    expect(negotiate('text/html', representations)?.parameters).toEqual({})
  })

  it('prefers the range with a parameter to the same type without', () => {
    for (const accept of [
      'application/vc+jwt, application/vc+jwt;profile=a',
      'application/vc+jwt;profile=a, application/vc+jwt',
    ]) {
      expect(negotiate(accept, representations)?.parameters.profile).toBe('a')
    }
    expect(choose('text/html;level=1, application/aas+json')).toBe('aas')
  })

  it('knows no parameter that was not sent', () => {
    const parameters = negotiate('text/html;__proto__=x', representations)?.parameters
    expect(Object.keys(parameters ?? {})).toEqual(['__proto__'])
    expect(negotiate('text/html', representations)?.parameters.constructor).toBeUndefined()
  })

  it.each([
    ['commas', ','.repeat(16_384)],
    ['wildcards', 'a/*,'.repeat(4_096)],
    ['our own type', 'text/html,'.repeat(1_638)],
    ['semicolons', `text/html${';'.repeat(16_000)}`],
    ['parameters', `text/html${';a=b'.repeat(4_000)}`],
    ['quotes', '"'.repeat(16_384)],
    ['escaped quotes', `text/html;a="${'\\"'.repeat(8_000)}`],
    ['spaces', `text/html${' '.repeat(16_000)}x`],
    ['a long quality', `text/html;q=0.${'0'.repeat(16_000)}x`],
    ['100 KB', 'text/html,'.repeat(10_000)],
  ])('needs no time for a header full of %s', (_, accept) => {
    expect(leastProcessorTime(() => choose(accept))).toBeLessThan(100)
  })
})

describe('parseWeightedList', () => {
  it('keeps the order of the header', () => {
    expect(parseWeightedList('b;q=0.1, a, c;q=1.000').map(({ value, quality }) => [value, quality])).toEqual([
      ['b', 0.1],
      ['a', 1],
      ['c', 1],
    ])
  })

  it('reads quoted strings', () => {
    expect(parseWeightedList('a;p="x,\\"y\\";z";q=0.5,b')).toMatchObject([
      { value: 'a', quality: 0.5, parameters: { p: 'x,"y";z' } },
      { value: 'b' },
    ])
  })

  it('reads the first 64 elements, whatever comes after', () => {
    expect(parseWeightedList('a/b,'.repeat(5000).slice(0, 16_000))).toHaveLength(64)
    expect(choose(`${'a/b,'.repeat(63)}text/html`)).toBe('html')
    expect(choose(`${'a/b,'.repeat(64)}text/html`)).toBeUndefined()
  })

  it.each([
    ['empty elements', ',', ''],
    ['empty elements after a quoted string', ',', 'a;b="c",'],
  ])('reads 256 parts, %s included', (_, separator, before) => {
    const names = (header: string) => parseWeightedList(header).map(({ value }) => value)
    const others = before === '' ? [] : ['a']
    expect(names(`${before}${separator.repeat(255 - others.length)}b,c`)).toEqual([...others, 'b'])
    expect(names(`${before}${separator.repeat(256)}b`)).toEqual(others)
  })

  it('reads nothing beyond 16 KiB', () => {
    expect(parseWeightedList(`a,${'b'.repeat(16_384)}`)).toEqual([])
  })
})
