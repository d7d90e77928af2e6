import { Migration } from '@mikro-orm/migrations'

/** Counts the attempts at long work that never ended: their process died. */
export default class CrashedWork extends Migration {
  override name = 'crashed-work'

  override up(): void {
    for (const table of ['label_job', 'capture_job', 'import']) {
      this.addSql(`alter table ${table} add column begun smallint not null default 0`)
      this.addSql(`grant update (begun) on ${table} to dpp_app`)
    }
  }
}
