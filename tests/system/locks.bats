#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Waiting for a lock is distinguished from waiting for work, a signal or a time, in the runtimes that people use. The programs in locks/ are
# compiled here. Four threads that want one lock leave one of two CPUs unused; pools that wait do not. After each turn they do a little work
# without it. If a thread takes a lock back at once, before the woken thread runs, the kernel sees one thread that computes (Java allows
# that).
# shellcheck shell=bash disable=SC2154,SC2317

load truth

SHORT_S=1 # for what computes
LAUNCH_S=4 # next to launchers: mpirun takes half a second to begin
LONG_S=8 # for programs that only wait: their start takes no notable share, even if eight start at once

setup_file() {
	testbed_begin --nodes 9
	[ -z "$NO_TESTBED" ] || return 0
	# findings about waste need long jobs, unless the site sets another limit
	echo 'rule.finding_elapsed_s = 1' >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	make_programs
	# A job that hands over a lock a thousand times a second is soon starved by other work on its CPUs. So the jobs, which inherit slurmd's
	# real-time priority, interrupt all else. That is more than testbed --first does. It is short: one CPU is enough for each job except in
	# its first moments. If it is not allowed, the machine should be quiet. stintd has the same priority: otherwise jobs that begin while
	# two compute would wait for it in vain.
	for daemon in "$STINT_TESTBED"/pid/slurmd.*; do
		chrt --all-tasks --rr --pid 1 "$(daemon_pid "${daemon##*/}")" || true
	done
	chrt --all-tasks --reset-on-fork --rr --pid 1 "$(daemon_pid stintd)" || true
	idle_jobs
	computing_jobs
	jobs_end
}

teardown_file() {
	testbed_end
}

# ---- the programs ----

# Compiles one of the programs to $TOOLS/NAME. "made" later says whether that worked.
make_one() { # NAME PACKAGE COMMAND...
	local log=$BATS_FILE_TMPDIR/$1.log missing

	missing=$(packages_missing "$2")
	if [ -n "$missing" ]; then
		echo "$missing" >"$BATS_FILE_TMPDIR/$1.missing"
	else
		(cd "$BATS_TEST_DIRNAME/locks" && HOME=$BATS_FILE_TMPDIR "${@:3}") >"$log" 2>&1 || rm -f "${TOOLS:?}/$1"
	fi
}

make_programs() {
	# shellcheck source=contrib/packages.sh
	. "$SOURCE/contrib/packages.sh"
	make_one mutex gcc /usr/bin/gcc -O2 -o "$TOOLS/mutex" mutex.c -lpthread
	make_one mutexcc g++ /usr/bin/g++ -O2 -o "$TOOLS/mutexcc" mutex.cc -lpthread
	make_one critical gcc /usr/bin/gcc -O2 -fopenmp -o "$TOOLS/critical" critical.c
	make_one Locks.class default-jdk-headless /usr/bin/javac -d "$TOOLS" Locks.java
	make_one golocks golang-go env GO111MODULE=off GOCACHE="$BATS_FILE_TMPDIR/go" /usr/bin/go build -o "$TOOLS/golocks" locks.go
	make_one rustlocks rustc env PATH=/usr/bin:/bin /usr/bin/rustc -O -o "$TOOLS/rustlocks" locks.rs
	make_one uvpool libuv1-dev /usr/bin/gcc -O2 -o "$TOOLS/uvpool" pool.c -luv
	make_one pool.py python3-minimal install -m 644 pool.py "$TOOLS/pool.py"
	MPIRUN=$(command -v mpirun) || true
	export MPIRUN
}

# Skips if the compiler or library of a program is not installed.
made() { # NAME
	[ ! -e "$BATS_FILE_TMPDIR/$1.missing" ] || skip "$(cat "$BATS_FILE_TMPDIR/$1.missing") is not installed"
	[ -e "$TOOLS/$1" ] || {
		cat "$BATS_FILE_TMPDIR/$1.log"
		return 1
	}
}

# ---- the jobs ----

# A job on two CPUs of a node, if its program was made. Jobs of one node run one after the other, because they have one name.
runs() { # NODE JOB PROGRAM COMMAND...
	[ ! -e "$TOOLS/$3" ] ||
		beside "$2" --nodelist="$1" --job-name="on-$1" --dependency=singleton --cpus-per-task=2 --mem=250M -- "${@:4}"
}

# A program that launches others and waits. It may also have a thread that computes until the others have ended: on a busy machine mpirun
# takes seconds to begin.
launches() { # NODE JOB COMPUTES COMMAND...
	local before='' after=''

	[ -e "$TOOLS/mutex" ] || return 0
	# shellcheck disable=SC2016
	[ "$3" = no ] || before="$TOOLS/mutex beside 100 & busy=\$!" after='kill "$busy"'
	beside_script "$2" --nodelist="$1" --job-name="on-$1" --dependency=singleton --ntasks=2 --mem=250M <<-END
		#!/bin/bash
		$before
		${*:4}
		status=\$?
		$after
		wait
		exit \$status
	END
}

# Side by side, each on its own node.
idle_jobs() {
	local nodes

	mapfile -t nodes < <(sinfo --noheader --Node --format %N)
	runs "${nodes[1]}" idle-mutex mutex "$TOOLS/mutex" idle "$LONG_S"
	runs "${nodes[2]}" idle-timed mutex "$TOOLS/mutex" timed "$LONG_S"
	runs "${nodes[3]}" idle-java Locks.class java -Xmx64m -cp "$TOOLS" Locks idle "$LONG_S"
	runs "${nodes[4]}" idle-go golocks "$TOOLS/golocks" idle "$LONG_S"
	runs "${nodes[5]}" idle-python pool.py /usr/bin/python3 "$TOOLS/pool.py" idle "$LONG_S"
	runs "${nodes[6]}" idle-uv uvpool "$TOOLS/uvpool" idle "$LONG_S"
	launches "${nodes[7]}" idle-srun no srun --overlap sleep "$LONG_S"
	[ -z "$MPIRUN" ] || launches "${nodes[8]}" idle-mpirun no mpirun -np 2 sleep "$LONG_S"
}

# One after the other on the first node. Those with one computing thread are first: jobs whose threads wait for each other come long after
# the idle ones have begun.
computing_jobs() {
	runs "$NODE" beside-mutex mutex "$TOOLS/mutex" beside "$SHORT_S"
	runs "$NODE" beside-timed mutex "$TOOLS/mutex" timed-beside "$SHORT_S"
	runs "$NODE" beside-java Locks.class java -Xmx64m -cp "$TOOLS" Locks beside "$SHORT_S"
	runs "$NODE" beside-go golocks "$TOOLS/golocks" beside "$SHORT_S"
	runs "$NODE" beside-python pool.py /usr/bin/python3 "$TOOLS/pool.py" beside "$SHORT_S"
	runs "$NODE" beside-uv uvpool "$TOOLS/uvpool" beside "$SHORT_S"
	launches "$NODE" beside-srun yes srun --overlap sleep "$LAUNCH_S"
	[ -z "$MPIRUN" ] || launches "$NODE" beside-mpirun yes mpirun -np 2 sleep "$LAUNCH_S"
	runs "$NODE" rare mutex "$TOOLS/mutex" rare "$SHORT_S"
	runs "$NODE" mutex mutex "$TOOLS/mutex" contended "$SHORT_S"
	runs "$NODE" mutexcc mutexcc "$TOOLS/mutexcc" "$SHORT_S"
	runs "$NODE" critical critical "$TOOLS/critical" "$SHORT_S"
	runs "$NODE" java Locks.class java -Xmx64m -cp "$TOOLS" Locks contended "$SHORT_S"
	runs "$NODE" go-thread golocks env GOMAXPROCS=1 "$TOOLS/golocks" contended "$SHORT_S"
	runs "$NODE" go golocks "$TOOLS/golocks" contended "$SHORT_S"
	runs "$NODE" rust rustlocks "$TOOLS/rustlocks" "$SHORT_S"
}

# ---- statements ----

# The lock share that the verdict was tried with.
lock_share() {
	value '[.verdict.evidence[] | select(.name == "lock_share") | .value] | if . == [] then 0 else .[0] end'
}

ran() { # JOB PROGRAM
	made "$2"
	of "$1"
	agree '.states | states_sum' '.states.lifetime_s' 0.001 0.05
	echo "lock share: $(lock_share); $(jq -c '[.states.lock_s, .states.condition_s, .states.turns_s, .states.lifetime_s]' "$REPORT")"
}

# Threads fight for a lock: it costs one of two CPUs, and the report says so.
is_lock() { # JOB PROGRAM
	ran "$@"
	bound_by lock
	found lock-contention
	# a share of the cores less one, or of the CPU time that was used in turns
	between 0.3 "$(value .verdict.share)" 1
}

# No thread waited for a lock for long.
no_lock() {
	not_found lock-contention
	between 0 "$(lock_share)" 0.05
	between 0 "$(value '.states.lock_s / .states.lifetime_s')" 0.05
}

is_idle() { # JOB PROGRAM
	ran "$@"
	no_lock
	bound_by idle
}

is_serial() { # JOB PROGRAM
	ran "$@"
	no_lock
	bound_by serial
}

@test "a mutex of pthreads: lock" {
	is_lock mutex mutex
}

@test "a mutex that is seldom waited for: serial, with the waits that the program's own clock saw" {
	local waited

	ran rare mutex
	not_found lock-contention
	bound_by serial
	# The thread that holds the mutex may lose its CPU, and then the others really wait: the clock saw that too.
	waited=$(cat "$(dirname "$REPORT")/waited")
	echo "$waited s by the program's clock"
	between 0.002 "$waited" 2
	# the clock also saw how long a thread that was woken waited for a CPU
	between "$(awk "BEGIN { print $waited * 0.99 - $(value .states.runnable_s) - $(value .states.waits.lock) * 1e-5 }")" \
		"$(value .states.lock_s)" "$(awk "BEGIN { print $waited * 1.05 + 0.02 }")"
}

@test "a mutex of C++: lock" {
	is_lock mutexcc mutexcc
}

@test "a critical section of OpenMP: lock" {
	is_lock critical critical
}

@test "synchronized in Java: lock" {
	is_lock java Locks.class
}

@test "a mutex of Go on one thread: serial" {
	is_serial go-thread golocks
}

# Go's scheduler passes the mutex on to a goroutine of the same thread, or of another one: both verdicts are true. On a quiet machine
# exactly one thread wants a CPU for 87 % of the time, and serial needs 50 %. If other work takes the CPUs for 30 % of the time, there may
# be neither verdict.
@test "a mutex of Go: lock, where its threads take turns, or serial" {
	local bound

	ran go golocks
	bound=$(value .verdict.bound)
	[ "$bound" = lock ] || bound_by serial || holds '.tools[] | select(.name == "golocks") | .states.runnable_s > 0.3 * .wall_s'
}

@test "a mutex of Rust: lock" {
	is_lock rust rustlocks
}

@test "threads that wait for work on a condition variable: idle" {
	is_idle idle-mutex mutex
}

@test "threads that wait for work, beside one that computes: serial" {
	is_serial beside-mutex mutex
}

@test "threads that wait for 20 ms at a time: idle" {
	is_idle idle-timed mutex
}

@test "threads that wait for 20 ms at a time, beside one that computes: serial" {
	is_serial beside-timed mutex
}

@test "an idle pool of Java: idle" {
	is_idle idle-java Locks.class
}

@test "an idle pool of Java beside a thread that computes: serial" {
	is_serial beside-java Locks.class
}

@test "idle goroutines: idle" {
	is_idle idle-go golocks
}

@test "idle goroutines beside one that computes: serial" {
	is_serial beside-go golocks
}

@test "idle pools of Python: idle" {
	is_idle idle-python pool.py
}

@test "idle pools of Python beside a thread that computes: serial" {
	is_serial beside-python pool.py
}

@test "libuv's idle pool: idle" {
	is_idle idle-uv uvpool
}

@test "libuv's idle pool beside its loop that computes: serial" {
	is_serial beside-uv uvpool
}

# A program that launches others and waits is not "lock"; the launched ones may be idle or compute.
launched() { # JOB WORD
	made mutex
	of "$1"
	no_lock
	holds '[.findings[] | select(.code == "tools-killed" or .code == "tools-failed")] == []'
	bound_by "$2"
}

@test "srun of a step that sleeps: idle" {
	launched idle-srun idle
}

@test "srun of a step that sleeps, beside a thread that computes: serial" {
	launched beside-srun serial
}

@test "mpirun of two that sleep: idle" {
	need mpirun
	launched idle-mpirun idle
}

@test "mpirun of two that sleep, beside a thread that computes: serial" {
	need mpirun
	launched beside-mpirun serial
}
