#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The report is written into a user's directory. Whatever the user, the disk or another user does there meanwhile, root writes nothing
# there, a report is whole or unchanged, and a failed write can be retried.
# shellcheck shell=bash disable=SC2154,SC2030,SC2031

load helper
load quota

EPILOG=${STINT_BUILD:+$STINT_BUILD/reports/}stint-epilog

setup_file() {
	[ "$EUID" -eq 0 ] || return 0
	BASE=$(mktemp -d /var/tmp/stint-writer.XXXXXX)
	chmod 755 "$BASE"
	guard_begin "$BASE"
	# users for nothing else, so that all processes of one can be signalled; the second has those that wait
	OWNER=$((61000 + $$ % 2000 * 2))
	export BASE OWNER
	mkdir "$BASE/libexec"
	cat >"$BASE/libexec/stint-slurm-job" <<-'END'
		#!/bin/sh
		[ "$1" = --expand ] && exec echo '["n1", "n2"]'
		echo "no Slurm here" >&2
		exit 1
	END
	chmod 755 "$BASE/libexec/stint-slurm-job"
	export STINT_LIBEXEC=$BASE/libexec
	printf "merge_wait_s = 0\nmunge_socket = %s\n" "$BASE/no-munge" >"$BASE/conf" # nothing is proved here: trust.bats
	# The three tests that take 20 seconds wait in the background of the others.
	OWNER=$((OWNER + 1)) start_stopped
	OWNER=$((OWNER + 1)) start_hung
	(
		trap 'echo $? >"$BASE/served.begun"' EXIT
		OWNER=$((OWNER + 1)) start_served
	) >"$BASE/served.log" 2>&1 3>&- &
}

