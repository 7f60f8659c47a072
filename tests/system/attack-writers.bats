#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A user who stops or hangs the writers of his reports delays only his own: others' come in time, none is lost, and the
# log says it once. STINT_ATTACK_S is how long the attacks go on, in seconds (15; 60 is the long form).
# shellcheck shell=bash disable=SC2154,SC2030,SC2031

load helper

ATTACK_S=${STINT_ATTACK_S:-15}

setup_file() {
	[ -x "$PROGRAMS/stopper" ] || { echo "build it first: make check"; return 1; }
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/stint.conf"
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
	unmount_hung
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
}

# Nothing here reads such a directory before its server is gone: that would hang too.
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
	as_victim sbatch --wait --chdir="$directory" --output=/dev/null --wrap "date +%s.%N >$directory/ended" >/dev/null
	ended=$(cat "$directory/ended")
	report_in "$directory"
	holds '.complete and .used.processes >= 2'
	DELAY_S=$(awk -v end="$ended" -v written="$(stat --format=%.Y "$REPORT")" 'BEGIN { print written - end }')
	echo "the victim's report came after $DELAY_S s"
}

@test "a user who stops all writers of his own, again and again: another's reports are in time, and all come" {
	local directory stopper jobs=0 end told=''

	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	victims_job # the cost of a first job does not count
	"$TESTBED" exec "$STINT_TESTBED/tools/stopper" "$((ATTACK_S + 5))" "$directory" 3>&- >"$BATS_TEST_TMPDIR/stopped" &
	stopper=$!
	"$TESTBED" exec sbatch --array="1-$((ATTACK_S * 4))" --nice=1000 --chdir="$directory" --output=/dev/null --wrap true
	end=$((SECONDS + ATTACK_S))
	while [ "$SECONDS" -lt "$end" ]; do
		victims_job
		between 0 "$DELAY_S" "$(slack 5)"
		jobs=$((jobs + 1))
		told=${told:-$("$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" | grep -E ' [1-9][0-9]* reports wait for a place')} || true
	done
	[ -n "$told" ]
	wait "$stopper"
	read -r at_once later <"$BATS_TEST_TMPDIR/stopped"
	echo "$jobs jobs of the victim's; stopped: $at_once at once, $later about when they answered"
	[ "$jobs" -ge 2 ]
	[ $((at_once + later)) -ge 8 ] # all of his places
	grep 'reports wait for a place: [0-9]* of 32 writers are at work, 8 of them for uid' "$LOG"
	[ "$(grep -c 'reports wait for a place' "$LOG")" -le $((1 + ATTACK_S / 30)) ]
	"$TESTBED" exec scancel --me
	soon node_is_idle
	# records that were not delivered wait, and none is lost
	SOON_S=300 soon jq --exit-status '.writers.waiting == 0' "$STINT_TESTBED/run/status.json"
	soon no_writer_runs
	"$TESTBED" restart-collector
	soon in_spool 0
}

no_writer_runs() {
	! pgrep --uid "$TESTBED_USER" stint-epilog && ! pgrep --parent "$(daemon_pid stintd)" stint-epilog
}

# Has a lease to write on the new file, and goes on having it until the kernel takes it away.
LEASE='import fcntl, os, signal, sys, time
signal.signal(signal.SIGIO, signal.SIG_IGN)
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT, 0o644)
fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
open(sys.argv[1] + ".held", "w").close()
time.sleep(60)'

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
		SOON_S=40 soon eval '[ -f "$shared/stint-$i.json" ] && [ -s "$shared/stint-$i.json" ]'
		REPORT=$shared/stint-$i.json
		[ "$(stat --format=%U "$REPORT")" = "$VICTIM" ]
		holds '.complete and .job.state == "COMPLETED"'
	done
	kill -0 "$leaseholder" # all that time
	kill "$leaseholder"
	! grep 'its report was not written' "$LOG"
	[ "$(find "$shared" -name 'stint-*.json.aside-*' -user "$TESTBED_USER" | wc -l)" -eq 2 ]
}

