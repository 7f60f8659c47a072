#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Slurm configured in other ways: what can be counted is, and what cannot is named.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

teardown() {
	testbed_evidence
	testbed_end
	unset OWN_TESTBED
}

teardown_file() {
	testbed_end
}

# A testbed of the test's own, with other lines in slurm.conf.
configured() { # LINE...
	local lines

	printf -v lines '%s\n' "$@"
	STINT_TESTBED_SLURM=$lines testbed_begin
	testbed_or_skip
}

@test "without an extern step, the job's cgroup is made anew for each step, and all of them are counted" {
	configured PrologFlags=
	tool first
	tool second
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/salloc.XXXXXX")
	"$TESTBED" exec sh -c "cd $DIRECTORY && salloc --quiet sh -c 'srun $TOOLS/first burn 200; sleep 1; srun $TOOLS/second burn 300; sleep 1; srun $TOOLS/first burn 200'"
	for _ in {1..100}; do
		REPORT=$(echo "$DIRECTORY"/stint-*.json)
		[ -e "$REPORT" ] && break
		sleep 0.1
	done
	valid
	whole
	holds '[.steps[].id] | sort == ["0", "1", "2"]'
	holds '.tools[] | select(.name == "first") | .runs == 2 and .cpu_s >= 0.4 and .cpu_s < 0.5'
	holds '.tools[] | select(.name == "second") | .runs == 1 and .cpu_s >= 0.3 and .cpu_s < 0.4'
	holds '.used.processes == 3'
	between 0.7 "$(value .used.cpu_s)" 0.85
	holds '[.steps[].memory_charged_peak_bytes] | all(. > 0)'
	holds '.used.memory_charged_peak_bytes > 0'
}

@test "without accounting by cgroup the job is counted by its memory cgroup" {
	configured JobAcctGatherType=jobacct_gather/linux
	tool counted
	job -- sh -c "$TOOLS/counted burn 300; $TOOLS/counted burn 1; true"
	valid
	whole
	holds '.used.processes == 4'
	holds '.tools[] | select(.name == "counted") | .runs == 2 and .cpu_s >= 0.301 and .cpu_s < 0.4'
	holds '.used.memory_charged_peak_bytes > 0'
}

@test "with process tracking alone the job is counted by its freezer, and its memory is a gap" {
	configured JobAcctGatherType=jobacct_gather/none TaskPlugin=task/affinity
	[ -e /sys/fs/cgroup/freezer ] || skip "there is no freezer hierarchy on cgroup v2"
	tool counted
	job -- sh -c "$TOOLS/counted burn 300; $TOOLS/counted burn 1; true"
	valid
	holds '.complete == true'
	holds '.used.processes == 4'
	holds '.tools[] | select(.name == "counted") | .runs == 2 and .cpu_s >= 0.301 and .cpu_s < 0.4'
	holds '.gaps | any(.name == "used.memory_charged_peak_bytes")'
	holds '.used | has("memory_charged_peak_bytes") | not'
}

@test "without any cgroup of its own a job is not counted, and its report says so" {
	configured ProctrackType=proctrack/linuxproc JobAcctGatherType=jobacct_gather/none TaskPlugin=task/affinity
	tool uncounted
	job -- "$TOOLS/uncounted" burn 100
	[ "$STATUS" -eq 0 ]
	valid
	holds '.complete == false'
	holds '.gaps | any(.reason | test("no cgroup of its own"))'
	holds '.tools == [] and (.used | has("cpu_s") | not)'
}