teardown_file() {
	local place

	[ -n "${BASE:-}" ] || return 0
	# processes of its user that a failed test has left running
	setpriv --reuid="$OWNER" --regid="$OWNER" --clear-groups bash -c 'kill -s KILL -- -1' || true
	[ ! -e "$BASE/slowfs.pid" ] || kill -s KILL "$(cat "$BASE/slowfs.pid")" 2>/dev/null || true
	for place in "$BASE"/mnt/*; do
		umount --lazy "$place" 2>/dev/null || true
	done
	rm -rf "$BASE"
	guard_end
}

setup() {
	[ "$EUID" -eq 0 ] || skip "only root can become a user"
	need jq setpriv "$EPILOG"
	HOME_DIR=$(mktemp -d "$BASE/home.XXXXXX")
	chmod 755 "$HOME_DIR"
	mkdir "$HOME_DIR/work"
	chown -R "$OWNER:$OWNER" "$HOME_DIR"
	cd "$HOME_DIR/work" || return
	WORK=$PWD
	REPORT=$WORK/stint-77.json
}

teardown() {
	[ -z "${STORM:-}" ] || storm_over # which would otherwise kill the next tests' writers
	cd /
	[ -n "${BATS_TEST_COMPLETED:-}" ] || find "$HOME_DIR" -ls | tail -n 20
}

as_user() { # COMMAND...
	setpriv --reuid="$OWNER" --regid="$OWNER" --clear-groups "$@"
}

record() { # FILE ATTEMPT [JQ] : a node's record of job 77, in WORK
	jq --arg dir "$WORK" --argjson user "$OWNER" --argjson attempt "$2" '.user = {uid: $user, gid: $user, umask: 18} | .work_dir = $dir |
		.identity.attempt = $attempt | .node_list = "n1" | del(.output)'" | ${3:-.}" \
		"$SOURCE/tests/data/record-two-n1.json" >"$1"
}

deliver() { # ATTEMPT [JQ]
	record "$BASE/record.$BATS_TEST_NUMBER" "$@"
	timeout 60 "$EPILOG" --config "$BASE/conf" "$BASE/record.$BATS_TEST_NUMBER"
}

refused() { # TEXT ATTEMPT [JQ] : not delivered, should be retried, with one line on standard error
	refused_by 1 "$@"
}

refused_by() { # STATUS TEXT ATTEMPT [JQ]
	local wanted=$1 text=$2

	shift 2
	fails_with_one_line deliver "$@"
	[ "$status" -eq "$wanted" ]
	[[ $stderr == *"$text"* ]]
}

attempt_is() { # NUMBER [FILE] : it is a whole report of that attempt, and the user's file
	[ "$(jq .job.attempt "${2:-$REPORT}")" -eq "$1" ]
	[ "$(stat --format='%F %u %g %a' "${2:-$REPORT}")" = "regular file $OWNER $OWNER 644" ]
}

nothing_left() { # [DIRECTORY] : no temporary file, no part; the link to a report that the job moved may stay
	[ -z "$(find "${1:-$WORK}" -name '.stint-*' ! '(' -type l -name '.stint-*.json' ')')" ]
}

gap_is() { # TEXT
	jq --raw-output '.gaps[0].reason' "$REPORT"
	jq --exit-status --arg text "$1" '.complete == false and (.gaps[0].reason | contains($text))' "$REPORT"
}

TWO_NODES='.node_list = "n[1-2]"'

# ---- as the user ----

@test "the report is the user's, and so are the directories that are made for it" {
	(umask 077 && deliver 1 '.output = "a/b/stint-%i.json"')
	REPORT=$WORK/a/b/stint-77.json
	attempt_is 1
	valid
	[ "$(stat --format='%u %g %a' a a/b | sort --unique)" = "$OWNER $OWNER 755" ]
	nothing_left
}

# Delivers while the user interferes, and prints the result. 73 means that something that is no file is there: the user's own FIFO.
deliver_often() { # ATTEMPT TIMES
	local status i written=0

	record "$BASE/often.$1" "$1" '.output = "out/stint-%i.json"'
	record "$BASE/often.$1.two" "$1" '.output = "out/stint-%i.json" | .node_list = "n[1-2]"'
	for ((i = 1; i <= $2; i++)); do
		status=0
		timeout 40 "$EPILOG" --config "$BASE/conf" "$BASE/often.$1$([ $((i % 40)) -ne 0 ] || echo .two)" \
			>"$BASE/often.$1.out" 2>"$BASE/often.$1.err" || status=$?
		if [[ $status != @(0|1|73) ]] || [ "$(wc -l <"$BASE/often.$1.err")" -ne $((status > 0)) ]; then
			echo "status $status: $(cat "$BASE/often.$1.err")"
			return 1
		fi
		written=$((written + (status == 0)))
	done
	echo "$written of $2 written"
	[ "$written" -ge 5 ] && [ "$written" -lt "$2" ]
}

victims_look() {
	find "$BASE/victims" -printf '%p %y %m %U %G %s %T@ %C@ %n %l\n' | sort
	find "$BASE/victims" -type f -exec sha256sum {} + | sort
}

@test "links, FIFOs, directories and swaps that the user races against it lead nowhere" {
	local times=${STINT_RACE_TIMES:-80} one two three result=0 file content

	mkdir -p "$BASE/victims/open" "$BASE/victims/closed" "$BASE/victims/work/out"
	echo secret >"$BASE/victims/secret"
	chmod 600 "$BASE/victims/secret"
	chmod 700 "$BASE/victims/closed"
	echo shared >"$BASE/victims/open/shared"
	# a file of another user that this user may write, so that they may make a hard link to it; they do not write it
	chmod 666 "$BASE/victims/open/shared"
	for file in open closed work/out; do
		echo old >"$BASE/victims/$file/stint-77.json"
	done
	victims_look | sed '/shared/s/ [0-9.]* [0-9]* $//' >"$BASE/before"
	cat "$BASE/before"
	mkdir out && chown "$OWNER:$OWNER" out
	install -m 755 "$PROGRAMS/racer" "$BASE/racer"
	# not by as_user: the signal must reach the racer, and not a shell that waits for it
	setpriv --reuid="$OWNER" --regid="$OWNER" --clear-groups "$BASE/racer" "$HOME_DIR" "$BASE/victims" 3>&- >"$BASE/raced" &
	one=$!
	deliver_often 1 "$times" &
	two=$!
	deliver_often 2 "$times" &
	three=$!
	wait "$two" || result=1
	wait "$three" || result=1
	kill "$one"
	wait "$one"
	[ "$result" -eq 0 ]
	echo "raced $(cat "$BASE/raced")"
	[ "$(cat "$BASE/raced")" -gt 1000 ]
	# a hard link changes its file's count and ctime; everything else is unchanged
	victims_look | sed '/shared/s/ [0-9.]* [0-9]* $//' | diff "$BASE/before" -
	# root's only file in the user's directories is that link
	[ -z "$(find "$HOME_DIR" -user 0 -not -samefile "$BASE/victims/open/shared")" ]
	while IFS= read -r -d '' file; do
		content=$(head -c 8 "$file")
		case $content in
		rubbish | shared) ;;
		stint-pa) tail -n +2 "$file" | jq --exit-status '.stint_record == 1' >/dev/null ;;
		*) jq --exit-status '.schema == "stint-report/1" or .stint_record == 1' "$file" >/dev/null ;;
		esac
	done < <(find "$HOME_DIR" -type f -print0)
	[ -z "$(find "$HOME_DIR" -name '.stint-*.tmp')" ]
}

# The user sends these to all of their processes, again and again.
storm() { # SIGNAL...
	# shellcheck disable=SC2016
	setpriv --reuid="$OWNER" --regid="$OWNER" --clear-groups bash -c 'end=$((SECONDS + 60))
		while [ ! -e calm ] && [ $SECONDS -lt $end ]; do
			for signal; do kill -s "$signal" -- -1; done
			sleep 0.003
		done' storm "$@" 3>&- >/dev/null 2>&1 &
	STORM=$!
}

storm_over() {
	touch calm
	wait "$STORM" || true
	rm calm
	STORM=''
}

@test "signals of the user's: those that can be blocked do nothing, and a kill is a later try" {
	local n

	deliver 1
	storm TERM HUP INT USR1 ALRM XCPU XFSZ
	for ((n = 0; n < 6; n++)); do
		deliver 1
	done
	storm_over
	nothing_left
	storm KILL
	for ((n = 0; n < 6; n++)); do
		run --separate-stderr deliver 1
		echo "$status $stderr"
		[ "$status" -eq 0 ] || [[ $status == 1 && $stderr == "stint-epilog: job "*": stint-epilog was ended by signal 9" ]]
		attempt_is 1
	done
	storm_over
	deliver 1
	attempt_is 1
}

# Prints the process that writes for the user, with a record that waits for another node.
writer_of() { # PID of stint-epilog
	local child try

	for ((try = 0; try < 6000; try++)); do
		child=$(cat "/proc/$1/task/$1/children" 2>/dev/null) || return 1
		child=${child% }
		[ -n "$child" ] && [ "$(stat --format=%u "/proc/$child/task" 2>/dev/null)" != "" ] &&
			grep -q "^Uid:.$OWNER.$OWNER.$OWNER.$OWNER$" "/proc/$child/status" 2>/dev/null && break
		sleep 0.01
	done
	[ -n "$child" ] && echo "$child"
}

# Checks the process PID, which is the user's, and that it has open FILES and nothing else.
nothing_of_roots() { # PID FILES
	local child=$1 file

	grep -E '^(Groups|Cap|NoNew|SigBlk)' "/proc/$child/status"
	[ "$(awk '/^Groups:/ { print NF, $2 }' "/proc/$child/status")" = "2 $OWNER" ]
	[ "$(awk '/^Cap(Inh|Prm|Eff|Amb):/ && $2 !~ /^0+$/' "/proc/$child/status")" = "" ]
	[ "$(awk '/^NoNewPrivs:/ { print $2 }' "/proc/$child/status")" = 1 ]
	[ "$(cat "/proc/$child/oom_score_adj")" = 0 ]
	ls -l "/proc/$child/fd"
	[ "$(readlink "/proc/$child/fd/"* | sed 's/socket:.*/socket/' | sort | uniq -c | tr -s ' \n' ' ')" = " $2 " ]
	for file in environ maps fd/0 cwd; do
		run ! as_user readlink "/proc/$child/$file"
		run ! as_user cat "/proc/$child/$file"
	done
}

