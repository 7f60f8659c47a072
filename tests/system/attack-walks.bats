#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A user with very many threads, who starts step after step, does not keep stintd busy with walks over all threads: another user's
# jobs begin, end and are reported in time, and while they run he sees what they have used.
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

# Runs a job of the victim's. Sets DELAY_S to the time from its end to its report.
victims_job() {
	local directory

	directory=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --wait --chdir="$directory" --output=/dev/null --mem=50M --wrap "date +%s.%N >$directory/ended" >/dev/null
	report_in "$directory"
	DELAY_S=$(awk -v end="$(cat "$directory/ended")" -v written="$(stat --format=%.Y "$REPORT")" 'BEGIN { print written - end }')
	echo "the victim's report came after $DELAY_S s"
}

# Has the victim ask of a job that runs, again and again: a walk over all threads for each answer would come much later.
victim_asks() {
	local directory id i report

	directory=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	id=$(as_victim sbatch --parsable --chdir="$directory" --output=/dev/null --mem=50M \
		--wrap "date >$directory/began; until [ -e $directory/go ]; do sleep 0.1; done")
	soon test -s "$directory/began"
	SLURMD_NODENAME=$(squeue --noheader --jobs "$id" --format %N)
	export SLURMD_NODENAME
	soon victim_sees "$id" >/dev/null # the first look at a job that is new comes with the next walk
	for i in 1 2 3; do
		sleep 0.6 # one user has no answers faster
		report=$(victim_sees "$id")
		jq --exit-status '.so_far and .used.processes >= 1' <<<"$report"
	done
	as_victim touch "$directory/go"
}

victim_sees() { # JOB
	as_victim "$STINT" report --json --config "$STINT_TESTBED/etc/stint.conf" "$1"
}

@test "a user with very many threads who starts step after step: another's jobs end and are reported in time" {
	local i slow=0 end=$STINT_TESTBED/home/end

	[ "$(cat /proc/sys/kernel/pid_max)" -gt $((THREADS + 5000)) ] || skip "this machine has no room for $THREADS threads"
	victims_job # the cost of a first job does not count
	"$TESTBED" exec sbatch --cpus-per-task=1 --mem=4G --chdir=/ --output="$STINT_TESTBED/home/out" --wrap "
		for i in $(seq -s ' ' 10); do $TOOLS/swarm rest $((THREADS / 10)) $end & done
		until [ \$(grep -c there $STINT_TESTBED/home/out) -eq 10 ]; do sleep 0.1; done
		for i in $(seq -s ' ' "$STARTERS"); do (until [ -e $end ]; do srun --overlap --ntasks=1 --mem=10M true; done) & done
		wait"
	soon eval "[ \$(grep -c there $STINT_TESTBED/home/out) -eq 10 ]"
	sleep 3 # the steps come as fast as they can
	for i in {1..5}; do
		victims_job
		between 0 "$DELAY_S" "$(slack 1.5)" || slow=$((slow + 1))
	done
	victim_asks
	touch "$end"
	[ "$slow" -le 1 ] # of five
	! grep -h "stintd does not answer" "$STINT_TESTBED"/log/slurmd.*.log || false
}
