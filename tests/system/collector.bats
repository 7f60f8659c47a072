#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The collector may be late, absent, hung or started again: the job comes first, and the report says what is missing.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -n "$NO_TESTBED" ] || cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/stint.conf"
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
}

# Each test begins with a running stintd with the file's stint.conf, or with none. If one already runs in this way, it stays.
with_collector() {
	if collector_lives && cmp --silent "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"; then
		kill -CONT "$(daemon_pid stintd)"
	else
		with_new_collector
	fi
}

with_new_collector() {
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
}

without_collector() {
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	! collector_lives || collector_kill
}

collector_lives() {
	[ -e "$STINT_TESTBED/pid/stintd" ] && ! has_ended "$(daemon_pid stintd)"
}

@test "with stintd absent a job runs the same: its own exit code, its node not drained" {
	without_collector
	run "$TESTBED" exec sh -c 'cd && sbatch --wait --output=/dev/null --wrap "exit 5"'
	[ "$status" -eq 5 ]
	soon node_is_idle
}

run_beside() { # COMMAND... : starts a job; finish_beside waits for it and sets REPORT
	(cd / && "$TESTBED" run "$@" >"$BATS_TEST_TMPDIR/beside") 3>&- &
	BESIDE=$!
	soon eval 'squeue --noheader --states=R --format %i | grep .'
}

finish_beside() {
	wait "$BESIDE"
	REPORT=$(cat "$BATS_TEST_TMPDIR/beside")
}

@test "a collector started after a job began picks it up, and the report says complete: false and why" {
	meet
	tool early
	tool late
	without_collector
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	run_beside -- sh -c "$TOOLS/early burn 300; $(tells_and_awaits early counted); $TOOLS/late burn 300"
	told early
	"$TESTBED" restart-collector
	soon is_followed "$(squeue --noheader --states=R --format %i)"
	tell counted
	finish_beside
	valid
	holds '.complete == false'
	holds '.gaps | any(.reason | length > 0)'
	holds '.tools | any(.name == "late" and .runs == 1 and .cpu_s > 0.29)'
}

@test "a collector started again while a job runs misses nothing: counting went on" {
	with_collector
	meet
	tool before
	tool during
	tool after
	run_beside -- sh -c "$TOOLS/before burn 200; $(tells_and_awaits before down)
		$TOOLS/during burn 200; $(tells_and_awaits during up); $TOOLS/after burn 200"
	told before
	soon is_followed "$(squeue --noheader --states=R --format %i)"
	collector_kill
	tell down
	told during
	"$TESTBED" restart-collector
	tell up
	finish_beside
	valid
	holds '.complete == true'
	holds '.tools | any(.name == "before" and .runs == 1) and any(.name == "during" and .runs == 1) and any(.name == "after" and .runs == 1)'
	holds '[.tools[] | select(.name == "before" or .name == "during" or .name == "after") | .cpu_s] | add > 0.599'
}

# Changes the journal of the open jobs while stintd is down: into another version's form, or by damage.
change_kept() { # version|damage
	python3 - "$1" "$STINT_TESTBED/run/jobs" <<-'END'
		import os, struct, sys, zlib
		changed = 0
		for name in os.listdir(sys.argv[2]):
		    path = os.path.join(sys.argv[2], name)
		    with open(path, "rb") as file:
		        data = bytearray(file.read())
		    magic, version, kind, length, crc, header_crc = struct.unpack("<8sIIQII", data[:32])
		    assert magic == b"STINTFRM" and kind == 4 and length <= len(data) - 32, name
		    data[36] ^= 1 # the layout, after the version
		    if sys.argv[1] == "version":
		        head = struct.pack("<8sIIQI", magic, version, kind, length, zlib.crc32(data[32:32 + length]))
		        data[:32] = head + struct.pack("<I", zlib.crc32(head))
		    with open(path, "wb") as file:
		        file.write(data)
		    changed += 1
		assert changed > 0
	END
}

# Ends stintd, changes its journal (see change_kept), and starts it again, with LINE added to stint.conf.
change_collector() { # version|damage [LINE]
	kill -TERM "$(daemon_pid stintd)"
	soon has_ended "$(daemon_pid stintd)"
	change_kept "$1"
	echo "${2:-}" >>"$STINT_TESTBED/etc/stint.conf"
	wc -l <"$STINT_TESTBED/log/stintd.out" >"$BATS_TEST_TMPDIR/lines"
	"$TESTBED" restart-collector
}

# Begins a job that burns 300 ms before the test reaches "changed", and some CPU time afterwards.
changing_job_begins() {
	tool before
	tool after
	"$BATS_TEST_DIRNAME/poll-cpu" "$NODE" >"$BATS_TEST_TMPDIR/cgroup" 3>&- &
	meet
	run_beside -- sh -c "$TOOLS/before burn 300; $(tells_and_awaits before changed); $TOOLS/after burn 200"
	told before
}

