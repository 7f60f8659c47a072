#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each system call of stint-epilog fails in turn: the report is written completely, or the one before is complete and the record is retried.
# Each call of the spool fails in turn: the spool has every record that it has confirmed, undamaged.
# shellcheck shell=bash disable=SC2154

load helper

EPILOG=${STINT_BUILD:+$STINT_BUILD/reports/}stint-epilog

setup() {
	[ "$EUID" -eq 0 ] || skip "only root can become a user"
	need jq python3 strace unshare "$EPILOG"
	EPILOG=$(command -v "$EPILOG")
	BASE=$(mktemp -d /var/tmp/stint-faults.XXXXXX)
	chmod 755 "$BASE"
	guard_begin "$BASE"
	OWNER=61000
	mkdir "$BASE/libexec" "$BASE/work"
	chown "$OWNER:$OWNER" "$BASE/work"
	printf '#!/bin/sh\necho "no Slurm here" >&2\nexit 1\n' >"$BASE/libexec/stint-slurm-job"
	chmod 755 "$BASE/libexec/stint-slurm-job"
	export STINT_LIBEXEC=$BASE/libexec
	: >"$BASE/conf"
	record 1
	"$EPILOG" --config "$BASE/conf" "$BASE/record"
	mv "$BASE/work/stint-77.json" "$BASE/before"
	record 2
}

teardown() {
	[ -z "${BASE:-}" ] || rm -rf "$BASE"
	guard_end
}

record() { # ATTEMPT
	jq --arg dir "$BASE/work" --argjson user "$OWNER" --argjson attempt "$1" '.user = {uid: $user, gid: $user, umask: 18} |
		.work_dir = $dir | .identity.attempt = $attempt | .node_list = "n1" | del(.output)' \
		"$SOURCE/tests/data/record-two-n1.json" >"$BASE/record"
}

# Runs COMMAND where the C library looks for users only in files. Otherwise half of the writer's calls, and so of the runs, would be those
# of this machine's name services (nss-systemd makes 60 openat()), which all end in the same way: the user has no name.
users_in_files() { # COMMAND...
	printf '%s: files\n' passwd group >"$BASE/nsswitch.conf"
	unshare --mount sh -c '{ [ ! -e /etc/nsswitch.conf ] || mount --bind "$0" /etc/nsswitch.conf; } && exec "$@"' "$BASE/nsswitch.conf" "$@"
}

inject() {
	users_in_files "$SOURCE/tests/faults/run" --ballast "$PROGRAMS/../faults/ballast" --main close_range \
		--setup "rm -rf $BASE/work/* $BASE/work/.s*; cp --preserve $BASE/before $BASE/work/stint-77.json" \
		--check "$SOURCE/tests/faults/check-report $BASE/work $OWNER $BASE/before" \
		-- "$EPILOG" --config "$BASE/conf" "$BASE/record"
}

@test "each call of the writer fails in turn" {
	inject
}

@test "each call of the spool fails in turn" {
	mkdir "$BASE/run" "$BASE/spool"
	chmod 700 "$BASE/run" "$BASE/spool"
	"$PROGRAMS/../faults/spooler" "$BASE/spool" "$BASE/run"
	mv "$BASE/spool/a.record" "$BASE/whole"
	"$SOURCE/tests/faults/run" --ballast "$PROGRAMS/../faults/ballast" --main umask \
		--setup "rm -rf $BASE/spool/* $BASE/spool/.s* $BASE/run/*; cp --preserve $BASE/whole $BASE/spool/before.record" \
		--check "$SOURCE/tests/faults/check-spool $BASE/spool $BASE/run $BASE/whole" \
		-- "$PROGRAMS/../faults/spooler" "$BASE/spool" "$BASE/run"
}

@test "a report is on the disk before it has its name" {
	strace -f -qq -o "$BASE/trace" -e trace=openat,write,fsync,renameat "$EPILOG" --config "$BASE/conf" "$BASE/record"
	# the calls for the file: made, written, brought to the disk, renamed; and then the name is brought to the disk
	[ "$(sed -n '/\.tmp", O_WRONLY/,$ { s/^[0-9]* *\([a-z]*\)(.*/\1/p }' "$BASE/trace" | head -n 5 | tr '\n' ' ')" = \
		"openat write fsync renameat fsync " ]
}
