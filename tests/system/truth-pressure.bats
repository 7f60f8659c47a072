#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a job waited for as a whole, compared with a model (pressure_model.py) of what tracefs recorded of the very same job, and, for jobs
# in which one thread at a time waits for a thing, with the threads' own states. Alone, next to unrelated busy processes on the same CPUs,
# and under a quota. STINT_SEED=N makes the threads that act at random act differently.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2034,SC2153,SC2154,SC2317

load truth
load tracefs

KINDS=(file_io network lock pipe event condition child sleep) # of the workloads
SEED=${STINT_SEED:-1}

setup_file() {
	testbed_begin --nodes 6
	[ -z "$NO_TESTBED" ] || return 0
	# the jobs are short, so their waits for a CPU are, too
	echo 'rule.cpu_wait_min_s = 0.1' >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	trace_begin
	NO_TRACE=$(no_trace)
	export NO_TRACE
	workload kinds syncs mixed store spin
	[ -z "$NO_TRACE" ] || return 0
	trace_start
	four_jobs
	trace_stop "$BATS_FILE_TMPDIR/four.events"
	trace_start
	eight_jobs
	trace_stop "$BATS_FILE_TMPDIR/eight.events"
}

teardown_file() {
	strangers_end
	truth_undo
	testbed_end
}

setup() {
	testbed_or_skip
	[ -z "$NO_TRACE" ] || skip "$NO_TRACE"
}

# ---- strangers ----

# Starts this many processes that use all the CPU they get, each on one CPU, and each in its own session, because autogroup shares CPUs by
# session.
strangers() { # COUNT
	local i

	for ((i = 0; i < $1; i++)); do
		setsid taskset --cpu-list $((i % $(nproc))) "$TOOLS/spin" spin 1 100 >/dev/null 2>&1 3>&- &
		STRANGERS+=("$!")
	done
}

