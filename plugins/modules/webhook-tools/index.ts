import type { ModulePlugin } from '../../../src/plugin/index.ts'

export default { kind: 'module', name: 'webhook-tools' } satisfies ModulePlugin
