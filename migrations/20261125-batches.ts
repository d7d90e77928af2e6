import { Migration } from '@mikro-orm/migrations'

/** What a batch relies on is asserted by the database, since nobody looks between its statements. */
export default class Batches extends Migration {
  override name = 'batches'

  override up(): void {
    this.addSql(`
      create function expect(is_met boolean, code text) returns void language plpgsql as $$
      begin
        if is_met is not true then
          raise exception 'what a batch relies on is not so' using errcode = code;
        end if;
      end $$`)
  }
}
