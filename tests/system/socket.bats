#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The control socket believes only root, and survives everything that root's own programs send: see peer.c.
# shellcheck shell=bash disable=SC2030,SC2031,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	RUN=$STINT_TESTBED/run
	SOCKET=$RUN/stintd.sock
	LOG=$STINT_TESTBED/log/stintd.out
	STINTD_PID=$(daemon_pid stintd)
	LINES_BEFORE=$(wc -l <"$LOG")
}

teardown() {
	[ -z "${HOLDER:-}" ] || kill -KILL "$HOLDER"
	[ -z "${SLEEPER:-}" ] || scancel "$SLEEPER"
	[ -z "${RUN:-}" ] || chmod 700 "$RUN"
	! mountpoint -q "${RUN:-/nonexistent}" || umount --lazy "$RUN"
	testbed_evidence
}

peer() { # as root
	"$PROGRAMS/peer" "$SOCKET" "$@"
}

new_log() {
	tail -n "+$((LINES_BEFORE + 1))" "$LOG"
}

stintd_memory_kb() {
	awk '$1 == "Pss:" { print $2 }' "/proc/$STINTD_PID/smaps_rollup"
}

stintd_is_the_same() {
	[ "$(daemon_pid stintd)" = "$STINTD_PID" ] && [ -e "/proc/$STINTD_PID/exe" ]
}

notes_are_taken() {
	[ -z "$(ls "$RUN/notes")" ]
}

a_job_runs() {
	squeue --noheader --states=R --format %i | grep -q .
}

