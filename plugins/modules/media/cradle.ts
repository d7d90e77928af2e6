import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type brands from './services/brands.ts'
import type media from './services/media.ts'
import type objectStore from './services/object-store.ts'
import type pictures from './services/pictures.ts'
import type { MediaSettings } from './settings.ts'

export interface Cradle extends ModuleCradle {
  brands: ReturnType<typeof brands>
  mediaSettings: MediaSettings | undefined
  media: ReturnType<typeof media>
  objectStore: ReturnType<typeof objectStore>
  pictures: ReturnType<typeof pictures>
}
