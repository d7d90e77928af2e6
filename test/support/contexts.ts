import { join } from 'node:path'
import { loadContexts } from '../../src/plugin/loader.ts'
import { ROOT } from '../../src/root.ts'

/** Contexts of `dpp verify`: the gateway's and its plugins'. */
export const CONTEXTS = loadContexts([join(ROOT, 'plugins')])