changing_job_ends() { # sets REPORT
	tell changed
	finish_beside
	valid
	holds '.complete == false'
}

over_a_change() { # version|damage [LINE]
	with_collector
	changing_job_begins
	change_collector "$@"
	changing_job_ends
}

# The report has everything that the job used, and nothing twice.
cpu_is_the_cgroups() { # MISSED : at most, in seconds
	wait
	between "$(awk "{ print \$1 - $1 }" "$BATS_TEST_TMPDIR/cgroup")" "$(value .used.cpu_s)" \
		"$(awk '{ print $1 + 0.005 }' "$BATS_TEST_TMPDIR/cgroup")"
}

over_a_change_is_counted() { # MISSED
	cpu_is_the_cgroups "$1"
	holds '.gaps | any(.name == "job" and (.reason | test("another version (replaced the collector|of stint took over) during the job")))'
	holds '[.tools[] | select(.name == "before" or .name == "after") | .runs] == [1, 1]'
}

@test "of what a stintd of another version kept, no CPU time is told twice, and the report says what it lacks" {
	over_a_change version
	over_a_change_is_counted 0.003
	holds '[.gaps[].name] | index("used.cpu_s") == null'
}

# Begins the job without a stintd, and lets one of another version follow the late one.
over_a_late_change() { # [LINE]
	without_collector
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	changing_job_begins
	"$TESTBED" restart-collector
	soon is_followed "$(squeue --noheader --states=R --format %i)"
	change_collector version "$@"
	changing_job_ends
}

@test "what a job used before it was counted is found again by a stintd of another version, where live threads are not sampled, too" {
	over_a_late_change 'programs_off = sample_tasks'
	cpu_is_the_cgroups 0.003
	holds '.used.cpu_before_s >= 0.3'
	holds '[.gaps[].name] | index("used.cpu_s") == null'
}

@test "where live threads cannot be looked at, the report says that it is not known what was not counted" {
	over_a_change version 'programs_off = living_tasks'
	over_a_change_is_counted 0.1
	holds '.gaps | any(.name == "used.cpu_s" and (.reason | test("stintd could not read what live threads had used")))'
	holds '.used | has("cpu_before_s") | not'
}

is_traced() {
	! grep -q $'^TracerPid:\t0$' "/proc/$(daemon_pid stintd)/status"
}

# A node can have more threads than there is time to walk over at a step's start; if the first walk meets a fork, a second one follows.
@test "a job's first step waits for no more than the look for what is in its cgroup already, two at most" {
	need strace
	with_collector
	job -- true # the next job finds the step daemon's file already learned
	strace -qq -p "$(daemon_pid stintd)" -e trace=bpf,recvmsg,sendto -o "$BATS_TEST_TMPDIR/calls" 3>&- &
	soon is_traced
	job -- true
	soon grep -q BPF_ITER_CREATE "$BATS_TEST_TMPDIR/calls" # at the step's start, or soon after it
	kill $!
	wait $! || true
	awk '/^recvmsg/ { looks = 0 } /BPF_ITER_CREATE/ { looks++ } /^sendto/ { print looks }' "$BATS_TEST_TMPDIR/calls" |
		sort -n >"$BATS_TEST_TMPDIR/looks"
	cat "$BATS_TEST_TMPDIR/looks"
	[ -s "$BATS_TEST_TMPDIR/looks" ]
	# None if stintd has read the note before the message came.
	between 0 "$(tail -n 1 "$BATS_TEST_TMPDIR/looks")" 2
}

@test "where all that was kept of a job is damaged, a line for each says so, and its report tells no zeros" {
	local lines

	over_a_change damage
	lines=$(tail -n "+$(($(cat "$BATS_TEST_TMPDIR/lines") + 1))" "$STINT_TESTBED/log/stintd.out")
	[ "$(grep -c 'stintd removed a damaged message from its journal: .*checksum is wrong' <<<"$lines")" -ge 2 ]
	holds '.gaps | any(.name == "job" and (.reason | test("the collector was restarted, and what it had saved of a step was damaged")))'
	holds '(.used | has("cpu_s") | not) or .used.cpu_s > 0'
}

