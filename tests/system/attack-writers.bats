#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A user who stops or hangs the writers of their reports delays only their own: others' come in time, none is lost, and the
# log says it once. STINT_ATTACK_S is how long writers are stopped at least, in seconds (0; 60 is the long form).
# shellcheck shell=bash disable=SC2154,SC2030,SC2031

load helper

ATTACK_S=${STINT_ATTACK_S:-0}
HUNG_MS=600000 # for a name lookup: none that waits for it ends within SOON_S
PASS_S=$(sed -n 's/^#define RETRY_S \([0-9]*\).*/\1/p' "$SOURCE/collector/daemon/main.c") # between two passes of the spool
# how long stintd waits for a user's writer
WRITER_S=$(sed -n 's/^#define WRITER_USER_MAX_S \([0-9]*\).*/\1/p' "$SOURCE/common/process/writer_process.h")

setup_file() {
	[ -x "$PROGRAMS/stopper" ] || { echo "build it first: make check"; return 1; }
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	victim_begin
	install -m 755 "$PROGRAMS/stopper" "$STINT_TESTBED/tools/stopper"
}

teardown_file() {
	unmount_hung
	victim_end
}

setup() {
	testbed_or_skip
	SPOOL=$STINT_TESTBED/spool
	LOG=$STINT_TESTBED/log/stintd.out
	: >"$LOG"
}

teardown() {
	testbed_evidence
	[ -n "${BATS_TEST_COMPLETED:-}" ] || jq '.spool, .writers' "$STINT_TESTBED/run/status.json" || true
	[ -z "${STOPPER:-}" ] || stopper_ends || true
	unmount_hung
}

# Nothing here reads such a directory before its server is gone: the reader would hang too.
unmount_hung() {
	[ -e "${STINT_TESTBED:-/nonexistent}/slowfs.pid" ] || return 0
	kill -s KILL "$(cat "$STINT_TESTBED/slowfs.pid")" 2>/dev/null || true
	umount --lazy "$STINT_TESTBED/home/hung" "$STINT_TESTBED/home/half" 2>/dev/null || true
	rm -f "$STINT_TESTBED/slowfs.pid"
}

in_spool() { # NUMBER
	[ "$(find "$SPOOL" -maxdepth 1 -name '*.record' | wc -l)" -eq "$1" ]
}

# Runs a job of the victim, which prints when it ends. Sets DELAY_S to the time from then to its report.
victims_job() {
	local directory ended

	directory=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --chdir="$directory" --output=/dev/null --wrap "date +%s.%N >$directory/ended" >/dev/null
	report_in "$directory"
	ended=$(cat "$directory/ended")
	holds '.complete and .used.processes >= 2'
	DELAY_S=$(awk -v end="$ended" -v written="$(stat --format=%.Y "$REPORT")" 'BEGIN { print written - end }')
	echo "the victim's report came after $DELAY_S s"
}

reports_wait() {
	collector_looks
	"$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" | grep -E ' (1 report waits|([2-9]|[1-9][0-9]+) reports wait) for a writer'
}

attackers_records() {
	find "$SPOOL" -maxdepth 1 -name "*.u$(id -u "$TESTBED_USER").record" -printf '%f\n' | sort
}

status_is() { # EXPRESSION
	jq --exit-status "$1" "$STINT_TESTBED/run/status.json"
}

stopper_ends() {
	kill "$(pgrep --uid "$TESTBED_USER" --exact stopper)"
	wait "$STOPPER"
	unset STOPPER
}

