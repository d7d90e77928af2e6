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
    or operator_id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant()));

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
