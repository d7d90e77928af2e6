-- Batches of products (Regulation (EU) 2024/1781, Article 9(2)(d); Regulation (EU) 2026/1778, Article 8(4) and (5)).

do $module$
begin
  -- Databases of alpha versions have these tables already.
  if to_regclass('product_batch') is null then
    create table product_batch (
      id uuid primary key,
      tenant_id uuid not null,
      passport_id uuid not null references passport on delete cascade,
      operator_id uuid not null,
      batch_number text collate "C" not null,
      manufactured_at timestamptz(3),
      metadata json not null,
      created_at timestamptz(3) not null,
      unique (passport_id, batch_number)
    );
    create index product_batch_list on product_batch (passport_id, created_at desc, id);
    create index battery_unit_batch on battery_unit (passport_id, batch_number) where batch_number is not null;

    create table batch_rendition (
      batch_id uuid not null references product_batch on delete cascade,
      passport_version int not null,
      representation text not null,
      variant text not null,
      tier text not null check (tier in ('public', 'legitimateInterest', 'authority', 'strictAuthority', 'owner')),
      key_number int not null,
      generation text not null,
      etag text not null,
      content_type text not null,
      body text,
      bytes bytea,
      created_at timestamptz(3) not null default now(),
      check ((body is null) <> (bytes is null)),
      primary key (batch_id, representation, variant, passport_version, generation, tier, key_number)
    ) with (toast_tuple_target = 4080);
    alter table batch_rendition alter column bytes set storage external;

    -- Every process forgets its cached documents.
    create function product_batch_gone() returns trigger language plpgsql as $$
    begin
      perform tell_change(old.id::text);
      return null;
    end $$;

    -- Units name their batch, and show whether it has a record.
    create function product_batch_shows() returns trigger language plpgsql as $$
    begin
      update passport set version = version where id in (
        select b.passport_id from new_rows b
        where exists (select from battery_unit u where u.passport_id = b.passport_id and u.batch_number = b.batch_number));
      return null;
    end $$;

    create trigger product_batch_gone after delete on product_batch for each row execute function product_batch_gone();
    create trigger product_batch_shows after insert on product_batch referencing new table as new_rows for each statement
      execute function product_batch_shows();

    alter table product_batch enable row level security, force row level security;
    create policy product_batch_add on product_batch for insert to dpp_app
      with check (tenant_id = app_tenant()
        and exists (select from passport p where p.id = product_batch.passport_id
          and p.tenant_id = product_batch.tenant_id and p.operator_id = product_batch.operator_id));
    create policy product_batch_keep on product_batch to current_user using (true) with check (true);
    create policy product_batch_lookup on product_batch for select to dpp_lookup using (true);
    create policy product_batch_remove on product_batch for delete to dpp_app using (tenant_id = app_tenant());
    create policy product_batch_see on product_batch for select to dpp_app
      using (tenant_id = app_tenant()
        or operator_id = any ((select app_operators())::uuid[]));

    alter table batch_rendition enable row level security, force row level security;
    create policy batch_rendition_lookup on batch_rendition for select to dpp_lookup
      using (tier = 'public'
        and exists (select from product_batch b join passport p on p.id = b.passport_id
          where b.id = batch_rendition.batch_id and p.status <> 'DRAFT'));
    create policy batch_rendition_own on batch_rendition to dpp_app
      using (exists (select from product_batch b where b.id = batch_rendition.batch_id))
      with check (exists (select from product_batch b where b.id = batch_rendition.batch_id));

    grant insert, select, delete on product_batch to dpp_app;
    grant select (id, tenant_id, passport_id, operator_id, batch_number) on product_batch to dpp_lookup;
    grant insert, select, update, delete on batch_rendition to dpp_app;
    grant select on batch_rendition to dpp_lookup;

    perform charge_storage_of('product_batch', 'octet_length(metadata::text)', '1', '{insert,delete}');
  end if;
end $module$;
