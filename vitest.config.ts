import { configDefaults, defineConfig } from 'vitest/config'
import { LONG_TESTS } from './test/long-tests.ts'

// `short` and `long` are the two halves of CI; whoever names files, or runs vitest by hand, gets what they ask for.
const half = process.env.TESTS

export default defineConfig({
  test: {
    include: half === 'long' ? [...LONG_TESTS] : ['test/**/*.test.ts', '{plugins,optional}/**/*.test.ts'],
    exclude: half === 'short' ? [...configDefaults.exclude, ...LONG_TESTS] : configDefaults.exclude,
    // Loaded by the test runner too, or what it imports would be another copy of what tests import.
    server: { deps: { inline: ['awilix'] } },
    globalSetup: ['test/support/global-setup.ts'],
    // Loading the gateway anew for each file took a quarter of the time. What a file needs to itself, it makes.
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    // Says that a test hangs, not that a machine is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // A third works while the others wait, for a browser or for the database.
    maxWorkers: 3,
  },
})
