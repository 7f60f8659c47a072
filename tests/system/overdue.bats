#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs whose epilog does not come: slurmd was not restarted when stint's line came into plugstack.conf.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	cp "$STINT_TESTBED/etc/stint.conf" "$STINT_TESTBED/etc/plugstack.conf" "$BATS_FILE_TMPDIR"
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	cp "$BATS_FILE_TMPDIR/plugstack.conf" "$STINT_TESTBED/etc" # a test that failed may have left another
}

# Starts stintd again, which then waits that long for an epilog.
waits_for_epilogs() { # SECONDS
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	echo "epilog_wait_s = $1" >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
}

# From now on slurmd runs no epilog of stint's, but slurmstepd still loads the plugin.
slurmd_does_not_know_stint() {
	: >"$STINT_TESTBED/etc/plugstack.conf"
	restart_slurmd
	cp "$BATS_FILE_TMPDIR/plugstack.conf" "$STINT_TESTBED/etc"
}

jobs_are() { # EXPRESSION : of .jobs in the status file
	jq --exit-status ".jobs | $1" "$STINT_TESTBED/run/status.json" >/dev/null
}

doctor() {
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	echo "$output"
}

lines_of_jobs() {
	grep -c 'no epilog came within 1 s of its end' "$STINT_TESTBED/log/stintd.out"
}

reports_are() { # COUNT
	[ "$(find "$MEET" -name 'stint-*.json' | wc -l)" -eq "$1" ]
}

# Whether stintd has received an epilog since it closed a job without one. On a busy machine a single job's may come too late.
epilogs_come() {
	job -- true
	collector_looks
	jobs_are '.without_since_epilog == 0 and .closed > 6'
}

@test "jobs of a slurmd that was not restarted are closed, with a report that says why; doctor says what to do, and a restart mends it" {
	local i

	slurmd_does_not_know_stint
	waits_for_epilogs 1
	meet
	for ((i = 0; i < 6; i++)); do
		"$TESTBED" exec sbatch --overcommit --chdir="$MEET" --output=/dev/null --wrap 'exit 3'
	done
	soon reports_are 6
	soon_looked jobs_are '.open == 0 and .closed == 6 and .closed_without_epilog == 6 and .overdue == 0'
	[ "$(lines_of_jobs)" -eq 6 ]
	for REPORT in "$MEET"/stint-*.json; do
		valid
		holds '.complete == false and .used.processes > 0'
		holds '[.gaps[] | select(.name == "job" and (.reason | test("no epilog came for 1 s")))] | length == 1'
	done
	doctor
	[ "$status" -eq 1 ]
	grep -q '^FAIL  epilogs: .*6 were closed without.* -> restart slurmd' <<<"$output"
	restart_slurmd
	soon epilogs_come
	doctor
	[ "$status" -eq 0 ]
}

# Runs a job whose epilog's message reaches nobody, as if another plugin's took long, until stintd has closed it. Sets ID and REPORT.
job_without_epilog() {
	meet
	ID=$("$TESTBED" exec sbatch --parsable --overcommit --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began end)")
	told began
	soon is_followed "$ID"
	sed -i 's,run_dir=[^ ]*,run_dir=/nowhere,' "$STINT_TESTBED/etc/plugstack.conf"
	tell end
	report_in "$MEET"
	cp "$BATS_FILE_TMPDIR/plugstack.conf" "$STINT_TESTBED/etc"
	holds '.complete == false and .used.processes > 0'
}

@test "an epilog that comes after the job was closed without it neither loses nor replaces the report" {
	waits_for_epilogs 1
	job_without_epilog
	cp "$REPORT" "$BATS_TEST_TMPDIR/first"
	late_epilog "$ID"
	soon grep "job $ID: its epilog came too late" "$STINT_TESTBED/log/stintd.out"
	"$TESTBED" restart-collector
	late_epilog "$ID"
	soon eval '[ "$(grep -c "job '"$ID"': its epilog came too late" "$STINT_TESTBED/log/stintd.out")" -ge 2 ]'
	soon_looked jobs_are '.open == 0'
	cmp "$REPORT" "$BATS_TEST_TMPDIR/first"
	[ "$(find "$MEET" -name 'stint-*' | wc -l)" -eq 1 ]
}

@test "a job that has a process, or a step to come, is not closed, over a restart of stintd either" {
	local id waiting

	waits_for_epilogs 1
	meet
	waiting=$MEET
	# the allocation has no step for a while, and is suspended; then it has one
	"$TESTBED" exec sh -c "cd $MEET && salloc --quiet --overcommit sh -c 'srun true; $(tells_and_awaits pause go); srun true'" 3>&- &
	soon test -e "$MEET/pause"
	id=$(squeue --noheader --states=R --format %i)
	scontrol suspend "$id"
	# a job that ends after that, and that nothing keeps open, shows that stintd has waited long enough for both
	job_without_epilog
	"$TESTBED" restart-collector
	job_without_epilog
	soon_looked jobs_are '.open == 1 and .closed == 1 and .overdue == 0'
	scontrol resume "$id"
	waits_for_epilogs 600 # this one's may be slow on a busy machine
	MEET=$waiting
	tell go
	report_in "$MEET"
	wait
	valid
	holds '.complete == true'
	holds '[.steps[].id] | sort == ["0", "1", "extern"]'
	[ "$(grep -c "job $id: no epilog" "$STINT_TESTBED/log/stintd.out")" -eq 0 ]
}

# The epilog's message, in its plugin's form.
late_epilog() { # JOB
	"$PROGRAMS/peer" "$STINT_TESTBED/run/stintd.sock" send kind=4 "job=$1" "uid=$(id -u "$TESTBED_USER")" "node=$NODE" stepd=0
}

@test "where no note can be left, slurmd's log does not promise a report" {
	local id log=$STINT_TESTBED/log/slurmd.$NODE.log

	collector_kill
	job_with_nobody
	grep -q "job $JOB_ID: .*its report will be late" "$log"
	mv "$STINT_TESTBED/run/notes" "$STINT_TESTBED/run/away"
	job_with_nobody
	mv "$STINT_TESTBED/run/away" "$STINT_TESTBED/run/notes"
	"$TESTBED" restart-collector
	grep -q "job $JOB_ID: .*no note can be left for it (.*No such file or directory); the job ran, but gets no report" "$log"
	[ "$(grep -c "stint: job $JOB_ID: " "$log")" -eq 1 ]
	run ! grep "job $JOB_ID: .*will be late" "$log"
}

# A job while there is no stintd, to its epilog's end. Sets JOB_ID.
job_with_nobody() {
	JOB_ID=$("$TESTBED" exec sbatch --parsable --chdir=/ --output=/dev/null --wrap true)
	soon eval '! squeue --noheader --jobs "$JOB_ID" --format %i 2>/dev/null | grep -q .'
	soon node_is_idle
}
