import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { journeyOf, MAX_STEPS, type TracedEvent } from './journey.ts'

const FARM = 'https://id.gs1.org/414/4000000402121'

const event = (
  id: string,
  day: number,
  parents: string[] = [],
  members: Partial<Omit<TracedEvent, 'id' | 'parents'>> = {},
): TracedEvent => ({
  id,
  parents,
  type: 'ObjectEvent',
  action: 'ADD',
  eventTime: new Date(Date.UTC(2026, 2, day)),
  bizStep: 'commissioning',
  bizLocation: undefined,
  readPoint: undefined,
  ...members,
})

const transformation = { type: 'TransformationEvent', action: undefined, bizStep: undefined } as const

describe('the journey of a garment', () => {
  const events = [
    event('sew', 5, ['weave', 'buttons'], transformation),
    event('weave', 3, ['spin'], transformation),
    event('farm', 1, [], { bizLocation: FARM }),
    event('spin', 2, ['farm'], transformation),
    event('buttons', 4),
    event('ship', 6, ['sew'], { action: 'OBSERVE', bizStep: 'shipping', readPoint: 'geo:52.5,13.4' }),
  ]
  const places = new Map([[FARM, { name: 'Farm', country: 'EG' }]])

  test('is ordered by time, with each step and its predecessor', () => {
    const { steps, isCut } = journeyOf(events, places)
    expect(isCut).toBe(false)
    expect(steps.map(({ stage, from }) => [stage, from])).toEqual([
      ['origin', []],
      ['processing', [0]],
      ['processing', [1]],
      ['origin', []],
      ['making', [2, 3]],
      ['transport', [4]],
    ])
  })

  test('has the names that the owner gave to places, and their addresses', () => {
    const { steps } = journeyOf(events, places)
    expect(steps[0]?.place).toEqual({ name: 'Farm', country: 'EG', uri: FARM })
    expect(steps[1]?.place).toEqual({ name: null, country: null, uri: null })
    expect(steps[5]?.place).toEqual({ name: null, country: null, uri: 'geo:52.5,13.4' })
  })
})

test('events that are too many leave out what is of least weight, and what follows still does', () => {
  const chain = Array.from({ length: 60 }, (_, index) =>
    event(String(index), 1 + index / 10, index === 0 ? [] : [String(index - 1)], {
      action: 'OBSERVE',
      bizStep: index % 2 === 1 ? 'inspecting' : 'shipping',
    }),
  )
  const { steps, isCut } = journeyOf(chain, new Map())
  expect([steps.length, isCut]).toEqual([MAX_STEPS, true])
  expect(steps.map(({ from }) => from)).toEqual(steps.map((_, index) => (index === 0 ? [] : [index - 1])))
})

test('marks a journey that was not followed to its beginning', () => {
  expect(journeyOf([event('made', 1)], new Map(), true).isCut).toBe(true)
})

test('for any graph, including cycles, each event is one step and follows only earlier steps', () => {
  const graphs = fc.array(fc.record({ day: fc.nat(5), parents: fc.array(fc.nat(29), { maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 30,
  })
  fc.assert(
    fc.property(graphs, (nodes) => {
      const events = nodes.map(({ day, parents }, index) => event(String(index), day, parents.map(String)))
      const { steps } = journeyOf(events, new Map())
      expect(steps).toHaveLength(nodes.length)
      for (const [index, { from }] of steps.entries()) expect(from.every((step) => step < index)).toBe(true)
    }),
  )
})
