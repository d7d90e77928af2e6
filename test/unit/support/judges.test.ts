import { afterEach, expect, test, vi } from 'vitest'
import { judge } from '../../support/judges.ts'

afterEach(() => vi.unstubAllEnvs())

test('a judge that is missing is skipped on a machine without it, and fails in CI by its name', () => {
  vi.stubEnv('REQUIRE_JUDGES', '')
  expect(judge('no-such-judge')).toBeUndefined()
  vi.stubEnv('REQUIRE_JUDGES', 'true')
  expect(() => judge('no-such-judge', 'nor-this-one')).toThrow('The judge no-such-judge or nor-this-one is missing')
  expect(judge('no-such-judge', 'node')).toBe('node')
})