@test "a user who stops all writers of his own, again and again: another's reports are in time, and all come" {
	local directory jobs=0 start

	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	"$TESTBED" exec "$STINT_TESTBED/tools/stopper" "$directory" 3>&- >"$BATS_TEST_TMPDIR/stopped" &
	STOPPER=$!
	start=$SECONDS
	"$TESTBED" exec sbatch --array="1-$((24 + ATTACK_S * 4))" --nice=1000 --chdir="$directory" --output=/dev/null --wrap true
	soon reports_wait # more than eight of the attacker's jobs have ended
	[ "$ATTACK_S" -gt 0 ] || soon node_is_idle
	while [ "$jobs" -lt 3 ] || [ $((SECONDS - start)) -lt "$ATTACK_S" ]; do
		victims_job
		between 0 "$DELAY_S" "$WRITER_S" # it waited for the end of no stopped writer
		jobs=$((jobs + 1))
		collector_looks
		# nor for those that had waited longer: the first eight give up their places after WRITER_S at the earliest
		[ $((SECONDS - start)) -ge "$WRITER_S" ] || status_is '.writers.waiting >= 1'
	done
	# once a minute the log says what waits
	soon grep 'reports wait for a writer: [0-9]* of 32 writers are at work, 8 of them for uid' "$LOG"
	[ "$(grep -c 'reports wait for a writer' "$LOG")" -le $((2 + (SECONDS - start) / 60)) ]
	stopper_ends
	read -r at_once later < <(tail -n 1 "$BATS_TEST_TMPDIR/stopped")
	echo "$jobs jobs of the victim's; stopped: $at_once at once, $later about when they answered"
	[ $((at_once + later)) -ge 8 ] # all of his places
	"$TESTBED" exec scancel --me
	soon node_is_idle
	# undelivered records wait, and none is lost
	SOON_STEP_S=0.5 SOON_S=300 soon_looked status_is '.writers.waiting == 0'
	soon no_writer_runs
	SOON_STEP_S=0.5 soon_looked in_spool 0
}

no_writer_runs() {
	! pgrep --uid "$TESTBED_USER" stint-epilog && ! pgrep --parent "$(daemon_pid stintd)" stint-epilog
}

# Has a lease to write on the new file, and keeps it until the kernel takes it away.
LEASE='import fcntl, os, signal, sys
signal.signal(signal.SIGIO, signal.SIG_IGN)
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT, 0o644)
fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
open(sys.argv[1] + ".held", "w").close()
while True:
    signal.pause()'

@test "a user who plants what cannot be opened or replaced in another's name keeps no report out of a directory of both" {
	local shared=$STINT_TESTBED/shared ids=() leaseholder i

	mkdir -m 777 "$shared" && chmod 777 "$shared"
	for i in 1 2 3; do
		ids+=("$(as_victim sbatch --parsable --hold --chdir="$shared" --output=/dev/null --wrap true)")
	done
	(
		cd "$shared" || exit
		"$TESTBED" exec mkdir -m 700 "stint-${ids[0]}.json"
		"$TESTBED" exec touch "stint-${ids[0]}.json/x"
		"$TESTBED" exec mkdir "stint-${ids[1]}.json"
	)
	setpriv --reuid="$TESTBED_USER" --regid="$TESTBED_USER" --clear-groups python3 -c "$LEASE" "$shared/stint-${ids[2]}.json" 3>&- &
	leaseholder=$!
	soon test -e "$shared/stint-${ids[2]}.json.held"
	as_victim scontrol release "${ids[@]}"
	for i in "${ids[@]}"; do
		soon eval '[ -f "$shared/stint-$i.json" ] && [ -s "$shared/stint-$i.json" ]'
		REPORT=$shared/stint-$i.json
		[ "$(stat --format=%U "$REPORT")" = "$VICTIM" ]
		holds '.complete and .job.state == "COMPLETED"'
	done
	# the kernel takes a lease away after 45 s: nobody has waited for that
	grep -E "LEASE +[A-Z]+ +(WRITE|READ|UNLCK) $leaseholder " /proc/locks
	kill "$leaseholder"
	run ! grep 'its report was not written' "$LOG"
	[ "$(find "$shared" -name 'stint-*.json.aside-*' -user "$TESTBED_USER" | wc -l)" -eq 2 ]
}

# Mounts a file system of the attacker's that does not answer a name lookup, or takes NAME_MS for it.
mount_hung() { # DIRECTORY [NAME_MS]
	"$PROGRAMS/slowfs" "$STINT_TESTBED/victim" "$1" "${2:-$HUNG_MS}" 0 0 3>&- >/dev/null 2>&1 &
	echo $! >"$STINT_TESTBED/slowfs.pid"
	soon grep " $1 fuse" /proc/mounts
}

# Leaves records of COUNT jobs of the attacker's in the spool, for DIRECTORY, and one of the victim's in its own.
fill_spool() { # DIRECTORY COUNT
	ARRAY=$("$TESTBED" exec sbatch --parsable --array="1-$2" --chdir="$1" --output=/dev/null --wrap "chmod 500 $1")
	soon not_written "$1" "$2"
	THEIRS=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --chdir="$THEIRS" --output=/dev/null --wrap "chmod 500 $THEIRS"
	soon not_written "$THEIRS" 1
	in_spool $(($2 + 1))
}

# Whether the reports of COUNT jobs of that directory were tried for the first time.
not_written() { # DIRECTORY COUNT
	[ "$(grep -cF "directory $1: its report was not written" "$LOG")" -eq "$2" ]
}

