-- A revocation can only move to an earlier time.
create function seal_revocation_earlier() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Concurrent revocations: the second sees the row of the first.
  perform pg_advisory_xact_lock(hashtext('seal_revocation'));
  update seal_revocation set revoked_at = new.revoked_at, reason = new.reason, created_at = clock_timestamp()
  where authority = new.authority and serial = new.serial and revoked_at > new.revoked_at;
  return new;
end $$;

-- A new key changes all signed documents of the workspace.
create function tenant_key_moves() returns trigger language plpgsql as $$ begin perform tell_change(''); return null; end $$;

create trigger tenant_key_moves after insert on tenant_key for each row execute function tenant_key_moves();

create trigger seal_revocation_earlier before insert on seal_revocation for each row
  execute function seal_revocation_earlier();

alter table tenant_key enable row level security, force row level security;
create policy tenant_key_own on tenant_key to dpp_app using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy tenant_key_lookup on tenant_key for select to dpp_lookup using (true);

grant insert, select, update, delete on tenant_key to dpp_app;
grant select (tenant_id, number, public_key_pem, fingerprint, created_at, retired_at) on tenant_key to dpp_lookup;
grant select on seal_revocation to dpp_lookup;
grant insert on seal_revocation to dpp_signer;
