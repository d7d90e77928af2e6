import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Root of the package: where openapi.yaml, contexts, schemas, locales and plugins are. */
export const ROOT = resolve(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '..' : '../..')

/** SemVer of the contract, `info.version` (specification 9). */
export const CONTRACT_VERSION = '1.15.0'

/** SemVer of this build. */
export const VERSION: string = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')).version
