#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever is in stintd's place, the job runs like without stint, in time, and its messages are not lost.
# shellcheck shell=bash disable=SC2030,SC2031,SC2154,SC2317

load helper
load delay

setup_file() {
	STINT_TESTBED_SLURM=FirstJobId=70001 testbed_begin --first # numbers that mean nothing else
	[ -z "$NO_TESTBED" ] || return 0
	time_jobs_without
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	RUN=$STINT_TESTBED/run
	SOCKET=$RUN/stintd.sock
	USER_ID=$(id -u "$TESTBED_USER")
}

teardown() {
	[ -z "${SERVER:-}" ] || kill -KILL "$SERVER"
	[ ! -e "${RUN:-/nonexistent}.away" ] || { rm -rf "$RUN" && mv "$RUN.away" "$RUN"; }
	! mountpoint -q "${RUN:-/nonexistent}/notes" || umount "$RUN/notes"
	testbed_evidence
	[ -n "${RUN:-}" ] && [ -d "$RUN" ] || return 0
	chmod 700 "$RUN" && chown root "$RUN"
	[ -n "${BATS_TEST_COMPLETED:-}" ] || collector_gone
	! has_ended "$(daemon_pid stintd)" || rm -rf "$SOCKET" "$RUN"/notes/*
}

# Starts stintd if an earlier test has ended it.
collector_there() {
	! has_ended "$(daemon_pid stintd)" || "$TESTBED" restart-collector
}

serve_instead() { # HOW [UID]
	collector_gone
	rm -f "$BATS_TEST_TMPDIR/served"
	"$PROGRAMS/peer" "${PEER_AT:-$SOCKET}" serve "$@" >"$BATS_TEST_TMPDIR/served" 3>&- &
	SERVER=$!
	soon grep -q serves "$BATS_TEST_TMPDIR/served"
}

collector_gone() {
	has_ended "$(daemon_pid stintd)" || collector_kill
	rm -rf "$SOCKET"
}

# Notes how long the quickest of three jobs without stint takes to start, and to end.
time_jobs_without() {
	local BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR start='' end='' try

	for ((try = 0; try < 3; try++)); do
		time_a_job_without
		start=$(least "$BASE_START_S" $start) end=$(least "$BASE_END_S" $end)
	done
	echo "$start $end" >"$BATS_FILE_TMPDIR/without"
}

# A job starts at most 0.25 s later than without stint, and ends at most 2 s later. If other work of the machine delays it, it is compared
# with others that run at the same time. Sets JOB_ID.
delay_is_bounded() {
	local start end

	read -r start end <"$BATS_FILE_TMPDIR/without"
	time_a_job
	! between -1 "$START_S" "$(awk "BEGIN { print $start + 0.25 + 0.05 }")" ||
		! between -1 "$END_S" "$(awk "BEGIN { print $end + 2.0 }")" || return 0
	delays_are_bounded
}

job_is_not_harmed() {
	delay_is_bounded
	scontrol show job "$JOB_ID" | grep 'JobState=COMPLETED .*' | grep -q 'Reason=None'
	scontrol show job "$JOB_ID" | grep -q 'ExitCode=0:0'
	soon node_is_idle
	[ "$(log_lines_of_job "$JOB_ID")" -eq 1 ]
}

no_jobs() {
	[ -z "$(squeue --noheader --states=PD,R,CF,CG)" ]
}

# Prints what a job gets from its slurmstepd, and what slurmstepd itself has. Numbers that differ in each run are removed.
traces() { # as a job prints them
	"$TESTBED" exec sh -c "cd && rm -f traces go && sbatch --parsable --output=traces --wrap '
		ls -l /proc/self/fd | sed \"s/.* \\([0-9]* ->\\)/\\1/; s,/proc/[0-9]*,/proc/N,\" | grep -v ^total
		grep ^Sig[BIC] /proc/self/status; ulimit -a; umask; echo parent \$PPID
		env | sort; until [ -e go ]; do sleep 0.05; done'" >"$BATS_TEST_TMPDIR/id"
	soon grep '^_=' "$STINT_TESTBED/home/traces"
	STEPD=$(sed -n 's/^parent //p' "$STINT_TESTBED/home/traces")
	ls -l "/proc/$STEPD/fd" | sed 's/.* \([0-9]* ->\)/\1/; s/\[[0-9]*\]/[N]/' | grep -v ^total
	grep '^Sig[BIC]' "/proc/$STEPD/status"
	pgrep --parent "$STEPD" | wc -l
	tr '\0' '\n' <"/proc/$STEPD/environ" | sort
	"$TESTBED" exec sh -c 'cd && touch go'
	soon no_jobs
	grep -v '^parent' "$STINT_TESTBED/home/traces"
}

comparable() { # ID : of the job
	sed -E "s/\b0*$1\b/ID/g; s/tmp\.[A-Za-z0-9]+/tmp/g; s/^(SLURM_TASK_PID|SLURM_JOB_START_TIME|SLURM_JOB_END_TIME)=.*/\1/; s/[0-9]{5,}/N/g"
}

