import { describe, expect, it } from 'vitest'
import { knownMembers, nearestOf, unknownKeys } from '../../../src/domain/unknown-keys.ts'

describe('the word that was probably meant', () => {
  it.each([
    ['fibreComposition', 'fiberComposition'],
    ['GTIN', 'gtin'],
    ['facilityID', 'facilityId'],
    ['carenstructions', 'careInstructions'],
    ['siez', 'size'],
    ['careIn', 'careInstructions'],
    ['fac', undefined],
    ['x', undefined],
    ['somethingElseAltogether', undefined],
    ['size'.repeat(20), undefined],
  ])('for %s is %s', (given, meant) => {
    const words = ['size', 'gtin', 'fiberComposition', 'facilityId', 'careInstructions', 'size'.repeat(20)]
    expect(nearestOf(given, words)).toBe(meant)
  })

  it('is the nearest of several', () => {
    expect(nearestOf('batteryMas', ['batteryMax', 'batteryMass', 'batteryMa'])).toBe('batteryMax')
    expect(nearestOf('batteryMass', ['batteryMax', 'batteryMass'])).toBe('batteryMass')
  })
})

describe('unknown keys', () => {
  const text = { type: 'string' }
  const known = knownMembers(
    [
      {
        properties: {
          size: text,
          label: { type: ['string', 'object'], properties: { text }, additionalProperties: text },
          free: { type: 'object' },
          parts: { type: 'array', items: { properties: { name: text } } },
        },
      },
    ],
    {},
  )
  const found = (metadata: object, maxFindings = 20) =>
    unknownKeys(metadata, { known, isElsewhere: (key) => key === 'weight', maxFindings }).map(
      ({ path, suggestion }) => [path, suggestion],
    )

  it('are found at the top, in groups and in lists', () => {
    expect(found({ size: 1, sizes: 2, parts: [{ name: 'a' }, { nmae: 'b' }] })).toEqual([
      ['sizes', 'size'],
      ['parts[1].nmae', 'name'],
    ])
  })

  it('are not those of another category, of a map, or of a group of which nothing is said', () => {
    expect(found({ weight: 1, label: { de: 'a', 'pt-BR': 'b' }, free: { any: { thing: 1 } } })).toEqual([])
  })

  it('are reported up to a limit', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`unknown${index}`, 1]))
    expect(found(many, 3)).toHaveLength(3)
  })
})
