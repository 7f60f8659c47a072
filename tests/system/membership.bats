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

# The CPU time of all living threads of a process, in seconds. The kernel is up to one tick late about a running thread.
cpu_of() { # PID
	cat "/proc/$1/task"/*/schedstat | awk '{ sum += $1 } END { printf "%.6f\n", sum / 1e9 }'
}

# Stops the process, and waits until no thread runs. Then cpu_of is exact.
stop() { # PID
	kill -STOP "$1"
	soon eval "! grep -qs '^State:	[^T]' /proc/$1/task/*/status"
}

# Starts a job whose process runs TOOL. Sets RUNS (the job's testbed), PID (the process), JOB and HOME_PID (the job's shell).
# The job ends when the test says "go". Then it kills the process, if the process is still its child.
job_with() { # TOOL [ARGUMENT...]
	meet
	(cd / && exec "$TESTBED" run --mem=1G -- sh -c "$* & echo \$! \$\$ \$SLURM_JOB_ID >$MEET/pid; $(tells_and_awaits ready go); sleep 2; kill -KILL \$!") \
		>"$BATS_TEST_TMPDIR/report" 3>&- &
	RUNS=$!
	told ready
	read -r PID HOME_PID JOB <"$MEET/pid"
}

job_ends() {
	tell go
	wait "$RUNS" || true
	REPORT=$(cat "$BATS_TEST_TMPDIR/report")
}

