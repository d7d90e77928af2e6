import type { MasterKeys } from '../storage/database-roles.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../storage/embedded-postgres/index.ts'
import type { Config } from './config.ts'
import { existingMasterKeysOf } from './master-key.ts'
import { toConfigError } from './variables.ts'

export type ReportProgress = (message: string) => void

const DEFAULT_MAX_CONNECTIONS = 100
/** For commands and superusers. */
const SPARE_CONNECTIONS = 20

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

/** Opens the embedded PostgreSQL if there is no DATABASE_URL. */
export async function openPostgres(config: Config, report: ReportProgress): Promise<EmbeddedPostgres | undefined> {
  if (config.databaseUrl !== undefined) return undefined
  const needed = config.databaseConnections + SPARE_CONNECTIONS
  const settings = { max_connections: String(Math.max(needed, DEFAULT_MAX_CONNECTIONS)) }
  return openEmbeddedPostgres({ dataDir: config.dataDir, log: report, settings }).catch((error) =>
    Promise.reject(toConfigError('DATA_DIR', error)),
  )
}
