import { Migration } from '@mikro-orm/migrations'

/** Files of passports that are taken in after the answer, row by row, and what became of each row. */
export default class Imports extends Migration {
  override name = 'imports'

  override up(): void {
    this.addSql(`
      create table import (
        id uuid primary key,
        tenant_id uuid not null,
        operator_id uuid,
        -- Who asked; a key is looked up again with every batch of rows.
        actor text not null,
        role text not null,
        format text not null check (format in ('csv', 'xlsx', 'jsonl')),
        options json not null,
        file_hash bytea not null,
        bytes int not null,
        status text not null check (status in ('waiting', 'working', 'done', 'failed')) default 'waiting',
        attempt int not null default 0,
        rows_total int,
        rows_read int not null default 0,
        created int not null default 0,
        refused int not null default 0,
        error_bytes int not null default 0,
        headings json,
        errors json not null default '[]',
        remarks json not null default '[]',
        failure text,
        created_at timestamptz(3) not null,
        finished_at timestamptz(3),
        expires_at timestamptz(3) not null
      )`)
    this.addSql(`create index on import (tenant_id, created_at)`)
    this.addSql(`create index on import (tenant_id, file_hash)`)
    this.addSql(`create index on import (expires_at)`)
    this.addSql(`
      create table import_piece (
        import_id uuid not null references import on delete cascade,
        tenant_id uuid not null,
        place int not null,
        bytes bytea not null,
        primary key (import_id, place)
      )`)
    // The refused rows of one batch as lines of comma-separated values, by the number of its first row.
    this.addSql(`
      create table import_error (
        import_id uuid not null references import on delete cascade,
        tenant_id uuid not null,
        place int not null,
        lines text not null,
        primary key (import_id, place)
      )`)
    for (const table of ['import', 'import_piece', 'import_error']) {
      this.addSql(`alter table ${table} enable row level security`)
      this.addSql(`alter table ${table} force row level security`)
      this.addSql(`create policy ${table}_own on ${table} to dpp_app
        using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
      this.addSql(`grant select, insert, delete on ${table} to dpp_app`)
    }
    this.addSql(`
      grant update (status, attempt, rows_total, rows_read, created, refused, error_bytes, headings, errors, remarks, failure, finished_at)
      on import to dpp_app`)
    this.addSql(`grant select, delete on import to dpp_jobs`)
    this.addSql(`create policy import_expire on import to dpp_jobs using (expires_at < now())`)
  }
}
