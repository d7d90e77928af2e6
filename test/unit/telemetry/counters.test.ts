import { expect, test } from 'vitest'
import { BUCKETS, Counters, RequestCounter } from '../../../src/telemetry/counters.ts'

test('a request is in the first bucket that it is not above, and in the class of its status', () => {
  const counter = new RequestCounter()
  for (const milliseconds of [0.1, 0.5, 0.6, 10_000, 10_001]) counter.observe(204, milliseconds)
  counter.observe(503, 1)
  counter.observe(0, 1)
  const classes = Object.fromEntries([...counter.classes()].map((one) => [one.status, one]))
  expect(Object.keys(classes)).toEqual(['none', '2xx', '5xx'])
  const counts = classes['2xx']?.counts ?? []
  expect(counts.length).toBe(BUCKETS.length + 1)
  expect([counts[0], counts[1], counts.at(-2), counts.at(-1)]).toEqual([2, 1, 1, 1])
  expect(classes['2xx']?.seconds).toBeCloseTo(20.0022, 6)
  expect(classes['5xx']?.counts.reduce((sum, count) => sum + count)).toBe(1)
})

test('an operation has one counter, and what has none shares one', () => {
  const counters = new Counters()
  expect(counters.requestsOf('getPassport')).toBe(counters.requestsOf('getPassport'))
  counters.requestsOf().observe(404, 1)
  expect([...counters.requests()].map(([operation]) => operation)).toEqual(['getPassport', 'none'])
})
