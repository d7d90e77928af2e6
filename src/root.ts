import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '..' : '../..')

/** `info.version` of the contract (specification 9). */
export const CONTRACT_VERSION = '1.15.0'

export const VERSION: string = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')).version