@test "the process that writes has nothing of root's, and the user cannot look into it" {
	local epilog child

	record "$BASE/two" 1 "$TWO_NODES"
	"$EPILOG" --config "$BASE/conf" "$BASE/two" 3</dev/null >/dev/null &
	epilog=$!
	child=$(writer_of "$epilog")
	# standard streams on /dev/null, the socket to its parent, and its output directory
	nothing_of_roots "$child" "3 /dev/null 1 $WORK 1 socket"
	wait "$epilog"
}

# ---- the writer stops, or its file system hangs ----

# Delivers WORK's record in the background; NAME.pid, then NAME.status with the exit status and the seconds that it took.
begin() { # NAME [JQ]
	record "$BASE/$1.record" 1 "${2:-.}"
	(
		SECONDS=0
		"$EPILOG" --config "$BASE/conf" "$BASE/$1.record" >"$BASE/$1.out" 2>"$BASE/$1.err" &
		echo $! >"$BASE/$1.pid.new"
		mv "$BASE/$1.pid.new" "$BASE/$1.pid"
		status=0
		wait $! || status=$?
		echo "$status $SECONDS" >"$BASE/$1.status.new"
		mv "$BASE/$1.status.new" "$BASE/$1.status"
	) 3>&- >/dev/null 2>&1 &
	while [ ! -e "$BASE/$1.pid" ]; do
		sleep 0.01
	done
}

