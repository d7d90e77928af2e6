import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type enReads from './services/en-reads.ts'
import type enWrites from './services/en-writes.ts'

export interface Cradle extends ModuleCradle {
  enReads: ReturnType<typeof enReads>
  enWrites: ReturnType<typeof enWrites>
}
