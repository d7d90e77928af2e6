import { describe, expect, test } from 'vitest'
import { availabilityFault, availableUntil, computeRetention, dateOrder } from '../../../src/domain/availability.ts'

const TEN = { act: 'An act', from: '2020-01-01', years: 10 }

describe('the last day', () => {
  test.each<[object, string | undefined]>([
    [{}, undefined],
    [{ placedOnMarketAt: '2026-05-01' }, '2036-05-01'],
    [{ placedOnMarketAt: '2026-05-01', lastPlacedAt: '2030-02-03' }, '2040-02-03'],
    [{ lastPlacedAt: '2030-02-03' }, '2040-02-03'],
    [{ placedOnMarketAt: '2024-02-29' }, '2034-02-28'],
    [{ placedOnMarketAt: '9998-01-01' }, '9999-12-31'],
    [{ placedOnMarketAt: '2026-02-30' }, undefined],
    [{ placedOnMarketAt: '2026-05-01T00:00:00Z' }, undefined],
    [{ placedOnMarketAt: 20260501 }, undefined],
  ])('of %j is %s', (metadata, expected) => {
    expect(availableUntil(metadata as never, TEN)).toBe(expected)
  })

  test('is absent without a period, or if the act does not cover the product', () => {
    const metadata = { placedOnMarketAt: '2026-05-01' }
    expect(availableUntil(metadata, undefined)).toBeUndefined()
    expect(availableUntil(metadata, { act: 'An act' })).toBeUndefined()
    expect(availableUntil(metadata, { ...TEN, where: 'surfactants' })).toBeUndefined()
    expect(availableUntil({ ...metadata, surfactants: [] }, { ...TEN, where: 'surfactants' })).toBe('2036-05-01')
  })
})

describe('reasons for retention', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  const placed = { placedOnMarketAt: '2026-05-01' }
  test.each([
    ['its period', placed, TEN, false, { act: 'An act', until: '2036-05-01' }],
    [
      'the last day of it',
      { placedOnMarketAt: '2016-11-22' },
      TEN,
      false,
      { act: 'An act', until: '2016-11-22'.replace('2016', '2026') },
    ],
    ['nothing, the day after', { placedOnMarketAt: '2016-11-21' }, TEN, false, undefined],
    ['nothing, where it does not say when it was placed', { lastPlacedAt: '2026-05-01' }, TEN, false, undefined],
    ['nothing, before the act', placed, { ...TEN, from: '2026-11-23' }, false, undefined],
    [
      'the act, from its first day',
      placed,
      { ...TEN, from: '2026-11-22' },
      false,
      { act: 'An act', until: '2036-05-01' },
    ],
    ['nothing, where it is not known when the act begins', placed, { act: 'An act', years: 10 }, false, undefined],
    ['the act ahead of its time', placed, { act: 'An act', years: 10 }, true, { act: 'An act', until: '2036-05-01' }],
    ['its units', placed, { act: 'An act', from: '2026-01-01' }, false, { act: 'An act', until: null }],
    ['nothing, without an act', placed, undefined, true, undefined],
  ])('is %s', (_, metadata, availability, evenBefore, expected) => {
    expect(computeRetention(metadata, availability, { now, evenBefore })).toEqual(expected)
  })
})

describe('dates in the wrong order', () => {
  const issues = (metadata: object) => [...dateOrder(metadata as never)].map(({ path, code }) => [path, code])
  test.each<[object, string[][]]>([
    [{ placedOnMarketAt: '2026-05-01', lastPlacedAt: '2026-05-01', manufacturingDate: '2026-05-01' }, []],
    [{ placedOnMarketAt: '2026-05-02', lastPlacedAt: '2026-05-01' }, [['lastPlacedAt', 'lastPlacedOrder']]],
    [{ placedOnMarketAt: '2026-05-01', manufacturingDate: '2026-05' }, []],
    [{ placedOnMarketAt: '2026-05-31', manufacturingDate: '2026-06' }, [['manufacturingDate', 'manufacturedOrder']]],
    [{ placedOnMarketAt: '2026-05-01', dateOfManufacture: '2026-05-02' }, [['dateOfManufacture', 'manufacturedOrder']]],
    [{ manufacturingDate: '2026-05-02', lastPlacedAt: '2020-01-01' }, []],
    [{ placedOnMarketAt: 'soon', lastPlacedAt: 7, manufacturingDate: {} }, []],
  ])('%j', (metadata, expected) => {
    expect(issues(metadata)).toEqual(expected)
  })

  test('name the clause', () => {
    const [issue] = dateOrder({ placedOnMarketAt: '2026-05-02', lastPlacedAt: '2026-05-01' })
    expect(issue?.params).toEqual({ earliest: '2026-05-02', clause: 'Regulation (EU) 2024/1781, Article 9(2)(i)' })
  })
})

test.each<[unknown, boolean]>([
  [undefined, true],
  [{ act: 'An act' }, true],
  [{ act: 'An act', from: '2027-02-18', years: 10, where: 'surfactants' }, true],
  [{}, false],
  [{ act: ' ' }, false],
  [{ act: 'An act', from: '2027-02-30' }, false],
  [{ act: 'An act', years: 0 }, false],
  [{ act: 'An act', years: 1.5 }, false],
  [{ act: 'An act', until: '2030' }, false],
  [{ act: 'An act', where: 1 }, false],
  ['ten years', false],
])('a schema may say %j: %s', (value, isRight) => {
  expect(availabilityFault({ 'x-availability': value }) === undefined).toBe(isRight)
})