ended_in_time() { # NAME
	local status seconds

	soon test -e "$BASE/$1.status"
	read -r status seconds <"$BASE/$1.status"
	echo "status $status after $seconds s: $(cat "$BASE/$1.err")"
	[ "$status" -eq 75 ]
	between 19 "$seconds" 35
	[[ $(cat "$BASE/$1.err") == "stint-epilog: job "*": the job's directory does not answer" ]]
}

start_stopped() {
	local WORK=$BASE/stopped child

	mkdir "$WORK" && chown "$OWNER:$OWNER" "$WORK"
	begin stopped "$TWO_NODES"
	child=$(writer_of "$(cat "$BASE/stopped.pid")") && as_user kill -s STOP "$child" && echo "$child" >"$BASE/stopped.child"
}

start_hung() {
	local WORK=$BASE/mnt/hung

	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || return 0
	mkdir -p "$WORK" "$BASE/behind"
	chmod 777 "$BASE/behind"
	"$PROGRAMS/slowfs" "$BASE/behind" "$WORK" 0 0 90000 3>&- >/dev/null 2>&1 &
	echo $! >"$BASE/slowfs.pid"
	mounted "$WORK" && begin hung
}

mounted() { # DIRECTORY : waits for it
	soon grep " $1 fuse" /proc/mounts # other users cannot look at it
}

serve() { # delivers a record in the way of stintd if many jobs end
	record "$BASE/served" 1
	"$SOURCE/tests/system/serve-one" "$EPILOG" "$BASE/conf" "$BASE/served"
}

# Makes the user stop the process PID as soon as it is the user's. Fails if it has ended before.
stop_writer() { # PID
	while [ -e "/proc/$1/status" ] && ! grep -q '^NoNewPrivs:.1' "/proc/$1/status" 2>/dev/null; do
		sleep 0.01
	done
	as_user kill -s STOP "$1" 2>/dev/null
}

# Stops the process that writes, while it writes, and looks at it. served.status comes when that process has ended.
start_served() {
	local WORK=$BASE/served.work holder child='' try

	mkdir "$WORK"
	chown "$OWNER:$OWNER" "$WORK"
	serve
	attempt_is 1 "$WORK/stint-77.json"
	nothing_left
	flock --no-fork "$WORK" sleep 60 & # each writer waits for this lock, for a second
	holder=$!
	while flock --nonblock "$WORK" true; do
		sleep 0.01
	done
	for try in {1..10}; do
		rm -f "$BASE/served.out"
		serve_measured &
		soon test -s "$BASE/served.out"
		read -r child <"$BASE/served.out"
		! stop_writer "$child" || break
		wait $!
	done
	rm -f "$WORK/stint-77.json" "$BASE/served.status" # an earlier try's
	kill "$holder"
	[ -z "$(cat "/proc/$child/task/$child/children")" ]
	nothing_of_roots "$child" "2 /dev/null 1 /memfd:why (deleted) 1 $WORK"
}

serve_measured() {
	SECONDS=0
	serve >"$BASE/served.out"
	echo "$SECONDS" >"$BASE/served.status.new"
	mv "$BASE/served.status.new" "$BASE/served.status"
}