@test "a job and its slurmstepd have the same files, signals, limits and environment with the plugin and without it" {
	collector_there
	traces >"$BATS_TEST_TMPDIR/with.raw"
	comparable "$(cat "$BATS_TEST_TMPDIR/id")" <"$BATS_TEST_TMPDIR/with.raw" >"$BATS_TEST_TMPDIR/with"
	mv "$STINT_TESTBED/etc/plugstack.conf" "$BATS_TEST_TMPDIR/plugstack.conf"
	: >"$STINT_TESTBED/etc/plugstack.conf"
	traces >"$BATS_TEST_TMPDIR/without.raw"
	cp "$BATS_TEST_TMPDIR/plugstack.conf" "$STINT_TESTBED/etc/plugstack.conf"
	comparable "$(cat "$BATS_TEST_TMPDIR/id")" <"$BATS_TEST_TMPDIR/without.raw" >"$BATS_TEST_TMPDIR/without"
	grep -q 'SLURM_JOB_ID=ID' "$BATS_TEST_TMPDIR/with"
	grep -q '^SigCgt' "$BATS_TEST_TMPDIR/with"
	diff "$BATS_TEST_TMPDIR/without" "$BATS_TEST_TMPDIR/with"
}

@test "with stintd absent a job starts and ends in time, and one log line says so" {
	collector_gone
	job_is_not_harmed
}

@test "with stintd hung a job starts at most 0.25 s and ends at most 2 s later, and one log line says so" {
	collector_there
	kill -STOP "$(daemon_pid stintd)"
	job_is_not_harmed
	collector_gone
}

@test "a stintd that takes calls and never answers" {
	serve_instead silent
	job_is_not_harmed
	grep heard "$BATS_TEST_TMPDIR/served"
}

@test "one that hangs up at once, or answers what is no answer" {
	local manner

	for manner in close short long magic version kind; do
		echo "$manner"
		serve_instead "$manner"
		job_is_not_harmed
		grep heard "$BATS_TEST_TMPDIR/served"
		kill -KILL "$SERVER"
		SERVER=
	done
}

@test "another user's socket in the place of stintd's hears nothing" {
	serve_instead version "$USER_ID"
	job_is_not_harmed
	run ! grep heard "$BATS_TEST_TMPDIR/served"
	kill -KILL "$SERVER"
	# behind a link too
	PEER_AT=$RUN/elsewhere serve_instead version "$USER_ID"
	ln -s "$RUN/elsewhere" "$SOCKET"
	job_is_not_harmed
	run ! grep heard "$BATS_TEST_TMPDIR/served"
	rm "$RUN/elsewhere"
}

@test "a file, a FIFO, a directory, or a link to a stream's socket in its place" {
	collector_gone
	echo file >"$SOCKET"
	job_is_not_harmed
	[ "$(cat "$SOCKET")" = file ]
	rm "$SOCKET"
	mkfifo "$SOCKET"
	job_is_not_harmed
	rm "$SOCKET"
	mkdir "$SOCKET"
	job_is_not_harmed
	rmdir "$SOCKET"
	ln -s "$STINT_TESTBED/munge/socket" "$SOCKET"
	job_is_not_harmed
}

@test "without its directory, and with one that all may write to" {
	collector_gone
	mv "$RUN" "$RUN.away"
	job_is_not_harmed
	mv "$RUN.away" "$RUN"
	chmod 777 "$RUN"
	job_is_not_harmed
	chmod 700 "$RUN"
	chown "$USER_ID" "$RUN"
	job_is_not_harmed
	chown root "$RUN"
	[ -z "$(ls "$RUN/notes")" ]
}

