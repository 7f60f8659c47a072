#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint doctor, on a node where all is well and on one where it is not.
# shellcheck shell=bash disable=SC2030,SC2031,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

@test "doctor finds nothing wrong on a node where stint works" {
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "doctor finds a dead stintd and says how to mend it" {
	kill -KILL "$(daemon_pid stintd)"
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	echo "$output"
	[ "$status" -ne 0 ]
	[[ $output == *stintd* ]]
}

teardown() {
	[ -z "${server:-}" ] || kill -KILL "$server" 2>/dev/null || true
	testbed_evidence
}

doctor() {
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	echo "$output"
}

fails_with() { # PATTERN : one check fails, and says so
	doctor
	[ "$status" -eq 1 ]
	grep -q "^FAIL  stintd: does not answer: .*$1" <<<"$output"
	grep -q ' 1 failures$' <<<"$output"
}

@test "doctor tells a stintd that hangs, one of another version, and what is no stintd" {
	local socket=$STINT_TESTBED/run/stintd.sock manner

	kill -STOP "$(daemon_pid stintd)"
	fails_with 'no answer in time'
	kill -KILL "$(daemon_pid stintd)"
	for manner in version close short; do
		rm -f "$BATS_TEST_TMPDIR/served"
		"$PROGRAMS/peer" "$socket" serve "$manner" >"$BATS_TEST_TMPDIR/served" 3>&- &
		server=$!
		soon grep serves "$BATS_TEST_TMPDIR/served"
		if [ "$manner" = close ]; then fails_with 'closed without an answer'; else fails_with 'another version'; fi
		kill -KILL "$server"
	done
	rm -f "$BATS_TEST_TMPDIR/served"
	"$PROGRAMS/peer" "$socket" serve version "$(id -u "$TESTBED_USER")" >"$BATS_TEST_TMPDIR/served" 3>&- &
	server=$!
	soon grep serves "$BATS_TEST_TMPDIR/served"
	fails_with 'who listens is not uid 0'
	kill -KILL "$server"
	rm "$socket"
	: >"$socket"
	fails_with 'Connection refused'
	rm "$socket"
	fails_with 'No such file or directory'
	"$TESTBED" restart-collector
	doctor
	[ "$status" -eq 0 ]
}

@test "doctor says that the spool cannot be written, and what waits in it" {
	mount -t tmpfs -o size=4k,mode=0700 tmpfs "$STINT_TESTBED/spool"
	mount -o remount,ro "$STINT_TESTBED/spool"
	doctor
	mount -o remount,rw "$STINT_TESTBED/spool"
	head -c 4096 /dev/zero >"$STINT_TESTBED/spool/.full" || true
	[ "$status" -eq 0 ]
	grep -q '^warn  spool: .* is mounted read-only' <<<"$output"
	doctor
	umount "$STINT_TESTBED/spool"
	grep -q '^warn  spool: .* is full' <<<"$output"
	doctor
	grep -q '^ok    records: none waits' <<<"$output"
	run ! grep -q '^warn  spool' <<<"$output"
	# a job whose directory is gone when its report comes
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/gone.XXXXXX")
	"$TESTBED" exec sbatch --wait --chdir="$directory" --output=/dev/null --wrap "rm -rf $directory; : >$STINT_TESTBED/home/file"
	soon waits
}

waits() {
	doctor
	grep -q '^warn  records: 1 .* wait for their report' <<<"$output"
}

@test "doctor tells that run_dir is not root's alone, and a status of another stint" {
	chmod 755 "$STINT_TESTBED/run"
	doctor
	chmod 700 "$STINT_TESTBED/run"
	[ "$status" -eq 1 ]
	grep -q "^FAIL  run_dir: .*mode 0755" <<<"$output"
	sed -i 's/"version": *"[^"]*"/"version":"9.9"/' "$STINT_TESTBED/run/status.json"
	doctor
	[ "$status" -eq 0 ]
	grep -q '^warn  version: stintd is 9.9' <<<"$output"
}
