import { Migration } from '@mikro-orm/migrations'

/** Packages of Asset Administration Shells are taken in too. */
export default class AasxImports extends Migration {
  override name = 'aasx-imports'

  override up(): void {
    this.addSql(`
      alter table import drop constraint import_format_check,
        add constraint import_format_check check (format in ('csv', 'xlsx', 'jsonl', 'aasx'))`)
  }
}
