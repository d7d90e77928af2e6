import type { ModulePlugin } from '../../../src/plugin/index.ts'

export default { kind: 'module', name: 'cells' } satisfies ModulePlugin
