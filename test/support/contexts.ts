import { join } from 'node:path'
import { ROOT } from '../../src/config.ts'
import { loadContexts } from '../../src/plugin/loader.ts'

/** The contexts that `dpp verify` has: the gateway's own, and those of its plugins. */
export const CONTEXTS = loadContexts([join(ROOT, 'plugins')])
