#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A Slurm with accounting.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2086,SC2154,SC2317

load helper

setup_file() {
	testbed_begin_accounting --nodes 2
	[ -z "${NO_TESTBED:-}" ] || return 0
	echo "admin_comment = js1" >>"$STINT_TESTBED/etc/stint.conf"
	begin_jobs
}

# These run next to the first tests: slurmctld reports jobs to slurmdbd every five seconds, and starts a requeued one late.
begin_jobs() {
	begun_job array --array=0-2 <<-'END'
		#!/bin/bash
		sleep "$SLURM_ARRAY_TASK_ID"
		timeout "0.$((SLURM_ARRAY_TASK_ID + 1))" bash -c 'while :; do :; done'
		exit 0
	END
	begun_job requeued --requeue <<-'END'
		#!/bin/bash
		[ -z "$SLURM_RESTART_COUNT" ] || exit 0
		timeout 0.5 bash -c 'while :; do :; done'
		scontrol requeue "$SLURM_JOB_ID"
		sleep 30
	END
	begun_job limited --ntasks=1 <<-'END'
		#!/bin/bash
		srun --overlap --time=1 sleep 300 &
		srun --overlap bash -c 'sleep 70; exit 3' &
		wait
		exit 0
	END
}

begun_job() { # NAME [sbatch option...] : with the script on standard input
	cat >"$BATS_FILE_TMPDIR/$1.sh"
	(
		cd / && "$TESTBED" run "${@:2}" "$BATS_FILE_TMPDIR/$1.sh" >"$BATS_FILE_TMPDIR/$1.new"
		mv "$BATS_FILE_TMPDIR/$1.new" "$BATS_FILE_TMPDIR/$1"
	) 3>&- &
}

reports_of() { # NAME : waits for that job, and sets REPORT
	soon test -e "$BATS_FILE_TMPDIR/$1"
	REPORT=$(cat "$BATS_FILE_TMPDIR/$1")
}

teardown_file() {
	testbed_end
}

@test "with accounting a job is reported as without, and sacct knows it too" {
	local id

	job --job-name=accounted -- true
	valid
	holds '.complete == true'
	id=$(value .job.id)
	soon eval "sacct --noheader --allocations --jobs '$id' --format state | grep COMPLETED"
}

comment() { # JOB : prints its AdminComment from accounting
	sacct --noheader --parsable2 --allocations --jobs "$1" --format AdminComment
}

# Waits until accounting has a summary of REPORT's job, and compares it with the report as its readers would.
comment_is_of() { # REPORT
	local job

	job=$(jq --raw-output '.job | if .array_job_id then "\(.array_job_id)_\(.array_task_id)" else .id end' "$1")
	soon eval "comment $job | grep -q ^JS1:" # slurmdbd may learn late about a short job
	python3 "$SOURCE/tests/cli/js1.py" "$(comment "$job")" "$1"
}

