#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Steps, arrays, srun and salloc.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

@test "two steps side by side are told apart, with what each used" {
	tool left
	tool right
	script_job --ntasks=2 <<-END
		#!/bin/bash
		srun --exact --ntasks=1 --mem=100M $TOOLS/left burn 600 &
		srun --exact --ntasks=1 --mem=100M $TOOLS/right burn 300 &
		wait
	END
	valid
	holds '.complete == true'
	holds '[.steps[].id] | contains(["batch", "0", "1"])'
	# what srun asked for: with less, they would not start next time
	holds '(.nodes[0].allocated | has("memory_limit_bytes") | not) or
		[.steps[] | select(.id == "0" or .id == "1") | .memory_limit_bytes] == [104857600, 104857600]'
	holds '.tools | any(.name == "left" and .runs == 1 and .cpu_s > 0.59 and .cpu_s < 0.6 + 0.1 * $slowness)'
	holds '.tools | any(.name == "right" and .runs == 1 and .cpu_s > 0.29 and .cpu_s < 0.3 + 0.1 * $slowness)'
	holds '[.steps[] | select(.id == "0" or .id == "1") | .cpu_s] | sort | .[0] > 0.29 and .[0] < 0.3 + 0.2 * $slowness and .[1] > 0.59 and .[1] < 0.6 + 0.2 * $slowness'
}

@test "every task of an array leaves a report of its own, named for array and task" {
	local report id

	script_job --array=1-3 <<-'END'
		#!/bin/bash
		exit $SLURM_ARRAY_TASK_ID
	END
	[ "$STATUS" -eq 3 ]
	[ "$(wc -l <<<"$REPORT")" -eq 3 ]
	id=$(jq .job.array_job_id <<<"$(cat "${REPORT%%$'\n'*}")")
	while read -r report; do
		REPORT=$report
		valid
		[ "$(basename "$report")" = "stint-${id}_$(value .job.array_task_id).json" ]
		holds '.job.exit_code == .job.array_task_id'
	done <<<"$REPORT"
}

@test "a job started by srun leaves a report where it was started" {
	local directory

	tool alone
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/srun.XXXXXX")
	cd "$directory"
	"$TESTBED" exec srun --job-name=interactive "$TOOLS/alone" burn 100
	report_in "$directory"
	valid
	holds '.job.name == "interactive" and .job.state == "COMPLETED"'
	holds '.tools | any(.name == "alone" and .runs == 1)'
}

@test "a job started by salloc leaves a report with all its steps" {
	local directory

	tool first
	tool second
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/salloc.XXXXXX")
	cd "$directory"
	"$TESTBED" exec salloc sh -c "srun $TOOLS/first burn 50; srun $TOOLS/second burn 50"
	report_in "$directory"
	valid
	holds '[.steps[].id] | contains(["0", "1"])'
	holds '.tools | any(.name == "first") and any(.name == "second")'
}

# srun's threads wait in poll() for the tasks' output, and get it over TCP.
@test "what srun waits for is not what bounds a job that sleeps and prints" {
	script_job <<-'END'
		#!/bin/bash
		srun sh -c 'i=0; while [ $((i += 1)) -le 100 ]; do sleep 0.04; echo step; done'
	END
	valid
	holds '[.tools[] | select(.name == "srun")][0].states.event_s > 4 and .states.waits.event >= 50'
	holds '.verdict.bound != "network"'
	holds '$slowness > 1 or .verdict.bound == "idle"'
}

@test "a step's own --stint changes nothing of the job's" {
	tool counted
	job --stint=summary -- sh -c "srun --stint=off $TOOLS/counted burn 1; srun --stint=timeline,output=elsewhere $TOOLS/counted burn 1"
	valid
	holds '.complete == true and .mode == "summary" and .timeline == []'
	holds '.tools[] | select(.name == "counted") | .runs == 2'
	[ ! -e "${REPORT%/*}/elsewhere" ]
}