# Root's list and page of their jobs do not wait for the file system.
readers_go_on() { # DIRECTORY
	local conf=(--config "$STINT_TESTBED/etc/stint.conf")

	cd /
	run -1 --separate-stderr timeout "$SOON_S" "$STINT" list --tasks --user=all "${conf[@]}"
	[[ $stderr == "stint list: $1/stint-"*" and "*" more: their file system does not answer, so their jobs are shown without reports" ]]
	[ "$(grep -cE "^ *${ARRAY}_[1-5] " <<<"$output")" -eq 5 ]
	run -1 timeout "$SOON_S" "$STINT" report "${conf[@]}" "${ARRAY}_1"
	[ "$output" = "stint report: job ${ARRAY}_1: no report of it in this directory; and $1, where it ran, is on a file system that does not answer" ]
}

hung() { # prints how many records were tried in vain
	grep -c "its report was not written: the job's directory does not answer" "$LOG"
}

@test "a user's file system that hangs: in a pass of the spool it costs others one wait, and not one a record" {
	local directory=$STINT_TESTBED/home/hung start

	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	"$TESTBED" exec mkdir "$directory"
	fill_spool "$directory" 5
	chmod 700 "$directory" "$THEIRS"
	mount_hung "$directory"
	start=$SECONDS
	collector_looks # a pass begins: the first of the five, the victim's, and the others if they had a turn
	readers_go_on "$directory"
	report_in "$THEIRS"
	soon no_try_runs
	echo "$(hung) were tried in $((SECONDS - start)) s"
	between 1 "$(hung)" $((2 + (SECONDS - start) / PASS_S)) # one in each pass; five in one pass take WRITER_S each
	in_spool 5
	unmount_hung
	SOON_STEP_S=0.5 soon_looked in_spool 0
}

# Whether no pass of the spool is running: it is a child of stintd of the same name.
no_try_runs() {
	! pgrep --parent "$(daemon_pid stintd)" --exact stintd
}

# Mounts a file system that answers each name lookup in time, and shows the directory SHOWN; the environment says how else it hangs.
mount_half_hung() { # SHOWN DIRECTORY READ_MS [VARIABLE=VALUE...]
	env "${@:4}" "$PROGRAMS/slowfs" "$1" "$2" 0 "$3" 0 3>&- >/dev/null 2>&1 &
	echo $! >"$STINT_TESTBED/slowfs.pid"
	soon grep " $2 fuse" /proc/mounts
}

# Root's list, page and summary wait for none of the files and directories there.
readers_go_on_without() { # DIRECTORY JOB OTHERS_JOB
	local conf=(--config "$STINT_TESTBED/etc/stint.conf")

	cd /
	run -1 --separate-stderr timeout "$SOON_S" "$STINT" list --tasks --user=all "${conf[@]}"
	echo "$output $stderr"
	[[ $stderr == "stint list: $1/stint-"*": their file system does not answer, so their jobs are shown without reports" ||
		$stderr == "stint list: $1/stint-"*": its file system does not answer, so its job is shown without the report" ]]
	grep -qE "^ *$2 .*no report" <<<"$output"
	grep -qE "^ *$3 " <<<"$output"
	! grep -E "^ *$3 .*no report" <<<"$output"
	run -1 timeout "$SOON_S" "$STINT" report "${conf[@]}" "$2"
	echo "$output"
	[[ $output == *"does not answer"* ]]
}

