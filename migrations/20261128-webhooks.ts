import { Migration } from '@mikro-orm/migrations'
import { WEBHOOK_DAYS } from '../src/jobs/webhook-retention.ts'

/** Webhooks (specification section 6): who is told, of what, and how it went. */
export default class Webhooks extends Migration {
  override name = 'webhooks'

  override up(): void {
    this.subscriptions()
    this.events()
    this.deliveries()
    this.listeners()
    this.retention()
  }

  private subscriptions(): void {
    // Secrets are encrypted under MASTER_KEY; the one before goes on signing for a while.
    this.addSql(`
      create table webhook_subscription (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        url text not null,
        events text[] not null,
        is_active boolean not null default true,
        secret bytea not null,
        former_secret bytea,
        former_until timestamptz(3),
        created_at timestamptz(3) not null default clock_timestamp(),
        updated_at timestamptz(3) not null default clock_timestamp()
      )`)
    this.addSql(`create index on webhook_subscription (tenant_id, created_at, id)`)
    this.own('webhook_subscription')
    this.addSql(`grant select, insert, delete,
      update (url, events, is_active, secret, former_secret, former_until, updated_at)
      on webhook_subscription to dpp_app`)
  }

  /** What is sent of an event, byte for byte; kept where somebody is told of it. */
  private events(): void {
    this.addSql(`
      create table webhook_event (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        type text not null,
        body text not null,
        created_at timestamptz(3) not null default clock_timestamp()
      )`)
    this.addSql(`create index on webhook_event (tenant_id, created_at)`)
    this.addSql(`create index on webhook_event (created_at)`)
    this.own('webhook_event')
    this.addSql(`grant select, insert on webhook_event to dpp_app`)
  }

  private deliveries(): void {
    // An attempt is {at, statusCode, error, durationMs}. Those before plan_start were made before a replay.
    this.addSql(`
      create table webhook_delivery (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        subscription_id uuid not null references webhook_subscription on delete cascade,
        event_id uuid not null references webhook_event on delete cascade,
        status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
        attempt_count int not null default 0,
        plan_start int not null default 0,
        last_attempt_at timestamptz(3),
        next_attempt_at timestamptz(3),
        error_message text,
        attempts jsonb not null default '[]',
        created_at timestamptz(3) not null default clock_timestamp(),
        unique (event_id, subscription_id)
      )`)
    this.addSql(`create index on webhook_delivery (tenant_id, created_at desc, id)`)
    this.addSql(`create index on webhook_delivery (tenant_id, status, created_at desc, id)`)
    this.addSql(`create index on webhook_delivery (subscription_id, status)`)
    this.own('webhook_delivery')
    this.addSql(`grant select, insert,
      update (status, attempt_count, plan_start, last_attempt_at, next_attempt_at, error_message, attempts)
      on webhook_delivery to dpp_app`)
    // The command line names a delivery without its workspace.
    this.addSql(`grant select (id, tenant_id) on webhook_delivery to dpp_lookup`)
    this.addSql(`create policy webhook_delivery_lookup on webhook_delivery for select to dpp_lookup using (true)`)
  }

  /** Whoever listens at a command line: while there is one, every event of the workspace is kept. */
  private listeners(): void {
    this.addSql(`
      create table webhook_listener (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        expires_at timestamptz(3) not null
      )`)
    this.addSql(`create index on webhook_listener (tenant_id)`)
    this.own('webhook_listener')
    this.addSql(`grant select, insert, delete, update (expires_at) on webhook_listener to dpp_app`)
  }

  /** Deliveries go with their event. */
  private retention(): void {
    for (const [table, column, days] of [
      ['webhook_event', 'created_at', WEBHOOK_DAYS],
      ['webhook_listener', 'expires_at', 1],
    ] as const) {
      this.addSql(`grant select, delete on ${table} to dpp_jobs`)
      this.addSql(`create policy ${table}_expire on ${table} to dpp_jobs
        using (${column} < now() - interval '${days} days')`)
    }
  }

  private own(table: string): void {
    this.addSql(`alter table ${table} enable row level security`)
    this.addSql(`alter table ${table} force row level security`)
    this.addSql(`create policy ${table}_own on ${table} to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
  }
}
