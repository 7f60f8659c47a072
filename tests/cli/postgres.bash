# SPDX-License-Identifier: GPL-2.0-or-later
# PostgreSQL servers of the test file's own, run by a user without rights, on a socket in WORK. SERVER is the name of one; the first is "postgres".
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

start_postgres() { # [SERVER [OPTION...]]
	local bin place=$WORK/${1:-postgres}

	bin=$(postgres_bin)
	[ -n "$bin" ] || return 0
	mkdir "$place"
	chmod 711 "$WORK" "${WORK%/*}" "$BATS_RUN_TMPDIR"
	[ "$(id -u)" -ne 0 ] || chown nobody:nogroup "$place"
	(cd / && as_postgres "$bin/initdb" -D "$place/data" -A trust -U tester -E UTF8 --locale=C.UTF-8 -N) >"$WORK/initdb.log" 2>&1 ||
		{ cat "$WORK/initdb.log"; return 1; }
	# 3>&-: bats waits for all processes that have it open
	(cd / && as_postgres "$bin/pg_ctl" -D "$place/data" -w -l "$place/log" \
		-o "-c listen_addresses= -c unix_socket_directories=$place -c fsync=off ${*:2}" start) >/dev/null 3>&-
}

need_postgres() {
	[ -d "$WORK/postgres/data" ] || skip "no PostgreSQL is installed"
}

new_postgres() { # NAME [SERVER] : prints where it is
	local place=$WORK/${2:-postgres}

	"$(postgres_bin)/createdb" -h "$place" -U tester "$1" >&2
	echo "postgresql:///$1?host=$place&user=tester"
}

restart_postgres() { # [SERVER] : at once, in the middle of transactions
	local place=$WORK/${1:-postgres}

	(cd / && as_postgres "$(postgres_bin)/pg_ctl" -D "$place/data" -m immediate -w -l "$place/log" restart) >/dev/null 3>&-
}

stop_postgres() { # [SERVER]
	local place=$WORK/${1:-postgres}

	[ ! -e "$place/data/postmaster.pid" ] || as_postgres "$(postgres_bin)/pg_ctl" -D "$place/data" -m immediate -w stop >/dev/null
}
