#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of all kinds, side by side, for STINT_SOAK_S seconds ("make soak": half an hour), while stintd is ended, killed and started
# again: each has its report, and nothing is left over.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

STINT_SOAK_S=${STINT_SOAK_S:-20}

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
}

# ---- kinds of jobs: each prints its script; sbatch's options are its "#SBATCH" lines ----

kind_nothing() { echo "true"; }

kind_storm() { echo "exec $TOOLS/many 30 $TOOLS/fine $TOOLS/third"; }

kind_burn() { echo "$TOOLS/spins burn 700"; }

kind_memory() { echo "$TOOLS/holds hold 60"; }

kind_killed_for_memory() {
	printf '#SBATCH --mem=64M\n%s\n' "$TOOLS/holds hold 200; true"
}

kind_steps() { printf 'srun %s burn 50\nsrun %s burn 50\n' "$TOOLS/spins" "$TOOLS/spins"; }

kind_fails() { echo "exit 7"; }

kind_cancelled() { echo 'scancel $SLURM_JOB_ID; sleep 100'; }

kind_off() { printf '#SBATCH --stint=off\ntrue\n'; }

kind_summary() { printf '#SBATCH --stint=summary\n%s\n' "$TOOLS/many 5 $TOOLS/fine"; }

kind_leaves_a_process() { echo "$TOOLS/spins daemon /bin/sleep 300; $TOOLS/spins burn 100"; }

kind_locks_its_directory() { echo 'chmod 500 .'; }

KINDS=(nothing storm burn memory killed_for_memory steps fails cancelled off summary leaves_a_process locks_its_directory)

submit() { # NUMBER : the first ones are one of each kind
	local kind=${KINDS[$1 < ${#KINDS[@]} ? $1 : RANDOM % ${#KINDS[@]}]} directory=$JOBS/$1

	"$TESTBED" exec mkdir "$directory"
	echo "$kind" >"$directory/kind"
	printf '#!/bin/bash\n%s\n' "$("kind_$kind")" >"$directory/job.sh"
	"$TESTBED" exec sbatch --quiet --mem=100M --chdir="$directory" --output="$STINT_TESTBED/home/%j.out" "$directory/job.sh"
}

none_is_queued() {
	[ "$(queued)" -eq 0 ]
}

queued() {
	squeue --noheader --format %i | wc -l
}

disturb() { # SECOND : of the soak
	case $((RANDOM % 3)) in
	0) collector_kill ;;
	1) kill -STOP "$(daemon_pid stintd)" && sleep 1 && kill -CONT "$(daemon_pid stintd)" && return ;;
	esac
	"$TESTBED" restart-collector
}

# ---- what each kind's report says ----

expect() { # KIND
	case $1 in
	storm) holds '[.tools[] | select(.name == "fine" or .name == "third") | [.runs, .failures, .signals]] == [[30, 6, 3], [30, 6, 3]]' ;;
	burn) holds '.tools[] | select(.name == "spins") | .runs == 1 and .cpu_s >= 0.7 and .cpu_s < 1.4' ;; # nothing twice
	memory) holds '.used.memory_used_peak_bytes >= 59 * 1048576' ;;
	killed_for_memory) holds '.used.oom_kills == 1 and .job.state == "OUT_OF_MEMORY"' ;;
	steps) holds '[.steps[] | select(.id == "0" or .id == "1") | .processes] == [1, 1]' ;;
	fails) holds '.job.exit_code == 7' ;;
	cancelled) holds '.job.state == "CANCELLED"' ;;
	summary) holds '.timeline == [] and (.tools[] | select(.name == "fine") | .runs == 5)' ;;
	*) holds '.used.processes >= 1' ;;
	esac
}

check_job() { # DIRECTORY KIND
	if [ "$2" = off ]; then
		[ -z "$(find "$1" -name 'stint-*.json')" ] || { echo "$1: a job with --stint=off has a report"; return 1; }
		return
	fi
	report_is_in "$1" || soon_looked report_is_in "$1" || { echo "of a job '$2'"; return 1; }
	valid
	if holds '.complete' >/dev/null; then
		expect "$2" || { echo "$1: a job '$2'"; return 1; }
		WHOLE=$((WHOLE + 1))
	else
		holds '.gaps | any(.reason | test("collection began|was over before"))'
		PART=$((PART + 1))
	fi
}

# Leaves out the temporary files of killed writers: stint keeps them for an hour, because a writer might still use them.
what_is_kept() {
	find "$STINT_TESTBED"/run/{jobs,spool,notes} "$STINT_TESTBED/spool" -type f ! -path "*/spool/store/*" ! -name '.stint-*.tmp'
}

nothing_is_kept() {
	soon_looked eval '[ -z "$(what_is_kept)" ]' || {
		echo "left over: $(what_is_kept)"
		return 1
	}
}

@test "mixed jobs beside a stintd that is disturbed: each report is there and right" {
	local end=$((SECONDS + STINT_SOAK_S)) next=$((SECONDS + 5)) n=0 i rss

	JOBS=$STINT_TESTBED/home/soak
	WHOLE=0 PART=0
	"$TESTBED" exec mkdir "$JOBS"
	tool many crowd
	for name in fine third spins holds; do tool "$name"; done
	while [ "$SECONDS" -lt "$end" ] || [ "$n" -lt ${#KINDS[@]} ]; do
		if [ "$(queued)" -lt 6 ]; then
			submit "$n"
			n=$((n + 1))
			[ $((n % 100)) -ne 0 ] || echo "# $n jobs" >&3
		else
			sleep 0.2
		fi
		if [ "$SECONDS" -ge "$next" ]; then
			disturb
			next=$((SECONDS + 5 + RANDOM % 10))
		fi
	done
	SOON_STEP_S=0.2 soon none_is_queued
	rss=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$(daemon_pid stintd)/status")
	chmod 700 "$JOBS"/*
	for ((i = 0; i < n; i++)); do
		check_job "$JOBS/$i" "$(cat "$JOBS/$i/kind")"
	done
	echo "$n jobs: $WHOLE told in whole, $PART in part; stintd's memory $rss KiB"
	[ "$WHOLE" -gt 0 ]
	[ "$rss" -lt $((24 * 1024)) ]
	soon node_is_idle
	nothing_is_kept
	for map in totals tools file_systems; do
		[ "$(bpftool -j map dump pinned "$STINT_TESTBED/bpf/stint/map_$map" | jq length)" -eq 0 ]
	done
}
