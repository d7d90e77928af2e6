import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = dirname(dirname(import.meta.dirname))

test('tests detect every mutation of the masking code (npm run mutation covers more)', async () => {
  const words = ['test/mutation/run.ts', 'redaction:src/domain/redaction.ts']
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: ROOT })
  const match = /: (\d+) of (\d+) mutants were noticed, 100\.0 %\.\n$/.exec(stdout)
  expect(match, stdout).not.toBeNull()
  expect(Number(match?.[2])).toBeGreaterThanOrEqual(10)
})
