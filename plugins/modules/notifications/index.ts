import type { ModulePlugin } from '../../../src/plugin/index.ts'
import { Notification } from './entities.ts'
import { addNotification } from './notification-rows.ts'

export default {
  kind: 'module',
  name: 'notifications',
  entities: [Notification],
  // The migration has the same number, so that the deleting role cannot delete newer rows.
  retention: [{ table: 'notification', days: 90 }],
  onNotification: addNotification,
} satisfies ModulePlugin