strangers_end() {
	[ ${#STRANGERS[@]} -eq 0 ] || kill "${STRANGERS[@]}"
	STRANGERS=()
}

# ---- jobs beside strangers, side by side ----

# One of the workloads, which is the job from its exec on.
work() { # WORK ARGUMENT... : prints a script
	printf '#!/bin/bash\nexec %s %s\n' "$TOOLS/$1" "$*"
}

four_jobs() {
	local many

	many=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/many.XXXXXX")
	"$TESTBED" exec sh -c "cd $many && seq 20000 | xargs touch"
	sync --file-system "$many"
	strangers 4
	# a deletion waits for the file system's journal, which another process makes the disk write
	(cd "$STINT_TESTBED/home" && exec "$TOOLS/syncs" syncs 100) >/dev/null 2>&1 3>&- &
	STRANGERS+=("$!")
	beside_script rm --cpus-per-task=1 --mem=200M <<<$'#!/bin/bash\nexec rm -rf '"$many"
	beside_script kinds4 --cpus-per-task=1 --mem=200M < <(work kinds 2)
	beside_script syncs --cpus-per-task=1 --mem=200M < <(work syncs 3 starved)
	jobs_end
	strangers_end
}

eight_jobs() {
	strangers 8
	beside_script kinds8 --cpus-per-task=1 --mem=200M < <(work kinds 3)
	for i in 2 4 8; do
		beside_script "mixed$i" --cpus-per-task=2 --mem=200M < <(work mixed $i 3 "$SEED")
	done
	beside_script store --cpus-per-task=2 --mem=200M < <(work store 2 2 3 "$SEED")
	beside_script pipelines --cpus-per-task=2 --mem=200M < <(pipelines)
	jobs_end
	strangers_end
}

pipelines() {
	cat <<-'END'
		#!/bin/bash
		for round in 1 2 3 4 5 6; do
			head -c 3000000 /dev/urandom | gzip | wc -c
			sleep 0.05
		done
		(sleep 0.1; exit 3) & wait $!
		:
	END
}

four() { # JOB
	EVENTS=$BATS_FILE_TMPDIR/four.events
	of "$1"
}

eight() { # JOB
	EVENTS=$BATS_FILE_TMPDIR/eight.events
	of "$1"
}

# ---- jobs alone ----

# A job with its script on standard input; $EVENTS has what the scheduler did meanwhile. A recording proves nothing if the kernel ran no
# programs at too many of its moments: then the job runs again.
recorded() { # [sbatch option...]
	local script try

	script=$(cat)
	for try in 1 2 3; do
		recorded_once "$@" <<<"$script"
		compare_with_model
		[ "$COMPARED" -eq 2 ] || return 0
	done
}

recorded_once() { # [sbatch option...]
	EVENTS=$BATS_TEST_TMPDIR/events
	trace_start
	script_job --mem=200M "$@"
	trace_stop "$EVENTS"
	[ "$STATUS" -eq 0 ]
	valid
	holds '.complete == true'
}

# ---- a quota ----

no_quota() {
	[ -n "$(quota_root)" ] || echo "CPU quotas are not those of cgroup v1 here: the job's own group has no room for another"
}

quota_root() {
	awk '$3 == "cgroup" && $4 ~ /(^|,)cpu(,|$)/ { print $2; exit }' /proc/mounts
}

# A group with a quota.
quota_make() { # PERIOD-US QUOTA-US : sets GROUP
	GROUP=$(quota_root)/stint-test-$$-$BATS_TEST_NUMBER
	mkdir "$GROUP"
	undo_with soon rmdir "$GROUP"
	echo "$1" >"$GROUP/cpu.cfs_period_us"
	echo "$2" >"$GROUP/cpu.cfs_quota_us"
}

# Moves a task into it that writes its own and its job's number to DIRECTORY/pid. Announces with DIRECTORY/go that stintd has seen it there:
# stintd checks whether a thread has a quota when it takes a sample.
quota_give() { # DIRECTORY
	local pid job samples

	soon test -s "$1/pid"
	read -r pid job <"$1/pid"
	echo "$pid" >"$GROUP/tasks"
	soon is_followed "$job"
	samples=$(samples_of "$job")
	soon_looked has_more_samples "$job" "$samples"
	touch "$1/go"
}

samples_of() { # JOB
	(cd / && "$STINT" report --json --config "$STINT_TESTBED/etc/stint.conf" "$1") | jq '.series[0].end_offsets_s // [] | length'
}

has_more_samples() { # JOB COUNT
	[ "$(samples_of "$1")" -gt "$2" ]
}

# One of the workloads in a group with a quota. Sets THROTTLED_NS: how long it was throttled, according to the kernel.
recorded_under_quota() { # PERIOD-US QUOTA-US WORK ARGUMENT...
	local ready

	quota_make "$1" "$2"
	ready=$(mktemp -d "$STINT_TESTBED/home/ready.XXXXXX")
	chmod 777 "$ready"
	quota_give "$ready" 3>&- &
	recorded_once --cpus-per-task=1 <<-END
		#!/bin/bash
		echo \$\$ \$SLURM_JOB_ID >$ready/pid
		until [ -e $ready/go ]; do sleep 0.25; done
		exec $TOOLS/$3 ${*:3}
	END
	THROTTLED_NS=$(awk '$1 == "throttled_time" { print $2 }' "$GROUP/cpu.stat")
}

# ---- statements ----

# some, full, bound, active_s and parallel_s agree with the model within 1 % + 1 ms, 10 us for each wait, and the time that a hypervisor
# took meanwhile: if it stops a processor in the middle of a switch, the scheduler has read its clock before, and tracefs reads its own
# after. It took 20 ms of 3 s, once.
as_modelled() {
	compare_with_model
	cat "$COMPARISON"
	[ "$COMPARED" -eq 0 ]
}

# Compares the report with the model, once. COMPARED is 0 if both agree, 2 if the recording proves nothing, else 1.
compare_with_model() {
	[ "${COMPARED_REPORT:-}" != "$REPORT" ] || return 0
	[ -z "${STINT_KEEP_EVENTS:-}" ] || cp "$EVENTS".* "$REPORT" "$STINT_KEEP_EVENTS"
	COMPARED=0 COMPARED_REPORT=$REPORT COMPARISON=$BATS_TEST_TMPDIR/comparison
	/usr/bin/python3 "$BATS_TEST_DIRNAME/pressure_model.py" "$EVENTS" "$STINT_TESTBED" "$REPORT" >"$COMPARISON" || COMPARED=$?
}

# If at most one thread waits in each kind, the job's waits are the sum of its threads'.
as_its_threads() {
	local wrong

	wrong=$(value '.states as $threads | $threads.some | to_entries[] | $threads[.key] as $true |
		select((.value - $true | fabs) > $true * 0.01 + 0.001) |
		"DIFFERS: some.\(.key) is \(.value), and \($true) what the threads waited"')
	[ "$(value '.states.some | length')" -eq 11 ]
	[ -z "$wrong" ] || { echo "$wrong"; return 1; }
}

waited_for() { # KIND... : there were some waits of each
	local kind

	for kind; do
		holds ".states.waits.$kind >= 5"
	done
}

# ---- one thread ----

@test "one thread waits for all kinds, alone: some is what it waited, and all is as modelled" {
	recorded --cpus-per-task=1 < <(work kinds 2)
	waited_for "${KINDS[@]}"
	as_its_threads
	as_modelled
}

@test "one thread waits for all kinds, beside four strangers: some is what it waited, and all is as modelled" {
	four kinds4
	waited_for "${KINDS[@]}"
	as_its_threads
	as_modelled
}

@test "one thread waits for all kinds, beside eight strangers: the same; and nothing is a quota's" {
	eight kinds8
	waited_for "${KINDS[@]}"
	holds '.states.runnable_s > 1 and .states.throttled_s == 0'
	as_its_threads
	as_modelled
}

@test "one thread waits for all kinds, under a quota: the same" {
	[ -z "$(no_quota)" ] || skip "$(no_quota)"
	recorded_under_quota 50000 3000 kinds 3
	waited_for "${KINDS[@]}"
	holds '.states.runnable_s > 0.5 and .states.throttled_s > 0.3'
	as_its_threads
	as_modelled
}

@test "one thread that computes under a quota: the quota's part of its time runnable is what cpu.stat tells" {
	[ -z "$(no_quota)" ] || skip "$(no_quota)"
	recorded_under_quota 50000 2000 spin 1 3
	holds '.states.throttled_s > 1 and .states.throttled_s <= .states.runnable_s'
	agree '.states.throttled_s' "$THROTTLED_NS / 1e9" 0.05 0
	bound_by throttled
	found cpu-throttled
	not_found cpu-starved
	as_its_threads
	as_modelled
}

@test "one thread writes and syncs beside four strangers: it waits for them and not for its files" {
	four syncs
	holds '.states.file_io_s > 0.01 and .states.runnable_s > 1 and .states.runnable_s > 2 * .states.file_io_s'
	as_its_threads
	as_modelled
	bound_by starved
	found cpu-starved
}

@test "rm of 20,000 files beside four strangers: what it waited for files is no time on the run queue" {
	four rm
	holds '[.tools[] | select(.name == "rm")] | length == 1'
	as_its_threads
	as_modelled
}

# ---- several threads ----

@test "two threads of chance: some, full, bound, active and parallel are as modelled" {
	recorded --cpus-per-task=2 < <(work mixed 2 2 "$SEED")
	as_modelled
}

@test "four threads of chance: as modelled" {
	recorded --cpus-per-task=2 < <(work mixed 4 2 "$SEED")
	as_modelled
}

@test "eight threads of chance: as modelled" {
	recorded --cpus-per-task=2 < <(work mixed 8 2 "$SEED")
	waited_for lock condition file_io child
	as_modelled
}

@test "producers and consumers: as modelled" {
	recorded --cpus-per-task=2 < <(work store 2 2 2 "$SEED")
	waited_for condition
	as_modelled
}

@test "a shell that forks pipelines and waits for them: as modelled" {
	recorded --cpus-per-task=2 < <(pipelines)
	waited_for child pipe
	as_modelled
}

@test "two threads of chance, beside eight strangers: as modelled" {
	eight mixed2
	as_modelled
}

@test "four threads of chance, beside eight strangers: as modelled" {
	eight mixed4
	as_modelled
}

@test "eight threads of chance, beside eight strangers: as modelled" {
	eight mixed8
	as_modelled
}

@test "producers and consumers, beside eight strangers: as modelled" {
	eight store
	as_modelled
}

@test "a shell that forks pipelines and waits for them, beside eight strangers: as modelled" {
	eight pipelines
	as_modelled
}
