#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint turned off: for a user, a partition, a node, for all. --stint is still accepted, nothing is counted, nothing is logged, and jobs
# that begin after it is turned on again are counted.
# shellcheck shell=bash disable=SC2030,SC2031,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	PLUGSTACK=$STINT_TESTBED/etc/plugstack.conf
	LINE="optional $STINT_TESTBED/lib/${STINT_TESTBED_PLUGIN:-stint.so} run_dir=$STINT_TESTBED/run"
}

teardown() {
	testbed_evidence
	[ -z "${MEET:-}" ] || touch "$MEET/end"
	[ -z "${PLUGSTACK:-}" ] || { echo "$LINE" >"$PLUGSTACK" && rm -f "$STINT_TESTBED/run/off"; }
}

# A job with an option for stint. Sets JOB, when it runs.
job_begins() { # sbatch option...
	meet
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	JOB=$("$TESTBED" exec sbatch --parsable --stint=summary --chdir="$DIRECTORY" --output=/dev/null "$@" \
		--wrap "$(tells_and_awaits begun end); srun true")
	told begun
}

job_ends() {
	tell end
	soon job_has_ended
	soon node_is_idle
}

job_has_ended() {
	[[ $(scontrol show job "$JOB") == *JobState=COMPLETED* ]]
}

is_counted() {
	job_begins "$@"
	soon is_followed "$JOB"
	job_ends
	report_in "$DIRECTORY"
	holds .complete
}

# The one that is counted comes later: its report would not come before that of the first.
is_not_counted() { # sbatch option...
	local first

	job_begins "$@"
	run ! is_followed "$JOB"
	job_ends
	first=$DIRECTORY
	echo "$LINE" >"$PLUGSTACK"
	rm -f "$STINT_TESTBED/run/off"
	is_counted
	run ! report_is_in "$first"
}

@test "mode=off in the plugstack line turns it off for all, from the next job on, and --stint stays accepted" {
	echo "$LINE mode=off" >"$PLUGSTACK"
	is_not_counted
}

@test "a file in run_dir turns it off for the node, at once" {
	: >"$STINT_TESTBED/run/off"
	is_not_counted
}

@test "a job that is counted when it is turned off leaves no report, and stintd forgets it" {
	job_begins
	soon is_followed "$JOB"
	: >"$STINT_TESTBED/run/off"
	job_ends
	soon no_job_is_open
	rm "$STINT_TESTBED/run/off"
	is_counted_beside "$DIRECTORY"
}

no_job_is_open() {
	[ -z "$(find "$STINT_TESTBED/run/jobs" -type f)" ]
}

is_counted_beside() { # DIRECTORY : that has no report
	is_counted
	run ! report_is_in "$1"
}

kernel_keeps_nothing() {
	local name

	for name in totals tools file_systems; do
		[ "$(bpftool -j map dump pinned "$STINT_TESTBED/bpf/stint/map_$name" | jq length)" -eq 0 ] || return 1
	done
}

# Slurm's extern step comes first, and the job is counted until a step says otherwise.
@test "a job with --stint=off leaves no entry in the kernel's tables" {
	need bpftool
	soon kernel_keeps_nothing
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	"$TESTBED" exec sbatch --wait --stint=off --chdir="$DIRECTORY" --output=/dev/null --wrap '
		dd if=/dev/zero of=written bs=1M count=20 oflag=sync
		srun cat written'
	soon node_is_idle
	soon kernel_keeps_nothing
}

@test "off_users turns it off for these users alone" {
	echo "$LINE off_users=12345,$(id -u "$TESTBED_USER")" >"$PLUGSTACK"
	is_not_counted
	echo "$LINE off_users=12345" >"$PLUGSTACK"
	is_counted
}

@test "off_partitions turns it off for jobs of these partitions alone" {
	scontrol create PartitionName=quiet Nodes=ALL
	echo "$LINE off_partitions=other,quiet" >"$PLUGSTACK"
	is_counted --partition=test
	is_not_counted --partition=quiet
}

@test "with stintd stopped and stint turned off, jobs leave no note and no line in slurmd's log" {
	local log="$STINT_TESTBED/log/slurmd.$NODE.log" before

	collector_kill
	echo "$LINE mode=off" >"$PLUGSTACK"
	before=$(grep -c stint: "$log" || true)
	job_begins
	job_ends
	[ -z "$(find "$STINT_TESTBED/run/notes" -type f)" ]
	[ "$(grep -c stint: "$log" || true)" -eq "$before" ]
	"$TESTBED" restart-collector
}

@test "in the order that the manual names, stint is removed and no job notices" {
	local out=$STINT_TESTBED/home/removed.out

	echo "$LINE mode=off" >"$PLUGSTACK"
	kill -TERM "$(daemon_pid stintd)"
	soon daemon_is_gone
	rm -r "$STINT_TESTBED/bpf/stint"
	"$TESTBED" exec sbatch --wait --stint=timeline --output="$out" --wrap 'srun true && echo ran' 2>&1
	[ "$(cat "$out")" = ran ]
	: >"$PLUGSTACK"
	mv "$STINT_TESTBED/lib/${STINT_TESTBED_PLUGIN:-stint.so}" "$STINT_TESTBED/lib/away.so"
	run "$TESTBED" exec sbatch --wait --output="$out" --wrap 'srun true && echo ran'
	mv "$STINT_TESTBED/lib/away.so" "$STINT_TESTBED/lib/${STINT_TESTBED_PLUGIN:-stint.so}"
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(cat "$out")" = ran ]
	[[ $output != *rror* ]]
	echo "$LINE" >"$PLUGSTACK"
	"$TESTBED" restart-collector
	is_counted
}

daemon_is_gone() {
	! kill -0 "$(daemon_pid stintd)"
}
