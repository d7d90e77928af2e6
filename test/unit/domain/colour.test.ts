import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isColour, isReadable, onDark, readable } from '../../../src/domain/colour.ts'

const LIGHT = ['#ffffff', '#eef3f1']
const DARK = ['#0f1614', '#17211f']

// WCAG 2.2, implemented from the text: relative luminance, and the contrast of two colours.
const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const light = (hex: string) => {
  const [r, g, b] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: string, b: string) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05)

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('a colour is readable where the standard says so, and what is offered instead is', () => {
  fc.assert(
    fc.property(colour, (given) => {
      expect(isReadable(given)).toBe(LIGHT.every((background) => contrast(given, background) >= 4.5))
      expect(isReadable(readable(given))).toBe(true)
      for (const background of DARK) expect(contrast(onDark(given), background)).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 2000, examples: [['#000000'], ['#ffffff'], ['#0b5f5a'], ['#ffff00'], ['#777777']] },
  )
  expect(contrast('#000000', '#ffffff')).toBe(21)
})

test('legible colours stay unchanged', () => {
  expect([readable('#0b5f5a'), onDark('#77cfc4')]).toEqual(['#0b5f5a', '#77cfc4'])
})

test('a colour has six digits', () => {
  for (const text of ['#0b5f5', 'red', '#0B5F5A', '#0b5f5a;', '0b5f5a', '']) expect(isColour(text), text).toBe(false)
})
