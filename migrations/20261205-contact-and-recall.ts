import { Migration } from '@mikro-orm/migrations'

/** How to reach an economic operator, and why a passport is recalled. */
export default class ContactAndRecall extends Migration {
  override name = 'contact-and-recall'

  override up(): void {
    this.addSql(`alter table operator add column contact json`)
    this.addSql(`drop trigger operator_moves on operator`)
    this.addSql(`create trigger operator_moves after update on operator for each row
      when ((old.name, old.role, old.contact::text) is distinct from (new.name, new.role, new.contact::text))
      execute function master_data_moves()`)
    // Of recalls before this nothing is known but that they are.
    this.addSql(`alter table passport add column recall json`)
    this.addSql(`grant update (recall) on passport to dpp_app`)
    this.addSql(`alter table sealed_version add column recall json`)
  }
}
