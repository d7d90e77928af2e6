import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Contract } from './http/contract.ts'
import type { SharedCounters } from './outside/shared-counters.ts'
import type { Signer } from './plugin/contracts.ts'
import type { LoadedPlugins } from './plugin/loader.ts'
import type { Database } from './storage/database.ts'
import type { SecretBox } from './storage/secret-box.ts'
import type { Counters } from './telemetry/counters.ts'
import type { Tracing } from './telemetry/current.ts'

/** What start-up has opened before anything can be built on it. */
export interface Opened {
  config: Config
  log: Logger
  plugins: LoadedPlugins
  /** Absent at the command line, where nothing of HTTP is asked for. */
  contract: Contract
  database: Database
  signer: Signer
  secretBox: SecretBox
  boss: PgBoss
  /** Absent without `REDIS_URL`. */
  sharedCounters: SharedCounters | undefined
  counters: Counters
  /** Absent without `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  tracing: Tracing | undefined
}

/**
 * Everything that a factory or a handler may ask for, by name; one instance of each lives as long as the process. A module
 * whose default export is a factory adds what it makes, under the name of its file; `src/container.ts` loads them.
 */
export interface Cradle extends Opened {}
