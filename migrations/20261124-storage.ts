import { Migration } from '@mikro-orm/migrations'

/** What a workspace stores: a history that does not repeat itself, and counted bytes and rows that have an end. */
export default class Storage extends Migration {
  override name = 'storage'

  override up(): void {
    this.history()
    this.usage()
    this.charges()
    this.present()
  }

  /**
   * The metadata of a version is kept once, with the last version that had it. A version without any has that of the next
   * one which has some, or the passport's own where none follows: nothing has changed since.
   */
  private history(): void {
    this.addSql(`alter table passport_history alter column metadata drop not null`)
    this.addSql(`alter table passport_history add column tenant_id uuid`)
    // Row-level security would hide the rows from their owner.
    this.unforced(['passport', 'passport_history'], () => {
      this.addSql(`update passport_history h set tenant_id = p.tenant_id from passport p where p.id = h.passport_id`)
    })
    this.addSql(`alter table passport_history alter column tenant_id set not null`)
    this.addSql(`create index on passport_history (passport_id, version) where metadata is not null`)
    this.addSql(`
      create view passport_version with (security_invoker = true) as
      select h.passport_id, h.version,
        coalesce(
          h.metadata,
          (
            select later.metadata from passport_history later
            where later.passport_id = h.passport_id and later.version > h.version and later.metadata is not null
            order by later.version limit 1
          ),
          p.metadata
        ) as metadata,
        h.changed_by, h.change_reason, h.created_at
      from passport_history h join passport p on p.id = h.passport_id`)
    this.addSql(`grant select on passport_version to dpp_app`)
  }

  /**
   * The sum over a workspace's slots is what it stores. Where there is a limit all writers share slot 0, whose lock makes
   * the limit exact; where there is none, slots keep them from waiting for each other.
   */
  private usage(): void {
    // What plans include is told at start-up, see `prepareDatabase`; null is unlimited.
    this.addSql(`create table plan (name text primary key, storage_limit bigint, row_limit bigint)`)
    this.addSql(`alter table workspace add column storage_limit bigint check (storage_limit >= 0),
      add column row_limit bigint check (row_limit >= 0)`)
    // No foreign key: rows of a workspace that is gone are seen by nobody.
    this.addSql(`
      create table workspace_usage (
        tenant_id uuid not null,
        slot int not null,
        bytes bigint not null,
        rows bigint not null,
        primary key (tenant_id, slot)
      )`)
    this.addSql(`alter table workspace_usage enable row level security`)
    this.addSql(`alter table workspace_usage force row level security`)
    this.addSql(
      `create policy workspace_usage_see on workspace_usage for select to dpp_app using (tenant_id = app_tenant())`,
    )
    this.addSql(`grant select on workspace_usage to dpp_app`)
    // Only the function below writes, as the owner of the table; it asks for the limits of whoever is charged.
    this.addSql(`create policy workspace_usage_keep on workspace_usage to current_user using (true) with check (true)`)
    this.addSql(`create policy workspace_limits on workspace for select to current_user using (true)`)
    // More than a limit is refused when it grows: who is beyond it already may still shrink.
    this.addSql(`
      create function workspace_stores(workspace_id uuid, grown bigint, added bigint) returns void
      language plpgsql as $$
      declare
        most record;
        total record;
      begin
        if grown = 0 and added = 0 then return; end if;
        select w.plan, coalesce(w.storage_limit, p.storage_limit) as bytes, coalesce(w.row_limit, p.row_limit) as rows into most
        from workspace w left join plan p on p.name = w.plan where w.id = workspace_id;
        insert into workspace_usage as u (tenant_id, slot, bytes, rows)
        values (
          workspace_id,
          case when most.bytes is null and most.rows is null then 1 + (pg_backend_pid() & 63) else 0 end,
          grown,
          added
        )
        on conflict on constraint workspace_usage_pkey
        do update set bytes = u.bytes + excluded.bytes, rows = u.rows + excluded.rows;
        if (grown > 0 and most.bytes is not null) or (added > 0 and most.rows is not null) then
          select sum(bytes) as bytes, sum(rows) as rows into total from workspace_usage where tenant_id = workspace_id;
          if (grown > 0 and total.bytes > most.bytes) or (added > 0 and total.rows > most.rows) then
            raise exception 'The workspace has no room: it may store % bytes and % rows.',
              coalesce(most.bytes::text, 'any number of'), coalesce(most.rows::text, 'any number of')
              using errcode = 'DP402', detail = json_build_object(
                'tier', most.plan, 'storedBytes', total.bytes - grown, 'storageLimit', most.bytes,
                'storedRows', total.rows - added, 'rowLimit', most.rows);
          end if;
        end if;
      end $$`)
    // The triggers below call it, as the owner; the roles could credit themselves.
    this.addSql(`revoke all on function workspace_stores from public`)
  }

