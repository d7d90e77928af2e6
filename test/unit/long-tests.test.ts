import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { LONG_TESTS } from '../long-tests.ts'

test('what is left to npm run test:long is there, once', () => {
  expect(LONG_TESTS.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  expect(new Set(LONG_TESTS).size).toBe(LONG_TESTS.length)
})
