# SPDX-License-Identifier: GPL-2.0-or-later
# A PostgreSQL of the test file's own, run by a user without rights, on a socket in WORK.
# shellcheck shell=bash

postgres_bin() {
	local directory

	for directory in $(pg_config --bindir 2>/dev/null) /usr/lib/postgresql/*/bin; do
		[ ! -x "$directory/initdb" ] || { echo "$directory"; return; }
	done
}

as_postgres() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME=/ "$@"
	else
		"$@"
	fi
}

start_postgres() {
	local bin

	bin=$(postgres_bin)
	[ -n "$bin" ] || return 0
	mkdir "$WORK/postgres"
	chmod 711 "$WORK" "${WORK%/*}" "$BATS_RUN_TMPDIR"
	[ "$(id -u)" -ne 0 ] || chown nobody:nogroup "$WORK/postgres"
	(cd / && as_postgres "$bin/initdb" -D "$WORK/postgres/data" -A trust -U tester -E UTF8 --locale=C.UTF-8 -N) >"$WORK/initdb.log" 2>&1 ||
		{ cat "$WORK/initdb.log"; return 1; }
	# 3>&-: bats waits for all processes that have it open
	(cd / && as_postgres "$bin/pg_ctl" -D "$WORK/postgres/data" -w -l "$WORK/postgres/log" \
		-o "-c listen_addresses= -c unix_socket_directories=$WORK/postgres -c fsync=off" start) >/dev/null 3>&-
}

need_postgres() {
	[ -d "$WORK/postgres/data" ] || skip "no PostgreSQL is installed"
}

new_postgres() { # NAME : prints where it is
	"$(postgres_bin)/createdb" -h "$WORK/postgres" -U tester "$1" >&2
	echo "postgresql:///$1?host=$WORK/postgres&user=tester"
}

restart_postgres() { # at once, in the middle of transactions
	(cd / && as_postgres "$(postgres_bin)/pg_ctl" -D "$WORK/postgres/data" -m immediate -w -l "$WORK/postgres/log" restart) >/dev/null 3>&-
}

stop_postgres() {
	[ ! -e "$WORK/postgres/data/postmaster.pid" ] || as_postgres "$(postgres_bin)/pg_ctl" -D "$WORK/postgres/data" -m immediate -w stop >/dev/null
}
