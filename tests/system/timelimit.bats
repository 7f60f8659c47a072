#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A job that Slurm ends for its time limit: Slurm checks every half minute, so this takes a while.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

# A limit is at least a minute. Slurm moves a running job's end: it is then over at the next look at all limits.
@test "a job killed for its time limit leaves a report that says so" {
	local id

	meet
	id=$("$TESTBED" exec sbatch --parsable --time=1 --chdir="$MEET" --output=/dev/null --wrap "touch began; sleep 300")
	told began
	scontrol update JobId="$id" EndTime=now+1
	report_in "$MEET"
	valid
	holds '.job.state == "TIMEOUT" and .requested.time_limit_s == 60'
	# Slurm's own calculation, in whole seconds; slurmstepd then takes some time to end, which makes the batch step longer
	[[ $(scontrol --oneliner show job "$id") =~ RunTime=([0-9]+):([0-9]+):([0-9]+) ]]
	ran=$((10#${BASH_REMATCH[2]} * 60 + 10#${BASH_REMATCH[3]}))
	between "$ran" "$(value .job.elapsed_s)" "$(value "[$ran, (.steps[] | select(.id == \"batch\") | .elapsed_s)] | max + 1")"
	holds '.tools | any(.name == "sleep" and .runs == 1)'
	holds '.findings[] | select(.code == "time-limit-hit") | .text | test(": sleep \\(.*\\) was running, and had mainly slept$")'
}
