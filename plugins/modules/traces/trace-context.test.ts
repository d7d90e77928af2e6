import { expect, test } from 'vitest'
import { parseTraceparent, traceparentOf } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, false],
  [`00-${TRACE}-${SPAN}-03`, true],
  [`cc-${TRACE}-${SPAN}-01-what-comes-later`, true],
])('%s is one', (text, isSampled) => {
  expect(parseTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled })
})

test.each([
  undefined,
  '',
  ['00', TRACE],
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-${SPAN}-1`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  `cc-${TRACE}-${SPAN}-01-${'x'.repeat(1000)}`,
])('%s is invalid', (text) => {
  expect(parseTraceparent(text)).toBeUndefined()
})

test('a parsed value is written again unchanged', () => {
  const text = `00-${TRACE}-${SPAN}-01`
  const read = parseTraceparent(text)
  expect(read && traceparentOf(read)).toBe(text)
})
