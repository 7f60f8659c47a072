#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A report that cannot be written now is written later: whatever stands in its way, its record is kept, and what is
# damaged on the way is set aside and said.
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

# Mounts of the tests' own, in the testbed's directory.
unmount_all() {
	local mount

	while read -r _ mount _; do
		[[ $mount != "${STINT_TESTBED:-/nonexistent}"/* || $mount == */bpf* ]] || umount --lazy "$mount"
	done < <(tac /proc/mounts)
}

# A job whose directory cannot be written when it ends, and its record. Sets DIRECTORY and RECORD.
undeliverable_job() {
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	"$TESTBED" exec sbatch --wait --chdir="$DIRECTORY" --output=/dev/null --wrap "chmod 500 $DIRECTORY"
	find_record
}

find_record() {
	local i

	for ((i = 0; i < 100; i++)); do
		RECORD=$(find "$SPOOL" "$RESERVE" -maxdepth 1 -name '*.record')
		[ -z "$RECORD" ] || return 0
		sleep 0.1
	done
	echo "no record is kept"
	return 1
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
	local i

	for ((i = 0; i < 50; i++)); do
		[ -n "$(find "$SPOOL" "$RESERVE" -type f)" ] || return 0
		sleep 0.1
	done
	find "$SPOOL" "$RESERVE" -type f
	return 1
}

status_says() { # EXPRESSION
	local i

	for ((i = 0; i < 50; i++)); do
		! jq --exit-status "$1" "$STINT_TESTBED/run/status.json" >/dev/null || return 0
		sleep 0.1
	done
	jq .spool "$STINT_TESTBED/run/status.json"
	return 1
}

@test "a directory that cannot be written now: the record waits, and the next try delivers it" {
	undeliverable_job
	no_report_yet
	grep "its record stays in the spool" "$LOG"
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
	for ((i = 0; i < 50; i++)); do
		find_record
		[[ $RECORD != "$SPOOL"/* ]] || break
		sleep 0.1
	done
	[[ $RECORD == "$SPOOL"/* ]]
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
	for ((i = 0; i < 100; i++)); do
		! grep "it goes on being held in the kernel's memory" "$LOG" || break
		sleep 0.1
	done
	grep "it goes on being held in the kernel's memory" "$LOG"
	no_report_yet
	# also over a kill
	kill -KILL "$(daemon_pid stintd)"
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
	kill -KILL "$(daemon_pid stintd)"
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
