#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# For jobs of all kinds, each view has the same numbers: page, --seff, --table, CSV, timeline, HTML, trace, comparison; and
# the reports' own lists agree with each other.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin --nodes 2
	[ -n "$NO_TESTBED" ] || install -m 755 "$PROGRAMS/workload/workload" "$PROGRAMS/worker" "$TOOLS"
}

teardown_file() {
	testbed_end
}

# Every number of the reports in every view. A number that is only in one view cannot be checked against another.
same_in_all_views() {
	local -a reports

	mapfile -t reports <<<"$REPORT"
	[ -s "${reports[0]}" ]
	[ -z "${STINT_KEEP_VIEWS:-}" ] || cp "${reports[0]}" "$STINT_KEEP_VIEWS/$1.json"
	STINT=$STINT python3 "$SOURCE/tests/cli/views.py" "${reports[@]}"
}

@test "one process" {
	job -- "$TOOLS/worker" burn 300
	same_in_all_views one
}

@test "an array" {
	script_job --array=0-2 <<-END
		#!/bin/sh
		$TOOLS/worker burn \$((100 * SLURM_ARRAY_TASK_ID))
		exit \$SLURM_ARRAY_TASK_ID
	END
	same_in_all_views array
}

@test "two nodes, with srun, which forks and never executes in it" {
	job --nodes=2 --ntasks-per-node=1 -- srun "$TOOLS/worker" burn 200
	holds '.tools | any(.name == "srun" and .runs == 1 and .forks >= 1)'
	same_in_all_views nodes
}

@test "steps beside each other, of several processes that hold memory together" {
	script_job --ntasks=2 --mem=500M <<-END
		#!/bin/sh
		srun --ntasks=1 --mem=200M $TOOLS/workload together 3 40 6 &
		srun --ntasks=1 --mem=200M $TOOLS/worker burn 200 &
		wait
	END
	same_in_all_views steps
	holds '.steps | any(.memory_used_peak_bytes > 100 * 1048576 and (has("memory_used_peak_at_least") | not))'
}

@test "killed for want of memory, in a job of several processes" {
	script_job --mem=60M <<-END
		#!/bin/sh
		$TOOLS/worker burn 100
		$TOOLS/worker hold 300
	END
	holds '.oom | length > 0 and all((.used_bytes // 0) > 0 and .used_bytes <= .rss_bytes and .used_bytes <= 1.05 * .limit_bytes)'
	same_in_all_views oom
}

@test "failures, signals, and ends in good order: what is none is no failure anywhere" {
	script_job <<-END
		#!/bin/bash
		/bin/false
		grep -q nothing /etc/passwd
		bash -c 'kill -KILL \$\$'
		seq 1 1000000 | head -n 1
		timeout 0.2 sleep 5
		(exit 3)
		bash -c '(exit 4); true'
		true
	END
	holds '.tools | any(.name == "false" and .failures == 1) and any(.name == "seq" and .failures == 0 and .dismissed == 1)'
	holds '.timeline | any(.tool == "seq" and .dismissed and .failures == 0)'
	holds '.timeline | any(.forked and .exit_code == 3 and .failures == 0)'
	same_in_all_views ends
}

@test "threads, forks that compute and never execute, and children that compute before they do" {
	script_job <<-END
		#!/bin/bash
		$TOOLS/worker threads 8 20
		$TOOLS/workload forks 30
		(for ((i = 0; i < 100000; i++)); do :; done)
		(for ((i = 0; i < 100000; i++)); do :; done; exec $TOOLS/worker burn 50)
	END
	same_in_all_views forks
}

@test "bursts: more runs than the timeline has entries" {
	script_job <<-END
		#!/bin/bash
		for ((i = 0; i < 6000; i++)); do /bin/true; done
		for ((i = 0; i < 30; i++)); do /bin/false; done
		true
	END
	holds '.timeline | any(.count > 1)'
	same_in_all_views bursts
}

@test "deleted before it was written, and written" {
	job --mem=200M -- sh -c 'dd if=/dev/zero of=gone bs=1M count=30; rm gone; dd if=/dev/zero of=kept bs=1M count=10 conv=fsync'
	same_in_all_views storage
}
