import { describe, expect, test } from 'vitest'
import { elementAt, valueAt } from './document/find.ts'
import { merged, withValueAt } from './document/merge.ts'
import { readElementPath } from './element-path.ts'

describe('a path to one element (RFC 9535, 2.3.5.1)', () => {
  test.each([
    ["$['materials'][0]['name']", ['materials', 0, 'name']],
    ['$.materials[0].name', ['materials', 0, 'name']],
    ['$["a"]', ['a']],
    ["$[ 'a' ] [ -1 ]", ['a', -1]],
    ["$['it\\'s']", ["it's"]],
    ['$["\\u00e4\\n\\\\\\/"]', ['ä\n\\/']],
    ['$["\\ud83d\\ude00"]', ['😀']],
    ['$.ähre', ['ähre']],
    ['$.__proto__', ['__proto__']],
    ["$['']", ['']],
  ])('%s', (path, segments) => expect(readElementPath(path)).toEqual(segments))

  test.each([
    '',
    '$',
    '$[',
    '$.',
    '$ ',
    '$.a ',
    'a.b',
    'a/b/c',
    '$.a.*',
    '$[*]',
    '$..a',
    '$.a[0:2]',
    "$['a','b']",
    '$.a[?@.b]',
    '$[01]',
    '$[-0]',
    '$.1',
    "$['a\nb']",
    "$['\\x']",
    '$["\\ud83d"]',
    "$['a",
    '$[0',
    `$${'.a'.repeat(65)}`,
  ])('%j is rejected', (path) => expect(() => readElementPath(path)).toThrow(/not a path to one element/))
})

describe('the value at a path', () => {
  const document = { a: [{ b: 1 }, { b: 2 }], text: 'abc' }

  test('is an own member or an item', () => {
    expect(valueAt(document, ['a', 1, 'b'])).toBe(2)
    expect(valueAt(document, ['a', -1])).toEqual({ b: 2 })
    for (const path of [['a', 2], ['a', 'length'], ['text', 'length'], ['text', 0], ['constructor'], ['__proto__']])
      expect(valueAt(document, path)).toBeUndefined()
  })

  test('is an element in the full form, by ids or by the document itself', () => {
    const collection = { elementId: 'c', objectType: 'DataElementCollection', elements: [{ elementId: 'd', value: 4 }] }
    const list = { elementId: 'l', objectType: 'MultiValuedDataElement', value: [collection, 'x'] }
    const texts = { elementId: 't', objectType: 'MultiLanguageDataElement', value: [{ value: 'x', language: 'en' }] }
    const file = { elementId: 'f', objectType: 'RelatedResource', contentType: 'text/html', url: 'https://x.example/' }
    const full = { granularity: 'model', elements: [list, texts, file] }
    expect(elementAt(full, ['t', 0, 'language'])).toBe('en')
    expect(elementAt(full, ['f', 'url'])).toBe(file.url)
    expect(elementAt(full, ['f', 'constructor'])).toBeUndefined()
    expect(elementAt(full, ['l'])).toBe(list)
    expect(elementAt(full, ['l', 0, 'd'])).toEqual({ elementId: 'd', value: 4 })
    expect(elementAt(full, ['l', 1])).toBe('x')
    expect(elementAt(full, ['elements', 0, 'elementId'])).toBe('l')
    expect(elementAt(full, ['granularity'])).toBe('model')
    expect(elementAt(full, ['l', 2])).toBeUndefined()
  })
})

describe('changes', () => {
  // RFC 7396, appendix A.
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('merges %j with %j', (target, patch, result) => expect(merged(target, patch)).toEqual(result))

  test('an own member named __proto__ is a member', () => {
    const patch = JSON.parse('{"__proto__": {"polluted": true}}')
    expect(Object.keys(merged({}, patch) as object)).toEqual(['__proto__'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('set and remove what a path names, and add to its parent', () => {
    const document = { a: [{ b: 1 }, { b: 2 }] }
    expect(withValueAt(document, ['a', 1, 'b'], 3)).toEqual({ a: [{ b: 1 }, { b: 3 }] })
    expect(withValueAt(document, ['a', -2, 'c'], 4)).toEqual({ a: [{ b: 1, c: 4 }, { b: 2 }] })
    expect(withValueAt(document, ['a', 0], null)).toEqual({ a: [{ b: 2 }] })
    expect(withValueAt(document, ['a'], null)).toEqual({})
    for (const path of [
      ['a', 2],
      ['a', 'x'],
      ['x', 'y'],
      ['a', 0, 'b', 'c'],
    ])
      expect(withValueAt(document, path, 5)).toBeUndefined()
    expect(withValueAt(document, ['x'], null)).toBeUndefined()
    expect(document).toEqual({ a: [{ b: 1 }, { b: 2 }] })
  })
})