# Two steps begin and end while stintd hangs, and one while there is none.
@test "steps that are over before stintd looks at them are told of, each with what it used" {
	with_collector
	meet
	for name in batch one two three; do tool "$name"; done
	run_beside --overcommit -- sh -c "$TOOLS/batch burn 50; $(tells_and_awaits began hung)
		srun $TOOLS/one burn 100; srun --overcommit --ntasks=2 $TOOLS/two burn 100
		$(tells_and_awaits over gone); srun $TOOLS/three burn 100; $(tells_and_awaits done back)"
	told began
	kill -STOP "$(daemon_pid stintd)"
	tell hung
	told over
	kill -CONT "$(daemon_pid stintd)"
	soon eval 'grep "over before the collector could look" "$STINT_TESTBED/log/stintd.out"'
	collector_kill
	tell gone
	told done
	"$TESTBED" restart-collector
	tell back
	finish_beside
	valid
	holds '[.steps[] | select(.id != "extern" and .id != "batch") | .processes] == [1, 2, 1]'
	# everything that its tasks used, and nothing twice, which would make it 0.1 and 0.2 s more
	holds '[.steps[] | select(.id == "0" or .id == "2") | .cpu_s >= 0.1 and .cpu_s < 0.2] == [true, true]'
	holds '.steps[] | select(.id == "1") | .cpu_s >= 0.2 and .cpu_s < 0.4'
	holds '(.steps | map(.cpu_s) | add) as $steps | .used.cpu_s - $steps | fabs < 0.003'
	holds '.gaps | any(.name == "steps" and (.reason | test("ended before the collector")))'
	holds '.gaps | all(.name | test("^steps[.][0-9]$") | not)'
	holds '[.timeline[] | select(.step == "0" or .step == "1" or .step == "2")] | length >= 1'
}

@test "restart-collector starts it again when it lives, hangs or is dead" {
	local before

	with_collector
	before=$(daemon_pid stintd)
	"$TESTBED" restart-collector
	[ "$(daemon_pid stintd)" != "$before" ]
	kill -STOP "$(daemon_pid stintd)"
	"$TESTBED" restart-collector
	job -- true
	collector_kill
	"$TESTBED" restart-collector
	job -- true
	valid
	holds '.complete == true'
}

@test "a job that started and ended while stintd was down is reported when it is back" {
	local directory

	without_collector
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/down.XXXXXX") # reports of other jobs come late, too
	"$TESTBED" exec sbatch --wait --chdir="$directory" --output=/dev/null --wrap true
	"$TESTBED" restart-collector
	report_in "$directory"
	valid
	holds '.complete == true or (.gaps | any(.reason | length > 0))'
}

# Writers wait for GATE; each first writes a line to CALLS. A serving stint-epilog ends, because its program file has changed.
hold_writers() {
	GATE=$BATS_TEST_TMPDIR/gate CALLS=$BATS_TEST_TMPDIR/calls
	: >"$CALLS"
	mv "$STINT_TESTBED/libexec/stint-epilog" "$STINT_TESTBED/libexec/real-epilog"
	printf '#!/bin/sh\necho "$@" >>%s\nuntil [ -e %s ]; do sleep 0.1; done\nexec "%s" "$@"\n' "$CALLS" "$GATE" \
		"$STINT_TESTBED/libexec/real-epilog" >"$STINT_TESTBED/libexec/stint-epilog"
	chmod 755 "$STINT_TESTBED/libexec/stint-epilog"
}

release_writers() {
	cp --no-dereference "$STINT_TESTBED/libexec/real-epilog" "$STINT_TESTBED/libexec/next-epilog"
	mv --force "$STINT_TESTBED/libexec/next-epilog" "$STINT_TESTBED/libexec/stint-epilog"
	touch "$GATE"
}

@test "the epilog does not wait for the report: the node is free for the next job meanwhile" {
	local id

	with_collector
	hold_writers
	meet
	id=$("$TESTBED" exec sbatch --parsable --wait --chdir="$MEET" --output=/dev/null --wrap true)
	soon node_is_idle
	[ ! -e "$MEET/stint-$id.json" ]
	release_writers
	report_in "$MEET"
	valid
	holds '.complete == true'
	# nor had it given up
	[ "$(grep -c "stint: job $id:" "$STINT_TESTBED/log/slurmd.$NODE.log")" -eq 0 ]
}

# Runs an array of jobs until all its reports exist. Looks at the serving stint-epilog directly after that: it goes after ten idle seconds,
# and on a busy machine validating the reports takes longer.
array_ends() { # NAME : of a new directory
	local directory=$STINT_TESTBED/home/$1

	"$TESTBED" exec mkdir "$directory"
	"$TESTBED" exec sbatch --chdir="$directory" --array=1-4 --output=/dev/null --wrap true >/dev/null
	soon eval "[ \"\$(find '$directory' -name 'stint-*.json' | wc -l)\" -eq 4 ]"
}

arrays_are_whole() { # NAME...
	local name

	for name; do
		for REPORT in "$STINT_TESTBED/home/$name"/stint-*.json; do
			valid
			# next to other work a step of some milliseconds may be over before stintd gets a CPU: then the report says so
			holds '.complete and .used.processes > 0 or any(.gaps[]; .name == "job" and (.reason | startswith("collection began ")))'
		done
	done
}

