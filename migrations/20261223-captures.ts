import { Migration } from '@mikro-orm/migrations'

/** Documents of events that are captured after the answer: what became of each, and until then what was sent. */
export default class Captures extends Migration {
  override name = 'captures'

  override up(): void {
    this.addSql(`
      create table capture_job (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        place bigint not null generated always as identity,
        around json not null,
        event_count int not null,
        judged_count int not null default 0,
        attempt int not null default 0,
        is_success boolean,
        errors json not null default '[]',
        created_at timestamptz(3) not null,
        finished_at timestamptz(3),
        expires_at timestamptz(3) not null
      )`)
    this.addSql(`create index on capture_job (tenant_id, place)`)
    this.addSql(`create index on capture_job (expires_at)`)
    this.addSql(`
      create table capture_piece (
        job_id uuid not null references capture_job on delete cascade,
        tenant_id uuid not null,
        place int not null,
        events json not null,
        primary key (job_id, place)
      )`)
    for (const table of ['capture_job', 'capture_piece']) {
      this.addSql(`alter table ${table} enable row level security`)
      this.addSql(`alter table ${table} force row level security`)
      this.addSql(`create policy ${table}_own on ${table} to dpp_app
        using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    }
    this.addSql(`grant select, insert, delete on capture_job to dpp_app`)
    this.addSql(`grant update (judged_count, attempt, is_success, errors, finished_at) on capture_job to dpp_app`)
    this.addSql(`grant select, insert, delete on capture_piece to dpp_app`)
    this.addSql(`grant select, delete on capture_job to dpp_jobs`)
    this.addSql(`create policy capture_job_expire on capture_job to dpp_jobs using (expires_at < now())`)
  }
}