@test "with no room for notes: by their number, and on a full disk" {
	collector_gone
	(cd "$RUN/notes" && seq 4096 | xargs touch)
	job_is_not_harmed
	[ "$(ls -A "$RUN/notes" | wc -l)" -eq 4096 ]
	find "$RUN/notes" -type f -delete
	mount -t tmpfs -o size=4k,mode=0700 tmpfs "$RUN/notes"
	head -c 4096 /dev/zero >"$RUN/notes/.full"
	job_is_not_harmed
	[ "$(ls -A "$RUN/notes")" = .full ]
}

notes_are_taken() {
	[ -z "$(ls "$RUN/notes")" ]
}

report_of() { # DIRECTORY : where a job ran; sets REPORT
	soon compgen -G "$1/stint-*.json"
	REPORT=$(echo "$1"/stint-*.json)
}

@test "a stintd that is killed while a job starts holds up nothing, and the job is told of" {
	local directory

	collector_there
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/killed.XXXXXX")
	kill -STOP "$(daemon_pid stintd)"
	"$TESTBED" exec sbatch --chdir="$directory" --output=/dev/null --wrap ': >began; until [ -e go ]; do sleep 0.05; done'
	# the extern step's message is in the socket, and its note beside it
	soon compgen -G "$RUN/notes/*.4294967292.open.*"
	collector_kill
	soon test -e "$directory/began"
	"$TESTBED" restart-collector
	# a step's later messages are notes until stintd has processed them
	soon notes_are_taken
	"$TESTBED" exec touch "$directory/go"
	report_of "$directory"
	valid
	holds '[.steps[].id] | sort == ["batch", "extern"]'
	holds '[.steps[] | select(.id == "extern") | .processes] == [0]'
	holds '[.tools[] | select(.slurm and .name == "sleep") | .runs] == [1]'
	soon node_is_idle
}

@test "the end of a step and of its tasks is not lost with a stintd that is killed before it has read of it" {
	local directory

	collector_there
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/killed.XXXXXX")
	"$TESTBED" exec sbatch --chdir="$directory" --output=/dev/null --wrap \
		'srun --overcommit --ntasks=2 sh -c ": >began.\$SLURM_PROCID; until [ -e one ]; do sleep 0.05; done; exit 3"
		: >between; until [ -e two ]; do sleep 0.05; done'
	soon test -e "$directory/began.0"
	soon test -e "$directory/began.1"
	soon notes_are_taken
	kill -STOP "$(daemon_pid stintd)"
	"$TESTBED" exec touch "$directory/one"
	soon test -e "$directory/between"
	soon compgen -G "$RUN/notes/*.0.step-close.*"
	collector_kill
	"$TESTBED" restart-collector
	soon notes_are_taken
	"$TESTBED" exec touch "$directory/two"
	report_of "$directory"
	valid
	holds '.steps[] | select(.id == "0") | .exit_code == 3 and (.end | type) == "string" and (.tasks | length) == 2'
	holds '[.steps[] | select(.end == null)] == []'
}

# Checks the exit codes of each kind of job, whatever stintd does.
jobs_of_all_kinds() {
	local id array

	id=$("$TESTBED" exec sbatch --parsable --chdir=/ --output=/dev/null --wrap 'exit 5')
	array=$("$TESTBED" exec sbatch --parsable --chdir=/ --output=/dev/null --array=1-4 --wrap 'exit $SLURM_ARRAY_TASK_ID')
	run "$TESTBED" exec sh -c 'cd / && srun --overcommit --ntasks=12 sh -c "exit \$SLURM_PROCID"'
	echo "$output"
	[ "$status" -eq 11 ]
	run "$TESTBED" exec sh -c 'cd / && salloc --quiet srun --overcommit --ntasks=4 sh -c "exit 4"'
	[ "$status" -eq 4 ]
	soon no_jobs
	scontrol show job "$id" | grep -q 'ExitCode=5:0'
	[ "$(scontrol show job "$array" | grep -o 'ExitCode=[0-9:]*' | sort)" = $'ExitCode=1:0\nExitCode=2:0\nExitCode=3:0\nExitCode=4:0' ]
	soon node_is_idle
}

@test "steps of many tasks, allocations and arrays end as they would, with stintd absent and hung" {
	collector_there
	jobs_of_all_kinds
	kill -STOP "$(daemon_pid stintd)"
	jobs_of_all_kinds
	collector_gone
	jobs_of_all_kinds
}
