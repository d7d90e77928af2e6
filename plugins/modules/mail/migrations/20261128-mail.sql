-- Daily budget of e-mail messages per address.

do $module$
begin
  -- Databases of alpha versions have the table already.
  if to_regclass('mail_count') is null then
    create table mail_count (
      address_hash bytea not null,
      day date not null,
      total int not null,
      primary key (day, address_hash)
    );
    -- Counts a message to this address, unless it had as many today.
    create function mail_is_within_budget(hash bytea, most int) returns boolean language plpgsql
      security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      today date := (now() at time zone 'utc')::date;
    begin
      delete from mail_count where day < today;
      insert into mail_count as c (address_hash, day, total) values (hash, today, 1)
      on conflict (day, address_hash) do update set total = c.total + 1 where c.total < most;
      return found;
    end $$;
    revoke all on function mail_is_within_budget from public;
    grant execute on function mail_is_within_budget to dpp_app;
  end if;
end $module$;
