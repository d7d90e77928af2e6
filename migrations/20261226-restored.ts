import { Migration } from '@mikro-orm/migrations'

/**
 * What a copy that is restored must not give again: places in status lists and numbers of keys that were given after the
 * back-up was made, and that only those know who have them.
 */
export default class Restored extends Migration {
  override name = 'restored'

  override up(): void {
    // Places are drawn from here on, and numbers of keys go on after it. The rights are those of the table.
    this.addSql(`alter table workspace add column status_floor int not null default 0 check (status_floor >= 0),
      add column key_floor int not null default 0 check (key_floor >= 0)`)
  }
}
