import type { MasterKeys } from '../storage/database-roles.ts'
import { openEmbeddedPostgres } from '../storage/embedded-postgres/index.ts'
import type { Config } from './config.ts'
import { existingMasterKeysOf } from './master-key.ts'

export type ReportProgress = (message: string) => void

export interface Installation extends MasterKeys {
  readonly url: string
}

export async function withDatabase<T>(
  config: Config,
  report: ReportProgress,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const keys = await existingMasterKeysOf(config)
  if (config.databaseUrl !== undefined) return work({ url: config.databaseUrl, ...keys })
  const postgres = await openEmbeddedPostgres({ dataDir: config.dataDir, log: report })
  try {
    return await work({ url: postgres.url, ...keys })
  } finally {
    await postgres.stop()
  }
}
