import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', '{plugins,optional}/**/*.test.ts'],
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