# Mounts a file system of the attacker's that takes a minute and a half for each look at a name.
mount_hung() { # DIRECTORY
	"$PROGRAMS/slowfs" "$STINT_TESTBED/victim" "$1" 90000 0 0 3>&- >/dev/null 2>&1 &
	echo $! >"$STINT_TESTBED/slowfs.pid"
	soon grep " $1 fuse" /proc/mounts
}

# Leaves in the spool the records of COUNT jobs of the attacker's in DIRECTORY, and one of the victim's in its.
fill_spool() { # DIRECTORY COUNT
	ARRAY=$("$TESTBED" exec sbatch --parsable --wait --array="1-$2" --chdir="$1" --output=/dev/null --wrap "chmod 500 $1")
	THEIRS=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --wait --chdir="$THEIRS" --output=/dev/null --wrap "chmod 500 $THEIRS"
	soon in_spool $(($2 + 1))
}

# Root's list and page of his jobs wait for the file system no longer than a person would.
readers_go_on() { # DIRECTORY
	local conf=(--config "$STINT_TESTBED/etc/stint.conf")

	cd /
	run -1 --separate-stderr timeout 30 "$STINT" list --user=all "${conf[@]}"
	[[ $stderr == "stint list: $1/stint-"*" and "*" more: their file system does not answer: their jobs are shown without them" ]]
	[ "$(grep -cE "^ *${ARRAY}_[123] " <<<"$output")" -eq 3 ]
	run -1 timeout 30 "$STINT" report "${conf[@]}" "${ARRAY}_1"
	[ "$output" = "stint report: job ${ARRAY}_1: no report of it in this directory; and $1, where it ran, is on a file system that does not answer" ]
}

