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

@test "a job killed for its time limit leaves a report that says so" {
	job --time=1 -- sleep 300
	[ "$STATUS" -ne 0 ]
	valid
	holds '.job.state == "TIMEOUT" and .requested.time_limit_s == 60'
	# Slurm's own reckoning, in whole seconds; slurmstepd takes its time to end after that, by which the batch step is longer
	[[ $(scontrol --oneliner show job "$(value .job.id)") =~ RunTime=([0-9]+):([0-9]+):([0-9]+) ]]
	ran=$((10#${BASH_REMATCH[2]} * 60 + 10#${BASH_REMATCH[3]}))
	between 60 "$(value .job.elapsed_s)" "$(value "[$ran, (.steps[] | select(.id == \"batch\") | .elapsed_s)] | max + 1")"
	holds '.tools | any(.name == "sleep" and .runs == 1)'
}
