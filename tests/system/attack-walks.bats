#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A user with very many threads, who starts step after step, does not keep stintd busy with walks over all threads: another user's jobs
# begin, end and are reported in time, and that user can see what they use while they run.
# shellcheck shell=bash disable=SC2154,SC2030,SC2031

load helper

THREADS=20000
STARTERS=6 # at a time

setup_file() {
	testbed_begin --nodes 2
	[ -z "$NO_TESTBED" ] || return 0
	victim_begin
	tool swarm swarm
}

teardown_file() {
	[ ! -d "${STINT_TESTBED:-/nonexistent}/home" ] || touch "$STINT_TESTBED/home/end"
	victim_end
}

# Runs a job of the victim's. Sets STEPS to the number of the attacker's steps that began between its end and its report: on a busy machine
# these also come more slowly.
victims_job() {
	local directory

	directory=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --chdir="$directory" --output=/dev/null --mem=50M --wrap "date +%s.%N >ended; stat --format=%s $BEGAN >steps" >/dev/null
	report_in "$directory"
	STEPS=$(($(steps) - $(cat "$directory/steps")))
	echo "the victim's report came after $STEPS steps, and $(awk -v end="$(cat "$directory/ended")" \
		-v written="$(stat --format=%.Y "$REPORT")" 'BEGIN { print written - end }') s"
}

steps() { # a byte each
	stat --format=%s "$BEGAN"
}

# As many come at a time.
all_begin() {
	[ "$(steps)" -ge $((2 * STARTERS)) ]
}

# Makes the victim query a running job again and again: a walk over all threads for each answer would come much later.
victim_asks() {
	local directory id

	directory=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	id=$(as_victim sbatch --parsable --chdir="$directory" --output=/dev/null --mem=50M \
		--wrap "date >$directory/began; until [ -e $directory/go ]; do sleep 0.1; done")
	soon test -s "$directory/began"
	SLURMD_NODENAME=$(squeue --noheader --jobs "$id" --format %N)
	export SLURMD_NODENAME
	soon victim_sees "$id" >/dev/null # the first look at a new job comes with the next walk
	for _ in 1 2 3; do
		# one user gets answers no faster than stintd allows: stint itself asks again, for at most 2 s
		victim_sees "$id" >"$BATS_TEST_TMPDIR/seen"
		jq --exit-status '.so_far and .used.processes >= 1' "$BATS_TEST_TMPDIR/seen"
	done
	as_victim touch "$directory/go"
}

victim_sees() { # JOB
	as_victim "$STINT" report --json --config "$STINT_TESTBED/etc/stint.conf" "$1"
}

@test "a user with very many threads who starts step after step: another's jobs end and are reported in time" {
	local late=0 end=$STINT_TESTBED/home/end

	[ "$(cat /proc/sys/kernel/pid_max)" -gt $((THREADS + 5000)) ] || skip "this machine has no room for $THREADS threads"
	BEGAN=$STINT_TESTBED/began
	install -m 666 /dev/null "$BEGAN"
	"$TESTBED" exec sbatch --cpus-per-task=1 --mem=4G --chdir=/ --output="$STINT_TESTBED/home/out" --wrap "
		for i in $(seq -s ' ' 10); do $TOOLS/swarm rest $((THREADS / 10)) $end & done
		until [ \$(grep -c there $STINT_TESTBED/home/out) -eq 10 ]; do sleep 0.1; done
		for i in $(seq -s ' ' "$STARTERS"); do
			(until [ -e $end ]; do srun --overlap --ntasks=1 --mem=10M sh -c 'printf . >>$BEGAN'; done) &
		done
		wait"
	soon all_begin
	for _ in {1..4}; do
		victims_job
		[ "$STEPS" -le 30 ] || late=$((late + 1))
	done
	victim_asks
	touch "$end"
	[ "$late" -le 1 ] # of four
	! grep -h "stintd does not answer" "$STINT_TESTBED"/log/slurmd.*.log || false
}
