import { describe, expect, it } from 'vitest'
import { beginningOf, isEmail, usableText } from '../../../src/domain/text.ts'

describe('beginningOf', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['😀😀', 4, '😀😀'],
    ['😀😀', 3, '😀'],
    ['😀', 1, ''],
    ['abc', Number.POSITIVE_INFINITY, 'abc'],
  ])('of %j within %d is %j', (text, maxCharacters, expected) => {
    expect(beginningOf(text, maxCharacters)).toBe(expected)
  })
})

describe('usableText', () => {
  it.each([
    ['  a b  ', 'a b'],
    [' abcdefgh', 'abcde'],
    ['   ', undefined],
    ['', undefined],
    [5, undefined],
    [null, undefined],
    [['a'], undefined],
  ])('of %j is %j', (value, expected) => {
    expect(usableText(value, 5)).toBe(expected)
  })
})

describe('an e-mail address', () => {
  it.each(['a@b.eu', 'ada.l+x@mail.repair.example', 'ü@grüße.de', 'a@b.рф', 'a@b.xn--p1ai', `a@${'b'.repeat(190)}.eu`])(
    '%s',
    (text) => expect(isEmail(text)).toBe(true),
  )
  it.each([
    '',
    'a',
    'a@b',
    'a@b.c',
    '5V@1.5',
    'a b@c.eu',
    'a@b@c.eu',
    '<a@b.eu>',
    'a@b.eu, c@d.eu',
    `${'a'.repeat(65)}@b.eu`,
  ])('is not %j', (text) => expect(isEmail(text)).toBe(false))
})