# A job whose report must be complete: 20 runs of 25 ms, at least 0.5 s of CPU. It prints its shell's numbers for its children.
known_job_begin() {
	tool known
	rm -f "$STINT_TESTBED/home/go"
	(cd / && "$TESTBED" run --mem=200M -- sh -c "for i in 1 2 3 4 5 6 7 8 9 10; do $TOOLS/known burn 25; done
		until [ -e $STINT_TESTBED/home/go ]; do sleep 0.1; done
		for i in 1 2 3 4 5 6 7 8 9 10; do $TOOLS/known burn 25; done; times" >"$BATS_TEST_TMPDIR/known") 3>&- &
	KNOWN=$!
	soon a_job_runs
}

# Prints the second line of the shell's times, such as "0m0.500s 0m0.020s", in seconds. Each of the two was rounded down to 0.01 s.
children_cpu_s() { # FILE
	awk -F '[ms ]+' 'END { print $1 * 60 + $2 + $3 * 60 + $4 + 0.02 }' "$1"
}

known_job_is_exact() {
	"$TESTBED" exec touch "$STINT_TESTBED/home/go"
	wait "$KNOWN"
	REPORT=$(cat "$BATS_TEST_TMPDIR/known")
	valid
	whole
	holds '.tools[] | select(.name == "known") | .runs == 20 and .failures == 0 and .cpu_s >= 0.5'
	between 0.5 "$(value '.tools[] | select(.name == "known") | .cpu_s')" "$(children_cpu_s "${REPORT%/*}"/slurm-*.out)"
	holds '[.steps[].id] | sort == ["batch", "extern"]'
	holds '[.tools[] | select(.slurm | not) | .name | select(startswith("command.") | not)] - ["known", "sh", "sleep"] == []'
}

a_job_is_whole() {
	tool quick
	job -- "$TOOLS/quick" burn 50
	valid
	whole
	holds '.tools[] | select(.name == "quick") | .runs == 1'
}

@test "another user is kept out: by the directory, and with all doors open by who it is" {
	run "$TESTBED" exec "$PROGRAMS/peer" "$SOCKET" send
	[ "$status" -ne 0 ] && [[ $output == *"Permission denied"* ]]
	chmod 755 "$RUN"
	run "$TESTBED" exec "$PROGRAMS/peer" "$SOCKET" send
	[ "$status" -ne 0 ] && [[ $output == *"Permission denied"* ]]
	chmod 666 "$SOCKET"
	run "$TESTBED" exec "$PROGRAMS/peer" "$SOCKET" send
	chmod 600 "$SOCKET"
	[ "$output" = closed ]
	new_log | grep "uid $(id -u "$TESTBED_USER") connected to the control socket"
	# root made the connection and another user uses it
	[ "$(peer send as="$(id -u "$TESTBED_USER")")" = closed ]
	new_log | grep "uid $(id -u "$TESTBED_USER") sent a control message"
	# no message of either was accepted; the same messages from root are
	[ -z "$(find "$RUN/jobs" -type f)" ]
	[[ $(peer send) == "-1 "* ]]
	[ -n "$(find "$RUN/jobs" -type f -name '4000000000.*')" ]
	stintd_is_the_same
}

@test "what is no message is thrown away, and a job beside is counted exactly" {
	local what size words

	size=$("$PROGRAMS/peer" size)
	known_job_begin
	for what in bytes=0 bytes=1 bytes=8 bytes=4096 bytes=$((size - 1)) bytes=$((size + 1)) bytes=1048576 magic=0 version=0 \
		version=1 version=2 version=4 size=0 size=1 size=4294967295 kind=0 kind=6 kind=99 kind=65535 mode=4 mode=4294967295 \
		unended=node unended=cluster unended=node_list unended=work_dir unended=output \
		{unended=user,unended=partition,unended=output}" kind=4" node= \
		job=0 job=4294967294 job=4294967295 uid=4294967294 uid=4294967295; do
		echo "$what"
		read -r -a words <<<"$what"
		[ "$(peer send job=4000000001 "${words[@]}")" = closed ]
	done
	# the last of them has the form of a whole message, which is answered
	[[ $(peer send job=4000000001 kind=3) == "0 "* ]]
	[ -z "$(find "$RUN/jobs" -type f -name '4000000001.*')" ]
	stintd_is_the_same
	known_job_is_exact
}

@test "no cgroup is counted that is not the sender's own and a step's" {
	local pid

	known_job_begin
	for pid in 0 1 2147483647 -1 "$STINTD_PID" $$ "$(daemon_pid "slurmd.$NODE")"; do
		echo "pid $pid"
		[ "$(peer send job=4000000002 stepd="$pid")" = closed ]
		[ "$(peer send job=4000000002 stepd="$pid" kind=2)" = closed ]
	done
	# it may send messages about itself, and is in the cgroup of its parent
	[[ $(peer send job=4000000002) == "-1 "*"no cgroup of its own"* ]]
	[[ $(peer send job=4000000002 task=1) == "-1 "*"no cgroup of its own"* ]]
	known_job_is_exact
}

# Prints all cgroups that process PID is in, without the roots, as the files to which a process's id is written.
cgroup_files_of() { # PID
	local controllers path mount

	while IFS=: read -r _ controllers path; do
		[ "$path" != / ] || continue
		mount=$(awk -v c="${controllers%%,*}" '(c != "" && $3 == "cgroup" && ("," $4 ",") ~ ("," c ",")) ||
			(c == "" && $3 == "cgroup2") { print $2; exit }' /proc/mounts)
		echo "$mount$path/cgroup.procs"
	done <"/proc/$1/cgroup"
}

@test "the cgroup of one job is not taken for another's, whoever sits in it" {
	local task stepd files

	SLEEPER=$("$TESTBED" exec sbatch --parsable --chdir="$STINT_TESTBED/home" --output=task --wrap 'echo $$; exec sleep 300')
	soon test -s "$STINT_TESTBED/home/task"
	task=$(cat "$STINT_TESTBED/home/task")
	stepd=$(ps -o ppid= "$task" | tr -d ' ')
	grep -q slurmstepd "/proc/$stepd/comm"
	mapfile -t files < <(cgroup_files_of "$task")
	[ "${#files[@]}" -gt 0 ]
	# the peer and its task are both where the job's own are
	run peer step job=4000000003 -- "${files[@]}" -- "${files[@]}" -- true
	echo "$output"
	[[ ${lines[0]} == "-1 "* ]]
	mapfile -t files < <(cgroup_files_of "$stepd")
	run peer step job=4000000003 -- "${files[@]}" -- "${files[@]}" -- true
	echo "$output"
	[[ ${lines[0]} == "-1 "* ]]
	# its own cgroups below it are not counted either
	mapfile -t files < <(cgroup_files_of "$task" | grep -v /cpuset/ | sed 's,/cgroup.procs$,/stint_below,')
	mkdir "${files[@]}"
	run peer step job=4000000003 -- "${files[@]/%//cgroup.procs}" -- "${files[@]/%//cgroup.procs}" -- true
	soon eval 'rmdir "${files[@]}"; ! ls -d "${files[@]}"' # busy for a moment
	echo "$output"
	[[ ${lines[0]} == "-1 the named cgroup belongs to job $SLEEPER" ]]
	stintd_is_the_same
}

@test "a message of a job that is not there changes nothing" {
	[[ $(peer send job=4000000004 kind=2) == "0 "* ]]
	[[ $(peer send job=4000000004 kind=3) == "0 "* ]]
	[ -z "$(find "$RUN/jobs" -type f -name '4000000004.*')" ]
	a_job_is_whole
}

silences() {
	grep -c 'does not answer' "$STINT_TESTBED/log/slurmd.$NODE.log" || true
}

answers_in_time() {
	[[ $(peer send wait=230) == "-1 "* ]]
}

# Whether a job is counted that stintd hears of at once. Next to other work stintd may hear of another one late.
a_job_is_heard() {
	local before

	before=$(silences)
	a_job_is_whole
	[ "$(silences)" -eq "$before" ]
}

@test "peers that say nothing hold up nobody" {
	"$PROGRAMS/peer" "$SOCKET" hold 400 >"$BATS_TEST_TMPDIR/held" 3>&- &
	HOLDER=$!
	soon grep held "$BATS_TEST_TMPDIR/held"
	soon answers_in_time
	soon a_job_is_heard
	kill -KILL "$HOLDER"
	HOLDER=
	stintd_is_the_same
}

@test "a flood of frames costs no memory and fills no log, and a job beside is counted exactly" {
	local before after

	peer send count=1000 magic=0 wait=0 # what stintd takes once
	before=$(stintd_memory_kb)
	known_job_begin
	peer send count=10000 magic=0 wait=0
	peer send count=5000 bytes=100 wait=0
	peer send count=5000 kind=3 wait=0 job=1
	peer send count=5000 kind=2 stepd=1 wait=0 job=1
	[[ $(peer send count=1000 bytes=100000) == closed ]]
	known_job_is_exact
	stintd_is_the_same
	after=$(stintd_memory_kb)
	echo "from $before to $after KiB; $(new_log | wc -l) lines"
	between 0 "$after" $((before + 512)) # 20 bytes a frame
	between 1 "$(new_log | wc -l)" 1000
	soon eval "new_log | grep '[0-9]* more lines like this were left out: a control message of'"
}

a_hundred_are_closed() {
	collector_looks_and jq --exit-status '.jobs.closed >= 100 and .jobs.closing == 0' "$RUN/status.json"
}

@test "jobs that are only told of are bounded, and so are the reports of them in the making" {
	local before writers most=0 end

	mount -t tmpfs -o mode=0700 tmpfs "$RUN" # like /run: each message is stored there
	"$TESTBED" restart-collector
	STINTD_PID=$(daemon_pid stintd)
	before=$(stintd_memory_kb)
	[[ $(peer send count=4200 job=1) == "-1 stintd has no room"* ]]
	echo "from $before to $(stintd_memory_kb) KiB"
	between 0 "$(stintd_memory_kb)" $((before + 32768))
	new_log | grep 'is not counted: stintd already counts 4096 jobs'
	peer send count=100 job=1 kind=4 wait=0
	end=$((SECONDS + SOON_S))
	until [ "$most" -ge 2 ] && a_hundred_are_closed || [ "$SECONDS" -ge "$end" ]; do
		writers=$(pgrep --parent "$STINTD_PID" | wc -l)
		[ "$writers" -le "$most" ] || most=$writers
	done
	echo "$most writers"
	between 2 "$most" 33
	stintd_is_the_same
	# shellcheck disable=SC2046
	kill -KILL "$STINTD_PID" $(pgrep --parent "$STINTD_PID")
	soon has_ended "$STINTD_PID"
	umount --lazy "$RUN" # a writer may still be there
	rm -rf "$STINT_TESTBED"/spool/*
	"$TESTBED" restart-collector
	a_job_is_whole
}

kib_of() { # DIRECTORY of the run directory
	du --summarize --block-size=1K "$RUN/$1" | cut -f 1
}

@test "a job of many steps and tasks takes little of /run, and the next stintd knows them all" {
	local directory=$STINT_TESTBED/home/many before

	"$TESTBED" exec mkdir "$directory"
	before=$(kib_of jobs)
	"$TESTBED" exec sbatch --chdir="$directory" --output=/dev/null --wrap '
		srun --overcommit --ntasks=100 true
		for i in 1 2 3 4 5 6 7 8; do srun true; done
		: >told; until [ -e go ]; do sleep 0.1; done
		srun --overcommit --ntasks=300 true
		: >noted; until [ -e end ]; do sleep 0.1; done'
	soon test -e "$directory/told"
	soon notes_are_taken
	# a page or two for each of 11 steps, and 24 bytes for each of 100 tasks
	echo "# jobs: $(($(kib_of jobs) - before)) KiB" >&3
	(($(kib_of jobs) - before <= 11 * 8 + 4))
	kill -KILL "$STINTD_PID"
	soon has_ended "$STINTD_PID"
	"$TESTBED" exec touch "$directory/go"
	soon test -e "$directory/noted"
	echo "# notes: $(find "$RUN/notes" -type f | wc -l), $(kib_of notes) KiB" >&3
	(($(find "$RUN/notes" -type f | wc -l) <= 256 && $(kib_of notes) <= 256 * 8))
	"$TESTBED" restart-collector
	soon notes_are_taken
	"$TESTBED" exec touch "$directory/end"
	soon compgen -G "$directory/stint-*.json"
	REPORT=$(echo "$directory"/stint-*.json)
	valid
	holds '[.steps[] | select(.id == "0") | .tasks[].rank] | sort == [range(100)]'
	holds '[.steps[] | select(.id == "0") | .task_count] == [100]'
	holds '[.steps[] | select(.id | test("^[1-8]$")) | .end | type] == [range(8) | "string"]'
	holds '[.steps[] | select(.id == "9") | (.tasks | length) >= 150 and (.end | type) == "string"] == [true]'
	holds '[.gaps[] | select(.name == "steps" and (.reason | contains("name fewer tasks")))] | length == 1'
}

@test "notes and kept messages that are damaged are skipped and named, and what is whole beside them is taken" {
	local directory id

	kill -KILL "$STINTD_PID"
	soon has_ended "$STINTD_PID"
	id=$("$TESTBED" exec sh -c 'cd && sbatch --wait --parsable --output=/dev/null --wrap true')
	[ -n "$(ls "$RUN/notes")" ]
	for directory in jobs notes live; do
		: >"$RUN/$directory/empty"
		head -c 100 /dev/urandom >"$RUN/$directory/short"
		head -c 13152 /dev/urandom >"$RUN/$directory/random"
		head -c 20000000 /dev/zero >"$RUN/$directory/long"
		mkfifo "$RUN/$directory/fifo"
		mkdir "$RUN/$directory/directory"
		ln -s /etc/passwd "$RUN/$directory/link"
		ln -s /dev/zero "$RUN/$directory/endless"
	done
	for note in "$RUN"/notes/*.open.*; do
		cp "$note" "$RUN/notes/version"
		printf '\377' | dd of="$RUN/notes/version" bs=1 seek=4 conv=notrunc status=none
	done
	"$TESTBED" restart-collector
	for directory in empty short random long fifo directory link endless version; do
		new_log | grep "stintd removed a damaged message from its journal: $directory"
	done
	[ -e /etc/passwd ] && [ -e /dev/zero ]
	for directory in jobs notes live; do
		[ -z "$(find "$RUN/$directory" -mindepth 1 ! -type d -name '[a-z]*')" ]
	done
	REPORT=$STINT_TESTBED/home/stint-$id.json
	soon test -e "$REPORT"
	valid
	a_job_is_whole
}