@test "a file system of the user's own, which root may not enter (root_squash)" {
	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	WORK=$BASE/mnt/own
	REPORT=$WORK/stint-77.json
	mkdir -p "$WORK" "$BASE/own"
	chown "$OWNER:$OWNER" "$BASE/own"
	"$PROGRAMS/slowfs" "$BASE/own" "$WORK" 0 0 0 "$OWNER" 3>&- >/dev/null 2>&1 &
	mounted "$WORK"
	run ! ls "$WORK"
	[[ $output == *"Permission denied"* ]]
	deliver 1
	deliver 2
	umount "$WORK"
	attempt_is 2 "$BASE/own/stint-77.json"
	attempt_is 1 "$BASE/own/stint-77.attempt-1.json"
	nothing_left "$BASE/own"
}

@test "root without its rights over others' directories writes as the user" {
	chmod 700 "$WORK" "$HOME_DIR"
	record "$BASE/squash" 1
	run ! setpriv --bounding-set=-dac_override,-dac_read_search ls "$WORK"
	setpriv --bounding-set=-dac_override,-dac_read_search "$EPILOG" --config "$BASE/conf" "$BASE/squash"
	attempt_is 1
}

# ---- what cannot be written now ----

@test "a full disk: the report before is whole, nothing is left, and the next try writes it" {
	WORK=$BASE/mnt/full
	REPORT=$WORK/stint-77.json
	mkdir -p "$WORK"
	mount -t tmpfs -o size=256k,mode=755,uid="$OWNER",gid="$OWNER" full "$WORK" || skip "no tmpfs can be mounted"
	deliver 1
	cp "$REPORT" "$BASE/full.before"
	pages=$((($(stat --format=%s "$REPORT") + 4095) / 4096))
	for room in 0 4 $((4 * pages - 4)); do # KiB: room for nothing, for a part of the new report, for nearly all of it
		head -c 1M /dev/zero >"$WORK/filler" 2>/dev/null || true
		truncate --size=$(($(stat --format=%s "$WORK/filler") - room * 1024)) "$WORK/filler"
		refused "No space left on device" 2
		cmp "$REPORT" "$BASE/full.before"
		nothing_left
		[ -z "$(find "$WORK" -name '*attempt*')" ] || attempt_is 1 "$WORK/stint-77.attempt-1.json"
	done
	rm "$WORK/filler"
	deliver 2
	attempt_is 2
	attempt_is 1 "$WORK/stint-77.attempt-1.json"
	umount "$WORK"
}

@test "a user over quota: as a full disk" {
	local device

	need mkfs.ext4 python3
	WORK=$BASE/mnt/quota
	REPORT=$WORK/stint-77.json
	mkdir -p "$WORK"
	truncate --size=16M "$BASE/image"
	mkfs.ext4 -q -O quota -E quotatype=usrquota,root_owner="$OWNER:$OWNER" "$BASE/image"
	mount -o loop,usrquota "$BASE/image" "$WORK" 2>"$BASE/why" || skip "no ext4 with quotas can be mounted here: $(head -n 1 "$BASE/why" | cut -c -60)"
	device=$(findmnt --noheadings --output SOURCE "$WORK")
	deliver 1
	cp "$REPORT" "$BASE/quota.before"
	quota_set "$device" "$OWNER" 1 || skip "no quota can be set"
	refused "Disk quota exceeded" 2
	cmp "$REPORT" "$BASE/quota.before"
	nothing_left
	quota_set "$device" "$OWNER" 0
	deliver 2
	attempt_is 2
	umount "$WORK"
}

