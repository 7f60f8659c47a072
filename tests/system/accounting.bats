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
	testbed_begin --accounting --nodes 2
	echo "admin_comment = js1" >>"$STINT_TESTBED/etc/stint.conf"
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

comment() { # JOB : prints its AdminComment as accounting has it
	sacct --noheader --parsable2 --allocations --jobs "$1" --format AdminComment
}

# Waits until accounting has a summary of REPORT's job, and compares it with the report as its readers would.
comment_is_of() { # REPORT
	local job

	job=$(jq --raw-output '.job | if .array_job_id then "\(.array_job_id)_\(.array_task_id)" else .id end' "$1")
	soon eval "comment $job | grep -q ^JS1:" || soon eval "comment $job | grep -q ^JS1:" # slurmdbd may hear late of a short job
	python3 "$SOURCE/tests/unit/js1.py" "$(comment "$job")" "$1"
}

@test "AdminComment has the summary of each task of an array, and of a job on two nodes" {
	local report reports last

	# the last one, whose own id is the array's, ends last: what it tells must not become the others'
	script_job --array=0-2 <<-'END'
		#!/bin/bash
		sleep "$SLURM_ARRAY_TASK_ID"
		timeout "0.$((SLURM_ARRAY_TASK_ID + 1))" bash -c 'while :; do :; done'
		exit 0
	END
	[ "$(wc -l <<<"$REPORT")" -eq 3 ]
	mapfile -t reports <<<"$REPORT"
	last=$(jq --raw-output '.job | select(.id == .array_job_id) | "\(.array_job_id)_\(.array_task_id)"' "${reports[@]}")
	soon eval "comment $last | grep -q ^JS1:"
	for report in "${reports[@]}"; do
		comment_is_of "$report"
	done
	job --nodes=2 --ntasks-per-node=1 -- srun sleep 0.2
	holds '.nodes | length == 2'
	comment_is_of "$REPORT"
}

@test "AdminComment is of a requeued job's latest attempt" {
	local id

	script_job --requeue <<-'END'
		#!/bin/bash
		[ -z "$SLURM_RESTART_COUNT" ] || exit 0
		timeout 0.5 bash -c 'while :; do :; done'
		scontrol requeue "$SLURM_JOB_ID"
		sleep 30
	END
	holds '.job.attempt == 2'
	comment_is_of "$REPORT"
	id=$(value .job.id)
	[ "$(sacct --noheader --parsable2 --allocations --duplicates --jobs "$id" --format AdminComment |
		grep -c ^JS1:)" -eq 1 ]
}

@test "a comment of the site's stays, and the log says so" {
	local id

	id=$(cd "$STINT_TESTBED/home" && "$TESTBED" exec sbatch --parsable --output=/dev/null --wrap 'sleep 1')
	scontrol update jobid="$id" admincomment='ticket 7'
	soon test -e "$STINT_TESTBED/home/stint-$id.json"
	soon grep "job $id: its AdminComment is not set: another comment stands there" "$STINT_TESTBED/log/stintd.out"
	[ "$(comment "$id")" = "ticket 7" ]
}

@test "without slurmdbd a job ends and is reported as ever, and the summary is given up" {
	local pid

	pid=$(daemon_pid slurmdbd)
	kill -STOP "$pid"
	job -- true
	valid
	holds '.complete'
	soon grep "job $(value .job.id): its AdminComment is not set: " "$STINT_TESTBED/log/stintd.out" ||
		soon grep "job $(value .job.id): its AdminComment is not set: " "$STINT_TESTBED/log/stintd.out" || pid="$pid failed"
	kill -CONT "${pid% *}"
	[ "$pid" = "${pid% *}" ]
}
