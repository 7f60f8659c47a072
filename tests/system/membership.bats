#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Which process belongs to which job and step.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

teardown() {
	[ -z "${OUTSIDER:-}" ] || kill "$OUTSIDER" 2>/dev/null || true
	testbed_evidence
}

@test "two jobs side by side never count each other's processes" {
	local one other up pids=()

	[ "$(nproc)" -ge 2 ] || skip "two jobs at once want two CPUs"
	up=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/up.XXXXXX")
	tool mine
	tool yours
	tool stopwatch
	for name in mine yours; do
		(cd / && "$TESTBED" run --ntasks=1 --mem=100M --job-name="$name" -- sh -c "
			: >$up/$name; until [ -e $up/mine ] && [ -e $up/yours ]; do sleep 0.05; done
			$TOOLS/stopwatch timed /bin/sh -c 'i=0; while [ \$i -lt 100 ]; do $TOOLS/$name burn 5; i=\$((i+1)); done'" >"$BATS_TEST_TMPDIR/$name") 3>&- &
		pids+=($!)
	done
	wait "${pids[@]}"
	one=$(cat "$BATS_TEST_TMPDIR/mine") other=$(cat "$BATS_TEST_TMPDIR/yours")
	ran_at_the_same_time "$one" "$other"
	counted_alone "$one" mine yours
	counted_alone "$other" yours mine
}

# The job printed wait4's numbers for its tools, in microseconds. In addition there were the shell that waited for the other job, and its
# sleeps.
counted_alone() { # REPORT TOOL OTHER-TOOL
	local used

	REPORT=$1
	valid
	holds '.complete == true'
	holds --arg mine "$2" --arg other "$3" '(.tools | any(.name == $mine and .runs == 100)) and (.tools | any(.name == $other) | not)'
	used=$(cat "${REPORT%/*}"/slurm-*.out)
	between "$(awk "BEGIN { print $used / 1e6 * 0.99 }")" "$(value .used.cpu_s)" "$(awk "BEGIN { print $used / 1e6 * 1.01 + $(slack 0.2) }")"
}

ran_at_the_same_time() { # REPORT REPORT
	jq --slurp --exit-status '.[0].job.start <= .[1].job.end and .[1].job.start <= .[0].job.end' "$@"
}

@test "a process that becomes a daemon stays with its job" {
	tool ghost
	tool medium
	job -- sh -c "$TOOLS/medium daemon /bin/sh -c '$TOOLS/ghost burn 400; : >done'; until [ -e done ]; do sleep 0.1; done"
	valid
	holds '.complete == true'
	holds '.tools[] | select(.name == "ghost") | .runs == 1 and .cpu_s > 0.399 and .cpu_s < 0.4 + 0.05 * $slowness'
}

@test "a process that outlives its job's script is ended by Slurm, and counted" {
	tool medium
	install -m 755 /bin/sleep "$TOOLS/straggler"
	job -- sh -c "$TOOLS/medium daemon $TOOLS/straggler 300; until pgrep -f '^$TOOLS/straggler'; do sleep 0.1; done"
	valid
	# it was left behind on purpose: its end is not a failure
	holds '.tools[] | select(.name == "straggler") | .runs == 1 and .failures == 0 and .dismissed == 1'
}

@test "processes of nobody's job are in no report" {
	tool outsider
	tool insider
	"$TOOLS/outsider" burn 600000 3>&- &
	OUTSIDER=$!
	job -- "$TOOLS/insider" burn 300
	kill "$OUTSIDER"
	holds '.tools | any(.name == "outsider") | not'
	holds '.used.cpu_s < 0.3 + 0.5 * $slowness'
}

# Moves the process into the cgroups of another one, in all hierarchies that a job has.
move() { # PID OTHER-PID
	local controllers path

	while IFS=: read -r _ controllers path; do
		[ -d "/sys/fs/cgroup/$controllers$path" ] || continue
		[ "$path" = "$(sed -n "s/^[0-9]*:$controllers://p" "/proc/$1/cgroup")" ] || echo "$1" >"/sys/fs/cgroup/$controllers$path/cgroup.procs"
	done <"/proc/$2/cgroup"
}

# The CPU time of all threads of a process, in ticks of 10 ms.
ticks() { # PID
	sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'
}

has_used() { # PID TICKS
	[ "$(ticks "$1")" -ge "$2" ]
}

@test "a process that root moves out of the job leaves a gap: it is not complete, and neither idle nor advised" {
	local up pid

	up=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/up.XXXXXX")
	tool mover
	(cd / && exec "$TESTBED" run --mem=1G -- sh -c "$TOOLS/mover burn 600000 & echo \$! >$up/pid.new; mv $up/pid.new $up/pid
		until [ -e $up/go ]; do sleep 0.05; done; sleep 2; kill -KILL \$!") >"$BATS_TEST_TMPDIR/report" 3>&- &
	soon [ -s "$up/pid" ]
	pid=$(cat "$up/pid")
	soon has_used "$pid" 20
	move "$pid" $$
	"$TESTBED" exec touch "$up/go"
	wait $! || true
	REPORT=$(cat "$BATS_TEST_TMPDIR/report")
	holds '.complete == false'
	holds '.gaps[] | select(.name == "used") | .reason | contains("1 process was moved out of the job'"'"'s cgroup")'
	holds '.verdict.bound == "unknown" and ([.advice[] | select(.memory_bytes or .cpus_per_task)] == [])'
	holds '.tools[] | select(.name == "mover") | .cpu_s > 0.19'
}

@test "a process that root moves into a job brings none of its past, for all of its threads" {
	local up pid

	up=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/up.XXXXXX")
	tool crowd workload/workload
	"$TOOLS/crowd" spin 4 600 3>&- &
	OUTSIDER=$!
	soon has_used "$OUTSIDER" 200
	kill -STOP "$OUTSIDER"
	(cd / && exec "$TESTBED" run --mem=100M -- sh -c "echo \$\$ \$SLURM_JOB_ID >$up/job.new; mv $up/job.new $up/job
		until [ -e $up/go ]; do sleep 0.05; done") >"$BATS_TEST_TMPDIR/report" 3>&- &
	pid=$!
	soon [ -s "$up/job" ]
	move "$OUTSIDER" "$(cut -d' ' -f1 "$up/job")"
	soon counts_threads "$(cut -d' ' -f2 "$up/job")"
	kill -KILL "$OUTSIDER"
	"$TESTBED" exec touch "$up/go"
	wait "$pid" || true
	REPORT=$(cat "$BATS_TEST_TMPDIR/report")
	holds '.tools[] | select(.name == "crowd") | .threads_peak >= 4 and .cpu_s < 0.2 * $slowness'
	holds '.used.cpu_s < 0.5 * $slowness'
}

# Whether the job has the threads that were moved into it.
counts_threads() { # JOB
	"$STINT" report --json "$1" | jq --exit-status '.tools[] | select(.name == "crowd") | .threads_peak >= 4'
}