@test "a directory that is gone, not the user's, read-only or full of long names: one line, and a later try writes it" {
	local name

	rm -r "$WORK"
	# removed, because it is missing where the user may remove; below a directory of root's it may be a mount that comes back
	refused_by 66 "$WORK: No such file or directory" 1
	WORK=$WORK/a/b refused_by 66 "$WORK/a/b: No such file or directory" 1
	chmod 755 "$BASE" && WORK=$BASE/absent/a refused "$BASE/absent/a: No such file or directory" 1
	mkdir "$WORK" # root's
	refused "Permission denied" 1
	nothing_left
	chown "$OWNER:$OWNER" "$WORK"
	chmod 500 "$WORK"
	refused "Permission denied" 1
	chmod 300 "$WORK" # entered and written in, not listed: that is enough
	deliver 1
	attempt_is 1
	chmod 755 "$WORK"
	mkdir "$HOME_DIR/ro"
	mount --bind "$WORK" "$HOME_DIR/ro" && mount -o remount,bind,ro "$HOME_DIR/ro"
	WORK=$HOME_DIR/ro refused "Read-only file system" 2
	umount "$HOME_DIR/ro"
	attempt_is 1
	touch "$HOME_DIR/file"
	WORK=$HOME_DIR/file refused "Not a directory" 1
	ln -s loop "$HOME_DIR/loop"
	WORK=$HOME_DIR/loop refused "Too many levels of symbolic links" 1
	name=$(printf 'x%.0s' {1..255})
	REPORT=$WORK/$name
	deliver 1 '.output = "'"$name"'"'
	attempt_is 1
	deliver 2 '.output = "'"$name"'"'
	attempt_is 2
	attempt_is 1 "$WORK/stint-77.attempt-1.json"
	refused_by 73 "the report's name is too long" 1 '.output = "'"x$name"'"'
	refused "File name too long" 1 '.output = "'"x$name"'/y"'
	rm "$REPORT"
	as_user mkdir "$REPORT"
	refused "Is a directory" 1 '.output = "'"$name"'"'
	nothing_left
}

@test "a record that no epilog told of waits ten minutes for slurmctld, which alone knows how the job ended" {
	local told='.epilogs_restarts = 0 | .collector.closed_unix_ns = (now | floor - %d) * 1000000000' recent late

	printf -v recent "$told" 500
	printf -v late "$told" 601
	refused "slurmctld does not say who owned the job, nor how it ended (" 1 "$recent"
	nothing_left
	[ ! -e "$REPORT" ]
	deliver 1 "$late"
	attempt_is 1
	[ "$(jq '.job.state' "$REPORT")" = null ]
}

@test "a record of a job that goes on, though its extern step has ended, waits for the job's end" {
	local told='.epilogs_restarts = 0 | .collector.closed_unix_ns = (now | floor - 5) * 1000000000' answer

	mkdir "$BASE/libexec.running"
	answer='#!/bin/sh\necho "{\\"job_id\\": 77, \\"restarts\\": 0, \\"state\\": \\"%s\\", \\"completing\\": %s, \\"nodes\\": 1, \\"node_names\\": [\\"%s\\"], \\"start_unix_s\\": 1763678100}"\n'
	printf "$answer" RUNNING false n1 >"$BASE/libexec.running/stint-slurm-job"
	chmod 755 "$BASE/libexec.running/stint-slurm-job"
	STINT_LIBEXEC=$BASE/libexec.running refused "the job continues" 1 "$told"
	[ ! -e "$REPORT" ]
	printf "$answer" RUNNING true n1 >"$BASE/libexec.running/stint-slurm-job"
	STINT_LIBEXEC=$BASE/libexec.running deliver 1 "$told"
	attempt_is 1
	# a second record of the node, with steps after the extern step's end, has less in it
	STINT_LIBEXEC=$BASE/libexec.running deliver 1 "$told | .totals.processes = 1"
	[ "$(jq .used.processes "$REPORT")" -gt 1 ]
}

@test "another user's file in the report's place is replaced, also where it may not be read" {
	local mode

	for mode in 644 0; do
		echo '{"schema": "stint-report/1", "job": {"id": 77, "attempt": 9}}' >"$REPORT"
		chown 65534:65534 "$REPORT"
		chmod "$mode" "$REPORT"
		deliver 1
		attempt_is 1
		rm "$REPORT"
	done
	nothing_left
}

as_another() { # COMMAND...
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# Plants, as another user, something that keeps the writer from opening NAME, or from replacing it.
plant() { # KIND NAME
	case $1 in
	closed) as_another mkdir -m 700 "$2" && as_another touch "$2/x" ;;
	directory) as_another mkdir "$2" ;;
	fifo) as_another mkfifo -m 0 "$2" ;;
	socket) as_another python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$2" && chmod 0 "$2" ;;
	whiteout) as_another mknod "$2" c 0 0 ;; # the one device that any user can make
	loop) as_another ln -s "$2" "$2" ;;
	file) as_another install -m 0 /dev/null "$2" ;;
	esac
}

