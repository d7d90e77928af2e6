import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { Cradle } from './cradle.ts'
import { Brand, Media, MediaFile, MediaGone, MediaPiece } from './entities.ts'
import { brand, media } from './parts.ts'
import { settings } from './settings.ts'
import { sweep } from './sweep.ts'

export default {
  kind: 'module',
  name: 'media',
  settings,
  passportParts: { media, brand },
  schedules: [
    {
      name: 'media-sweep',
      cron: '*/10 * * * *',
      isOn: ({ objectStore }: Cradle) => objectStore !== undefined,
      run: ({ objectStore }: Cradle, jobs) => sweep(objectStore, jobs),
    },
  ],
  demo: async (services: Cradle, content) => (await import('./demo.ts')).default(services, content),
  entities: [Brand, Media, MediaFile, MediaGone, MediaPiece],
} satisfies ModulePlugin
