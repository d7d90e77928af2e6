import { describe, expect, it } from 'vitest'
import { findMaterials, MATERIAL_KINDS, MATERIALS } from '../../../src/categories/materials.ts'

/** Check digit of a CAS number: the digits before it, weighted 1, 2, 3 … from the right, modulo 10. */
const checkDigit = (casNumber: string) =>
  [...casNumber.replaceAll('-', '').slice(0, -1)]
    .reverse()
    .reduce((sum, digit, index) => sum + Number(digit) * (index + 1), 0) % 10

describe('the vocabulary of materials', () => {
  it('has every kind, with stable ids that are there once', () => {
    expect(new Set(MATERIALS.map(({ kind }) => kind))).toEqual(new Set(MATERIAL_KINDS))
    expect(new Set(MATERIALS.map(({ id }) => id)).size).toBe(MATERIALS.length)
    for (const { id, kind } of MATERIALS) expect(id).toMatch(new RegExp(`^${kind}:[a-z0-9]+(-[a-z0-9]+)*$`))
  })

  it('has CAS numbers with the right check digit', () => {
    const numbers = MATERIALS.flatMap(({ casNumber }) => casNumber ?? [])
    expect(numbers.length).toBeGreaterThan(100)
    for (const number of numbers) {
      expect(number).toMatch(/^[1-9]\d{1,6}-\d{2}-\d$/)
      expect(checkDigit(number), number).toBe(Number(number.at(-1)))
    }
  })

  it('names the same substance by the same number', () => {
    const numberOf = (name: string) => findMaterials({ search: name }).map(({ casNumber }) => casNumber)
    expect(numberOf('silver').filter((number) => number !== null)).toEqual(['7440-22-4'])
    expect(numberOf('formaldehyde')).toEqual(['50-00-0'])
    expect(new Set(numberOf('cobalt').filter((number) => number === '7440-48-4')).size).toBe(1)
  })

  it('is found by kind, by part of a name in any case, and up to a limit; an unknown kind is ignored', () => {
    expect(findMaterials({ kind: 'fiber', search: 'WOOL' }).map(({ name }) => name)).toEqual(['Wool', 'Wool, recycled'])
    expect(findMaterials({ kind: 'planet' })).toHaveLength(MATERIALS.length)
    expect(findMaterials({ limit: '3' })).toHaveLength(3)
    expect(findMaterials({ limit: '0' })).toHaveLength(1)
    expect(findMaterials({ limit: '9'.repeat(30) })).toHaveLength(MATERIALS.length)
  })

  it('comes by kind, then by name', () => {
    const order = MATERIALS.map(({ kind, name }) => `${kind} ${name}`)
    expect(order).toEqual(order.toSorted((a, b) => a.localeCompare(b, 'en')))
  })
})
