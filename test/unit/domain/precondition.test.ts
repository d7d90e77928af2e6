import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertMatch, readIfMatch, tagOf, versionOf } from '../../../src/domain/precondition.ts'
import { Problem } from '../../../src/domain/problem.ts'

const refusal = (work: () => unknown): number | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Problem ? error.status : Number.NaN
  }
}

describe('If-Match', () => {
  test.each([
    ['"3"', ['3']],
    ['"3.abc"', ['3']],
    ['"3.abc", "4.def"', ['3', '4']],
    ['  "3.abc"  ,,\t"4" ,', ['3', '4']],
    ['"a,b", "c"', ['a,b', 'c']],
    ['""', ['']],
    ['W/"3.abc"', []],
    ['W/"3.abc", "4"', ['4']],
  ])('%j names %j', (header, versions) => {
    expect(readIfMatch(header)).toEqual(new Set(versions))
  })

  test('* stands for any, and its absence for nothing', () => {
    expect([readIfMatch('*'), readIfMatch(' * '), readIfMatch(undefined)]).toEqual(['*', '*', undefined])
  })

  test.each(['', ' ', ',', '3', '"3', '3"', '"3" "4"', '*, "3"', 'w/"3"', '"3"; q=1', "'3'", '"3"\n'])(
    '%j is refused, with what it should be',
    (header) => {
      expect(() => readIfMatch(header)).toThrow(/^Invalid If-Match: send \* or at most 64 quoted entity tags/)
      expect(refusal(() => readIfMatch(header))).toBe(400)
    },
  )

  test('has an end', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `"${index}"`).join(',')
    expect(readIfMatch(tags(64))).toHaveProperty('size', 64)
    expect(refusal(() => readIfMatch(tags(65)))).toBe(400)
  })

  test('any value is parsed or rejected', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', 'W', '/', ',', ' ', '*', '.', '3', '\\', 'é') }), (header) => {
        expect([undefined, 400]).toContain(refusal(() => readIfMatch(header)))
      }),
    )
  })
})

describe('a tag', () => {
  test('names the version, and tells its representations apart', () => {
    expect([tagOf(7), tagOf(7, '"abc"'), tagOf('digest')]).toEqual(['"7"', '"7.abc"', '"digest"'])
    for (const content of ['"abc"', '"x.y"', undefined]) {
      expect(readIfMatch(tagOf(7, content))).toEqual(new Set(['7']))
    }
  })

  test('of what counts no versions is its content, without a dot', () => {
    expect(versionOf({ a: 1 })).toMatch(/^[\w-]{27}$/)
    expect(versionOf({ a: 1 })).not.toBe(versionOf({ a: 2 }))
  })

  test('matches by its version alone, as a whole', () => {
    const isMet = (header: string, version: number) => refusal(() => assertMatch(readIfMatch(header), version))
    expect(isMet('"7.abc"', 7)).toBeUndefined()
    expect(isMet('"6", "7.abc"', 7)).toBeUndefined()
    expect(isMet('*', 7)).toBeUndefined()
    for (const header of ['"6"', '"77"', '"07"', '"7 "', 'W/"7"', '"x.7"', '""'])
      expect([header, isMet(header, 7)]).toEqual([header, 412])
  })
})
