#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each record's store line comes into the store once, and whole, whatever happens on the way; and nothing comes that a user has written.
# shellcheck shell=bash disable=SC2030,SC2031,SC2143,SC2154,SC2317

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
	[ -z "$(find "$STORE" -name '.*' -type f)" ]
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
	soon eval '[ "$(lines "$taken" | jq .identity.job_id)" = "$JOB" ]'
	soon nothing_waits
	[ -z "$(batches)" ]
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
	mount -t tmpfs -o size=16k,mode=755 tmpfs "$STORE"
	head -c 1M /dev/zero >"$STORE/filler" || true
	mount -o remount,ro "$STORE"
	short_job
	soon waits 1
	soon grep -F "Read-only file system" "$LOG"
	mount -o remount,rw "$STORE"
	"$TESTBED" restart-collector
	soon grep -F "No space left on device" "$LOG"
	[ -z "$(batches)" ]
	rm "$STORE/filler"
	soon has_jobs "$JOB"
	sound root
}

# Makes a user who writes the store, STORE_USER, and gives the directory to that user.
store_user_begin() {
	STORE_USER=${TESTBED_USER}-s
	id "$STORE_USER" >/dev/null 2>&1 || {
		undo_with userdel --force "$STORE_USER"
		echo "$STORE_USER" >"$BATS_FILE_TMPDIR/user"
		soon useradd --system --user-group --no-create-home --home-dir / --shell /usr/sbin/nologin "$STORE_USER"
	}
	chown "$STORE_USER:" "$STORE"
}

as_user() { # USER COMMAND...
	(cd / && setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}")
}

@test "store_user writes the store, and root does not" {
	store_user_begin
	chmod 700 "$STORE"
	collector_gets "store_user = $STORE_USER"
	short_job
	soon has_jobs "$JOB"
	sound "$STORE_USER"
	[ -z "$(find "$STORE" ! -user "$STORE_USER")" ]
	[ -z "$(find "$BACKLOG" ! -user root)" ]
	[ -z "$(find "$BACKLOG" -perm /077)" ]
	chown root: "$STORE" && chmod 755 "$STORE"
}

@test "store_command runs as store_user, with nothing of root's" {
	local taken=$STINT_TESTBED/taken

	store_user_begin
	chown root: "$STORE"
	install -d -o "$STORE_USER" "$taken"
	cat >"$STINT_TESTBED/command" <<-EOT
		#!/bin/sh
		{ id; tr '\0' '\n' </proc/self/environ; grep -E 'NoNewPrivs|CapEff' /proc/self/status; ls -l /proc/\$\$/fd; } >$taken/said
		cat >$taken/batch
	EOT
	chmod 755 "$STINT_TESTBED/command"
	collector_gets "store_user = $STORE_USER" "store_command = $STINT_TESTBED/command"
	short_job
	soon eval '[ "$(tail -n +2 "$taken/batch" | jq .identity.job_id)" = "$JOB" ]'
	soon nothing_waits
	cat "$taken/said"
	grep -q "^uid=$(id -u "$STORE_USER")($STORE_USER) gid=$(id -g "$STORE_USER")" "$taken/said"
	grep -q 'NoNewPrivs:.1$' "$taken/said"
	grep -q 'CapEff:.0*$' "$taken/said"
	[ -z "$(grep -E '^(STINT_LIBEXEC|SLURM_CONF|STINT_SUITE)=' "$taken/said")" ]
	[ -z "$(grep -F "$BACKLOG" "$taken/said" | grep -v batches)" ]
	rm -r "$taken"
}

@test "a user's links and directories in the store's place are not used" {
	local victim=$STINT_TESTBED/victim

	install -d -m 777 "$victim"
	chmod 1777 "$STORE"
	short_job
	soon grep -F "can write" "$LOG"
	[ -z "$(batches)" ]
	as_user "$TESTBED_USER" ln -s "$victim" "$STORE/new"
	chmod 755 "$STORE"
	: >"$LOG"
	"$TESTBED" restart-collector
	soon grep -F "the store does not get its lines" "$LOG"
	rm "$STORE/new"
	chmod 1777 "$STORE"
	as_user "$TESTBED_USER" mkdir "$STORE/new"
	chmod 755 "$STORE"
	: >"$LOG"
	"$TESTBED" restart-collector
	soon grep -F "must belong to the store's user" "$LOG"
	[ -z "$(find "$victim" "$STORE/new" -type f)" ]
	rmdir "$STORE/new"
	soon has_jobs "$JOB"
	sound root
	rmdir "$victim"
}

@test "a store in a directory of a user's is refused to root" {
	"$TESTBED" exec mkdir -p "$STINT_TESTBED/home/mine"
	chown root: "$STINT_TESTBED/home/mine"
	collector_gets "store_dir = $STINT_TESTBED/home/mine"
	short_job
	soon grep -F "others than root can write there" "$LOG"
	[ -z "$(ls -A "$STINT_TESTBED/home/mine")" ]
	rmdir "$STINT_TESTBED/home/mine"
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	soon has_jobs "$JOB"
}

@test "a command that hangs is ended with its processes, and its batch is kept" {
	local taken=$STINT_TESTBED/taken

	mkdir -p "$taken/new/00"
	collector_gets "store_wait_s = 1" "store_command = echo \$\$ >$taken/pid; test -e $taken/open || sleep 1000; cat >$taken/new/00/\$STINT_BATCH"
	short_job
	soon grep -F "store_command took longer than store_wait_s = 1 s" "$LOG"
	soon waits 1
	touch "$taken/open"
	soon nothing_waits
	[ "$(lines "$taken" | jq .identity.job_id)" = "$JOB" ]
	rm -r "$taken"
}

