#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Slurm configured in other ways: stint counts what it can, and names what is missing.
# shellcheck shell=bash disable=SC2034,SC2154,SC2317

load helper
load sluid

# The testbed of the file is for the tests that simulate Slurm's jobs: other configurations have one of their own.
setup_file() {
	testbed_begin
	export FILE_TESTBED=${OWN_TESTBED:-}
}

teardown() {
	testbed_evidence
	sluid_end
	[ "${OWN_TESTBED:-}" = "$FILE_TESTBED" ] || testbed_end
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
	local gone

	configured PrologFlags=
	tool first
	tool second
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/salloc.XXXXXX")
	# it goes with the job's only step, a while after srun
	gone="while ls -d /sys/fs/cgroup/*/slurm_$NODE/uid_*/job_* /sys/fs/cgroup/system.slice/${NODE}_slurmstepd.scope/job_* 2>&- | grep -q .; do sleep 0.05; done"
	"$TESTBED" exec sh -c "cd $DIRECTORY && salloc --quiet sh -c '
		srun $TOOLS/first burn 200; $gone; srun $TOOLS/second burn 300; $gone; srun $TOOLS/first burn 200'"
	report_in "$DIRECTORY"
	valid
	whole
	holds '[.steps[].id] | sort == ["0", "1", "2"]'
	holds '.tools[] | select(.name == "first") | .runs == 2 and .cpu_s >= 0.4 and .cpu_s < 0.4 + 0.1 * $slowness'
	holds '.tools[] | select(.name == "second") | .runs == 1 and .cpu_s >= 0.3 and .cpu_s < 0.3 + 0.1 * $slowness'
	holds '.used.processes == 3'
	between 0.7 "$(value .used.cpu_s)" "$(slack 0.85)"
	holds '[.steps[].memory_charged_peak_bytes] | all(. > 0)'
	holds '.used.memory_charged_peak_bytes > 0'
}

@test "without an extern step, a job of more steps than there are places for jobs is counted, and so are others" {
	configured PrologFlags=
	tool first
	printf '%s\n' 'map_entries.job_cgroups = 4' 'map_entries.memory_cgroups = 24' >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/salloc.XXXXXX")
	"$TESTBED" exec sh -c "cd $DIRECTORY && salloc --mem=200M --quiet sh -c 'for i in 1 2 3 4 5 6 7 8; do srun $TOOLS/first burn 50; done
		>took; until [ -e go ]; do sleep 0.1; done'" 3>&- &
	soon test -e "$DIRECTORY/took"
	job --mem=200M -- "$TOOLS/first" burn 30
	whole
	holds '.tools[] | select(.name == "first") | .runs == 1 and .cpu_s >= 0.03'
	"$TESTBED" exec touch "$DIRECTORY/go"
	report_in "$DIRECTORY"
	wait
	valid
	whole
	holds '.tools[] | select(.name == "first") | .runs == 8 and .cpu_s >= 0.4'
	holds '.used.processes == 8 and ([.steps[] | select(has("cpu_s"))] | length == 8)'
}

