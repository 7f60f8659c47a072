#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A report that cannot be written now is written later. Whatever the obstacle, its record is kept, and a record that is
# damaged on the way is set aside and reported.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/stint.conf"
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
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
}

# The tests mount file systems in the testbed's directory.
unmount_all() {
	local mount

	while read -r _ mount _; do
		[[ $mount != "${STINT_TESTBED:-/nonexistent}"/* || $mount == */bpf* ]] || umount --lazy "$mount"
	done < <(tac /proc/mounts)
}

# Runs a job whose directory cannot be written when it ends. Sets DIRECTORY and RECORD.
undeliverable_job() {
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	"$TESTBED" exec sbatch --wait --chdir="$DIRECTORY" --output=/dev/null --wrap "chmod 500 $DIRECTORY"
	find_record
}

record_is_in() { # DIRECTORY...
	RECORD=$(find "$@" -maxdepth 1 -name '*.record')
	[ -n "$RECORD" ]
}

find_record() {
	soon record_is_in "$SPOOL" "$RESERVE"
}

no_report_yet() {
	[ -z "$(find "$DIRECTORY" -name 'stint-*.json')" ]
}

report_comes() {
	report_in "$DIRECTORY"
	valid
	holds '.complete and .used.processes >= 2'
}

nothing_is_kept() {
	soon eval '[ -z "$(find "$SPOOL" "$RESERVE" -name store -prune -o -type f -print)" ]' || {
		find "$SPOOL" "$RESERVE" -name store -prune -o -type f -print
		return 1
	}
}

status_says() { # EXPRESSION
	soon jq --exit-status "$1" "$STINT_TESTBED/run/status.json" || {
		jq .spool "$STINT_TESTBED/run/status.json"
		return 1
	}
}

@test "a directory that cannot be written now: the record waits, and the next try delivers it" {
	undeliverable_job
	no_report_yet
	soon grep "job [0-9]* of user $TESTBED_USER, directory $DIRECTORY: its report was not written: .*; its record stays in the spool" "$LOG"
	"$TESTBED" restart-collector
	status_says '.spool.records == 1 and .spool.damaged == 0'
	chmod 700 "$DIRECTORY"
	"$TESTBED" restart-collector
	report_comes
	nothing_is_kept
	status_says '.spool.records == 0'
}

@test "a directory that vanished and came back has its report" {
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	"$TESTBED" exec sbatch --wait --chdir="$DIRECTORY" --output=/dev/null --wrap "mv $DIRECTORY $DIRECTORY.away"
	find_record
	mv "$DIRECTORY.away" "$DIRECTORY"
	"$TESTBED" restart-collector
	report_comes
	nothing_is_kept
}

@test "a user's full file system: the record waits, no half report is left, and room brings it" {
	DIRECTORY=$STINT_TESTBED/home/small
	"$TESTBED" exec mkdir "$DIRECTORY"
	mount -t tmpfs -o "size=64k,mode=777" tmpfs "$DIRECTORY"
	"$TESTBED" exec sbatch --wait --chdir="$DIRECTORY" --output=/dev/null \
		--wrap "dd if=/dev/zero of=$DIRECTORY/fills bs=4k 2>/dev/null; true"
	find_record
	[ "$(ls -A "$DIRECTORY")" = fills ]
	rm "$DIRECTORY/fills"
	"$TESTBED" restart-collector
	report_comes
	nothing_is_kept
}

@test "a full spool: the record waits in memory, and moves to the disk when there is room" {
	mount -t tmpfs -o "size=16k,mode=700" tmpfs "$SPOOL"
	"$TESTBED" restart-collector
	dd if=/dev/zero of="$SPOOL/fills" bs=4k 2>/dev/null || true
	undeliverable_job
	[[ $RECORD == "$RESERVE"/* ]]
	grep "its record is kept in memory: $SPOOL/.*No space left" "$LOG"
	rm "$SPOOL/fills"
	mount -o remount,size=1m "$SPOOL"
	"$TESTBED" restart-collector
	soon record_is_in "$SPOOL"
	chmod 700 "$DIRECTORY"
	"$TESTBED" restart-collector
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
	grep "its record is kept in memory: $SPOOL/.*Read-only file system" "$LOG"
	chmod 700 "$DIRECTORY"
	"$TESTBED" restart-collector
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
	"$TESTBED" exec sbatch --wait --chdir="$DIRECTORY" --output=/dev/null --wrap "chmod 500 $DIRECTORY"
	soon grep "its counts stay in the kernel's memory" "$LOG"
	grep "its counts stay in the kernel's memory" "$LOG"
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
	report_comes
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

# A node may be rebooted as soon as its epilog has ended.
@test "when a job is gone its record is on the disk, however slow that is" {
	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	local disk=$STINT_TESTBED/disk id
	mkdir -m 700 "$disk"
	"$PROGRAMS/slowfs" "$disk" "$SPOOL" 0 0 250 3>&- >/dev/null 2>&1 &
	soon grep " $SPOOL fuse" /proc/mounts
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	id=$("$TESTBED" exec sbatch --parsable --chdir="$DIRECTORY" --output=/dev/null --wrap "chmod 500 $DIRECTORY")
	while squeue --noheader --jobs "$id" --states=PD,R,CF,CG --format %T | grep -q .; do sleep 0.02; done
	record_is_in "$disk"
	head --bytes=1 "$RECORD" | grep -q .
	[ "$(grep -c "stint: job $id:" "$STINT_TESTBED/log/slurmd.$NODE.log")" -eq 0 ]
	rm -r "$disk"
}

@test "what cannot be delivered for too long is given up after a last try, and named" {
	echo 'spool_max_age_h = 1' >>"$STINT_TESTBED/etc/stint.conf"
	undeliverable_job
	touch --date='50 minutes ago' "$RECORD"
	"$TESTBED" restart-collector
	sleep 2
	[ -e "$RECORD" ]
	touch --date='61 minutes ago' "$RECORD"
	"$TESTBED" restart-collector
	status_says '.spool.records == 0 and .spool.given_up == 1'
	grep "$(basename "$RECORD") is given up, and its report with it" "$LOG"
	[ ! -e "$RECORD" ]
	no_report_yet
}

@test "one that is as old and can be delivered now is" {
	echo 'spool_max_age_h = 1' >>"$STINT_TESTBED/etc/stint.conf"
	undeliverable_job
	touch --date='5 hours ago' "$RECORD"
	chmod 700 "$DIRECTORY"
	"$TESTBED" restart-collector
	report_comes
	nothing_is_kept
}
