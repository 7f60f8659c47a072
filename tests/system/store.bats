#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each record's store line comes into the store once, and whole, whatever happens on the way; and nothing comes that a user has written.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	echo "store_interval_s = 1" >>"$STINT_TESTBED/etc/stint.conf"
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/stint.conf"
}

teardown_file() {
	unmount_all
	[ ! -f "$BATS_FILE_TMPDIR/user" ] || userdel --force "$(cat "$BATS_FILE_TMPDIR/user")" || true
	testbed_end
}

setup() {
	testbed_or_skip
	STORE=$STINT_TESTBED/store
	BACKLOG=$STINT_TESTBED/spool/store
	LOG=$STINT_TESTBED/log/stintd.out
	: >"$LOG"
	"$TESTBED" restart-collector
	soon nothing_waits
	rm -rf "${STORE:?}"/*
}

teardown() {
	testbed_evidence
	[ -n "${BATS_TEST_COMPLETED:-}" ] || find "$STORE" "$BACKLOG" -ls
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

# ---- what is in the store ----

batches() { # [DIRECTORY]
	find "${1:-$STORE}/new" -type f -name '*.ndjson' 2>/dev/null | sort
}

# Prints all lines but the heads.
lines() { # [DIRECTORY]
	local batch

	for batch in $(batches "$@"); do
		tail -n +2 "$batch"
	done
}

# Whether the store has one line of each of the jobs, and no other.
has_jobs() { # JOB...
	[ "$(lines | jq '.identity.job_id' | sort -n)" = "$(printf '%s\n' "$@" | sort -n)" ]
}

nothing_waits() {
	[ -z "$(find "$BACKLOG"/{lines,taken,batches} -type f 2>/dev/null)" ]
}

waits() { # COUNT : batches
	[ "$(find "$BACKLOG/batches" -name '*.ndjson' | wc -l)" -ge "$1" ]
}

# Each batch has the form of docs/store.md, and belongs to the user.
sound() { # USER
	local batch name place

	for batch in $(batches); do
		name=${batch##*/}
		place=$(basename "$(dirname "$batch")")
		[[ $name =~ ^[A-Za-z0-9_-]+\.[0-9a-f]{12}-[0-9a-f]+\.[0-9]{10}\.ndjson$ && $place =~ ^[0-9a-f]{2}$ ]] || return
		[ "$(stat -c '%U %a %F' "$batch")" = "$1 640 regular file" ] || return
		head -n 1 "$batch" | jq --exit-status --arg name "$name" --argjson lines "$(($(wc -l <"$batch") - 1))" '
			.store_batch == 1 and .cluster == "testbed" and .lines == $lines and .lines <= 256 and
			(.sealed | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+[+-][0-9:]{5}$")) and
			$name == .node + "." + .boot + "." + ("000000000" + (.sequence | tostring))[-10:] + ".ndjson"' >/dev/null || return
	done
	[ -z "$(find "$STORE/tmp" -type f)" ]
}

# Runs a job to its end. Sets JOB.
short_job() { # [sbatch option...]
	JOB=$("$TESTBED" exec sbatch --parsable --wait --chdir="$STINT_TESTBED/home" --output=/dev/null "$@" --wrap "sleep 0.01" | cut -d';' -f1)
	[ -n "$JOB" ]
}

@test "a job's line comes into the store, with what Slurm said of it" {
	short_job --job-name=told
	soon has_jobs "$JOB"
	sound root
	lines | jq --exit-status --arg user "$TESTBED_USER" '.stint_store == 1 and .user.name == $user and .slurm.name == "told" and
		(.slurm.submit_unix_s > 0) and (.tools | length > 0)'
	soon nothing_waits
}

