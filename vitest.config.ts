import { defineConfig } from 'vitest/config'

const cluster = { globalSetup: ['test/support/global-setup.ts'] }
const project = (name: string, include: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
})

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/unit/**/*.test.ts']),
      project('contract', ['test/contract/**/*.test.ts', '{plugins,optional}/**/*.test.ts'], cluster),
      // Every operation, reader, language or form in turn.
      project('sweeps', ['test/sweeps/**/*.test.ts'], cluster),
      // Foreign verifiers, official schemas, and vectors judge what the gateway writes.
      project('conformance', ['test/conformance/**/*.test.ts'], cluster),
      // Processes, browsers, fuzz, faults, mutation, upgrades, back-ups, and what the documentation tells its reader to run.
      project('trials', ['test/{trials,browser}/**/*.test.ts'], cluster),
    ],
    reporters: ['default', './test/support/slow-tests.ts'],
    // Loaded by the test runner too, or what it imports would be another copy of what tests import.
    server: { deps: { inline: ['awilix'] } },
    // Loading the gateway again for each file took a quarter of the time. A file creates what it does not share.
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    // A limit for tests that hang.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // One works while the others wait for a browser, a process or the database.
    maxWorkers: 3,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
