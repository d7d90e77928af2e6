import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

export const LAYOUT_FOLDER = join(import.meta.dirname, 'layouts')

export const LAYOUT_NAMES: readonly string[] = readdirSync(LAYOUT_FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => basename(file, '.json'))
