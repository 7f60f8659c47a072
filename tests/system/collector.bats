#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The collector may be late, absent, hung or started again: the job comes first, and the report tells.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

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

collector_kill() {
	kill -KILL "$(daemon_pid stintd)"
	until [ ! -e "/proc/$(daemon_pid stintd)/exe" ]; do sleep 0.05; done
}

# Seconds from slurmd's taking the job to the job's first action, and from its last action to the job's being gone.
# Sets START_S and END_S, of a job that does nothing.
time_a_job() {
	local id started ended taken gone directory

	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/timed.XXXXXX")
	id=$("$TESTBED" exec sbatch --parsable --chdir="$directory" --output=times --wrap 'date +%s.%N; date +%s.%N')
	while squeue --noheader --jobs "$id" --states=PD,R,CF,CG --format %T | grep -q .; do sleep 0.02; done
	gone=$(date +%s.%N)
	JOB_ID=$id
	{ read -r started && read -r ended; } <"$directory/times"
	taken=$(date -d "$(sed -n "s/^\[\([^]]*\)\] .*batch_bind: job $id CPU input mask.*/\1/p" "$STINT_TESTBED/log/slurmd.$NODE.log" | tail -n 1)" +%s.%N)
	START_S=$(awk "BEGIN { print $started - $taken }")
	END_S=$(awk "BEGIN { print $gone - $ended }")
	echo "job $id began after $START_S s and was gone $END_S s after its last action"
}

# The middle of three. Sets START_S and END_S.
time_three_jobs() {
	local i starts=() ends=()

	for i in 1 2 3; do
		time_a_job
		starts+=("$START_S") ends+=("$END_S")
	done
	START_S=$(printf '%s\n' "${starts[@]}" | sort -g | sed -n 2p)
	END_S=$(printf '%s\n' "${ends[@]}" | sort -g | sed -n 2p)
}

log_lines_of_job() { # JOB
	grep -ci "stint.* job $1\b" "$STINT_TESTBED/log/slurmd.$NODE.log"
}

delays_are_bounded() { # what it is compared with: BASE_START_S and BASE_END_S
	time_three_jobs
	between -1 "$START_S" "$(awk "BEGIN { print $BASE_START_S + 0.25 + 0.05 }")"
	between -1 "$END_S" "$(awk "BEGIN { print $BASE_END_S + 2.0 }")"
}

baseline() {
	time_three_jobs
	BASE_START_S=$START_S BASE_END_S=$END_S
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
	for ((i = 0; i < 100; i++)); do
		REPORT=$(find "$STINT_TESTBED/home" -maxdepth 1 -name 'stint-*.json')
		[ -z "$REPORT" ] || break
		sleep 0.1
	done
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
