import { Migration } from '@mikro-orm/migrations'

/** Idempotency keys, counted catalogues, lists from an index alone, and an access audit that locks nothing. */
export default class IdempotencyAndCounts extends Migration {
  override name = 'idempotency-and-counts'

  override up(): void {
    this.accessAudit()
    this.idempotency()
    this.counts()
    this.lists()
  }

  /** One element of accessed_at is one access; those of a second that differ in nothing else share a row. */
  private accessAudit(): void {
    // The foreign key's check would lock the passport's row for every entry. Deleting a draft removes its entries.
    this.addSql(`
      alter table access_audit
        drop column id,
        drop constraint access_audit_passport_id_fkey,
        alter column accessed_at type timestamptz(3)[] using array[accessed_at]`)
    this.addSql(`grant select, delete on access_audit to dpp_app`)
  }

  private idempotency(): void {
    this.addSql(`
      create table idempotency_key (
        tenant_id uuid not null references workspace on delete cascade,
        endpoint text not null,
        key text not null,
        request_hash text not null,
        status int,
        answer text,
        created_at timestamptz(3) not null default now(),
        primary key (tenant_id, endpoint, key)
      )`)
    this.addSql(`create index on idempotency_key (tenant_id, created_at)`)
    this.addSql(`alter table idempotency_key enable row level security`)
    this.addSql(`alter table idempotency_key force row level security`)
    this.addSql(`create policy idempotency_key_own on idempotency_key to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    this.addSql(`grant select, insert, update, delete on idempotency_key to dpp_app`)
  }

  /**
   * How many passports of an operator can become credentials, kept by the database, so that no call counts the
   * catalogue. The sum over the slots is the count; slots keep writers that work side by side from waiting for each
   * other.
   */
  private counts(): void {
    // No foreign key: rows of an operator that is gone are seen by nobody.
    this.addSql(`
      create table passport_count (
        operator_id uuid not null,
        slot int not null,
        ready int not null,
        not_ready int not null,
        primary key (operator_id, slot)
      )`)
    this.addSql(`alter table passport no force row level security`)
    this.addSql(`
      insert into passport_count
      select operator_id, 0, count(*) filter (where facility_id is not null), count(*) filter (where facility_id is null)
      from passport where archived_at is null group by operator_id`)
    this.addSql(`alter table passport force row level security`)
    this.addSql(`alter table passport_count enable row level security`)
    this.addSql(`alter table passport_count force row level security`)
    this.addSql(`create policy passport_count_see on passport_count for select to dpp_app
      using (operator_id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant()))`)
    this.addSql(`grant select on passport_count to dpp_app`)
    // Only the function below writes, as the owner of the table.
    this.addSql(`create policy passport_count_keep on passport_count to current_user using (true) with check (true)`)
    this.addSql(`
      create function passport_counts() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      declare
        slot constant int := pg_backend_pid() & 63;
      begin
        if tg_op = 'INSERT' then
          insert into passport_count as c
          select operator_id, slot, count(*) filter (where facility_id is not null), count(*) filter (where facility_id is null)
          from new_rows where archived_at is null group by operator_id order by operator_id
          on conflict on constraint passport_count_pkey
          do update set ready = c.ready + excluded.ready, not_ready = c.not_ready + excluded.not_ready;
        elsif tg_op = 'DELETE' then
          insert into passport_count as c
          select operator_id, slot, -count(*) filter (where facility_id is not null), -count(*) filter (where facility_id is null)
          from old_rows where archived_at is null group by operator_id order by operator_id
          on conflict on constraint passport_count_pkey
          do update set ready = c.ready + excluded.ready, not_ready = c.not_ready + excluded.not_ready;
        else
          insert into passport_count as c
          select moved.operator_id, slot, sum(moved.ready), sum(moved.not_ready) from (
            select operator_id, (facility_id is not null)::int as ready, (facility_id is null)::int as not_ready
            from new_rows where archived_at is null
            union all
            select operator_id, -(facility_id is not null)::int, -(facility_id is null)::int
            from old_rows where archived_at is null
          ) as moved group by moved.operator_id having sum(moved.ready) <> 0 or sum(moved.not_ready) <> 0
          order by moved.operator_id
          on conflict on constraint passport_count_pkey
          do update set ready = c.ready + excluded.ready, not_ready = c.not_ready + excluded.not_ready;
        end if;
        return null;
      end $$`)
    for (const [event, tables] of [
      ['insert', 'new table as new_rows'],
      ['delete', 'old table as old_rows'],
      ['update', 'old table as old_rows new table as new_rows'],
    ]) {
      this.addSql(`create trigger passport_counts_${event} after ${event} on passport referencing ${tables}
        for each statement execute function passport_counts()`)
    }
  }

  private lists(): void {
    // With all that a list and its row-level security ask for, a page is found without reading a passport.
    this.addSql(`drop index passport_list`)
    this.addSql(`create index passport_list on passport (operator_id, created_at desc, id)
      include (tenant_id, category, origin_country) where archived_at is null`)
    // Compressing a body, and looking elsewhere for it, costs more time than the space is worth.
    this.addSql(`alter table rendition alter column body set storage external`)
    this.addSql(`alter table rendition set (toast_tuple_target = 8160)`)
  }
}
