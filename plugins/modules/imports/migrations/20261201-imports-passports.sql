-- First created passports of an import.

alter table import add column passports json not null default '[]'::json;
grant update (passports) on import to dpp_app;
