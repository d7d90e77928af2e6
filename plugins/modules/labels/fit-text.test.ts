import { describe, expect, test } from 'vitest'
import { fitText } from './fit-text.ts'

/** Every letter is square; a space is half as wide. */
const SQUARE = {
  widthOf: (text: string) => [...text].reduce((sum, letter) => sum + (letter === ' ' ? 0.5 : 1), 0),
  lineHeight: 1,
}
const fitted = (paragraphs: readonly string[], width: number, height: number) =>
  fitText(paragraphs, { width, height }, SQUARE)

describe('text is fitted into a label', () => {
  test('in the largest letters with which it has room', () => {
    expect(fitted(['ab', 'cd'], 20, 20)).toEqual({ size: 10, lines: ['ab', 'cd'] })
    expect(fitted(['ab', 'cd'], 20, 19)).toEqual({ size: 9.5, lines: ['ab', 'cd'] })
    expect(fitted(['abcd'], 20, 99)).toEqual({ size: 5, lines: ['abcd'] })
  })

  test('between words, each line as full as it can be', () => {
    expect(fitted(['aa bb cc'], 45, 20)).toEqual({ size: 10, lines: ['aa bb', 'cc'] })
    expect(fitted(['aa bb cc'], 44.9, 20)).toEqual({ size: 9.5, lines: ['aa bb', 'cc'] })
  })

  test('and within words only where the least letters are too large for them', () => {
    expect(fitted(['aa abcdefghij'], 45, 45)).toEqual({ size: 4.5, lines: ['aa', 'abcdefghij'] })
    expect(fitted(['aa abcdefghijk'], 45, 45)).toEqual({ size: 4.5, lines: ['aa', 'abcdefghij', 'k'] })
  })

  test('the first paragraph is cut, and never what the code says', () => {
    expect(fitted(['one two three four five', 'code', 'by'], 22.5, 18)).toEqual({
      size: 4.5,
      lines: ['one', 'two…', 'code', 'by'],
    })
    expect(fitted(['w'.repeat(500), 'code'], 22.5, 9)).toEqual({ size: 4.5, lines: ['wwww…', 'code'] })
  })

  test('a room that has no line has no text', () => {
    expect(fitted(['a', 'b'], 10, 3).lines).toEqual([])
    expect(fitted(['a', 'b'], -5, 9).lines).toHaveLength(2)
    expect(fitted([], 10, 10)).toEqual({ size: 10, lines: [] })
  })

  test('letters of two code units are not torn apart', () => {
    expect(fitted(['😀😀😀'], 9, 99)).toEqual({ size: 4.5, lines: ['😀😀', '😀'] })
  })
})