@test "what is private to a job is not in the store" {
	local directory=$STINT_TESTBED/home/mark-directory

	"$TESTBED" exec mkdir -p "$directory"
	"$TESTBED" exec bash -c "printf '#!/bin/sh\nsleep 0.1\ncat /etc/hostname >mark-file\n/bin/echo mark-argument >/dev/null\n' >'$directory/mark-script'"
	JOB=$(MARK=mark-environment "$TESTBED" exec sbatch --parsable --wait --chdir="$directory" --output="$directory/mark-output" \
		"$directory/mark-script" mark-word)
	soon has_jobs "$JOB"
	lines | grep -F '"mark-script"'
	[ -z "$(lines | grep -E 'mark-(directory|file|argument|environment|output|word)')" ]
	[ -z "$(lines | grep -F "$STINT_TESTBED")" ]
}

@test "with store_scripts = off no script has its name there" {
	collector_gets "store_scripts = off"
	"$TESTBED" exec bash -c "printf '#!/bin/sh\nsleep 0.1\n' >'$STINT_TESTBED/home/mark-script' && chmod 755 '$STINT_TESTBED/home/mark-script'"
	JOB=$("$TESTBED" exec sbatch --parsable --wait --chdir="$STINT_TESTBED/home" --output=/dev/null "$STINT_TESTBED/home/mark-script")
	soon has_jobs "$JOB"
	[ -z "$(lines | grep -F mark-script)" ]
}

@test "with store_dir = off nothing is kept for a store" {
	collector_gets "store_dir = off"
	short_job
	sleep 3
	nothing_waits
	[ -z "$(batches)" ]
	jq --exit-status 'has("store") | not' "$STINT_TESTBED/run/status.json"
}

@test "of several jobs each has one line" {
	local i jobs

	jobs=$(for i in {1..12}; do
		"$TESTBED" exec sbatch --parsable --mem=16M --chdir="$STINT_TESTBED/home" --output=/dev/null --wrap "sleep 0.0$i"
	done)
	# shellcheck disable=SC2086
	soon has_jobs $jobs
	sound root
}

@test "store_command gets the batches in place of the directory" {
	local taken=$STINT_TESTBED/taken

	mkdir -p "$taken/new/00"
	# shellcheck disable=SC2016
	collector_gets "store_command = cat >$taken/new/00/\$STINT_BATCH"
	short_job
	soon nothing_waits
	[ -z "$(batches)" ]
	[ "$(lines "$taken" | jq .identity.job_id)" = "$JOB" ]
	rm -r "$taken"
}

@test "what store_command does not take is kept for a later try, with its reason" {
	local taken=$STINT_TESTBED/taken

	mkdir -p "$taken/new/00"
	collector_gets "store_command = test -e $taken/open || { echo closed now >&2; exit 3; }; cat >$taken/new/00/\$STINT_BATCH"
	short_job
	soon waits 1
	soon grep -F "the store does not get its lines, which wait: store_command: closed now" "$LOG"
	soon jq --exit-status '.store.batches == 1 and .store.reason == "store_command: closed now" and .store.failing_since_unix_s > 0' \
		"$STINT_TESTBED/run/status.json"
	touch "$taken/open"
	soon nothing_waits
	[ "$(lines "$taken" | jq .identity.job_id)" = "$JOB" ]
	grep -F "the store gets its lines again" "$LOG"
	rm -r "$taken"
}

@test "a directory that is away is waited for, and is not made on the disk below" {
	mv "$STORE" "$STORE.away"
	short_job
	soon waits 1
	[ ! -e "$STORE" ]
	mv "$STORE.away" "$STORE"
	soon has_jobs "$JOB"
	sound root
	[ "$(grep -cF "the store does not get its lines" "$LOG")" -eq 1 ]
}

@test "a directory that is read-only or full gets the lines later" {
	mount -t tmpfs -o size=16k,ro tmpfs "$STORE"
	short_job
	soon waits 1
	soon grep -F "Read-only file system" "$LOG"
	mount -o remount,rw "$STORE"
	head -c 1M /dev/zero >"$STORE/filler" || true
	"$TESTBED" restart-collector
	soon grep -F "No space left on device" "$LOG"
	[ -z "$(batches)" ]
	rm "$STORE/filler"
	soon has_jobs "$JOB"
	sound root
}