staying() {
	pgrep --oldest --parent "$(daemon_pid stintd)" --full 'stint-epilog .*--serve$'
}

# The same as array_ends, until a stint-epilog serves: if one does not answer within 100 ms, on a busy machine, it has no successor for a
# minute.
array_ends_with_one() { # NAME : sets STAYING
	local try='' end=$((SECONDS + SOON_S))

	array_ends "$1"
	until STAYING=$(staying); do
		[ "$SECONDS" -lt "$end" ] || return 1
		with_new_collector
		try=$((try + 1))
		array_ends "$1.$try"
	done
}

stack_kb() { # PID
	awk '/\[stack\]$/ { stack = 1 } stack && /^Size:/ { print $2; exit }' "/proc/$1/smaps"
}

@test "where many jobs end, one stint-epilog stays and forks their writers; no report is lost with it" {
	local first

	with_new_collector
	array_ends_with_one many
	first=$STAYING
	# its writers have as much stack as they need: a user with a stack limit of 0 cannot make them die by a signal, and it end
	[ "$(stack_kb "$first")" -ge 1024 ]
	kill -s KILL "$first"
	array_ends_with_one killed
	[ "$STAYING" != "$first" ]
	first=$STAYING
	kill -s STOP "$first"
	array_ends stopped
	soon eval "[ ! -e /proc/$first ]"
	arrays_are_whole many killed stopped
}

keeper() {
	pgrep --parent "$(daemon_pid stintd)" --exact stintd-keeper
}

reports_in() { # NAME
	find "$STINT_TESTBED/home/$1" -name 'stint-*.json' | wc -l
}

@test "where many jobs end, a keeper puts their records into the spool; no report is lost with it" {
	local first directory=$STINT_TESTBED/home/held

	with_new_collector
	array_ends kept
	first=$(keeper)
	# the records of a keeper that waits for the disk are there once the disk is; the later ones have a child each
	kill -s STOP "$first"
	"$TESTBED" exec mkdir "$directory"
	"$TESTBED" exec sbatch --wait --chdir="$directory" --array=1-6 --output=/dev/null --wrap true
	soon eval '[ "$(reports_in held)" -ge 3 ]'
	[ "$(reports_in held)" -lt 6 ]
	kill -s KILL "$first"
	soon eval '[ "$(reports_in held)" -eq 6 ]'
	run ! keeper
	with_new_collector # there is a new one a minute after that, or with a new stintd
	array_ends renewed
	first=$(keeper)
	collector_kill
	soon has_ended "$first"
	arrays_are_whole kept held renewed
}

# A group of the user's, for a directory that no other way leads into.
join_group() { # GROUP
	undo_with groupdel "$1"
	soon groupadd --system "$1"
	soon usermod --append --groups "$1" "$TESTBED_USER"
}

@test "writers of one stint-epilog have all of the user's groups, the first that looks them up and those that know them" {
	local group=${TESTBED_USER}-g directory=$STINT_TESTBED/home/shared STAYING='' try end=$((SECONDS + SOON_S))

	join_group "$group"
	install -d -m 2770 -o root -g "$group" "$directory"
	for ((try = 1; !STAYING && SECONDS < end; try++)); do
		with_new_collector # a stint-epilog that knows the user's groups remembers them for a minute
		"$TESTBED" exec sbatch --chdir="$directory" --array=1-5 --output=/dev/null --wrap true
		soon eval "[ \"\$(find '$directory' -name 'stint-*.json' -user '$TESTBED_USER' -group '$group' | wc -l)\" -eq $((5 * try)) ]"
		STAYING=$(staying) || true
	done
	[ -n "$STAYING" ]
	soon groupdel "$group"
}

@test "a stintd that is killed takes its stint-epilog with it, and not the writers; no report is lost" {
	local first

	with_collector
	array_ends_with_one before
	first=$STAYING
	collector_kill
	soon eval "[ ! -e /proc/$first ]"
	"$TESTBED" restart-collector
	array_ends after
	arrays_are_whole before after
}

writers_called() { # prints how many, without those that serve or send lines to the store
	grep -cvE -e '--(serve|store)' "$CALLS"
}

# The epilog is over before the writer does anything. A note of the job's end, or the spool, would cause a second writer.
@test "a report that takes longer than the epilog waits for it is not replaced by an empty one" {
	with_collector
	hold_writers
	meet
	"$TESTBED" exec sbatch --chdir="$MEET" --output=/dev/null --wrap true
	soon writers_called
	soon node_is_idle
	collector_looks # at notes, and at the spool
	release_writers
	report_in "$MEET"
	collector_looks
	valid
	holds '.complete == true and .used.processes > 0'
	cat "$CALLS" # for the reader of a failure
	[ "$(writers_called)" -eq 1 ]
}
