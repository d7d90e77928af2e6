import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../src/root.ts'

/**
 * Writes a plugin with a later migration of these statements.
 * @returns `PLUGINS` of the later version
 */
export async function laterPlugin(folder: string, statements: readonly string[]): Promise<string> {
  const plugin = join(folder, 'later-version')
  await mkdir(join(plugin, 'migrations'), { recursive: true })
  await writeFile(join(plugin, 'index.js'), `export default { kind: 'category', name: 'later' }`)
  await writeFile(
    join(plugin, 'migrations', '20990101-later.js'),
    `import { Migration } from '${join(ROOT, 'node_modules/@mikro-orm/migrations/index.js')}'
    export default class extends Migration {
      up() {
        for (const statement of ${JSON.stringify(statements)}) this.addSql(statement)
      }
    }`,
  )
  return `${join(ROOT, 'plugins')},${plugin}`
}
