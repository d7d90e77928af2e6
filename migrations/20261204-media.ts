import { Migration } from '@mikro-orm/migrations'

/** Pictures and documents of passports, and the logo of a workspace. */
export default class Media extends Migration {
  override name = 'media'

  override up(): void {
    this.tables()
    this.isolation()
    this.moves()
    this.charge()
  }

  private tables(): void {
    // A logo is of no passport.
    this.addSql(`
      create table media (
        id uuid primary key,
        passport_id uuid references passport on delete cascade,
        tenant_id uuid not null,
        kind text not null check (kind in ('picture', 'document')),
        media_type text not null,
        title json,
        file text not null,
        sizes json not null,
        bytes int not null check (bytes >= 0),
        position int not null,
        created_at timestamptz(3) not null
      )`)
    this.addSql(`create index on media (passport_id)`)
    this.addSql(`create index on media (tenant_id)`)
    // Where its bytes are: in pieces below, or in the store of objects.
    this.addSql(`
      create table media_file (
        media_id uuid not null references media on delete cascade,
        name text not null,
        tenant_id uuid not null,
        media_type text not null,
        bytes int not null,
        sha256 bytea not null,
        is_object boolean not null,
        primary key (media_id, name)
      )`)
    this.addSql(`
      create table media_piece (
        media_id uuid not null,
        name text not null,
        place int not null,
        tenant_id uuid not null,
        bytes bytea not null,
        primary key (media_id, name, place),
        foreign key (media_id, name) references media_file on delete cascade
      )`)
    // What it holds is packed already.
    this.addSql(`alter table media_piece alter column bytes set storage external`)
    this.addSql(`alter table workspace add column accent text check (accent ~ '^#[0-9a-f]{6}$'),
      add column logo_id uuid references media on delete set null`)
    // Objects whose rows are gone, until they are deleted as well.
    this.addSql(`create table media_gone (key text primary key, gone_at timestamptz(3) not null default now())`)
    this.addSql(`
      create function media_file_gone() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        insert into media_gone (key) values (old.tenant_id || '/' || old.media_id || '/' || old.name) on conflict do nothing;
        return null;
      end $$`)
    this.addSql(`create trigger media_file_gone after delete on media_file for each row when (old.is_object)
      execute function media_file_gone()`)
    this.addSql(`grant select, delete on media_gone to dpp_jobs`)
  }

  /** Who may read a passport may read its media; a workspace writes its own. The public reads those of what is published. */
  private isolation(): void {
    const own = 'tenant_id = app_tenant()'
    const policies = {
      media: {
        see: `(${own} or exists (select from passport p where p.id = passport_id))`,
        lookup: `passport_id is null or exists (select from passport p where p.id = passport_id and p.status <> 'DRAFT')`,
      },
      media_file: { see: 'exists (select from media m where m.id = media_id)' },
      media_piece: { see: 'exists (select from media m where m.id = media_id)' },
    }
    for (const [table, { see, lookup = see }] of Object.entries<{ see: string; lookup?: string }>(policies)) {
      this.addSql(`alter table ${table} enable row level security`)
      this.addSql(`alter table ${table} force row level security`)
      this.addSql(`create policy ${table}_see on ${table} for select to dpp_app using (${see})`)
      this.addSql(`create policy ${table}_add on ${table} for insert to dpp_app with check (${own})`)
      this.addSql(`create policy ${table}_remove on ${table} for delete to dpp_app using (${own})`)
      this.addSql(`create policy ${table}_lookup on ${table} for select to dpp_lookup using (${lookup})`)
      this.addSql(`grant select, insert, delete on ${table} to dpp_app`)
    }
    this.addSql(`create policy media_change on media for update to dpp_app using (${own}) with check (${own})`)
    this.addSql(`grant update (title, position) on media to dpp_app`)
    this.addSql(`grant select (id, passport_id) on media to dpp_lookup`)
    this.addSql(`grant select on media_file, media_piece to dpp_lookup`)
  }

  /** They show in the passport, and the brand of a workspace in all of its passports. */
  private moves(): void {
    this.addSql(`
      create function media_moves() returns trigger language plpgsql as $$
      begin
        update passport set version = version where id = coalesce(new.passport_id, old.passport_id);
        return null;
      end $$`)
    this.addSql(`create trigger media_moves after insert or update or delete on media for each row
      execute function media_moves()`)
    this.addSql(`
      create function brand_moves() returns trigger language plpgsql as $$
      begin
        update passport set version = version where tenant_id = new.id;
        return null;
      end $$`)
    this.addSql(`create trigger brand_moves after update on workspace for each row
      when ((old.accent, old.logo_id) is distinct from (new.accent, new.logo_id)) execute function brand_moves()`)
  }

  /** What is stored is what is charged: the sizes that were made, and not what was sent. */
  private charge(): void {
    for (const { event, rows, sign } of CHANGES) {
      this.addSql(`
        create function media_${event}_stores() returns trigger language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp as $$
        begin
          perform workspace_stores(charged.tenant_id, charged.bytes, charged.rows)
          from (
            select tenant_id, ${sign}sum(bytes)::bigint as bytes, ${sign}count(*)::bigint as rows
            from ${rows} group by tenant_id order by tenant_id
          ) as charged;
          return null;
        end $$`)
      this.addSql(`create trigger media_${event}_stores after ${event} on media
        referencing ${rows.slice(0, 3)} table as ${rows} for each statement execute function media_${event}_stores()`)
    }
  }
}

const CHANGES = [
  { event: 'insert', rows: 'new_rows', sign: '' },
  { event: 'delete', rows: 'old_rows', sign: '-' },
] as const
