#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A report that cannot be written now is written later. Whatever the obstacle, its record is kept, and a record that is
# damaged on the way is set aside and reported.
# shellcheck shell=bash disable=SC2034,SC2154,SC2317

load helper

SOON_STEP_S=0.2 # most tries make stintd look

setup_file() {
	testbed_begin
}

teardown_file() {
	unmount_all
	testbed_end
}

setup() {
	testbed_or_skip
	SPOOL=$STINT_TESTBED/spool
	RESERVE=$STINT_TESTBED/run/spool
	LOG=$STINT_TESTBED/log/stintd.out
	: >"$LOG"
}

teardown() {
	testbed_evidence
	ls -lR "$SPOOL" "$RESERVE"
	unmount_all
}

# The tests mount file systems in the testbed's directory.
unmount_all() {
	local mount

	while read -r _ mount _; do
		[[ $mount != "${STINT_TESTBED:-/nonexistent}"/* || $mount == */bpf* ]] || umount --lazy "$mount"
	done < <(tac /proc/mounts)
}

# Runs a job whose directory cannot be written when it ends, and waits for the first try. Sets DIRECTORY and RECORD.
undeliverable_job() {
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	job_that "chmod 500 $DIRECTORY"
}

# Runs a job in DIRECTORY, whose report cannot be written, and waits for the first try. Sets RECORD.
job_that() { # COMMAND
	"$TESTBED" exec sbatch --chdir="$DIRECTORY" --output=/dev/null --wrap "$1"
	soon was_not_written
	record_is_in "$SPOOL" "$RESERVE"
}

was_not_written() {
	grep -F "of user $TESTBED_USER, directory $DIRECTORY: its report was not written: " "$LOG"
}

# What stint tells the user about the job of DIRECTORY.
user_is_told() { # WHY
	local id

	id=$(sed -n "s,.*: job \\([0-9]*\\) of user $TESTBED_USER\, directory $DIRECTORY: its report was not.*,\\1,p" "$LOG" | head -n 1)
	cd /
	fails_with_one_line setpriv --reuid="$(id -u "$TESTBED_USER")" --regid="$(id -g "$TESTBED_USER")" --clear-groups "$STINT" report \
		--config "$STINT_TESTBED/etc/stint.conf" "$id"
	[[ $stderr == "stint report: job $id: stint cannot write a report to $DIRECTORY, where the job ran: $1. The report waits on its node, "* ]]
}

record_is_in() { # DIRECTORY...
	RECORD=$(find "$@" -maxdepth 1 -name '*.record')
	[ -n "$RECORD" ]
}

no_report_yet() {
	[ -z "$(find "$DIRECTORY" -name 'stint-*.json')" ]
}

# At stintd's next look.
report_comes() {
	soon_looked report_is_in "$DIRECTORY"
	valid
	holds '.complete and .used.processes >= 2'
}

nothing_is_kept() {
	soon eval '[ -z "$(find "$SPOOL" "$RESERVE" -name store -prune -o -type f -print)" ]' || {
		find "$SPOOL" "$RESERVE" -name store -prune -o -type f -print
		return 1
	}
}

# A whole pass of the spool has begun and ended: this file is no record, and the newest. Others are tried before.
spool_is_passed() {
	: >"$SPOOL/newest.record"
	touch --date='1 minute' "$SPOOL/newest.record"
	soon_looked test -e "$SPOOL/damaged/newest.record"
	rm "$SPOOL/damaged/newest.record"
}

status_says() { # EXPRESSION
	soon_looked jq --exit-status "$1" "$STINT_TESTBED/run/status.json" || {
		jq .spool "$STINT_TESTBED/run/status.json"
		return 1
	}
}

# SIGUSR1 is for administrators who have fixed what a report waited for.
@test "a directory that cannot be written now: the record waits, and the next try delivers it, at once on SIGUSR1" {
	undeliverable_job
	no_report_yet
	grep "job [0-9]* of user $TESTBED_USER, directory $DIRECTORY: its report was not written: .*; its record stays in the spool" "$LOG"
	spool_is_passed
	no_report_yet
	user_is_told "you may not write there"
	status_says '.spool.records == 1 and .spool.damaged == 0'
	# without SIGUSR1, its next try is when it is an hour old
	touch --date='40 minutes ago' "$RECORD"
	chmod 700 "$DIRECTORY"
	collector_looks
	report_in "$DIRECTORY"
	valid
	holds '.complete and .used.processes >= 2'
	nothing_is_kept
	status_says '.spool.records == 0'
}

@test "a directory that vanished and came back has its report" {
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	job_that "mv $DIRECTORY $DIRECTORY.away"
	user_is_told "it is gone"
	mv "$DIRECTORY.away" "$DIRECTORY"
	report_comes
	nothing_is_kept
}

@test "a user's full file system: the record waits, no half report is left, and room brings it" {
	DIRECTORY=$STINT_TESTBED/home/small
	"$TESTBED" exec mkdir "$DIRECTORY"
	mount -t tmpfs -o "size=64k,mode=777" tmpfs "$DIRECTORY"
	job_that "dd if=/dev/zero of=$DIRECTORY/fills bs=4k 2>/dev/null; true"
	[ "$(ls -A "$DIRECTORY")" = fills ]
	user_is_told "its file system is full"
	rm "$DIRECTORY/fills"
	report_comes
	nothing_is_kept
}

