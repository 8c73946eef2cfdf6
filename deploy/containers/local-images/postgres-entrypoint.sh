#!/bin/sh
# Creates the database cluster if it does not exist, then runs the server.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\n' "$POSTGRES_PASSWORD" > /tmp/password
  # Several options in one variable, as in the official image.
  # shellcheck disable=SC2086
  initdb --pgdata="$PGDATA" --username=postgres --pwfile=/tmp/password --auth=scram-sha-256 ${POSTGRES_INITDB_ARGS:-}
  rm /tmp/password
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
fi
exec "$@"
