import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// The workers of each project load the same modules.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

const cluster = { globalSetup: ['test/support/global-setup.ts'] }
const project = (name: string, include: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
})

/** Test files that begin with this comment also run in the project `core`. */
const ALSO_CORE = '// Also runs without modules'
const isAlsoCore = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8').startsWith(ALSO_CORE)
const alsoCore = globSync('test/{contract,sweeps}/*.test.ts', { cwd: import.meta.dirname }).filter(isAlsoCore)

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/unit/**/*.test.ts']),
      project('contract', ['test/contract/**/*.test.ts', '{plugins,optional}/**/*.test.ts'], cluster),
      // Without modules: the sweep over all responses, and a file per subject of the specification.
      project('core', ['test/core/**/*.test.ts', ...alsoCore], { ...cluster, env: { TEST_MODULES: 'off' } }),
      // Sweeps over every operation, reader, language or representation; foreign verifiers, official schemas and vectors;
      // processes, browsers, fuzz, faults, mutation, upgrades, backups, and the commands of the documentation. One project:
      // the workers of each load the gateway again, which takes 5 s of processor time.
      project('trials', ['test/{sweeps,conformance,trials,browser}/**/*.test.ts'], cluster),
    ],
    reporters: ['default', './test/support/slow-tests.ts'],
    // Loaded by the test runner too; otherwise tests would import another copy.
    server: { deps: { inline: ['awilix'] } },
    // Reloading the gateway for each file took a quarter of the time. A file creates what it does not share.
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    // Limit for hanging tests.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // Tests wait for browsers, processes and the database.
    maxWorkers: 3,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
