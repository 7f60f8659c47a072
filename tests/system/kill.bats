#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stintd is killed again and again, at any moment, while jobs begin, run and end: every sum stays exact, and each job has
# its report. STINT_KILLS says how often ("make soak": a thousand times).
# shellcheck shell=bash disable=SC2030,SC2031,SC2154,SC2317

load helper

STINT_KILLS=${STINT_KILLS:-20}

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

teardown() {
	testbed_evidence
	[ -z "${JOBS_PID:-}" ] || kill "$JOBS_PID" 2>/dev/null || true
	# the next test's job would wait behind a job of a failed test
	[ -n "${NO_TESTBED:-}" ] || "$TESTBED" exec scancel --user="$TESTBED_USER"
}

# Starts stintd as the testbed does, without waiting for it.
start_stintd() {
	(
		cd / && exec setsid env STINT_LIBEXEC="$STINT_TESTBED/libexec" "$STINTD" \
			--config "$STINT_TESTBED/etc/stint.conf"
	) </dev/null >>"$STINT_TESTBED/log/stintd.out" 2>&1 3>&- &
	STINTD_PID=$!
	echo "$STINTD_PID $(cut -d' ' -f22 "/proc/$STINTD_PID/stat")" >"$STINT_TESTBED/pid/stintd"
}

random_sleep() { # MS : up to this many
	sleep "$(awk "BEGIN { print $1 * $RANDOM / 32768 / 1000 }")"
}

# Whether the last started stintd has taken over what the one before left.
has_begun() {
	[ "$(jq .pid "$STINT_TESTBED/run/status.json")" = "$STINTD_PID" ]
}

# Sets START_MS: how long a stintd takes to begin, on this machine with its current other work.
measure_start() {
	local from=${EPOCHREALTIME/./}

	start_stintd
	SOON_STEP_S=0.01 soon has_begun
	START_MS=$(((${EPOCHREALTIME/./} - from) / 1000))
}

kill_stintd() {
	kill -KILL "$STINTD_PID"
	wait "$STINTD_PID" 2>/dev/null || true
}

