import { join } from 'node:path'
import { ROOT } from '../../src/root.ts'

/** `PLUGINS` of a gateway without modules. */
export const CORE_PLUGINS = ['representations', 'categories', 'signers']
  .map((name) => join(ROOT, 'plugins', name))
  .join()

/** `PLUGINS` of the test gateways: without modules if `TEST_MODULES=off`, as in the vitest project `core`. */
export const testPlugins = (): string | undefined => (process.env.TEST_MODULES === 'off' ? CORE_PLUGINS : undefined)
