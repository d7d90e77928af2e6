import type { ModulePlugin } from '../../../src/plugin/index.ts'
import { Handover, PassportLink } from './entities.ts'
import { passportPart } from './passport-part.ts'

export default {
  kind: 'module',
  name: 'links',
  entities: [PassportLink, Handover],
  notificationTypes: {
    'link.requested': 'passport:read',
    'link.decided': 'passport:read',
    'handover.accepted': 'passport:read',
  },
  passportParts: { links: passportPart },
} satisfies ModulePlugin
