import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** The tests of one area, as `run.ts` names them. */
const include: string[] = JSON.parse(process.env.MUTATION_TESTS ?? '[]')
const needsDatabase = include.some((pattern) => /^(?:test\/(?:contract|conformance)|plugins)\//.test(pattern))

export default defineConfig({
  ...base,
  test: { ...base.test, include, maxWorkers: 1, globalSetup: needsDatabase ? (base.test?.globalSetup ?? []) : [] },
})
