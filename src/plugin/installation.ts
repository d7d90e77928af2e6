/** Published entry `dpp-gateway/plugin/installation`, for commands that work on a database without a gateway. */

export { type Config, ConfigError } from '../config.ts'
export { allMigrations } from '../gateway.ts'
export { type Installation, type ReportProgress, withDatabase } from '../installation.ts'
export { startBoss } from '../jobs/boss.ts'
export { createLog } from '../log.ts'
export { existingMasterKeysOf } from '../master-key.ts'
export { VERSION } from '../root.ts'

export { loginsOf, logsIn, urlAs } from '../storage/database-roles.ts'
export { connectAsOwner, prepareDatabase, storePlans } from '../storage/prepare-database.ts'
export { loadPlugins } from './loader.ts'