@test "AdminComment has the summary of each task of an array, and of a job on two nodes" {
	local report reports last

	# the last task, whose own id is the array's, ends last: its comment must not become that of the others
	reports_of array
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

# Submits as another user than the testbed's. Prints what COMMAND prints.
as_victim() { # COMMAND...
	(cd "$STINT_TESTBED/victim" && setpriv --reuid=65534 --regid=65534 --clear-groups "$@")
}

# Runs stint as the testbed's user, in the home directory.
as_user() { # ARGUMENT...
	(cd "$STINT_TESTBED/home" && "$TESTBED" exec ${STINT_LIBEXEC:+env STINT_LIBEXEC="$STINT_LIBEXEC"} "$STINT" "$@" \
		--config "$STINT_TESTBED/etc/stint.conf")
}

@test "stint list and stint summary --mine find a user's jobs by accounting, with their reports, and count what left none" {
	local name=summed-$RANDOM id ids=() reports=() victim listed answer

	for _ in 1 2 3; do
		job --job-name="$name" -- timeout 0.5 sh -c 'while :; do :; done'
		reports+=("$REPORT")
		ids+=("$(value .job.id)")
	done
	rm "${reports[2]}"
	install -d -o 65534 -g 65534 "$STINT_TESTBED/victim"
	victim=$(as_victim sbatch --parsable --job-name="$name" --output=/dev/null --wrap true)
	# slurmdbd finds a job in a span of time only once it knows since when the job was eligible: some seconds later
	for id in "${ids[@]}" "$victim"; do
		soon eval "sacct --noheader --parsable2 --allocations --jobs $id --format State,Eligible,End | grep -vq 'RUNNING\|PENDING\|Unknown'"
	done

	listed=$(as_user list --json --name "$name")
	jq --exit-status --argjson ids "[$(IFS=,; echo "${ids[*]}")]" '(map(.id) | sort) == ($ids | sort)' <<<"$listed"
	jq --exit-status --argjson gone "${ids[2]}" 'all(.[]; (.path == null) == (.id == $gone))' <<<"$listed"
	jq --exit-status 'length == 4' <<<"$(as_user list --json --name "$name" --user all)"
	jq --exit-status --argjson id "$victim" 'map(.id) == [$id]' <<<"$(as_user list --json --name "$name" --user 65534)"
	jq --exit-status 'length == 0' <<<"$(as_user list --json --name "$name" --until 1h)"
	jq --exit-status 'length == 3' <<<"$(as_user list --json --name "$name" --since 1h --state failed,completed)"
	jq --exit-status 'length == 0' <<<"$(as_user list --json --name "$name" --state pending,running)"
	fails_with_one_line as_user list --since 2026-02-31

	answer=$(as_user summary --mine --json --where job-name="$name")
	jq --compact-output '{sentence, without_report, total: .total.sums}' <<<"$answer"
	jq --exit-status '.total.jobs == 3 and .without_report == 1' <<<"$answer"
	jq --exit-status --slurp '.[0].total.sums.cpu_used_core_ms == ([.[1:][].used.cpu_s * 1000 + 0.5 | floor] | add)' \
		<(echo "$answer") "${reports[@]:0:2}"
	jq --exit-status '.total.jobs == 0' <<<"$(as_user summary --mine --json --where job-name="$name" --until 1h)"
	as_user summary --mine --where job-name="$name" | grep -qx '1 of these jobs left no report: what it used is not known.'
}

has_ids() { # JSON-ARRAY OPTION... : stint list has those jobs, all of them waiting
	as_user list --json "${@:2}" | jq --exit-status --argjson ids "$1" \
		'(map(.id) | unique) == ($ids | sort) and all(.[]; .state == "PENDING" and .path == null)'
}

@test "stint list shows the jobs that are held, that wait for another, or that begin later" {
	local name=waiting-$RANDOM held array behind later

	held=$("$TESTBED" exec sbatch --parsable --hold --job-name="$name" --output=/dev/null --wrap true)
	array=$("$TESTBED" exec sbatch --parsable --hold --array=1-3 --job-name="$name" --output=/dev/null --wrap true)
	behind=$("$TESTBED" exec sbatch --parsable --dependency=afterok:"$held" --job-name="$name" --output=/dev/null --wrap true)
	later=$("$TESTBED" exec sbatch --parsable --begin=now+1hour --job-name="$name" --output=/dev/null --wrap true)
	soon has_ids "[$held, $array, $behind, $later]" --name "$name"
	has_ids "[$held, $array, $behind, $later]" --name "$name" --state pending --user all
	has_ids "[]" --name "$name" --until 1h
	"$TESTBED" exec scancel --name="$name"
}

@test "array numbers of a user's own making change nobody else's AdminComment" {
	local victim id before

	install -d -o 65534 -g 65534 "$STINT_TESTBED/victim"
	victim=$(as_victim sbatch --parsable --array=1 --output=/dev/null --wrap 'timeout 0.3 bash -c "while :; do :; done"')
	soon eval "comment ${victim}_1 | grep -q ^JS1:"
	before=$(comment "${victim}_1")
	id=$(cd "$STINT_TESTBED/home" && "$TESTBED" exec env SLURM_ARRAY_JOB_ID="$victim" SLURM_ARRAY_TASK_ID=1 \
		srun bash -c 'echo $SLURM_JOB_ID; sleep 0.5')
	soon eval "comment $id | grep -q ^JS1:"
	[ "$(comment "${victim}_1")" = "$before" ]
	REPORT=$STINT_TESTBED/home/stint-$id.json
	holds '.job.array_job_id == null and .job.array_task_id == null'
	comment_is_of "$REPORT"
}

@test "the row that is changed is the job's: its user's, of its submission, with no other comment" {
	local id uid submit gpus text="JS1:H4sI"

	set_comment() { # JOBID ARRAYID_TASK UID SUBMIT TEXT
		printf '%s\n' testbed "$@" >"$BATS_TEST_TMPDIR/comment" # not by a pipe: it does not read all of a text that is too long
		"$STINT_TESTBED/libexec/stint-slurm-job" --comment <"$BATS_TEST_TMPDIR/comment"
	}

	id=$(cd "$STINT_TESTBED/home" && "$TESTBED" exec sbatch --parsable --output=/dev/null --wrap true)
	soon eval "comment $id | grep -q ^JS1:"
	uid=$(id -u "$TESTBED_USER")
	submit=$(date -d "$(sacct --noheader --parsable2 --allocations --jobs "$id" --format Submit)" +%s)
	fails_with_one_line set_comment "$id" - 65534 "$submit" "$text"
	fails_with_one_line set_comment "$id" - "$uid" "$((submit - 1))" "$text"
	fails_with_one_line set_comment "$id" "${id}_1" "$uid" "$submit" "$text"
	[ "$(comment "$id")" != "$text" ]
	fails_with_one_line set_comment "$id" - "$uid" "$submit"
	fails_with_one_line set_comment "$id" - "$uid" "$submit" "$text" "$text"
	fails_with_one_line set_comment "$id" - "$uid" "$submit" "$(head -c 70000 /dev/zero | tr '\0' x)"
	[ "$(comment "$id")" != "$text" ]
	set_comment "$id" - "$uid" "$submit" "$text"
	[ "$(comment "$id")" = "$text" ]
	# another tool's summary, which has data of GPUs
	gpus=JS1:$(printf '{"nodes": {"n1": {"cpus": 1, "gpu_utilization": {"0": 97}}}, "total_time": 61, "gpus": 1}' | gzip | base64 --wrap=0)
	set_comment "$id" - "$uid" "$submit" "$gpus"
	fails_with_one_line set_comment "$id" - "$uid" "$submit" "$text"
	[ "$(comment "$id")" = "$gpus" ]
	sacctmgr --immediate modify job where jobid="$id" set AdminComment='ticket 8'
	fails_with_one_line set_comment "$id" - "$uid" "$submit" "$text"
	[ "$(comment "$id")" = "ticket 8" ]
}

@test "a job whose directory refuses the report has its AdminComment all the same" {
	local id directory=$STINT_TESTBED/refuses

	install -d -m 755 "$directory"
	id=$("$TESTBED" exec sbatch --parsable --chdir="$directory" --output=/dev/null --wrap 'timeout 0.3 bash -c "while :; do :; done"')
	soon eval "comment $id | grep -q ^JS1:H4sI"
	[ -z "$(ls -A "$directory")" ]
}

@test "AdminComment is of a requeued job's latest attempt" {
	local id

	reports_of requeued
	holds '.job.attempt == 2'
	comment_is_of "$REPORT"
	id=$(value .job.id)
	[ "$(sacct --noheader --parsable2 --allocations --duplicates --jobs "$id" --format AdminComment |
		grep -c ^JS1:)" -eq 1 ]
}

@test "a comment of the site's stays, and the log says so" {
	local id

	id=$(cd "$STINT_TESTBED/home" && "$TESTBED" exec sbatch --parsable --hold --output=/dev/null --wrap 'sleep 1')
	scontrol update jobid="$id" admincomment='ticket 7'
	scontrol release "$id"
	soon test -e "$STINT_TESTBED/home/stint-$id.json"
	soon grep "job $id of .*: stint did not set its AdminComment: the job already has another comment" "$STINT_TESTBED/log/stintd.out"
	[ "$(comment "$id")" = "ticket 7" ]
}

# slurmctld looks at the limits each half minute.
@test "a step that Slurm ended at its own time limit is told so, and not another that failed as late" {
	local id timed_out

	reports_of limited
	valid
	id=$(value .job.id)
	timed_out=$(sacct --noheader --parsable2 --jobs "$id" --format jobid,state | sed -n 's/^[0-9]*[.]\([0-9]*\)|TIMEOUT$/\1/p')
	[ "$(wc -l <<<"$timed_out")" -eq 1 ]
	holds --arg step "$timed_out" '[.steps[] | select(.timed_out) | .id] == [$step]'
	holds '.job.state == "COMPLETED"'
	holds --arg step "$timed_out" '.verdict.outcome | test("(; |, but )step \($step) reached its own time limit after 1 min( [0-9]+ s)?[.]")'
}

@test "without slurmdbd a job ends and is reported as ever, and the summary is given up" {
	local pid

	pid=$(daemon_pid slurmdbd)
	kill -STOP "$pid"
	job -- true
	valid
	holds '.complete'
	soon grep "job $(value .job.id) of .*: stint did not set its AdminComment: " "$STINT_TESTBED/log/stintd.out" ||
		soon grep "job $(value .job.id) of .*: stint did not set its AdminComment: " "$STINT_TESTBED/log/stintd.out" || pid="$pid failed"
	kill -CONT "${pid% *}"
	[ "$pid" = "${pid% *}" ]
}
