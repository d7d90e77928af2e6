import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Migration } from '@mikro-orm/migrations'

const FOLDER = join(import.meta.dirname, 'initial')

/** Creates the schema of 1.15.0: all tables, then functions, triggers, policies and rights. */
export default class Initial extends Migration {
  override up(): void {
    for (const kind of ['tables', 'rules']) {
      for (const file of globSync(`${kind}/*.sql`, { cwd: FOLDER }).sort()) {
        this.addSql(readFileSync(join(FOLDER, file), 'utf8'))
      }
    }
  }
}