@test "while a writer of the store does not die, no other is started, and lines are sealed all the same" {
	local holder

	short_job
	soon has_jobs "$JOB"
	flock --no-fork "$BACKLOG/sending" sleep 1000 &
	holder=$!
	undo_with kill "$holder"
	short_job
	soon waits 1
	soon grep -F "an earlier writer of the store still hangs" "$LOG"
	kill "$holder"
	wait "$holder" || true
	soon nothing_waits
	[ "$(lines | wc -l)" -eq 2 ]
	sound root
}

@test "what waits is bounded: the oldest lines go, and are counted" {
	local batch

	mv "$STORE" "$STORE.away"
	collector_gets "store_backlog_mb = 1"
	short_job
	soon waits 1
	# a batch of an earlier day, as large as may be
	batch=$(find "$BACKLOG/batches" -name '*.ndjson')
	{ head -n 1 "$batch" | sed 's/"lines":[0-9]*/"lines":200/'; head -c 2M /dev/zero | tr '\0' x; } >"$BACKLOG/batches/old.000000000000-1.0000000001.ndjson"
	touch -d '2 days ago' "$BACKLOG/batches/old.000000000000-1.0000000001.ndjson"
	short_job
	soon grep -F "lines for the store are dropped, 200 so far" "$LOG"
	[ ! -e "$BACKLOG/batches/old.000000000000-1.0000000001.ndjson" ]
	soon jq --exit-status '.store.dropped == 200 and .store.batches == 2' "$STINT_TESTBED/run/status.json"
	mv "$STORE.away" "$STORE"
	soon nothing_waits
	[ "$(lines | wc -l)" -eq 2 ]
	short_job
	soon batch_tells 200
	rm "$BACKLOG/state" # the next test begins anew
}

@test "a user whose lines fill the backlog loses lines of his own, and an earlier one of another user is kept" {
	local batch i line victim

	mv "$STORE" "$STORE.away"
	collector_gets "store_backlog_mb = 1"
	short_job
	victim=$JOB
	soon waits 1
	batch=$(find "$BACKLOG/batches" -name '*.ndjson')
	# what another user's jobs leave that end meanwhile
	line=$(sed -n 2p "$batch" | sed 's/"uid":[0-9]*/"uid":4711/')
	for i in {1..900}; do
		printf '%s\n' "${line/\"job_id\":$JOB/\"job_id\":$((JOB + 100000 + i))}" >"$BACKLOG/lines/$((JOB + 100000 + i)).0.0000000000000000.u4711"
	done
	short_job
	soon grep -E "lines for the store are dropped, [0-9]+ so far, the last ones of uid 4711, who had most" "$LOG"
	[ -e "$batch" ]
	[ "$(du --bytes --summarize "$BACKLOG/batches" | cut -f1)" -le $(((1 << 20) + 16384)) ]
	mv "$STORE.away" "$STORE"
	"$TESTBED" restart-collector
	soon nothing_waits
	[ "$(lines | jq 'select(.user.uid != 4711) | .identity.job_id' | sort -n)" = "$(printf '%s\n' "$victim" "$JOB")" ]
	sound root
	rm "$BACKLOG/state"
}

batch_tells() { # DROPPED : some batch does
	# shellcheck disable=SC2046
	head -qn 1 $(batches) | jq --slurp --exit-status --argjson dropped "$1" 'any(.dropped == $dropped)' >/dev/null
}

@test "stintd and the store's processes that are killed lose and double no line" {
	local i jobs=()

	for i in {1..6}; do
		short_job
		jobs+=("$JOB")
		collector_kill
		pgrep --full "stint-epilog .*$STINT_TESTBED.*--store" | while read -r pid; do kill -KILL "$pid" 2>/dev/null; done || true
		"$TESTBED" restart-collector
	done
	soon nothing_waits
	soon has_jobs "${jobs[@]}"
	sound root
	[ "$(lines | sort | uniq -d | wc -l)" -eq 0 ]
}

@test "what is not sealed yet comes into the store when stintd ends" {
	collector_gets "store_interval_s = 3600"
	short_job
	soon eval '[ -n "$(ls -A "$BACKLOG/lines")" ]'
	[ -z "$(batches)" ]
	"$TESTBED" restart-collector
	soon has_jobs "$JOB"
}

@test "a record whose report cannot be written is in the store all the same, and once" {
	local directory

	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	JOB=$("$TESTBED" exec sbatch --parsable --wait --chdir="$directory" --output=/dev/null --wrap "chmod 500 $directory")
	soon has_jobs "$JOB"
	"$TESTBED" restart-collector
	soon nothing_waits
	chmod 700 "$directory"
	"$TESTBED" restart-collector
	report_in "$directory"
	soon nothing_waits
	has_jobs "$JOB"
}

@test "stint doctor says whether the store's user may write there, and what waits" {
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" --role node
	echo "$output"
	grep -qF "store_dir: $STORE, as root" <<<"$output"
	grep -q "^ok *store: " <<<"$output"
	store_user_begin
	chown root: "$STORE"
	collector_gets "store_user = $STORE_USER"
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" --role node
	echo "$output"
	grep -q "^warn *store_dir: .*Permission denied" <<<"$output"
	short_job
	soon waits 1
	soon jq --exit-status '.store.failing_since_unix_s' "$STINT_TESTBED/run/status.json"
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" --role node
	echo "$output"
	grep -q "^warn *store: it takes no lines since .* 1 batches" <<<"$output"
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	soon has_jobs "$JOB"
}
