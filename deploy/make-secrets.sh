#!/bin/sh
# Creates the secrets of deploy/compose.yaml, once; existing files stay as they are. Keep a copy of secrets/secrets_key,
# apart from the backups of the database.
set -eu
umask 077
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
cd "$folder"

# Containers read the files as users of their own; on this machine, other users cannot enter the folder.
keep() {
  if [ -e "$1" ]; then
    cat >/dev/null
  else
    cat >"$1.new"
    chmod 444 "$1.new"
    mv "$1.new" "$1"
  fi
}

# Hexadecimal passwords need no escaping in a URL, an SQL string or PgBouncer's list.
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
