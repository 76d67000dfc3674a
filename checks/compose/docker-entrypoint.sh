#!/bin/sh
# The part of PostgreSQL's image startup that compose.yaml relies on.
set -eu
data=/var/lib/postgresql/data
as() { chroot --userspec=postgres / "$@"; }
if [ ! -e "$data/PG_VERSION" ]; then
  install -d -o postgres -m 700 "$data"
  install -o postgres -m 600 "$POSTGRES_PASSWORD_FILE" /tmp/password
  as initdb -D "$data" -U "$POSTGRES_USER" --pwfile=/tmp/password \
    --auth-host=scram-sha-256 --auth-local=trust > /dev/null
  # Connections without TLS are rejected, to let the check detect a service without TLS.
  echo "hostssl all all all scram-sha-256" >> "$data/pg_hba.conf"
  echo "create database $POSTGRES_DB" | as postgres --single -D "$data" postgres > /dev/null
fi
shift
exec chroot --userspec=postgres / postgres -D "$data" \
  -c "listen_addresses=*" -c unix_socket_directories=/tmp "$@"
