#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A Slurm with accounting.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	PATH=$PATH:/usr/sbin:/sbin
	for program in mariadbd slurmdbd; do
		command -v "$program" >/dev/null || { export NO_TESTBED="$program is not installed"; return 0; }
	done
	testbed_begin --accounting
}

teardown_file() {
	testbed_end
}

@test "with accounting a job is reported as without, and sacct knows it too" {
	local try id

	job --job-name=accounted -- true
	valid
	holds '.complete == true'
	id=$(value .job.id)
	for ((try = 0; try < 100; try++)); do
		! sacct --noheader --allocations --jobs "$id" --format state | grep -q COMPLETED || return 0
		sleep 0.1
	done
	return 1
}
