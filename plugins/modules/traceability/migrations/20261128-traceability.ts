import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Migration } from '@mikro-orm/migrations'

export default class Traceability extends Migration {
  override up(): void {
    this.addSql(readFileSync(join(import.meta.dirname, '20261128-traceability.sql'), 'utf8'))
  }
}
