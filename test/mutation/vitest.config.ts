import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** The tests of one area, as `run.ts` names them. */
const include: string[] = JSON.parse(process.env.MUTATION_TESTS ?? '[]')
const needsDatabase = include.some((pattern) => /^(?:test\/(?:contract|conformance)|plugins)\//.test(pattern))
const { projects: _, reporters: __, ...shared } = base.test ?? {}

export default defineConfig({
  test: { ...shared, include, maxWorkers: 1, globalSetup: needsDatabase ? ['test/support/global-setup.ts'] : [] },
})
