#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A job that Slurm ends for its time limit: Slurm looks every half minute, so this takes its time.
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
	between 60 "$(value .job.elapsed_s)" 130
	holds '.tools | any(.name == "sleep" and .runs == 1)'
}
