import { Migration } from '@mikro-orm/migrations'

/** Labels that are drawn after the answer, and kept for whoever asked for them until they expire. */
export default class Labels extends Migration {
  override name = 'labels'

  override up(): void {
    this.addSql(`
      create table label_job (
        id uuid primary key,
        tenant_id uuid not null,
        operator_id uuid,
        subject text not null check (subject in ('passport', 'unit')),
        request json not null,
        status text not null check (status in ('waiting', 'working', 'done', 'failed')) default 'waiting',
        attempt int not null default 0,
        bytes bigint,
        included int,
        skipped json,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null
      )`)
    this.addSql(`create index on label_job (tenant_id, created_at)`)
    this.addSql(`create index on label_job (expires_at)`)
    this.addSql(`
      create table label_piece (
        job_id uuid not null references label_job on delete cascade,
        tenant_id uuid not null,
        place int not null,
        bytes bytea not null,
        primary key (job_id, place)
      )`)
    // What it holds is packed already.
    this.addSql(`alter table label_piece alter column bytes set storage external`)
    for (const table of ['label_job', 'label_piece']) {
      this.addSql(`alter table ${table} enable row level security`)
      this.addSql(`alter table ${table} force row level security`)
      this.addSql(`create policy ${table}_own on ${table} to dpp_app
        using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    }
    this.addSql(
      `grant select, insert, delete, update (status, attempt, bytes, included, skipped) on label_job to dpp_app`,
    )
    this.addSql(`grant select, insert, delete on label_piece to dpp_app`)
    this.addSql(`grant select, delete on label_job to dpp_jobs`)
    this.addSql(`create policy label_job_expire on label_job to dpp_jobs using (expires_at < now())`)
  }
}