# Some die while they start, some while they take over, some while they close a job: each lives up to three times as long as one takes to
# begin. Of every four, one first reads all waiting events, and one lives until COMMAND has succeeded, if there is one.
kill_again_and_again() { # TIMES [COMMAND...]
	local i

	collector_kill
	measure_start
	echo "a stintd begins within $START_MS ms"
	kill_stintd
	for ((i = 1; i < $1; i++)); do
		if ((i % 4 == 1)); then
			measure_start
			collector_looks
		elif ((i % 4 == 3 && $# > 1)); then
			measure_start
			"${@:2}"
		else
			start_stintd
		fi
		random_sleep $((3 * START_MS))
		kill_stintd
		random_sleep 150
	done
	"$TESTBED" restart-collector
}

# Runs tools until the test stops it. Prints what crowd counted, and at the end "rounds N".
storm_script() {
	cat <<-END
		#!/bin/bash
		rounds=0
		until [ -e stop ]; do
			$TOOLS/many 20 $TOOLS/fine $TOOLS/spins $TOOLS/third
			rounds=\$((rounds + 1))
		done
		echo "rounds \$rounds"
	END
}

# Starts such a job, which is counted from its first process on. (Next to other work, stintd may answer too late for that: then the report
# says so, and another job is begun.) Sets directory and poll.
storm_begins() {
	local id end=$((SECONDS + SOON_S))

	while [ "$SECONDS" -lt "$end" ]; do
		directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/storm.XXXXXX")
		storm_script >"$directory/job.sh"
		perl "$BATS_TEST_DIRNAME/poll-cpu" "$NODE" >"$BATS_TEST_TMPDIR/cpu" 3>&- &
		poll=$!
		id=$("$TESTBED" exec sbatch --parsable --chdir="$directory" --output=out "$directory/job.sh")
		soon test -s "$directory/out"
		began_late "$id" || return 0
		touch "$directory/stop"
		wait "$poll"
	done
	return 1
}

began_late() { # JOB
	(cd / && "$STINT" report --json --config "$STINT_TESTBED/etc/stint.conf" "$1") |
		jq --exit-status 'any(.gaps[]; .reason | startswith("collection began"))'
}

# Sums a column of crowd's output for a tool: 2 runs, 3 failures, 4 failures by a signal.
counted() { # TOOL COLUMN
	awk -v tool="$1" -v column="$2" '$1 ~ "/" tool "$" { sum += $column } END { print sum + 0 }' <<<"$OUTPUT"
}

tool_agrees() { # TOOL
	echo "$1: $(counted "$1" 2) runs, $(counted "$1" 3) failures, $(counted "$1" 4) by a signal"
	holds --arg tool "$1" --argjson runs "$(counted "$1" 2)" --argjson failures "$(counted "$1" 3)" \
		--argjson signals "$(counted "$1" 4)" '[.tools[] | select(.name == $tool) | [.runs, .failures, .signals]] ==
			[[$runs, $failures, $signals]]'
}

@test "killed again and again under a storm of processes, the sums of a job and of its tools are exact" {
	local directory poll cpu rounds

	tool many crowd
	tool fine
	tool spins
	tool third
	storm_begins
	kill_again_and_again "$STINT_KILLS"
	touch "$directory/stop"
	wait "$poll" # until its cgroup is gone
	cpu=$(cat "$BATS_TEST_TMPDIR/cpu")
	report_in "$directory"
	OUTPUT=$(cat "$directory/out")
	valid
	tool_agrees fine
	tool_agrees spins
	tool_agrees third
	rounds=$(sed -n 's/^rounds //p' "$directory/out")
	holds --argjson rounds "$rounds" '.tools[] | select(.name == "many") | .runs == $rounds'
	holds --argjson rounds "$rounds" '.used.processes == 1 + 61 * $rounds'
	echo "rounds $rounds, processes $(value .used.processes), cgroup's CPU $cpu s, told $(value .used.cpu_s) s"
	between "$(awk "BEGIN { print $cpu * 0.999 - 0.01 }")" "$(value .used.cpu_s)" "$(awk "BEGIN { print $cpu * 1.001 + 0.03 }")"
	between 0.998 "$(value '(([.tools[].cpu_s] | add) + (.used.cpu_before_s // 0)) / .used.cpu_s')" 1.002
	# what the killed ones had seen is counted, and nothing twice
	holds '.lost.seen_by_killed_collector > 0 and (.gaps | any(.name == "timeline" and (.reason | test("killed"))))'
	holds '([.tools[] | .runs + .forks] | add) ==
		([.timeline[].count] | add) + .lost.process_records + .lost.seen_by_killed_collector'
	holds '.complete'
}

# Runs one job after the other, each in a separate directory, until the file "enough" exists. The file "jobs" says how many there were.
jobs_go_on() { # DIRECTORY
	local i

	for ((i = 0; ; i++)); do
		[ ! -e "$1/enough" ] || return 0
		"$TESTBED" exec mkdir "$1/$i"
		"$TESTBED" exec sbatch --quiet --chdir="$1/$i" --output=out "$1/job.sh"
		soon is_over "$1/$i"
		echo $((i + 1)) >"$1/jobs.new" && mv "$1/jobs.new" "$1/jobs"
	done
}

is_over() { # DIRECTORY : of a job
	[ "$(wc -l <"$1/out")" -eq 2 ]
}

# Waits until a job that began after this call is over.
one_more_job() { # DIRECTORY
	local jobs

	jobs=$(cat "$1/jobs")
	soon eval "[ \"\$(cat '$1/jobs')\" -ge $((jobs + 2)) ]"
}

nothing_is_left() {
	[ -z "$(find "$STINT_TESTBED/run/jobs" "$STINT_TESTBED/run/spool" "$STINT_TESTBED/spool" -type f ! -path "*/spool/store/*")" ] &&
		[ "$(bpftool -j map dump pinned "$STINT_TESTBED/bpf/stint/map_totals" | jq length)" -eq 0 ]
}

@test "jobs that begin and end while stintd is killed again and again: each has a report, exact or with what is missing" {
	local directory sleeper jobs whole=0 part=0 i

	tool many crowd
	tool fine
	tool third
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/jobs.XXXXXX")
	printf '#!/bin/bash\nexec %s 5 %s %s\n' "$TOOLS/many" "$TOOLS/fine" "$TOOLS/third" >"$directory/job.sh"
	echo 0 >"$directory/jobs"
	# as long as some job is counted, each stintd takes over what the last one left
	sleeper=$("$TESTBED" exec sbatch --parsable --chdir="$directory" --output=/dev/null --wrap 'sleep 1000')
	soon eval 'squeue --noheader --states=R --format %i | grep .'
	jobs_go_on "$directory" 3>&- &
	JOBS_PID=$!
	kill_again_and_again "$STINT_KILLS" one_more_job "$directory"
	touch "$directory/enough"
	wait "$JOBS_PID"
	jobs=$(cat "$directory/jobs")
	"$TESTBED" exec scancel "$sleeper"
	report_in "$directory"
	for ((i = 0; i < jobs; i++)); do
		report_in "$directory/$i"
		OUTPUT=$(cat "$directory/$i/out")
		valid
		if holds '.complete' >/dev/null; then
			tool_agrees fine
			tool_agrees third
			holds '.used.processes == 11 and (.tools[] | select(.name == "many") | .runs == 1)'
			whole=$((whole + 1))
		else
			holds '.gaps | any(.reason | test("collection began|was over before"))'
			holds '.used.processes <= 11'
			part=$((part + 1))
		fi
	done
	echo "$whole exact, $part with a part missing"
	[ "$whole" -gt 0 ]
	soon node_is_idle
	soon nothing_is_left # a record is removed after its report is there
}