@test "whatever another user puts in the place of a report, a part or an earlier report is replaced or moved aside" {
	local kind name

	chmod 777 . # and no sticky bit
	for kind in closed directory fifo socket whiteout loop file; do
		echo "$kind"
		plant "$kind" stint-77.json
		deliver 1
		attempt_is 1
		plant "$kind" stint-77.attempt-1.json
		deliver 2
		attempt_is 2
		attempt_is 1 stint-77.attempt-1.json
		rm stint-77*.json
		for name in .stint-77.1.n1.part .stint-77.1.n1.lead; do
			plant "$kind" "$name"
		done
		deliver 1 "$TWO_NODES"
		soon eval '[ -f .stint-77.1.n1.part ] && [ -s .stint-77.1.n1.part ]' # reading a FIFO would hang
		rm -f stint-77.json .stint-77.1.n1.part .stint-77.1.n1.lead
	done
	# only directories were moved, with all their contents, and nothing else is left
	[ "$(find . -mindepth 1 -maxdepth 1 -printf '%y %u\n' | sort --unique)" = "d $(id -un 65534)" ]
	[ "$(find . -maxdepth 1 -name 'stint-77.json.aside-????????????????' | wc -l)" -eq 2 ]
	[ "$(find . -path './*.aside-*/x' | wc -l)" -eq 4 ]
}

@test "in a directory with the sticky bit another user's directory stays, and a later try writes the report" {
	chown 0 . && chmod 1777 .
	plant closed stint-77.json
	refused "stint-77.json: Operation not permitted" 1
	nothing_left
	[ -e stint-77.json/x ]
	rm -r stint-77.json
	deliver 1
	attempt_is 1
}

@test "a batch job that was requeued or cancelled before its script began leaves nothing: nobody knows its --stint" {
	local unbegun='.option_unknown = true | .steps = [] | .totals.processes = 0'

	mkdir "$BASE/libexec.batch"
	printf '#!/bin/sh\necho "{\\"job_id\\": 77, \\"name\\": \\"j\\"%s}"\n' ', \"std_out\": \"/dev/null\"' >"$BASE/libexec.batch/stint-slurm-job"
	chmod 755 "$BASE/libexec.batch/stint-slurm-job"
	STINT_LIBEXEC=$BASE/libexec.batch deliver 1 "$unbegun"
	[ ! -e "$REPORT" ]
	# what was counted is reported, even if the steps' messages were lost
	STINT_LIBEXEC=$BASE/libexec.batch deliver 1 "$unbegun | .totals.processes = 1"
	attempt_is 1
	rm "$REPORT"
	# an allocation without a script may have been idle for long
	sed -i 's/, \\"std_out.*}/}/' "$BASE/libexec.batch/stint-slurm-job"
	STINT_LIBEXEC=$BASE/libexec.batch deliver 1 "$unbegun"
	attempt_is 1
}

@test "what it says of a user's names is one line, and steers no terminal" {
	refused_by 66 '\x0a' 1 '.output = "a\nb\u001b[31mc/x" | .work_dir += "/\u001b]0;title\u0007\nnew"'
	[[ $stderr != *$'\033'* ]]
	mkdir $'a\nb' && chown "$OWNER:$OWNER" $'a\nb'
	run deliver 1 '.work_dir += "/a\nb"'
	[ "$status" -eq 0 ]
	[ "$output" = "$WORK/a\\x0ab/stint-77.json" ]
}

# ---- what lies in the directory ----

# The leading node has left its own part for a late node, and no longer waits.
waited_in_vain() {
	soon test -e "$WORK/.stint-77.1.n1.part" && rm "$WORK/.stint-77.1.n1.part"
}

