import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Contract } from './http/contract.ts'
import type { SharedCounters } from './outside/shared-counters.ts'
import type { Signer } from './plugin/contracts.ts'
import type { LoadedPlugins } from './plugin/loader.ts'
import type { Config } from './start/config.ts'
import type { Database } from './storage/database.ts'
import type { SecretBox } from './storage/secret-box.ts'
import type { Counters } from './telemetry/counters.ts'
import type { Tracing } from './telemetry/current.ts'

export interface Opened {
  config: Config
  log: Logger
  plugins: LoadedPlugins
  /** Undefined on the command line. */
  contract: Contract
  database: Database
  signer: Signer
  secretBox: SecretBox
  boss: PgBoss
  /** Undefined without `REDIS_URL`. */
  sharedCounters: SharedCounters | undefined
  counters: Counters
  /** Undefined without a module that exports traces. */
  tracing: Tracing | undefined
}

/** Singletons by name. Factory modules extend it with their product; `src/start/container.ts` loads them. */
export interface Cradle extends Opened {}
