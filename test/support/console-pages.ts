import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ConsolePage, PageFile } from '../../plugins/modules/console/site.ts'
import { ROOT } from '../../src/root.ts'
import type { TestGateway } from './gateway.ts'

/** Pages of all files of the console. */
export async function consolePages(gateway: TestGateway): Promise<readonly ConsolePage[]> {
  const folder = join(ROOT, 'plugins/modules/console/pages')
  const files = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const made = await Promise.all(
    files.map(async (name) => (await import(join(folder, name))).default(gateway.container.cradle) as PageFile),
  )
  return made.flatMap((file) => file.pages)
}