@test "without accounting by cgroup the job is counted by its memory cgroup" {
	configured JobAcctGatherType=jobacct_gather/linux
	tool counted
	job -- sh -c "$TOOLS/counted burn 300; $TOOLS/counted burn 1; true"
	valid
	whole
	holds '.used.processes == 4'
	holds '.tools[] | select(.name == "counted") | .runs == 2 and .cpu_s >= 0.301 and .cpu_s < 0.3 + 0.1 * $slowness'
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
	holds '.tools[] | select(.name == "counted") | .runs == 2 and .cpu_s >= 0.301 and .cpu_s < 0.3 + 0.1 * $slowness'
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

# ---- Slurm 26.05 and later name a job's cgroup by its SLUID ----

# No such Slurm is available here: see sluid.bash.

@test "jobs whose cgroups are named by SLUID are counted and told apart, exactly" {
	local one=s7f3k9q2m4x8z1 other=s7f3k9q2m4x8z2 first second extern_first extern_second

	SLUID_UID=$(id -u "$TESTBED_USER") SLUID_GID=$(id -g "$TESTBED_USER")
	tool mine
	tool yours
	tool holder
	sluid_step 900001 "$one" extern sleep 1000 >"$BATS_TEST_TMPDIR/extern.1" 3>&- &
	extern_first=$!
	sluid_step 900002 "$other" extern sleep 1000 >"$BATS_TEST_TMPDIR/extern.2" 3>&- &
	extern_second=$!
	soon grep '^0' "$BATS_TEST_TMPDIR/extern.1"
	soon grep '^0' "$BATS_TEST_TMPDIR/extern.2"
	sluid_step 900001 "$one" batch sh -c "for i in 1 2 3 4 5; do $TOOLS/mine burn 40; done; $TOOLS/holder hold 50; exit 3" 3>&- &
	first=$!
	sluid_step 900002 "$other" batch sh -c "for i in 1 2 3 4 5 6 7; do $TOOLS/yours burn 20; done" 3>&- &
	second=$!
	status=0
	wait "$first" || status=$? # not by "run": its subshell has no children to wait for
	[ "$status" -eq 3 ]
	wait "$second"
	run sluid_step 900001 "$one" 0 "$TOOLS/mine" burn 60
	[ "$status" -eq 0 ] && [ "$output" = $'0 \n0 ' ]

	sluid_close 900001 "$one" "$extern_first"
	valid
	holds '.complete == true'
	holds '[.steps[].id] | sort == ["0", "batch", "extern"]'
	holds '[.steps[] | {(.id): .processes}] | add == {"0": 1, "batch": 7, "extern": 0}'
	holds '[.steps[] | {(.id): .exit_code}] | add | .batch == 3 and .["0"] == 0'
	holds '.tools[] | select(.name == "mine") | .runs == 6 and .failures == 0 and .cpu_s >= 0.26'
	holds '.used.processes == 8 and (.tools | any(.name == "yours") | not)'
	between "$(awk "BEGIN { print $CPU_S * 0.995 - 0.01 }")" "$(value .used.cpu_s)" "$(awk "BEGIN { print $CPU_S * 1.005 + 0.01 }")"
	holds --argjson peak "$PEAK" '.used.memory_charged_peak_bytes >= $peak and .used.memory_charged_peak_bytes < $peak + 4194304'
	holds '.used.memory_used_peak_bytes >= 50 * 1048576 - 64 * 4096 * 2 and .used.memory_used_peak_bytes <= .used.memory_charged_peak_bytes'
	holds '.tools[] | select(.name == "holder") | .peak_bytes > 50 * 1048576'

	sluid_close 900002 "$other" "$extern_second"
	valid
	holds '.complete == true'
	holds '.tools[] | select(.name == "yours") | .runs == 7 and .failures == 0 and .cpu_s >= 0.14'
	holds '.used.processes == 8 and (.tools | any(.name == "mine") | not)'
	between "$(awk "BEGIN { print $CPU_S * 0.995 - 0.01 }")" "$(value .used.cpu_s)" "$(awk "BEGIN { print $CPU_S * 1.005 + 0.01 }")"
}

# slurmd lets the batch step begin before the extern step's cgroup is made and its message sent: either message may come first.

late_setup() {
	JOB=$((${JOB:-900000 + BATS_TEST_NUMBER * 10} + 1)) # another one each time, so that another job's report is not taken for its own
	SLUID=s7f3k9q2m4x8z1
	SLUID_UID=$(id -u "$TESTBED_USER") SLUID_GID=$(id -g "$TESTBED_USER")
	tool mine
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/late.XXXXXX")
	mkfifo "$BATS_TEST_TMPDIR/late"
	exec 9<>"$BATS_TEST_TMPDIR/late"
}

late_sleeps() { # whether the program in the extern step has begun
	local pid

	for pid in $(sluid_pids "$SLUID/step_extern"); do
		[ "$(cat "/proc/$pid/comm")" != sleep ] || return 0
	done
	return 1
}

late_extern_begins() {
	SLUID_LATE=1 sluid_step "$JOB" "$SLUID" extern sleep 1000 <&9 >"$BATS_TEST_TMPDIR/extern" 3>&- &
	EXTERN=$!
	soon late_sleeps
}

late_batch_begins() {
	sluid_step "$JOB" "$SLUID" batch sh -c "$TOOLS/mine burn 20; until [ -e $DIRECTORY/go ]; do :; done; $TOOLS/mine burn 20; true" \
		>"$BATS_TEST_TMPDIR/batch" 3>&- &
	BATCH=$!
	soon grep '^0' "$BATS_TEST_TMPDIR/batch"
}

late_ends() {
	[ ! -s "$BATS_TEST_TMPDIR/extern" ]
	echo >&9
	soon grep '^0' "$BATS_TEST_TMPDIR/extern"
	touch "$DIRECTORY/go"
	wait "$BATCH"
	sluid_close "$JOB" "$SLUID" "$EXTERN"
	exec 9>&-
	valid
	holds '.complete == true'
	holds '[.steps[] | {(.id): .processes}] | add == {"batch": 3, "extern": 0}'
	holds '.used.processes == 3'
	holds '[.tools[] | select(.name == "sleep") | .slurm] == [true]'
	holds '.tools[] | select(.name == "mine") | .runs == 2 and .cpu_s >= 0.04'
}

@test "what Slurm runs in an extern step that is told of late is no process of the job: it runs before the job is known" {
	late_setup
	late_extern_begins
	late_batch_begins
	late_ends
}

@test "what Slurm runs in an extern step that is told of late is no process of the job: it begins when the job is known" {
	late_setup
	late_batch_begins
	late_extern_begins
	late_ends
}

@test "what Slurm runs in an extern step that is told of late is no process of the job: by the freezer, too" {
	[ -e /sys/fs/cgroup/freezer ] || skip "there is no freezer hierarchy on cgroup v2"
	SLUID_HIERARCHIES=freezer
	configured PrologFlags=Contain JobAcctGatherType=jobacct_gather/none TaskPlugin=task/affinity
	late_setup
	late_extern_begins
	late_batch_begins
	late_ends
	rm "$DIRECTORY/go" "$BATS_TEST_TMPDIR/late" "$BATS_TEST_TMPDIR/extern" "$BATS_TEST_TMPDIR/batch"
	late_setup
	late_batch_begins
	late_extern_begins
	late_ends
}