# A mount that answers the first caller, and then nobody, delays them no more.
@test "a user's file system that shows names, and hangs where files or directories are opened or read, holds up no reader" {
	local directory=$STINT_TESTBED/home/half id as others=$STINT_TESTBED/home/others theirs

	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	"$TESTBED" exec mkdir "$directory" "$others"
	theirs=$("$TESTBED" exec sbatch --parsable --chdir="$others" --output=/dev/null --wrap true)
	id=$("$TESTBED" exec sbatch --parsable --chdir="$directory" --output=/dev/null --wrap true)
	report_in "$directory"
	report_in "$others"
	"$TESTBED" exec cp -r "$directory" "$directory.shown"
	for how in "$HUNG_MS" "0 SLOWFS_OPEN_MS=$HUNG_MS" "$HUNG_MS SLOWFS_LIST_MS=$HUNG_MS"; do
		echo "$how"
		# shellcheck disable=SC2086
		mount_half_hung "$directory.shown" "$directory" $how
		readers_go_on_without "$directory" "$id" "$theirs"
		unmount_hung
	done
	cd /
	for command in "1 list --user=all" "1 report $id" "0 summary --mine" "1 summary --mine"; do
		mount_half_hung "$directory.shown" "$directory" "$HUNG_MS" SLOWFS_OPEN_MS="$HUNG_MS" SLOWFS_LIST_MS="$HUNG_MS" SLOWFS_PROMPT="${command%% *}"
		as=0
		[[ $command != *--mine ]] || as=$(id -u "$TESTBED_USER")
		# shellcheck disable=SC2086
		run timeout "$SOON_S" setpriv --reuid="$as" --clear-groups "$STINT" ${command#* } --config "$STINT_TESTBED/etc/stint.conf"
		echo "$command: $status: $output"
		[ "$status" -le 1 ]
		unmount_hung
	done
}

# Makes as many records as a user with very many jobs leaves: copies of one record of a job of theirs, with other job ids.
multiply_records() { # COUNT
	python3 - "$SPOOL" "$(attackers_records)" "$ATTACKERS" "$1" <<-'END'
		import os, shutil, sys
		spool, one, job, count = sys.argv[1:]
		made = os.stat(f"{spool}/{one}").st_mtime
		for i in range(int(count)):
		    copy = f"{spool}/{one.replace(f'.{job}.1.', f'.{1000000 + i}.1.')}"
		    shutil.copy2(f"{spool}/{one}", copy)
		    os.utime(copy, (0, made))
	END
}

# How many were tried: the kernel notes the first reading of a file.
tried() {
	find "$SPOOL" -maxdepth 1 -name '*.record' -newerat 2000-01-01 | wc -l
}

were_tried() { # COUNT
	[ "$(tried)" -ge "$1" ]
}

@test "a user's thousands of records that cannot be delivered hold up no other's: neither one that is due, nor the next job" {
	local directory=$STINT_TESTBED/home/hung next

	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	"$TESTBED" exec mkdir --parents "$directory"
	ATTACKERS=$("$TESTBED" exec sbatch --parsable --chdir="$directory" --output=/dev/null --wrap "chmod 500 $directory")
	THEIRS=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --chdir="$THEIRS" --output=/dev/null --wrap "chmod 500 $THEIRS"
	soon not_written "$directory" 1
	soon not_written "$THEIRS" 1
	in_spool 2
	multiply_records 5000
	chmod 700 "$directory" "$THEIRS"
	# a try does not use this machine's CPUs, and fails: a file system that is slow, and read-only
	mount_hung "$directory" 100
	soon mount -o remount,bind,ro "$directory" # not while a try writes there
	next=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --chdir="$next" --output=/dev/null --wrap "touch began; until [ -e go ]; do sleep 0.05; done"
	soon test -e "$next/began"
	collector_looks # a pass begins: one record of each user in turn
	soon were_tried 5 # three more than before
	report_is_in "$THEIRS"
	touch "$next/go"
	report_in "$next"
	! no_try_runs || return 1 # the pass goes on for 20 s, and this one has not waited for its end
	soon no_try_runs
	echo "$(tried) were tried"
	between 5 "$(tried)" 202 # in 20 s, each of which takes at least 0.1 s
	[ "$(find "$SPOOL" -maxdepth 1 -name '*.record' | wc -l)" -eq 5001 ]
	find "$SPOOL" -maxdepth 1 -name '*.1.*.record' ! -name "*.$ATTACKERS.1.*" -delete
	unmount_hung
	soon_looked in_spool 0
}

# This one is last in the suite: so few places would be too few for the others.
@test "jobs whose writers hang hold no places in the kernel's tables" {
	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	collector_gets 'map_entries.job_cgroups = 4'
	"$TESTBED" exec mkdir --parents "$STINT_TESTBED/home/hung"
	mount_hung "$STINT_TESTBED/home/hung"
	"$TESTBED" exec sbatch --array=1-8 --chdir=/ --output=/dev/null --stint=output="$STINT_TESTBED/home/hung/%j.json" --wrap true
	soon in_spool 8
	soon pgrep --uid "$TESTBED_USER" stint-epilog
	victims_job
	grep "not counted\|finds no place\|no room" "$LOG" && return 1
	[ "$(pgrep --uid "$TESTBED_USER" --count stint-epilog)" -ge 1 ] # they hang still
	unmount_hung
	soon no_writer_runs
	SOON_STEP_S=0.5 soon_looked in_spool 0
}