@test "a user's file system that hangs: in a pass of the spool it costs others one wait, and not one a record" {
	local directory=$STINT_TESTBED/home/hung start

	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	"$TESTBED" restart-collector # its next look at the spool is a minute away
	"$TESTBED" exec mkdir "$directory"
	fill_spool "$directory" 3
	chmod 700 "$directory" "$THEIRS"
	mount_hung "$directory"
	"$TESTBED" restart-collector
	start=$SECONDS # it begins with the spool
	report_in "$THEIRS"
	echo "the victim's came after $((SECONDS - start)) s"
	[ $((SECONDS - start)) -lt 40 ] # the first of the three waits for 20 s
	soon in_spool 3
	# one of the three was tried
	[ "$(grep -c "its report was not written: the job's directory does not answer" "$LOG")" -eq 1 ]
	readers_go_on "$directory"
	unmount_hung
	"$TESTBED" restart-collector
	soon in_spool 0
}

# Mounts a file system that answers each look at a name in time, and shows the directory SHOWN; how else it hangs is in the
# environment.
mount_half_hung() { # SHOWN DIRECTORY READ_MS [VARIABLE=VALUE...]
	env "${@:4}" "$PROGRAMS/slowfs" "$1" "$2" 0 "$3" 0 3>&- >/dev/null 2>&1 &
	echo $! >"$STINT_TESTBED/slowfs.pid"
	soon grep " $2 fuse" /proc/mounts
}

# Root's list, page and summary wait for none of the files and directories there.
readers_go_on_without() { # DIRECTORY JOB OTHERS_JOB
	local conf=(--config "$STINT_TESTBED/etc/stint.conf")

	cd /
	run -1 --separate-stderr timeout 30 "$STINT" list --user=all "${conf[@]}"
	echo "$output $stderr"
	[[ $stderr == "stint list: $1/stint-"*": their file system does not answer: their jobs are shown without them" ||
		$stderr == "stint list: $1/stint-"*": its file system does not answer: its job is shown without it" ]]
	grep -qE "^ *$2 .*no report" <<<"$output"
	grep -qE "^ *$3 " <<<"$output"
	! grep -E "^ *$3 .*no report" <<<"$output"
	run -1 timeout 60 "$STINT" report "${conf[@]}" "$2"
	echo "$output"
	[[ $output == *"does not answer"* ]]
}

# Nor does a mount that answers whoever looks first, and nobody then.
@test "a user's file system that shows names, and hangs where files or directories are opened or read, holds up no reader" {
	local directory=$STINT_TESTBED/home/half id as others=$STINT_TESTBED/home/others theirs

	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	"$TESTBED" exec mkdir "$directory" "$others"
	theirs=$("$TESTBED" exec sbatch --parsable --wait --chdir="$others" --output=/dev/null --wrap true)
	id=$("$TESTBED" exec sbatch --parsable --wait --chdir="$directory" --output=/dev/null --wrap true)
	report_in "$directory"
	report_in "$others"
	"$TESTBED" exec cp -r "$directory" "$directory.shown"
	for how in "90000" "0 SLOWFS_OPEN_MS=90000" "90000 SLOWFS_LIST_MS=90000"; do
		echo "$how"
		# shellcheck disable=SC2086
		mount_half_hung "$directory.shown" "$directory" $how
		readers_go_on_without "$directory" "$id" "$theirs"
		unmount_hung
	done
	cd /
	for command in "1 list --user=all" "1 report $id" "0 summary --mine" "1 summary --mine"; do
		mount_half_hung "$directory.shown" "$directory" 90000 SLOWFS_OPEN_MS=90000 SLOWFS_LIST_MS=90000 SLOWFS_PROMPT="${command%% *}"
		as=0
		[[ $command != *--mine ]] || as=$(id -u "$TESTBED_USER")
		# shellcheck disable=SC2086
		run timeout 60 setpriv --reuid="$as" --clear-groups "$STINT" ${command#* } --config "$STINT_TESTBED/etc/stint.conf"
		echo "$command: $status: $output"
		[ "$status" -le 1 ]
		unmount_hung
	done
}

# Makes as many records as a user of very many jobs leaves: copies of one record of a job of his, with other job ids.
multiply_records() { # COUNT
	local one i

	one=$(find "$SPOOL" -maxdepth 1 -name "*.u$(id -u "$TESTBED_USER").record")
	for ((i = 0; i < $1; i++)); do
		cp "$one" "${one/.$ATTACKERS.1./.$((1000000 + i)).1.}"
	done
}

@test "a user's thousands of records that cannot be delivered hold up no other's: neither one that is due, nor the next job" {
	local directory start

	"$TESTBED" restart-collector # its next look at the spool is a minute away
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	ATTACKERS=$("$TESTBED" exec sbatch --parsable --wait --chdir="$directory" --output=/dev/null --wrap "chmod 500 $directory")
	THEIRS=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --wait --chdir="$THEIRS" --output=/dev/null --wrap "chmod 500 $THEIRS"
	soon in_spool 2
	multiply_records 5000
	chmod 700 "$THEIRS"
	"$TESTBED" restart-collector
	start=$SECONDS # it begins with the spool
	report_in "$THEIRS"
	echo "the victim's came after $((SECONDS - start)) s"
	between 0 $((SECONDS - start)) "$(slack 60)" # one after the other they take minutes
	victims_job
	between 0 "$DELAY_S" "$(slack 5)"
	# 20 s of tries that fail, and no more
	SOON_S=60 soon no_writer_runs
	[ "$(find "$SPOOL" -maxdepth 1 -name '*.record' | wc -l)" -eq 5001 ]
	[ "$(grep -c 'its report was not written' "$LOG")" -le 400 ]
	find "$SPOOL" -maxdepth 1 -name '*.1.*.record' ! -name "*.$ATTACKERS.1.*" -delete
	chmod 700 "$directory"
	"$TESTBED" restart-collector
	soon in_spool 0
}

@test "jobs whose writers hang hold no places in the kernel's tables" {
	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	echo 'map_entries.job_cgroups = 4' >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	"$TESTBED" exec mkdir --parents "$STINT_TESTBED/home/hung"
	mount_hung "$STINT_TESTBED/home/hung"
	"$TESTBED" exec sbatch --wait --array=1-8 --chdir=/ --output=/dev/null --stint=output="$STINT_TESTBED/home/hung/%j.json" --wrap true
	soon pgrep --uid "$TESTBED_USER" stint-epilog
	victims_job
	grep "not counted\|finds no place\|no room" "$LOG" && return 1
	[ "$(pgrep --uid "$TESTBED_USER" --count stint-epilog)" -ge 1 ] # they hang still
	unmount_hung
	soon no_writer_runs
	"$TESTBED" restart-collector
	soon in_spool 0
}