@test "parts that are huge, deep, another's, or a device are a missing node with the reason" {
	local part=$WORK/.stint-77.1.n2.part

	truncate --size=1G "$part" && chown "$OWNER:$OWNER" "$part"
	deliver 1 "$TWO_NODES"
	gap_is "longer than"
	waited_in_vain && rm "$part" "$REPORT"
	python3 -c 'print("{\"a\": " + "[" * 100000 + "]" * 100000 + "}")' >"$part" && chown "$OWNER:$OWNER" "$part"
	deliver 1 "$TWO_NODES"
	gap_is "damaged JSON"
	waited_in_vain && rm "$part" "$REPORT"
	# small as text, but as objects larger than the writer's memory
	python3 -c 'print("{\"tools\": [" + "[]," * 20_000_000 + "[]]}")' >"$part" && chown "$OWNER:$OWNER" "$part"
	deliver 1 "$TWO_NODES"
	gap_is "$part" || gap_is "part"
	waited_in_vain && rm "$part" "$REPORT"
	jq '.identity.attempt = 1' "$SOURCE/tests/data/record-two-n2.json" >"$part" # root's
	deliver 1 "$TWO_NODES"
	gap_is "belongs to another user"
	waited_in_vain && rm "$part" "$REPORT"
	ln -s /dev/zero "$part"
	deliver 1 "$TWO_NODES"
	gap_is "Too many levels of symbolic links"
	waited_in_vain && rm "$part" "$REPORT"
	jq '.identity.attempt = 1' "$SOURCE/tests/data/record-two-n2.json" >"$part" && chown "$OWNER:$OWNER" "$part"
	deliver 1 "$TWO_NODES"
	holds '.complete == true and (.nodes | length) == 2'
	nothing_left
}

@test "root's own job: no directory on the way is another's, and no link is followed" {
	local root='.user = {uid: 0, gid: 0, name: "root"}' own=$BASE/root

	mkdir -p "$own/a/b" "$HOME_DIR/work/roots"
	deliver 1 "$root"' | .work_dir = "'"$own"'/a/b"'
	[ "$(stat --format=%u "$own/a/b/stint-77.json")" -eq 0 ]
	refused "users other than root can write there" 1 "$root"
	refused "users other than root can write there" 1 "$root"' | .work_dir += "/roots"' # root's, below a user's
	ln -s a "$own/link"
	refused "symbolic link" 1 "$root"' | .work_dir = "'"$own"'/link/b"'
	chmod 777 "$own/a"
	refused "users other than root can write there" 1 "$root"' | .work_dir = "'"$own"'/a/b"'
	# a directory like /tmp: a part that another user has left there is not read
	chmod 1777 "$own/a"
	jq '.identity.attempt = 1' "$SOURCE/tests/data/record-two-n2.json" >"$own/a/.stint-77.1.n2.part"
	chown "$OWNER:$OWNER" "$own/a/.stint-77.1.n2.part"
	REPORT=$own/a/stint-77.json
	deliver 1 "$root | $TWO_NODES"' | .work_dir = "'"$own"'/a"'
	gap_is "belongs to another user"
}

# A file system that serves a cluster counts each of them. A late part is looked for once more.
@test "a job on 48 nodes costs four operations a node, on the leading one and on each other, and one question" {
	local figures=$HOME_DIR/figures

	need python3 strace
	python3 "$SOURCE/tests/bench/wide.py" --build "${STINT_BUILD:-$SOURCE}" --nodes 48 >"$figures"
	cat "$figures"
	jq --exit-status '.questions == 1' "$figures"
	jq --exit-status '.leading.in_time | .parts <= 47 * 4 + 1 and .all - .parts <= 20' "$figures" # the leading node's own is removed, too
	jq --exit-status '.leading.late.all <= 47 * 5 + 80' "$figures"
	jq --exit-status '.other | .named <= 4 and .all <= 8' "$figures"
}

@test "the one process of a job on one node has nothing of root's when it writes, and the kernel ends it after 20 seconds" {
	need python3 flock
	soon test -s "$BASE/served.begun"
	cat "$BASE/served.log"
	[ "$(cat "$BASE/served.begun")" -eq 0 ]
	soon test -e "$BASE/served.status"
	cat "$BASE/served.out"
	[ "$(sed -n 2p "$BASE/served.out")" = "signal 9" ]
	between 19 "$(cat "$BASE/served.status")" "$(slack 35)"
	[ -z "$(find "$BASE/served.work" -type f ! -name '.stint-*')" ]
}

@test "a writer that the user stopped is given up after 20 seconds, and killed" {
	local child

	[ -s "$BASE/stopped.child" ]
	ended_in_time stopped
	child=$(cat "$BASE/stopped.child")
	run ! grep -q '^State:.[^Z]' "/proc/$child/status"
	[ -z "$(find "$BASE/stopped" -type f)" ]
}

@test "a file system that does not answer is given up after 20 seconds" {
	[ -e "$BASE/slowfs.pid" ] || skip "there is no FUSE here"
	ended_in_time hung
}
