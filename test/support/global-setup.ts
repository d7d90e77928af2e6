import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { preparedDataDir } from './prepared-cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the PostgreSQL cluster that all test files share; each makes its own database in it. */
    clusterDir: string
  }
}

/** One real PostgreSQL for the whole run, in a folder of its own, stopped at the end. */
export default async function setup({ provide }: TestProject) {
  const clusterDir = await mkdtemp(join(tmpdir(), 'dpp-gateway-test-'))
  // mkdtemp makes it 0700. For root PostgreSQL runs as another user, who cannot pass that in a container whose root lacks
  // CAP_DAC_READ_SEARCH.
  await chmod(clusterDir, 0o711)
  await preparedDataDir(clusterDir)
  const postgres = await openEmbeddedPostgres({
    dataDir: clusterDir,
    log: () => {},
    fast: true,
    // What no test waits for: hundreds of small databases, each looked after once a minute.
    settings: { max_connections: '300', autovacuum: 'off' },
  })
  provide('clusterDir', clusterDir)
  return async () => {
    await postgres.stop()
    await rm(clusterDir, { recursive: true, force: true })
  }
}