# What every view says about a job whose process left.
has_left() { # TOOL PROCESSES
	local sentence

	valid
	sentence=$(value '.gaps[] | select(.name == "used") | .reason')
	[[ $sentence =~ ^$2\ process(es)?\ \($1\)\ left\ the\ job\'s\ cgroup,\ (the\ first\ )?[0-9]+\ s\ after\ the\ start\;\ what\ (it|they)\ used\ afterwards\ is\ unknown$ ]]
	holds --arg tool "$1" --argjson count "$2" '.moved_out.processes == $count and (.tools[] | select(.name == $tool) | .moved_out) == $count'
	holds '.moved_out.first >= .job.start and .moved_out.first <= .job.end'
	holds '.complete == false and .verdict.bound != "idle"'
	holds '[.advice[] | select(.memory_bytes or .cpus_per_task or .time_limit_s or .ntasks or .nodes)] == []'
	"$STINT" report "$REPORT" | tr -s '\n ' ' ' | grep -F "$sentence"
	"$STINT" report --table --json "$REPORT" | jq --exit-status --arg bound "$(value .verdict.bound)" '.[0].complete == false and .[0].bound == $bound'
}

@test "a process that root moves out of the job leaves a gap: it is not complete, and neither idle nor advised" {
	tool mover
	job_with "$TOOLS/mover" burn 600000
	soon has_used "$PID" 20
	move "$PID" $$
	job_ends
	has_left mover 1
	holds '$slowness > 1 or .verdict.bound == "unknown"' # on a slow machine, the shell that waits is busy
	holds '.tools[] | select(.name == "mover") | .cpu_s > 0.19'
}

@test "all threads of a process that leaves stop to count for the job" {
	local used

	tool crowd workload/workload
	job_with "$TOOLS/crowd" spin 4 600
	soon has_used "$PID" 100
	stop "$PID"
	used=$(cpu_of "$PID")
	move "$PID" $$
	soon counts_no_thread "$JOB" crowd
	kill -CONT "$PID"
	soon has_used "$PID" "$(awk "BEGIN { print int($used * 100) + 100 }")"
	job_ends
	has_left crowd 1
	holds --argjson used "$used" '.tools[] | select(.name == "crowd") | .cpu_s > $used * 0.99 - 0.01 and .cpu_s < $used * 1.01 + 0.01'
	holds '[.gaps[] | select(.name == "used")] | length == 1'
}

counts_no_thread() { # JOB TOOL
	"$STINT" report --json "$1" | jq --exit-status --arg tool "$2" '.tools[] | select(.name == $tool) | .living == 0'
}

@test "children of a process that left do not count, whichever of its threads starts them" {
	local home

	home=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/strays.XXXXXX")
	tool crowd workload/workload
	install -m 755 /bin/mkdir "$TOOLS/stray"
	job_with "$TOOLS/crowd" strays 32 "$TOOLS/stray" "$home/strayed"
	soon has_used "$PID" 20
	kill -STOP "$(daemon_pid stintd)" # the other threads count until it has looked at them
	move "$PID" $$
	soon [ -d "$home/strayed" ]
	kill -CONT "$(daemon_pid stintd)"
	soon counts_no_thread "$JOB" crowd
	kill -KILL "$PID"
	job_ends
	has_left crowd 1
	holds '[.tools[] | select(.name == "stray")] == []'
}

@test "what left is known to the next stintd, and an empty job that something left is not idle" {
	install -m 755 /bin/sleep "$TOOLS/early"
	job_with "$TOOLS/early" 600
	move "$PID" $$
	collector_kill
	"$TESTBED" restart-collector
	soon is_followed "$JOB"
	job_ends
	has_left early 1
	holds '$slowness > 1 or .verdict.bound == "unknown"' # on a slow machine, the shell that waits is busy
}

# Whether the last sample found so many threads of the job.
sampled_threads() { # JOB THREADS
	"$STINT" report --json "$1" | jq --exit-status --argjson threads "$2" '.series[0].columns.threads[-1] >= $threads'
}

@test "a process that leaves and comes back counts before and after" {
	local out back end

	tool crowd workload/workload
	job_with "$TOOLS/crowd" spin 3 600
	soon has_used "$PID" 50
	stop "$PID"
	out=$(cpu_of "$PID")
	move "$PID" $$
	soon counts_no_thread "$JOB" crowd
	kill -CONT "$PID"
	soon has_used "$PID" "$(awk "BEGIN { print int($out * 100) + 50 }")"
	stop "$PID"
	back=$(cpu_of "$PID")
	move "$PID" "$HOME_PID"
	soon sampled_threads "$JOB" 5
	kill -CONT "$PID"
	soon has_used "$PID" "$(awk "BEGIN { print int($back * 100) + 50 }")"
	stop "$PID"
	end=$(cpu_of "$PID")
	job_ends
	has_left crowd 1
	holds --argjson used "$(awk "BEGIN { print $out + $end - $back }")" \
		'.tools[] | select(.name == "crowd") | .cpu_s > $used * 0.99 - 0.01 and .cpu_s < $used * 1.01 + 0.01'
}

@test "Slurm's own moves, and steps of a job, are no leaving" {
	tool stepped
	job -- sh -c "srun --ntasks=1 $TOOLS/stepped burn 50; srun --ntasks=1 sh -c '$TOOLS/stepped burn 50'; $TOOLS/stepped burn 50"
	valid
	holds '.complete == true and (has("moved_out") | not) and ([.tools[] | select(has("moved_out"))] == [])'
}

@test "a running process of several threads that is moved into a job counts from then on" {
	local before after end

	tool crowd workload/workload
	"$TOOLS/crowd" spin 4 600 3>&- &
	OUTSIDER=$!
	soon has_used "$OUTSIDER" 100
	job_with sleep 600
	before=$(cpu_of "$OUTSIDER")
	move "$OUTSIDER" "$HOME_PID"
	after=$(cpu_of "$OUTSIDER")
	soon counts_threads "$JOB"
	soon has_used "$OUTSIDER" "$(awk "BEGIN { print int($after * 100) + 200 }")"
	stop "$OUTSIDER"
	end=$(cpu_of "$OUTSIDER")
	kill -KILL "$OUTSIDER"
	job_ends
	holds '.complete == true and (has("moved_out") | not)'
	echo "# used $before to $after, $end; counted $(value '.tools[] | select(.name == "crowd") | .cpu_s')" >&3
	holds --argjson least "$(awk "BEGIN { print ($end - $after) * 0.99 - 0.01 }")" --argjson most "$(awk "BEGIN { print ($end - $before) * 1.01 + 0.01 }")" \
		'.tools[] | select(.name == "crowd") | .cpu_s >= $least and .cpu_s <= $most and .runs == 1'
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
