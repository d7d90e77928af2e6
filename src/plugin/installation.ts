/** Published entry `dpp-gateway/plugin/installation`, for commands that work on a database without a gateway. */

export { startBoss } from '../jobs/boss.ts'
export { VERSION } from '../root.ts'
export { type Config, ConfigError } from '../start/config.ts'
export { allMigrations } from '../start/gateway.ts'
export { type Installation, type ReportProgress, withDatabase } from '../start/installation.ts'
export { createLog } from '../start/log.ts'
export { existingMasterKeysOf } from '../start/master-key.ts'

export { loginsOf, logsIn, urlAs } from '../storage/database-roles.ts'
export { connectAsOwner, prepareDatabase, storePlans } from '../storage/prepare-database.ts'
export { RoleClient } from '../storage/role-client.ts'
export { loadPlugins } from './loader.ts'
