#!/bin/sh
# Creates the two roles and the database (docs/operating.md) when PostgreSQL starts for the first time.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --dbname postgres \
  --set owner="$(cat /run/secrets/owner_password)" --set service="$(cat /run/secrets/service_password)" <<'SQL'
create role attribution_owner login password :'owner';
create role attribution login password :'service';
create database attribution owner attribution_owner encoding 'UTF8' template template0;
-- Behind PgBouncer, the service can't set these itself, so the role's defaults apply (docs/managed-postgresql.md).
alter role attribution set lock_timeout = '10s';
alter role attribution set statement_timeout = '60s';
alter role attribution set client_connection_check_interval = '1s';
alter role attribution set jit = off;
SQL
