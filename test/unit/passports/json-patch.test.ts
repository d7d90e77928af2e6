import fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/domain/metadata.ts'
import { patchBetween } from '../../../src/passports/json-patch.ts'

/** `before`, patched by a foreign implementation of RFC 6902. */
function patched(before: Json, patch: ReturnType<typeof patchBetween>): Json {
  const document = { root: structuredClone(before) }
  const within = patch.map((step) => ({ ...structuredClone(step), path: `/root${step.path}` }))
  expect(applyPatch(document, within as never)).toEqual(within.map(() => null))
  return document.root as Json
}

const key = fc.oneof(fc.constantFrom('a', 'b', 'a/b', '~', '~1', '', '0', 'length', 'ü'), fc.string({ maxLength: 4 }))
const isPlain = (name: string) => !['__proto__', 'constructor', 'prototype'].includes(name)
const { document } = fc.letrec<{ document: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(fc.constantFrom(null, true, false, 0, 1, '', 'x', 1.5), fc.string({ maxLength: 3 })),
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('document'), { maxLength: 5 }),
    fc.dictionary(key.filter(isPlain), tie('document'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))

/** The document with some of its values changed, so that much of it stays. */
function edited(value: Json, random: () => number): Json {
  if (random() < 0.1) return random() < 0.5 ? 'edited' : [1, { two: null }]
  if (Array.isArray(value)) {
    const remaining = value.filter(() => random() > 0.1).map((item) => edited(item, random))
    return random() < 0.2 ? [...remaining, 'more'] : remaining
  }
  if (typeof value !== 'object' || value === null) return value
  const remaining = Object.entries(value).filter(() => random() > 0.1)
  return Object.fromEntries([
    ...remaining.map(([name, inner]) => [name, edited(inner as Json, random)]),
    ['n', random()],
  ])
}

describe('a patch between two documents', () => {
  test('makes the second of the first, by the judgement of another implementation', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        expect(patched(before, patchBetween(before, after))).toEqual(after)
      }),
      { numRuns: 2000 },
    )
  })

  test('makes it of a document that was edited', () => {
    fc.assert(
      fc.property(document, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (before, stream) => {
        const random = () => Number(stream.next().value)
        const after = edited(edited(before, random), random)
        expect(patched(before, patchBetween(before, after))).toEqual(after)
      }),
      { numRuns: 1000 },
    )
  })

  test('is empty between equal documents, whatever the order of their members', () => {
    expect(patchBetween({ a: 1, b: { c: [1, 2], d: null } }, { b: { d: null, c: [1, 2] }, a: 1 })).toEqual([])
  })

  test('names what has changed and nothing else', () => {
    const before = { size: 'M', list: [{ n: 1 }, { n: 2 }, { n: 3 }], gone: true, same: { deep: [1] } }
    const after = { size: 'L', list: [{ n: 1 }, { n: 2, more: 'x' }, { n: 3 }], same: { deep: [1] }, 'a/b~': 0 }
    expect(patchBetween(before, after as Json)).toEqual([
      { op: 'replace', path: '/size', value: 'L' },
      { op: 'add', path: '/list/1/more', value: 'x' },
      { op: 'remove', path: '/gone' },
      { op: 'add', path: '/a~1b~0', value: 0 },
    ])
    expect(patchBetween({ list: [1, 2, 3, 4] }, { list: [1, 4] })).toEqual([
      { op: 'remove', path: '/list/2' },
      { op: 'remove', path: '/list/1' },
    ])
  })

  test('replaces as a whole what would take more than a hundred steps', () => {
    const rows = (size: string, count: number) => Array.from({ length: count }, (_, place) => ({ place, size }))
    expect(patchBetween({ rows: rows('M', 100) }, { rows: rows('L', 100) })).toHaveLength(100)
    const after = { rows: rows('L', 101), note: 'same' }
    expect(patchBetween({ rows: rows('M', 101), note: 'same' }, after)).toEqual([
      { op: 'replace', path: '/rows', value: after.rows },
    ])
  })

  test('does not repeat long names for each of the values below them', () => {
    const name = 'n'.repeat(100_000)
    const values = (value: number) => Object.fromEntries([...Array(90).keys()].map((place) => [`k${place}`, value]))
    const patch = patchBetween({ [name]: values(1) }, { [name]: values(2) })
    expect(patch).toEqual([{ op: 'replace', path: `/${name}`, value: values(2) }])
  })

  test('looks at each value a bounded number of times, however long or deep the documents are', () => {
    // Counted and not timed: what is compared with everything else is looked at millions of times.
    let looks = 0
    const counted = (value: number): Json =>
      new Proxy(
        { value },
        {
          ownKeys: (target) => {
            looks += 1
            return Reflect.ownKeys(target)
          },
        },
      )
    const count = 5000
    const list = (from: number) => Array.from({ length: count }, (_, place) => counted(from + place))
    patchBetween(list(0), list(count / 2))
    expect(looks).toBeLessThan(count * 8)
    looks = 0
    const deep = (value: Json) => [...Array(60)].reduce<Json>((inner) => ({ inner, other: counted(1) }), value)
    patchBetween(deep(1), deep(2))
    expect(looks).toBeLessThan(60 * 8)
  })
})
