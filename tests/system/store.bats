#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each record's store line enters the store exactly once, and whole, whatever happens on the way; and nothing that a user has written enters
# it.
# shellcheck shell=bash disable=SC2030,SC2034,SC2031,SC2143,SC2154,SC2317

load helper

SOON_STEP_S=0.2 # most tries make stintd look

setup_file() {
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	echo "store_interval_s = 1" >>"$STINT_TESTBED/etc/stint.conf"
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/stint.conf"
	"$TESTBED" restart-collector
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
}

teardown() {
	testbed_evidence
	[ -n "${BATS_TEST_COMPLETED:-}" ] || find "$STORE" "$BACKLOG" -ls
	unmount_all
	[ -n "${BATS_TEST_COMPLETED:-}" ] || echo "# a test has failed: the next one has stintd start again" >>"$STINT_TESTBED/etc/stint.conf"
}

# The tests mount file systems in the testbed's directory.
unmount_all() {
	local mount

	while read -r _ mount _; do
		[[ $mount != "${STINT_TESTBED:-/nonexistent}"/* || $mount == */bpf* ]] || umount --lazy "$mount"
	done < <(tac /proc/mounts)
}

# ---- stintd ----

# From here on stintd has the configuration of this suite and LINE... A start takes seconds: none if it already has exactly that.
collector_has() { # [LINE...]
	local conf=$STINT_TESTBED/etc/stint.conf

	cp "$BATS_FILE_TMPDIR/stint.conf" "$BATS_TEST_TMPDIR/stint.conf"
	[ $# -eq 0 ] || printf '%s\n' "$@" >>"$BATS_TEST_TMPDIR/stint.conf"
	! cmp --silent "$BATS_TEST_TMPDIR/stint.conf" "$conf" || return 0
	cp "$BATS_TEST_TMPDIR/stint.conf" "$conf"
	"$TESTBED" restart-collector
}

# Begins a test: with such a stintd, for which nothing waits and nothing fails, and with an empty store.
begins_with() { # [LINE...]
	collector_has "$@"
	soon eval '[ -z "$(squeue --noheader --format %i)" ]' # a job of the test before, whose line would come into this one
	soon_looked nothing_waits_or_fails
	rm -rf "${STORE:?}"/*
	: >"$LOG"
}

nothing_waits_or_fails() {
	nothing_waits && status_is '(.store.failing_since_unix_s | not) and (.spool.records == 0) and .jobs.open == 0 and .jobs.closing == 0'
}

status_is() { # EXPRESSION
	jq --exit-status "$1" "$STINT_TESTBED/run/status.json"
}

# Why the store does not get its lines. The log says it only the first time.
fails_because() { # REASON
	status_is ".store.failing_since_unix_s > 0 and (.store.reason | contains(\"$1\"))"
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

# Submits a job whose end is shown by its line, or by its report. Sets JOB.
short_job() { # [sbatch option...]
	JOB=$("$TESTBED" exec sbatch --parsable --chdir="$STINT_TESTBED/home" --output=/dev/null "$@" --wrap "sleep 0.01" | cut -d';' -f1)
	[ -n "$JOB" ]
}

job_is_over() {
	! squeue --noheader --jobs "$JOB" --format %i 2>/dev/null | grep -q .
}

# Makes a user who writes the store, STORE_USER.
store_user() {
	STORE_USER=${TESTBED_USER}-s
	id "$STORE_USER" >/dev/null 2>&1 || {
		undo_with userdel --force "$STORE_USER"
		echo "$STORE_USER" >"$BATS_FILE_TMPDIR/user"
		soon useradd --system --user-group --no-create-home --home-dir / --shell /usr/sbin/nologin "$STORE_USER"
	}
}

as_user() { # USER COMMAND...
	(cd / && setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}")
}

batch_tells() { # DROPPED : some batch does
	# shellcheck disable=SC2046
	head -qn 1 $(batches) | jq --slurp --exit-status --argjson dropped "$1" 'any(.dropped == $dropped)' >/dev/null
}

# A whole pass of the spool has begun and ended: this file is no record, and the newest. Others are tried before.
spool_is_passed() {
	: >"$STINT_TESTBED/spool/newest.record"
	touch --date='1 minute' "$STINT_TESTBED/spool/newest.record"
	soon_looked test -e "$STINT_TESTBED/spool/damaged/newest.record"
	rm "$STINT_TESTBED/spool/damaged/newest.record"
}

# ---- with the suite's configuration ----

@test "a job's line comes into the store, with what Slurm said of it" {
	begins_with
	short_job --job-name=told
	soon has_jobs "$JOB" # nobody has stintd look
	sound root
	lines | jq --exit-status --arg user "$TESTBED_USER" '.stint_store == 1 and .user.name == $user and .slurm.name == "told" and
		(.slurm.submit_unix_s > 0) and (.tools | length > 0)'
	soon nothing_waits
}

@test "what is private to a job is not in the store" {
	local directory=$STINT_TESTBED/home/mark-directory

	begins_with
	"$TESTBED" exec mkdir -p "$directory"
	"$TESTBED" exec bash -c "printf '#!/bin/sh\nsleep 0.1\ncat /etc/hostname >mark-file\n/bin/echo mark-argument >/dev/null\n' >'$directory/mark-script'"
	JOB=$(MARK=mark-environment "$TESTBED" exec sbatch --parsable --chdir="$directory" --output="$directory/mark-output" \
		"$directory/mark-script" mark-word)
	soon_looked has_jobs "$JOB"
	lines | grep -F '"mark-script"'
	[ -z "$(lines | grep -E 'mark-(directory|file|argument|environment|output|word)')" ]
	[ -z "$(lines | grep -F "$STINT_TESTBED")" ]
}

@test "of several jobs each has one line" {
	local i jobs

	begins_with
	jobs=$(for i in {1..8}; do
		"$TESTBED" exec sbatch --parsable --mem=16M --chdir="$STINT_TESTBED/home" --output=/dev/null --wrap "sleep 0.0$i"
	done)
	# shellcheck disable=SC2086
	soon_looked has_jobs $jobs
	sound root
}

no_run_of_the_store() {
	! pgrep --parent "$(daemon_pid stintd)" --full "stint-epilog .*--store"
}

@test "a directory that is away is waited for, and is not made on the disk below" {
	begins_with
	mv "$STORE" "$STORE.away"
	short_job
	soon_looked grep -F "stintd cannot send lines to the store" "$LOG"
	soon_looked waits 1
	# so often that the pause until the next try is longer than soon() waits: then only SIGUSR1 brings it
	for _ in {1..8}; do
		collector_looks
		soon no_run_of_the_store
	done
	[ ! -e "$STORE" ]
	mv "$STORE.away" "$STORE"
	collector_looks
	soon has_jobs "$JOB"
	sound root
	[ "$(grep -cF "stintd cannot send lines to the store" "$LOG")" -eq 1 ]
}

@test "a directory that is read-only or full gets the lines later" {
	begins_with
	mount -t tmpfs -o size=16k,mode=755 tmpfs "$STORE"
	head -c 1M /dev/zero >"$STORE/filler" || true
	mount -o remount,ro "$STORE"
	short_job
	soon_looked grep -F "Read-only file system" "$LOG"
	soon_looked waits 1
	mount -o remount,rw "$STORE"
	soon_looked fails_because "No space left on device"
	[ -z "$(batches)" ]
	rm "$STORE/filler"
	soon_looked has_jobs "$JOB"
	sound root
}

@test "a user's links and directories in the store's place are not used" {
	local victim=$STINT_TESTBED/victim

	begins_with
	install -d -m 777 "$victim"
	chmod 1777 "$STORE"
	short_job
	soon_looked grep -F "can write" "$LOG"
	[ -z "$(batches)" ]
	as_user "$TESTBED_USER" ln -s "$victim" "$STORE/new"
	chmod 755 "$STORE"
	soon_looked fails_because "$STORE/new"
	jq .store "$STINT_TESTBED/run/status.json"
	rm "$STORE/new"
	chmod 1777 "$STORE"
	as_user "$TESTBED_USER" mkdir "$STORE/new"
	chmod 755 "$STORE"
	soon_looked fails_because "must belong to the store's user"
	[ -z "$(find "$victim" "$STORE/new" -type f)" ]
	rmdir "$STORE/new"
	soon_looked has_jobs "$JOB"
	sound root
	rmdir "$victim"
}

@test "while a writer of the store does not die, no other is started, and lines are sealed all the same" {
	local holder

	begins_with
	short_job
	soon_looked has_jobs "$JOB"
	flock --no-fork "$BACKLOG/sending" sleep 1000 3>&- &
	holder=$!
	undo_with kill "$holder"
	soon eval '! flock --nonblock "$BACKLOG/sending" true'
	short_job
	soon_looked grep -F "an earlier writer of the store still hangs" "$LOG"
	soon_looked waits 1
	kill "$holder"
	wait "$holder" || true
	soon_looked nothing_waits
	[ "$(lines | wc -l)" -eq 2 ]
	sound root
}

@test "a record whose report cannot be written is in the store all the same, and once" {
	local directory

	begins_with
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	JOB=$("$TESTBED" exec sbatch --parsable --chdir="$directory" --output=/dev/null --wrap "chmod 500 $directory")
	soon_looked has_jobs "$JOB"
	soon grep -F "directory $directory: its report was not written" "$LOG"
	spool_is_passed
	soon_looked nothing_waits
	has_jobs "$JOB"
	chmod 700 "$directory"
	soon_looked report_is_in "$directory"
	spool_is_passed # and the writer of the report has ended
	soon_looked nothing_waits
	has_jobs "$JOB"
}

has_left_something() {
	! nothing_waits || has_jobs "${jobs[@]}"
}

@test "stintd and the store's processes that are killed lose and double no line" {
	local moment jobs=()

	begins_with
	for moment in job_is_over has_left_something 'has_jobs "${jobs[@]}"'; do
		short_job
		jobs+=("$JOB")
		SOON_STEP_S=0.02 soon eval "$moment"
		collector_kill
		pgrep --full "stint-epilog .*$STINT_TESTBED.*--store" | while read -r pid; do kill -KILL "$pid" 2>/dev/null; done || true
		"$TESTBED" restart-collector
	done
	soon_looked has_jobs "${jobs[@]}"
	soon_looked nothing_waits
	has_jobs "${jobs[@]}"
	sound root
	[ "$(lines | sort | uniq -d | wc -l)" -eq 0 ]
}

@test "stint doctor says whether the store's user may write there, and what waits" {
	begins_with
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" --role node
	echo "$output"
	grep -qF "store_dir: $STORE, as root" <<<"$output"
	grep -q "^ok *store: " <<<"$output"
	store_user
	chown root: "$STORE"
	collector_has "store_user = $STORE_USER"
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" --role node
	echo "$output"
	grep -q "^warn *store_dir: .*Permission denied" <<<"$output"
	short_job
	soon_looked status_is '.store.failing_since_unix_s and .store.batches == 1'
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" --role node
	echo "$output"
	grep -q "^warn *store: the store has accepted no lines since .* 1 batch" <<<"$output"
	chown "$STORE_USER:" "$STORE"
	soon_looked has_jobs "$JOB"
}

# ---- with others ----

@test "store_user writes the store, and root does not" {
	store_user
	chown "$STORE_USER:" "$STORE" && chmod 700 "$STORE"
	begins_with "store_user = $STORE_USER"
	short_job
	soon_looked has_jobs "$JOB"
	sound "$STORE_USER"
	[ -z "$(find "$STORE" ! -user "$STORE_USER")" ]
	[ -z "$(find "$BACKLOG" ! -user root)" ]
	[ -z "$(find "$BACKLOG" -perm /077)" ]
	rm -r "$STORE/new"
	chown root: "$STORE" && chmod 755 "$STORE"
}

@test "store_command runs as store_user, with nothing of root's" {
	local taken=$STINT_TESTBED/taken

	store_user
	install -d -o "$STORE_USER" "$taken"
	cat >"$STINT_TESTBED/command" <<-EOT
		#!/bin/sh
		{ id; tr '\0' '\n' </proc/self/environ; grep -E 'NoNewPrivs|CapEff' /proc/self/status; ls -l /proc/\$\$/fd; } >$taken/said
		cat >$taken/batch
	EOT
	chmod 755 "$STINT_TESTBED/command"
	begins_with "store_user = $STORE_USER" "store_command = $STINT_TESTBED/command"
	short_job
	soon_looked eval '[ "$(tail -n +2 "$taken/batch" | jq .identity.job_id)" = "$JOB" ]'
	soon_looked nothing_waits
	cat "$taken/said"
	grep -q "^uid=$(id -u "$STORE_USER")($STORE_USER) gid=$(id -g "$STORE_USER")" "$taken/said"
	grep -q 'NoNewPrivs:.1$' "$taken/said"
	grep -q 'CapEff:.0*$' "$taken/said"
	[ -z "$(grep -E '^(STINT_LIBEXEC|SLURM_CONF|STINT_SUITE)=' "$taken/said")" ]
	[ -z "$(grep -F "$BACKLOG" "$taken/said" | grep -v batches)" ]
	rm -r "$taken"
}

@test "store_command gets the batches in place of the directory; what it does not take is kept for a later try, with its reason" {
	local taken=$STINT_TESTBED/taken

	mkdir -p "$taken/new/00"
	begins_with "store_command = test -e $taken/open || { echo closed now >&2; exit 3; }; cat >$taken/new/00/\$STINT_BATCH"
	short_job
	soon_looked grep -F "stintd cannot send lines to the store, and keeps them: store_command: closed now" "$LOG"
	soon_looked waits 1
	soon_looked status_is '.store.batches == 1 and .store.reason == "store_command: closed now" and .store.failing_since_unix_s > 0'
	touch "$taken/open"
	soon_looked grep -F "the store gets its lines again" "$LOG"
	nothing_waits
	[ "$(lines "$taken" | jq .identity.job_id)" = "$JOB" ]
	[ -z "$(batches)" ]
	rm -r "$taken"
}

@test "a command that hangs is ended with its processes, and its batch is kept" {
	local taken=$STINT_TESTBED/taken

	mkdir -p "$taken/new/00"
	begins_with "store_wait_s = 1" \
		"store_command = test -e $taken/open || { sleep 1000 & echo \$! >>$taken/pids; wait; }; cat >$taken/new/00/\$STINT_BATCH"
	short_job
	soon_looked grep -F "store_command took longer than store_wait_s = 1 s" "$LOG"
	soon_looked waits 1
	soon has_ended "$(head -n 1 "$taken/pids")"
	touch "$taken/open"
	soon_looked nothing_waits
	[ "$(lines "$taken" | jq .identity.job_id)" = "$JOB" ]
	rm -r "$taken"
}

@test "what waits is bounded: the oldest lines go, and are counted" {
	local batch

	begins_with "store_backlog_mb = 1"
	mv "$STORE" "$STORE.away"
	short_job
	soon_looked waits 1
	# a batch of an earlier day, as large as may be
	batch=$(find "$BACKLOG/batches" -name '*.ndjson')
	{ head -n 1 "$batch" | sed 's/"lines":[0-9]*/"lines":200/'; head -c 2M /dev/zero | tr '\0' x; } >"$BACKLOG/batches/old.000000000000-1.0000000001.ndjson"
	touch -d '2 days ago' "$BACKLOG/batches/old.000000000000-1.0000000001.ndjson"
	short_job
	soon_looked grep -F "would wait: 200 so far" "$LOG"
	[ ! -e "$BACKLOG/batches/old.000000000000-1.0000000001.ndjson" ]
	soon_looked status_is '.store.dropped == 200 and .store.batches == 2'
	mv "$STORE.away" "$STORE"
	soon_looked nothing_waits
	[ "$(lines | wc -l)" -eq 2 ]
	short_job
	soon_looked batch_tells 200
	soon_looked nothing_waits_or_fails
	rm "$BACKLOG/state" # the next test starts from the beginning
}

has_of_others() { # JOB... : except those of the user with the most
	[ "$(lines | jq 'select(.user.uid != 4711) | .identity.job_id' | sort -n)" = "$(printf '%s\n' "$@")" ]
}

@test "a user whose lines fill the backlog loses lines of his own, and an earlier one of another user is kept" {
	local batch i line victim

	begins_with "store_backlog_mb = 1"
	mv "$STORE" "$STORE.away"
	short_job
	victim=$JOB
	soon_looked waits 1
	batch=$(find "$BACKLOG/batches" -name '*.ndjson')
	# a line that another user's jobs leave that end meanwhile
	line=$(sed -n 2p "$batch" | sed 's/"uid":[0-9]*/"uid":4711/')
	for i in {1..900}; do
		printf '%s\n' "${line/\"job_id\":$JOB/\"job_id\":$((JOB + 100000 + i))}" >"$BACKLOG/lines/$((JOB + 100000 + i)).0.0000000000000000.u4711"
	done
	short_job
	soon_looked grep -E "stintd drops lines for the store, because more than store_backlog_mb would wait: [0-9]+ so far, the last ones of uid 4711, who had the most" "$LOG"
	[ -e "$batch" ]
	[ "$(du --bytes --summarize "$BACKLOG/batches" | cut -f1)" -le $(((1 << 20) + 16384)) ]
	mv "$STORE.away" "$STORE"
	soon_looked has_of_others "$victim" "$JOB"
	sound root
	soon_looked nothing_waits_or_fails
	rm "$BACKLOG/state"
}

@test "with store_scripts = off no script has its name there" {
	begins_with "store_scripts = off"
	"$TESTBED" exec bash -c "printf '#!/bin/sh\nsleep 0.1\n' >'$STINT_TESTBED/home/mark-script' && chmod 755 '$STINT_TESTBED/home/mark-script'"
	JOB=$("$TESTBED" exec sbatch --parsable --chdir="$STINT_TESTBED/home" --output=/dev/null "$STINT_TESTBED/home/mark-script")
	soon_looked has_jobs "$JOB"
	[ -z "$(lines | grep -F mark-script)" ]
}

@test "with store_dir = off nothing is kept for a store" {
	begins_with "store_dir = off"
	short_job
	soon test -e "$STINT_TESTBED/home/stint-$JOB.json"
	soon_looked status_is '.reports.written == 1' # its writer has ended
	collector_looks
	nothing_waits
	[ -z "$(batches)" ]
	status_is 'has("store") | not'
}

@test "what is not sealed yet comes into the store when stintd ends" {
	begins_with "store_interval_s = 3600"
	short_job
	soon eval '[ -n "$(ls -A "$BACKLOG/lines")" ]'
	[ -z "$(batches)" ]
	"$TESTBED" restart-collector
	soon has_jobs "$JOB"
}

@test "a store in a directory of a user's is refused to root" {
	begins_with
	"$TESTBED" exec mkdir -p "$STINT_TESTBED/home/mine"
	chown root: "$STINT_TESTBED/home/mine"
	collector_has "store_dir = $STINT_TESTBED/home/mine"
	short_job
	soon_looked grep -F "users other than root can write there" "$LOG"
	[ -z "$(ls -A "$STINT_TESTBED/home/mine")" ]
	rmdir "$STINT_TESTBED/home/mine"
	collector_has
	soon_looked has_jobs "$JOB"
}
