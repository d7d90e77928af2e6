-- Events of the supply chain (EPCIS 2.0), and documents that are captured after the response.

do $module$
begin
  -- Databases of alpha versions have these tables already.
  if to_regclass('trace_event') is null then
    create table trace_event (
      id uuid primary key,
      tenant_id uuid not null references workspace on delete cascade,
      place bigint not null generated always as identity,
      event_id text not null,
      hash text not null,
      type text not null check (type in ('ObjectEvent', 'AggregationEvent', 'AssociationEvent', 'TransactionEvent', 'TransformationEvent')),
      event_time timestamptz(3) not null,
      recorded_at timestamptz(3) not null,
      action text check (action in ('ADD', 'OBSERVE', 'DELETE')),
      biz_step text,
      disposition text,
      read_point text,
      biz_location text,
      transformation_id text,
      corrected_at timestamptz(3),
      corrective_event_ids text[],
      is_untp boolean not null,
      issuer text,
      event json not null,
      item_count int not null
    );
    create index trace_event_ids on trace_event (tenant_id, event_id);
    create unique index trace_event_once on trace_event (tenant_id, hash, ((corrected_at is not null)));
    create index trace_event_pages on trace_event (tenant_id, place);
    create index trace_event_transformations on trace_event (tenant_id, transformation_id)
      where transformation_id is not null;

    -- Identifiers in an event.
    create table trace_item (
      trace_id uuid not null references trace_event on delete cascade,
      tenant_id uuid not null,
      event_time timestamptz(3) not null,
      field text not null,
      key text not null,
      level text not null check (level in ('instance', 'lot', 'class')),
      is_input boolean not null,
      is_output boolean not null
    );
    create index trace_item_events on trace_item (trace_id);
    create index trace_item_keys on trace_item (tenant_id, key collate "C", event_time desc);

    create table capture_job (
      id uuid primary key,
      tenant_id uuid not null references workspace on delete cascade,
      place bigint not null generated always as identity,
      around json not null,
      event_count int not null,
      judged_count int not null default 0,
      attempt int not null default 0,
      is_success boolean,
      errors json not null default '[]'::json,
      created_at timestamptz(3) not null,
      finished_at timestamptz(3),
      expires_at timestamptz(3) not null,
      begun smallint not null default 0
    );
    create index capture_job_expires_at_idx on capture_job (expires_at);
    create index capture_job_tenant_id_place_idx on capture_job (tenant_id, place);

    create table capture_piece (
      job_id uuid not null references capture_job on delete cascade,
      tenant_id uuid not null,
      place int not null,
      events json not null,
      primary key (job_id, place)
    );

    -- Events are immutable.
    create function trace_event_stays() returns trigger language plpgsql as $$
    begin
      raise exception 'an event cannot be changed' using errcode = 'restrict_violation';
    end $$;

    create trigger trace_event_stays before update on trace_event for each row execute function trace_event_stays();

    alter table trace_event enable row level security, force row level security;
    create policy trace_event_add on trace_event for insert to dpp_app with check (tenant_id = app_tenant());
    create policy trace_event_keep on trace_event to current_user using (true) with check (true);
    create policy trace_event_see on trace_event for select to dpp_app using (tenant_id = app_tenant());

    alter table trace_item enable row level security, force row level security;
    create policy trace_item_add on trace_item for insert to dpp_app with check (tenant_id = app_tenant());
    create policy trace_item_keep on trace_item to current_user using (true) with check (true);
    create policy trace_item_see on trace_item for select to dpp_app using (tenant_id = app_tenant());

    alter table capture_job enable row level security, force row level security;
    create policy capture_job_expire on capture_job to dpp_jobs using (expires_at < now());
    create policy capture_job_own on capture_job to dpp_app
      using (tenant_id = app_tenant())
      with check (tenant_id = app_tenant());

    alter table capture_piece enable row level security, force row level security;
    create policy capture_piece_own on capture_piece to dpp_app
      using (tenant_id = app_tenant())
      with check (tenant_id = app_tenant());

    grant insert, select on trace_event to dpp_app;
    grant insert, select on trace_item to dpp_app;
    grant insert, select, delete, update (judged_count, attempt, is_success, errors, finished_at, begun) on capture_job to
      dpp_app;
    grant select, delete on capture_job to dpp_jobs;
    grant insert, select, delete on capture_piece to dpp_app;

    -- Columns and items take about as much as the event.
    perform charge_storage_of('trace_event', '256 + 2 * octet_length(event::text)', '1', '{insert}');
  end if;
end $module$;
