import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { Cradle } from './cradle.ts'

export default {
  kind: 'module',
  name: 'front-door',
  findSubject: (search, { frontDoor }: Cradle) => frontDoor.answer('access', search),
} satisfies ModulePlugin
