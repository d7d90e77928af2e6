import { join } from 'node:path'
import { loadContexts } from '../../src/plugin/loader.ts'
import { ROOT } from '../../src/root.ts'

/** The contexts that `dpp verify` has: the gateway's own, and those of its plugins. */
export const CONTEXTS = loadContexts([join(ROOT, 'plugins')])
