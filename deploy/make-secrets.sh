#!/bin/sh
# Creates the secrets for deploy/compose.yaml. Existing files are not replaced. Store a copy of secrets/secrets_key separately
# from the database backups.
set -eu
umask 077
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
cd "$folder"

# Each container reads the files as a different user, so they are readable by all. The folder's mode protects them on the host.
keep() {
  if [ -e "$1" ]; then
    cat >/dev/null
  else
    cat >"$1.new"
    chmod 444 "$1.new"
    mv "$1.new" "$1"
  fi
}

# Hexadecimal passwords need no escaping in a URL, an SQL string or PgBouncer's user list.
for name in postgresql_password service_password owner_password grafana_password; do
  openssl rand -hex 24 | keep "$name"
done
openssl rand -base64 32 | keep secrets_key

service=$(cat service_password)
owner=$(cat owner_password)
echo "postgres://attribution:$service@pgbouncer:6432/attribution?sslmode=disable" | keep database_url
echo "postgres://attribution:$service@postgresql:5432/attribution?sslmode=disable" | keep database_direct_url
echo "postgres://attribution_owner:$owner@postgresql:5432/attribution?sslmode=disable" | keep database_owner_url
echo "\"attribution\" \"$service\"" | keep pgbouncer_users