  /** What is charged, and when. It is counted here, so that no writer can forget it. */
  private charges(): void {
    // Read at each change of a passport, and so kept: the metadata need not be fetched for it.
    this.addSql(`alter table passport add column stored_bytes int not null generated always as
      (octet_length(metadata::text) + coalesce(octet_length(enrichment::text), 0)) stored`)
    for (const { table, bytes, rows, events } of CHARGES) {
      for (const event of events) {
        this.addSql(`
          create function ${table}_${event}_stores() returns trigger language plpgsql security definer
          set search_path = pg_catalog, public, pg_temp as $$
          begin
            perform workspace_stores(charged.tenant_id, charged.bytes, charged.rows)
            from (
              select part.tenant_id, sum(part.bytes)::bigint as bytes, sum(part.rows)::bigint as rows
              from (${PARTS[event].map(({ rowsOf, sign }) => `select tenant_id, ${sign}(${bytes}) as bytes, ${sign}(${rows}) as rows from ${rowsOf}`).join(' union all ')}) as part
              group by part.tenant_id order by part.tenant_id
            ) as charged;
            return null;
          end $$`)
        const tables = PARTS[event].map(({ rowsOf }) => `${rowsOf.slice(0, 3)} table as ${rowsOf}`).join(' ')
        this.addSql(`create trigger ${table}_${event}_stores after ${event} on ${table} referencing ${tables}
          for each statement execute function ${table}_${event}_stores()`)
      }
    }
  }

  /** What is stored already. */
  private present(): void {
    const tables = CHARGES.map(({ table }) => table)
    const parts = CHARGES.map(
      ({ table, bytes, rows }) => `select tenant_id, ${bytes} as bytes, ${rows} as rows from ${table}`,
    )
    this.unforced(tables, () => {
      this.addSql(`
        insert into workspace_usage
        select tenant_id, 0, sum(bytes), sum(rows) from (${parts.join(' union all ')}) as part group by tenant_id`)
    })
  }

  private unforced(tables: readonly string[], work: () => void): void {
    for (const table of tables) this.addSql(`alter table ${table} no force row level security`)
    work()
    for (const table of tables) this.addSql(`alter table ${table} force row level security`)
  }
}

type Event = 'insert' | 'update' | 'delete'

const PARTS: Readonly<Record<Event, readonly { readonly rowsOf: 'new_rows' | 'old_rows'; readonly sign: '' | '-' }[]>> =
  {
    insert: [{ rowsOf: 'new_rows', sign: '' }],
    update: [
      { rowsOf: 'old_rows', sign: '-' },
      { rowsOf: 'new_rows', sign: '' },
    ],
    delete: [{ rowsOf: 'old_rows', sign: '-' }],
  }

const octets = (...columns: string[]) => columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')

/**
 * Bytes and rows of one row of a table, and the events that change them. The reason of a status move is short and free: a
 * recall must be possible at the limit too. Requests of strangers have a bound of their own and are not charged.
 */
const CHARGES: readonly { table: string; bytes: string; rows: string; events: readonly Event[] }[] = [
  { table: 'passport', bytes: 'stored_bytes', rows: '1', events: ['insert', 'update', 'delete'] },
  {
    table: 'passport_history',
    bytes: `${octets('metadata::text')} + greatest(octet_length(change_reason) - 64, 0)`,
    rows: '0',
    events: ['insert', 'delete'],
  },
  {
    table: 'seal',
    bytes: octets('leaves::text', 'signature', 'public_key_pem'),
    rows: '0',
    events: ['insert', 'delete'],
  },
  {
    table: 'facility',
    bytes: octets('name', 'activity', 'street_address', 'city', 'postal_code'),
    rows: '1',
    events: ['insert', 'update', 'delete'],
  },
  { table: 'operator', bytes: octets('reg_id'), rows: '1', events: ['insert', 'delete'] },
  {
    table: 'access_grant',
    bytes: `case issuer_type when 'TENANT' then ${octets('grantee_name', 'grantee_email', 'organization', 'purpose')} else 0 end`,
    rows: `case issuer_type when 'TENANT' then 1 else 0 end`,
    events: ['insert', 'delete'],
  },
]