@test "torn and damaged records are set aside, counted and said, and the others are delivered" {
	local whole name

	undeliverable_job
	whole=$RECORD
	chmod 700 "$DIRECTORY"
	collector_kill
	head --bytes=-1 "$whole" >"$SPOOL/torn.record"
	head --bytes=20 "$whole" >"$SPOOL/head.record"
	: >"$SPOOL/empty.record"
	head --bytes=4096 /dev/urandom >"$SPOOL/random.record"
	head --bytes=4096 /dev/zero >"$SPOOL/zeros.record"
	sed 's/"stint_record":1/"stint_record":2/' "$whole" >"$SPOOL/turned.record"
	echo '{"stint_record": 1}' >"$SPOOL/poor.record"
	cp "$whole" "$SPOOL/.stint-0123456789abcdef.tmp"
	touch --date='2 hours ago' "$SPOOL/.stint-0123456789abcdef.tmp"
	"$TESTBED" restart-collector
	report_in "$DIRECTORY" # the new stintd's first pass
	valid
	holds '.complete and .used.processes >= 2'
	status_says '.spool == (.spool + {records: 0, damaged: 7, given_up: 0})'
	for name in torn head empty random zeros turned poor; do
		[ -e "$SPOOL/damaged/$name.record" ]
		grep "$name.record is damaged: it was set aside" "$LOG"
	done
	[ ! -e "$SPOOL/.stint-0123456789abcdef.tmp" ]
	job -- true
	valid
	rm -r "$SPOOL/damaged"
	nothing_is_kept
}

@test "a full spool: the record waits in memory, and moves to the disk when there is room" {
	mount -t tmpfs -o "size=16k,mode=700" tmpfs "$SPOOL"
	"$TESTBED" restart-collector
	dd if=/dev/zero of="$SPOOL/fills" bs=4k 2>/dev/null || true
	undeliverable_job
	[[ $RECORD == "$RESERVE"/* ]]
	grep "stintd keeps its record in memory: $SPOOL/.*No space left" "$LOG"
	rm "$SPOOL/fills"
	mount -o remount,size=1m "$SPOOL"
	soon_looked record_is_in "$SPOOL"
	chmod 700 "$DIRECTORY"
	report_comes
	nothing_is_kept
}

@test "a spool that is mounted over while stintd runs: a record is kept in what is there now, and delivered from there" {
	mount -t tmpfs -o mode=700 tmpfs "$SPOOL"
	undeliverable_job
	[[ $RECORD == "$SPOOL"/* ]]
	chmod 700 "$DIRECTORY"
	report_comes
	nothing_is_kept
}

@test "a read-only spool: what can be delivered is, and what cannot waits in memory" {
	mount --bind "$SPOOL" "$SPOOL"
	mount -o remount,bind,ro "$SPOOL"
	"$TESTBED" restart-collector
	job -- true
	valid
	holds '.complete'
	undeliverable_job
	[[ $RECORD == "$RESERVE"/* ]]
	grep "stintd keeps its record in memory: $SPOOL/.*Read-only file system" "$LOG"
	chmod 700 "$DIRECTORY"
	report_comes
	nothing_is_kept
}

@test "no place for a record at all: the report is written from memory, or its job is held until it can be" {
	local place

	for place in "$SPOOL" "$RESERVE"; do
		mount --bind "$place" "$place"
		mount -o remount,bind,ro "$place"
	done
	"$TESTBED" restart-collector
	job -- true
	valid
	holds '.complete'
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	"$TESTBED" exec sbatch --chdir="$DIRECTORY" --output=/dev/null --wrap "chmod 500 $DIRECTORY"
	soon grep "its counts stay in the kernel's memory" "$LOG"
	no_report_yet
	# also across a kill
	collector_kill
	"$TESTBED" restart-collector
	chmod 700 "$DIRECTORY"
	umount --lazy "$SPOOL" "$RESERVE"
	"$TESTBED" restart-collector
	report_comes
	nothing_is_kept
}

# A node may be rebooted as soon as its epilog has ended.
@test "when a job is gone its record is on the disk, however slow that is" {
	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	local disk=$STINT_TESTBED/disk id
	mkdir -m 700 "$disk"
	"$PROGRAMS/slowfs" "$disk" "$SPOOL" 0 0 250 3>&- >/dev/null 2>&1 &
	soon grep " $SPOOL fuse" /proc/mounts
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	id=$("$TESTBED" exec sbatch --parsable --chdir="$DIRECTORY" --output=/dev/null --wrap "chmod 500 $DIRECTORY")
	SOON_STEP_S=0.02 soon is_gone "$id"
	record_is_in "$disk"
	head --bytes=1 "$RECORD" | grep -q .
	[ "$(grep -c "stint: job $id:" "$STINT_TESTBED/log/slurmd.$NODE.log")" -eq 0 ]
	rm -r "$disk"
}

is_gone() { # JOB
	! squeue --noheader --jobs "$1" --states=PD,R,CF,CG --format %T | grep -q .
}

gives_up_after_an_hour() {
	grep -qx 'spool_max_age_h = 1' "$STINT_TESTBED/etc/stint.conf" || collector_gets 'spool_max_age_h = 1'
}

@test "what cannot be delivered for too long is given up after a last try, and named" {
	gives_up_after_an_hour
	undeliverable_job
	touch --date='50 minutes ago' "$RECORD"
	spool_is_passed
	[ -e "$RECORD" ]
	touch --date='61 minutes ago' "$RECORD"
	status_says '.spool.records == 0 and .spool.given_up == 1'
	grep "$(basename "$RECORD") is given up, and its report with it" "$LOG"
	[ ! -e "$RECORD" ]
	no_report_yet
}

@test "one that is as old and can be delivered now is" {
	gives_up_after_an_hour
	undeliverable_job
	touch --date='5 hours ago' "$RECORD"
	chmod 700 "$DIRECTORY"
	report_comes
	nothing_is_kept
}
