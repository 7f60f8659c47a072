#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The collector may be late, absent, hung or started again: the job comes first, and the report tells.
# shellcheck shell=bash disable=SC2154,SC2317

load helper
load delay

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	"$TESTBED" restart-collector
}

@test "with stintd absent a job starts and ends in time, and one log line says so" {
	baseline
	collector_kill
	delays_are_bounded
	[ "$(log_lines_of_job "$JOB_ID")" -eq 1 ]
}

@test "with stintd hung a job starts at most 0.25 s and ends at most 2 s later, and one log line says so" {
	baseline
	kill -STOP "$(daemon_pid stintd)"
	delays_are_bounded
	[ "$(log_lines_of_job "$JOB_ID")" -eq 1 ]
}

@test "with stintd absent a job runs the same: its own exit code, its node not drained" {
	collector_kill
	run "$TESTBED" exec sbatch --wait --chdir=/ --output=/dev/null --wrap 'exit 5'
	[ "$status" -eq 5 ]
	[ "$(sinfo --noheader --Node --format %t)" = idle ]
}

run_beside() { # COMMAND... : starts a job that takes some seconds; FINISH waits for it and sets REPORT
	(cd / && "$TESTBED" run "$@" >"$BATS_TEST_TMPDIR/beside") 3>&- &
	BESIDE=$!
	until squeue --noheader --states=R --format %i | grep -q .; do sleep 0.1; done
	sleep 1
}

finish_beside() {
	wait "$BESIDE"
	REPORT=$(cat "$BATS_TEST_TMPDIR/beside")
}

@test "a collector started after a job began picks it up, and the report says complete: false and why" {
	tool early
	tool late
	collector_kill
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	run_beside -- sh -c "$TOOLS/early burn 300; sleep 3; $TOOLS/late burn 300"
	"$TESTBED" restart-collector
	finish_beside
	valid
	holds '.complete == false'
	holds '.gaps | any(.reason | length > 0)'
	holds '.tools | any(.name == "late" and .runs == 1 and .cpu_s > 0.29)'
}

@test "a collector started again while a job runs misses nothing: counting went on" {
	tool before
	tool during
	tool after
	run_beside -- sh -c "$TOOLS/before burn 200; sleep 2; $TOOLS/during burn 200; sleep 4; $TOOLS/after burn 200"
	collector_kill
	sleep 3
	"$TESTBED" restart-collector
	finish_beside
	valid
	holds '.complete == true'
	holds '.tools | any(.name == "before" and .runs == 1) and any(.name == "during" and .runs == 1) and any(.name == "after" and .runs == 1)'
	holds '[.tools[] | select(.name == "before" or .name == "during" or .name == "after") | .cpu_s] | add > 0.599'
}

@test "restart-collector starts it again when it lives, hangs or is dead" {
	local before

	before=$(daemon_pid stintd)
	"$TESTBED" restart-collector
	[ "$(daemon_pid stintd)" != "$before" ]
	kill -STOP "$(daemon_pid stintd)"
	"$TESTBED" restart-collector
	job -- true
	collector_kill
	"$TESTBED" restart-collector
	job -- true
	valid
	holds '.complete == true'
}

@test "a job that started and ended while stintd was down is reported when it is back" {
	collector_kill
	"$TESTBED" exec sh -c 'cd && sbatch --wait --output=/dev/null --wrap true'
	"$TESTBED" restart-collector
	report_in "$STINT_TESTBED/home"
	valid
	holds '.complete == true or (.gaps | any(.reason | length > 0))'
}

@test "a report that takes longer than the epilog waits for it is not replaced by an empty one" {
	mv "$STINT_TESTBED/libexec/stint-epilog" "$STINT_TESTBED/libexec/real-epilog"
	printf '#!/bin/sh\nsleep 2.5\nexec "%s" "$@"\n' "$STINT_TESTBED/libexec/real-epilog" >"$STINT_TESTBED/libexec/stint-epilog"
	chmod 755 "$STINT_TESTBED/libexec/stint-epilog"
	job -- true
	sleep 5 # a second one would take as long
	valid
	holds '.complete == true and .used.processes > 0'
}
