import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** Tests of one area, set by `run.ts`. */
const include: string[] = JSON.parse(process.env.MUTATION_TESTS ?? '[]')
const needsDatabase = include.some((pattern) => /^(?:test\/(?:contract|conformance)|plugins)\//.test(pattern))
const { projects: _, reporters: __, ...shared } = base.test ?? {}

export default defineConfig({
  test: { ...shared, include, maxWorkers: 1, globalSetup: needsDatabase ? ['test/support/global-setup.ts'] : [] },
})
