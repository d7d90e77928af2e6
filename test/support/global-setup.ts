import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { preparedDataDir } from './prepared-cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Cluster folder shared by all test files; each creates its own database. */
    clusterDir: string
  }
}

/** Starts one real PostgreSQL for the run. */
export default async function setup({ provide, config }: TestProject) {
  const clusterDir = await mkdtemp(join(tmpdir(), 'dpp-gateway-test-'))
  // mkdtemp sets 0700. As root, PostgreSQL runs as another user, who cannot traverse it in a container without
  // CAP_DAC_READ_SEARCH.
  await chmod(clusterDir, 0o711)
  await preparedDataDir(clusterDir, { modules: config.env?.TEST_MODULES !== 'off' })
  const postgres = await openEmbeddedPostgres({
    dataDir: clusterDir,
    log: () => {},
    fast: true,
    // Autovacuum would visit hundreds of small databases once a minute.
    settings: { max_connections: '300', autovacuum: 'off' },
  })
  provide('clusterDir', clusterDir)
  return async () => {
    await postgres.stop()
    await rm(clusterDir, { recursive: true, force: true })
  }
}
