-- Writes users.txt of PgBouncer, on the leader: after the first `dpp migrate`, and after a change of MASTER_KEY. PgBouncer cannot look up
-- (auth_query) the login of a role that has a pool mode of its own.
select format('"%s" "%s"', rolname, rolpassword) from pg_authid
where rolname = 'gateway' or rolname ~ '^dpp_(app|lookup|signer|jobs)_dpp$';
