import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type captures from './services/captures.ts'
import type journeys from './services/journeys.ts'
import type traceability from './services/traceability.ts'

export interface Cradle extends ModuleCradle {
  captures: ReturnType<typeof captures>
  journeys: ReturnType<typeof journeys>
  traceability: ReturnType<typeof traceability>
}
