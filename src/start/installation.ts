import type { MasterKeys } from '../storage/database-roles.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../storage/embedded-postgres/index.ts'
import { type Config, ConfigError } from './config.ts'
import { existingMasterKeysOf } from './master-key.ts'

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

/** Converts third-party errors to ConfigError; subclasses of Error are defects. */
export function toConfigError(variable: string, error: unknown): unknown {
  const isOurs = error instanceof ConfigError || !(error instanceof Error) || error.constructor !== Error
  if (isOurs) return error
  const named = error.message.startsWith(`${variable}: `) ? error.message : `${variable}: ${error.message}`
  return new ConfigError(named, { cause: error })
}
