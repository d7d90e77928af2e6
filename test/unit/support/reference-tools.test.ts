import { afterEach, expect, test, vi } from 'vitest'
import { referenceTool } from '../../support/reference-tools.ts'

afterEach(() => vi.unstubAllEnvs())

test('a judge that is missing is skipped on a machine without it, and fails in CI by its name', () => {
  vi.stubEnv('REQUIRE_JUDGES', '')
  expect(referenceTool('no-such-judge')).toBeUndefined()
  vi.stubEnv('REQUIRE_JUDGES', 'true')
  expect(() => referenceTool('no-such-judge', 'nor-this-one')).toThrow(
    'The judge no-such-judge or nor-this-one is missing',
  )
  expect(referenceTool('no-such-judge', 'node')).toBe('node')
})
