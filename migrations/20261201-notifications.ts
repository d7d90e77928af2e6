import { Migration } from '@mikro-orm/migrations'
import { NOTIFICATION_DAYS } from '../src/jobs/notification-retention.ts'

/** What a workspace is told of, in the gateway and by e-mail (specification section 6). */
export default class Notifications extends Migration {
  override name = 'notifications'

  override up(): void {
    this.notifications()
    this.requests()
    this.budgets()
  }

  private notifications(): void {
    // Without an operator it concerns the whole workspace.
    this.addSql(`
      create table notification (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        operator_id uuid,
        type text not null,
        subject_id text not null,
        message text not null,
        read_at timestamptz(3),
        created_at timestamptz(3) not null default now()
      )`)
    this.addSql(`create index on notification (tenant_id, created_at desc, id desc)`)
    this.addSql(`create index on notification (tenant_id, created_at desc, id desc) where read_at is null`)
    this.addSql(`create index on notification (created_at)`)
    this.addSql(`alter table notification enable row level security`)
    this.addSql(`alter table notification force row level security`)
    this.addSql(`create policy notification_own on notification to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    this.addSql(`grant select, insert, update (read_at) on notification to dpp_app`)
    this.addSql(`grant select, delete on notification to dpp_jobs`)
    this.addSql(`create policy notification_expire on notification to dpp_jobs
      using (created_at < now() - interval '${NOTIFICATION_DAYS} days')`)
  }

  /** Where mail about requests goes, in which language, and how whoever asked finds the request again. */
  private requests(): void {
    this.addSql(`alter table workspace add column email text`)
    this.addSql(`alter table access_grant add column language text, add column reference_hash bytea unique`)
    this.addSql(`grant update (language, reference_hash) on access_grant to dpp_app`)
    this.addSql(`grant select (battery_unit_id, reference_hash) on access_grant to dpp_lookup`)
  }

  /**
   * Messages to an address today, over all workspaces: whoever asks names an address that may be anybody's. The table is
   * the function's alone, and an address is known by its hash.
   */
  private budgets(): void {
    this.addSql(`
      create table mail_count (
        address_hash bytea not null,
        day date not null,
        total int not null,
        primary key (day, address_hash)
      )`)
    this.addSql(`
      create function mail_is_within_budget(hash bytea, most int) returns boolean language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      declare
        today date := (now() at time zone 'utc')::date;
      begin
        delete from mail_count where day < today;
        insert into mail_count as c (address_hash, day, total) values (hash, today, 1)
        on conflict (day, address_hash) do update set total = c.total + 1 where c.total < most;
        return found;
      end $$`)
    this.addSql(`revoke all on function mail_is_within_budget from public`)
    this.addSql(`grant execute on function mail_is_within_budget to dpp_app`)
  }
}
