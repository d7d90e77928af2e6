import { expect, it } from 'vitest'
import { pageOf } from '../../../src/domain/paging.ts'

it.each([
  [{}, { page: 1, limit: 10 }],
  [
    { page: '3', limit: '20' },
    { page: 3, limit: 20 },
  ],
  [
    { page: '0', limit: '101' },
    { page: 1, limit: 100 },
  ],
  [
    { page: '-2', limit: '0' },
    { page: 1, limit: 1 },
  ],
  [
    { page: 'x', limit: '1.5' },
    { page: 1, limit: 10 },
  ],
  [
    { page: '9'.repeat(30), limit: '9'.repeat(400) },
    { page: 1_000_000, limit: 100 },
  ],
])('the page of %j is %j', (query, expected) => {
  expect(pageOf(query, { usual: 10, max: 100 })).toEqual(expected)
})
