#!/usr/bin/env bash
# A PostgreSQL of its own for the tests: `start` installs Debian's server where none is, starts it on a free port of this machine in
# a temporary folder, and prints the lines that tell the tests of it; `stop` ends it and removes the folder.
#
#   eval "$(.ci/postgres.sh start)"
#   trap '.ci/postgres.sh stop' EXIT
set -euo pipefail

binaries() { find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1; }

as_postgres() { # the server refuses to run as root
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

start() {
  if [ -z "$(binaries)" ]; then
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends postgresql; } >&2
  fi
  local bin folder port
  bin=$(binaries)
  folder=$(mktemp -d /tmp/hongzhong-postgres.XXXXXX)
  if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  cd "$folder"
  as_postgres "$bin/initdb" --pgdata "$folder/data" --username postgres --auth trust --encoding UTF8 --locale C >&2
  as_postgres "$bin/pg_ctl" --pgdata "$folder/data" --log "$folder/log" --wait \
    --options "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=''" start >&2 || { cat "$folder/log" >&2; exit 1; }
  echo "export HONGZHONG_TEST_POSTGRES_FOLDER=$folder"
  echo "export HONGZHONG_TEST_POSTGRES=postgresql+asyncpg://postgres@127.0.0.1:$port/postgres"
}

stop() {
  local folder=${HONGZHONG_TEST_POSTGRES_FOLDER:?started by: eval "\$(.ci/postgres.sh start)"}
  cd "$folder"
  as_postgres "$(binaries)/pg_ctl" --pgdata "$folder/data" --mode immediate stop >&2
  rm -rf "$folder"
}

"${1:?start or stop}"
