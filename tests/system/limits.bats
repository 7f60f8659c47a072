#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# More processes, threads and entries of the kernel programs' maps than there is room for. A job's own sums stay exact, losses are counted
# by reason, and the next job's report is as if nothing had happened.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load helper

setup_file() {
	testbed_begin || return 1
	[ -z "$NO_TESTBED" ] || return 0
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/stint.conf"
	tool worker
	tool swarm swarm
	tool workloads ../bench/workloads
}

teardown_file() {
	[ ! -d "${PIDS:-/nonexistent}" ] || soon rmdir "$PIDS"
	testbed_end
}

# Starts a stintd that loads its programs again, with these lines in stint.conf. Without further lines, one that already runs stays.
collector_with() { # LINE...
	[ $# -gt 0 ] || ! cmp --silent "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf" || return 0
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	collector_gets "$@"
}

cgroup_cpu_begin() {
	"$BATS_TEST_DIRNAME/poll-cpu" "$NODE" >"$BATS_TEST_TMPDIR/cpu" 3>&- &
	POLL=$!
}

cpu_is_the_cgroups() {
	local cpu

	wait "$POLL"
	cpu=$(cat "$BATS_TEST_TMPDIR/cpu")
	echo "the cgroup counted $cpu s, the report has $(value .used.cpu_s) s"
	between "$(awk "BEGIN { print $cpu * 0.995 - $(slack 0.020) }")" "$(value .used.cpu_s)" \
		"$(awk "BEGIN { print $cpu * 1.005 + $(slack 0.020) }")"
}

# Nothing of a job is left in a map, and the room is free for the next one.
next_is_whole() {
	"$BATS_TEST_DIRNAME/map-bytes" --count "$STINT_TESTBED/bpf/stint" >"$BATS_TEST_TMPDIR/entries"
	run ! grep -vE '^(interpreters|inherited|runtime_options) | 0$' "$BATS_TEST_TMPDIR/entries"
	[ "$(grep -cE '^(totals|tools|processes|process_uses|job_cgroups) 0$' "$BATS_TEST_TMPDIR/entries")" -eq 5 ]
	job -- "$TOOLS/worker" burn 20
	valid
	whole
	holds '[.lost[]] | add == 0'
	holds '.tools[] | select(.name == "worker") | .runs == 1 and .cpu_s >= 0.02'
	holds '.used.processes == 2'
}

lost() { # WHAT...
	local what

	for what; do
		holds --arg what "$what" '.lost[$what] > 0' || return 1
	done
	# and nothing else
	holds --arg all " $* " '[.lost | to_entries[] | .key as $key | select(.value > 0 and ($all | contains(" " + $key + " ") | not))] == []'
}

gap() { # NAME REASON
	holds --arg name "$1" --arg reason "$2" '.gaps | any(.name == $name and (.reason | contains($reason)))'
}

# The limit of processes is the job's if the kernel has one; otherwise the user's own.
limit_processes() { # PID MAX
	PIDS=/sys/fs/cgroup/pids/stint-limits.${STINT_TESTBED##*.}
	if [ -e /sys/fs/cgroup/pids ]; then
		mkdir -p "$PIDS" && echo "$2" >"$PIDS/pids.max" && echo "$1" >"$PIDS/cgroup.procs"
	else
		PIDS=
		prlimit --pid "$1" --nproc="$2"
	fi
}

@test "a fork bomb up to the job's limit: the node lives, each process is counted, and all of the CPU" {
	local directory bomb forks refused

	collector_with
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/bomb.XXXXXX")
	cgroup_cpu_begin
	(cd / && "$TESTBED" run --chdir="$directory" -- "$TOOLS/swarm" bomb "$directory/go" 1500 >"$BATS_TEST_TMPDIR/bomb") 3>&- &
	bomb=$!
	soon test -s "$directory/pid"
	limit_processes "$(cat "$directory/pid")" 300
	touch "$directory/go"
	wait "$bomb"
	[ -z "$PIDS" ] || soon rmdir "$PIDS"
	REPORT=$(cat "$BATS_TEST_TMPDIR/bomb")
	valid
	read -r forks refused <"$(echo "$directory"/slurm-*.out)"
	echo "$forks forks, $refused refused"
	[ "$forks" -ge 299 ] && [ "$refused" -gt 0 ] # the limit was reached
	holds '.complete'
	holds --argjson forks "$forks" '.used.processes == $forks + 2 and .used.threads_peak <= 301'
	holds --argjson forks "$forks" '(.tools[] | select(.name == "swarm") | .runs == 1 and .failures == 0) and
		([.timeline[] | select(.tool == "swarm") | .count] | add) + .lost.process_records == $forks + 1'
	cpu_is_the_cgroups
	soon node_is_idle
	next_is_whole
}

@test "10,000 threads that end at the same moment: each is counted, and all of their CPU" {
	local threads=$((10000 / SLOWNESS))

	collector_with
	cgroup_cpu_begin
	job --cpus-per-task="$(nproc)" -- "$TOOLS/swarm" threads "$threads"
	[ "$OUTPUT" = "$threads" ]
	valid
	holds '.complete and .lost.tasks == 0 and .lost.uses == 0'
	holds --argjson threads "$threads" '.used.threads_peak == $threads + 2 and .used.processes == 2'
	cpu_is_the_cgroups
	# what the cgroup had used before it was counted belongs to no tool; each thread's work belongs to one
	holds '([.tools[].cpu_s] | add) <= .used.cpu_s + 1e-6'
	holds '.states.on_cpu_s - ([.tools[] | select(.slurm | not) | .states.on_cpu_s] | add) | fabs < 1e-6'
	next_is_whole
}

# Starts two processes that send a byte back and forth, so that each CPU has some ten thousand waits a second.
pipes() { # WORKLOAD
	job --cpus-per-task=2 -- "$TOOLS/workloads" 5 "$1"
	valid
	holds '.tools[] | select(.name == "workloads") | .states.pipe_s > 1'
}

@test "a job on few CPUs is followed, however often it waits" {
	collector_with
	pipes pipe-far
	holds '[.gaps[].name] | index("states.some") | not'
	holds '.states.some.pipe_s > 1'
}

@test "more different tools than the map has room for: the job's sums have them, and what they were is lost" {
	local i

	collector_with 'map_entries.tools = 6'
	for i in 1 2 3 4 5 6 7 8; do tool "t$i"; done
	cgroup_cpu_begin
	script_job <<-END
		#!/bin/bash
		for i in 1 2 3 4 5 6 7 8; do $TOOLS/t\$i burn 50; done
	END
	valid
	holds '.complete'
	lost tools
	gap tools "stint's BPF map of tools was full"
	holds '.used.processes == 9'
	cpu_is_the_cgroups
	holds '([.tools[] | select(.slurm | not) | .runs] | add) + .lost.tools == 9'
	next_is_whole
}

@test "a job of more different tools than its share leaves others theirs" {
	local directory i taker

	collector_with 'map_entries.tools = 128'
	for ((i = 1; i <= 140; i++)); do tool "t$i"; done
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/taker.XXXXXX")
	(cd / && "$TESTBED" run --chdir="$directory" --mem=200M -- sh -c "for i in \$(seq 140); do $TOOLS/t\$i burn 1; done
		: >took; until [ -e go ]; do sleep 0.1; done" >"$BATS_TEST_TMPDIR/taker") 3>&- &
	taker=$!
	soon test -e "$directory/took"
	collector_looks # at how full the table is
	(cd / && "$TESTBED" run --mem=200M -- sh -c "for i in 1 2 3 4 5 6; do $TOOLS/t\$i burn 5; done" >"$BATS_TEST_TMPDIR/other")
	"$TESTBED" exec touch "$directory/go"
	wait "$taker"
	REPORT=$(cat "$BATS_TEST_TMPDIR/other")
	valid
	holds '.complete and .lost.tools == 0'
	holds '[.tools[] | select(.name | test("^t[0-9]")) | .runs] == [1, 1, 1, 1, 1, 1]'
	REPORT=$(cat "$BATS_TEST_TMPDIR/taker")
	valid
	holds '.complete'
	lost tools
	gap tools "more different tools than stint keeps apart"
	# Three quarters of the free entries: of all 128 if the job was quicker than stintd's next look; 3/7 of them if it was slow, because the
	# share shrinks with each of its tools. Its shell and Slurm's programs are there, too.
	holds '[.tools[] | select(.name | test("^t[0-9]"))] | length >= 128 * 3 / 7 - 10 and length <= 96'
	holds '.tools[] | select(.name == "(other tools)") | .runs >= 140 - 96'
	holds '[.tools[] | select(.slurm | not) | .runs] | add >= 141'
	next_is_whole
}

@test "a job of more steps than its share leaves others theirs" {
	local directory taker

	collector_with 'map_entries.totals = 64' 'map_entries.memory_cgroups = 64'
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/taker.XXXXXX")
	(cd / && "$TESTBED" run --chdir="$directory" --mem=200M -- sh -c "for i in \$(seq 20); do for k in 1 2 3 4; do srun --overlap true & done
		wait; done; >took; until [ -e go ]; do sleep 0.1; done" >"$BATS_TEST_TMPDIR/taker") 3>&- &
	taker=$!
	soon test -e "$directory/took"
	(cd / && "$TESTBED" run --mem=200M -- sh -c "srun $TOOLS/worker burn 30; srun $TOOLS/worker burn 30" >"$BATS_TEST_TMPDIR/other")
	"$TESTBED" exec touch "$directory/go"
	wait "$taker"
	REPORT=$(cat "$BATS_TEST_TMPDIR/other")
	valid
	holds '.complete and ([.steps[] | select(has("cpu_s") | not)] == [])'
	holds '.tools[] | select(.name == "worker") | .runs == 2 and .cpu_s >= 0.06'
	REPORT=$(cat "$BATS_TEST_TMPDIR/taker")
	valid
	holds '.complete and ([.tools[] | select(.name == "true") | .runs] == [80])'
	gap steps "stint's BPF map of totals was full"
	holds '[.steps[] | select(has("cpu_s"))] | length >= 10 and length < 60'
	next_is_whole
}

@test "more processes of several threads than their maps have room for: all sums are exact but the tools'" {
	collector_with 'map_entries.processes = 2' 'map_entries.process_uses = 1'
	cgroup_cpu_begin
	job --cpus-per-task="$(nproc)" -- "$TOOLS/swarm" crowd 10 4 20
	[ "$STATUS" -eq 0 ]
	valid
	holds '.complete'
	lost uses
	gap tools "stint's BPF maps of processes, or the user's share of them, were full"
	holds '.used.processes == 12 and .used.threads_peak == 52 and .used.cpu_s > 0.8'
	cpu_is_the_cgroups
	holds '.states | (.on_cpu_s + .runnable_s + .memory_stall_s + .fault_io_s + .file_io_s + .gpu_s + .network_s + .pipe_s + .lock_s +
		.condition_s + .child_s + .event_s + .sleep_s + .other_s - .lifetime_s | fabs) < 0.001 * .lifetime_s + 0.02'
	holds '.used.cpu_s - ([.tools[].cpu_s] | add) > 0.3'
	next_is_whole
	job --cpus-per-task=1 -- "$TOOLS/swarm" crowd 1 4 20
	holds '[.lost[]] | add == 0'
	holds '.tools[] | select(.name == "swarm") | .cpu_s >= 0.08'
}

@test "more files and file systems than their maps have room for: bytes are exact" {
	collector_with 'files = on' 'map_entries.files = 4' 'map_entries.file_systems = 1'
	script_job <<-'END'
		#!/bin/bash
		exec python3 -c '
		import os
		for directory in ".", "/dev/shm":
		    for i in range(10):
		        name = "%s/stint-limits.%d.%d" % (directory, os.getpid(), i)
		        fd = os.open(name, os.O_WRONLY | os.O_CREAT)
		        os.write(fd, b"x" * 100000)
		        os.unlink(name)
		        os.close(fd)
		'
	END
	valid
	holds '.complete'
	lost files file_systems
	gap files "more different files"
	gap used.file_systems "stint's BPF map of file systems was full"
	holds '.tools[] | select(.name | startswith("python")) | .syscall_write_bytes == 2000000 and .syscall_writes == 20'
	holds '.files | length <= 4'
	holds '.used.file_systems | length == 1'
}

@test "a ring of one page: what it could not take is counted, and no sum misses it" {
	local runs=$((1000 / SLOWNESS)) directory running

	collector_with 'map_entries.events = 4096'
	tool crowd crowd
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/ring.XXXXXX")
	cgroup_cpu_begin
	cat >"$BATS_TEST_TMPDIR/job.sh" <<-END
		#!/bin/bash
		>$directory/began
		until [ -e $directory/go ]; do :; done
		$TOOLS/crowd $runs $TOOLS/worker
		[ \$? -ne 0 ] || >$directory/done
		until [ -e $directory/end ]; do :; done
	END
	(cd / && "$TESTBED" run --cpus-per-task="$(nproc)" "$BATS_TEST_TMPDIR/job.sh" >"$BATS_TEST_TMPDIR/ring") 3>&- &
	running=$!
	soon test -e "$directory/began"
	kill -STOP "$(daemon_pid stintd)" # it would empty the ring as fast
	touch "$directory/go"
	soon test -e "$directory/done"
	kill -CONT "$(daemon_pid stintd)"
	touch "$directory/end"
	wait "$running"
	REPORT=$(cat "$BATS_TEST_TMPDIR/ring")
	valid
	holds '.complete'
	lost process_records
	gap timeline 'more runs than stint keeps one by one'
	holds --argjson runs "$runs" '.used.processes == $runs + 2 and (.tools[] | select(.name == "worker") | .runs == $runs)'
	# The events of the few other tools may also be lost, and those of each child of crowd that ran for 1 ms before its exec.
	holds --argjson runs "$runs" '(.tools[] | select(.name == "crowd") | .cpu_s / 0.001) as $slow |
		([.timeline[] | select(.tool == "worker") | .count] | add) + .lost.process_records |
		. >= $runs and . <= $runs + 8 + $slow'
	cpu_is_the_cgroups
	next_is_whole
}

# Runs two jobs, the second of which begins when the first has all the room, and a third when both are gone.
# Sets FIRST and SECOND, their reports.
two_jobs() {
	local first directory

	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/two.XXXXXX")
	(cd / && "$TESTBED" run --mem=100M -- sh -c "$TOOLS/worker burn 30; touch $directory/began; until [ -e $directory/go ]; do sleep 0.1; done" \
		>"$BATS_TEST_TMPDIR/first") 3>&- &
	first=$!
	soon test -e "$directory/began"
	job --mem=100M -- "$TOOLS/worker" burn 30
	SECOND=$REPORT
	touch "$directory/go"
	wait "$first"
	FIRST=$(cat "$BATS_TEST_TMPDIR/first")
}

counted() { # REPORT
	REPORT=$1
	valid
	holds '.complete'
	holds '[.lost[]] | add == 0'
	holds '.tools[] | select(.name == "worker") | .runs == 1 and .cpu_s >= 0.03 and .cpu_s < 1'
}

not_counted() { # REPORT
	REPORT=$1
	valid
	holds '.complete == false and .tools == [] and (.used | has("cpu_s") | not)'
	gap used "cannot update stint's BPF map of"
}

@test "a job that finds no place is not counted, and its report says so; the first and the next one are whole" {
	collector_with 'map_entries.job_cgroups = 1'
	two_jobs
	not_counted "$SECOND"
	counted "$FIRST"
	next_is_whole
}

@test "a step that finds no place is in its job's sums, and is named" {
	collector_with 'map_entries.totals = 2' # a job and its first step
	two_jobs
	not_counted "$SECOND"
	counted "$FIRST"
	gap steps "stint's BPF map of totals was full"
	holds '[.steps[] | select(.id == "batch") | has("cpu_s") | not] == [true]'
	job -- "$TOOLS/worker" burn 30
	counted "$REPORT"
}

@test "what a job is told of beyond its sums and finds no place is named" {
	collector_with 'map_entries.memory_cgroups = 3' 'map_entries.slots = 1'
	two_jobs
	counted "$FIRST"
	[ "$(jq '[.gaps[].reason | select(test("was full|followed"))] | length' "$FIRST")" -eq 0 ]
	counted "$SECOND"
	gap states.some 'more jobs ran at once'
	gap used.memory_charged_peak_bytes "stint's BPF map of memory cgroups was full"
	holds '.used.processes == 2'
	next_is_whole
}

@test "a job that waits more often than it can be followed on so many CPUs is not told as a whole, and says from when on" {
	collector_with 'follow_waits_per_s = 1000' 'follow_cpus = 1'
	pipes pipe-far
	gap states.some 'times a second on 2 CPUs at once'
	holds '.gaps[] | select(.name == "states.some").reason |
		capture("waited (?<waits>[0-9]+) times .* it was followed for the first (?<from>[0-9]+) s$") |
		(.waits | tonumber) > 1000 and (.from | tonumber) < 5'
	holds '.states | has("some") or has("full") or has("bound") or has("active_s") | not'
	holds '.used.processes == 3 and .used.cpu_s > 0 and (.states.on_cpu_s / .used.cpu_s | . > 0.95 and . < 1.01)'
	pipes pipe
	holds '[.gaps[].name] | index("states.some") | not'
	holds '.states.some.pipe_s > 1 and .states.active_s > 3'
	next_is_whole
}
