import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type imports from './services/imports.ts'
import type passportTables from './services/passport-tables.ts'

export interface Cradle extends ModuleCradle {
  imports: ReturnType<typeof imports>
  passportTables: ReturnType<typeof passportTables>
}
