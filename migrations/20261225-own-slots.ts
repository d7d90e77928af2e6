import { Migration } from '@mikro-orm/migrations'

/**
 * Counts are kept in slots, so that writers that work side by side do not wait for each other. The slot went by the number
 * of the server's process, and two processes may come to the same one: an insert that counts and then charges, beside an
 * update that charges and then counts, ended in a deadlock. A slot is held now, and another is taken where it is.
 */
export default class OwnSlots extends Migration {
  override name = 'own-slots'

  override up(): void {
    // Held until the transaction ends; whoever asks again within it has the same. Beyond 64 writers they share again.
    this.addSql(`
      create function own_slot() returns int language plpgsql as $$
      declare
        slot int := pg_backend_pid() & 63;
      begin
        for tried in 1..64 loop
          if pg_try_advisory_xact_lock(${SLOTS}, slot) then return slot; end if;
          slot := (slot + 1) & 63;
        end loop;
        return slot;
      end $$`)
    // The triggers call it, as the owner; the roles have no use for it.
    this.addSql(`revoke all on function own_slot from public`)
    this.addSql(`
      do $do$
      declare
        counting record;
      begin
        for counting in
          select pg_get_functiondef(oid) as definition from pg_proc
          where pronamespace = 'public'::regnamespace and prokind = 'f' and proname <> 'own_slot'
            and prosrc like '%pg_backend_pid() & 63%'
        loop
          execute replace(counting.definition, 'pg_backend_pid() & 63', 'own_slot()');
        end loop;
      end $do$`)
  }
}

/** The class of the advisory locks of slots, a number of our own choice. */
const SLOTS = 7037
