#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Waiting for a lock is distinguished from waiting for work, a signal or a time, in the runtimes that people use. The programs in
# locks/ are compiled here. Four threads that want one lock leave one of two CPUs unused; pools that wait do not. After each
# turn they do a little without it: for the kernel, a thread that takes a lock back at once, before the woken thread is there, is
# one thread that computes (Java allows that).
# shellcheck shell=bash disable=SC2154,SC2317

load truth

SECONDS_LONG=3

setup_file() {
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	# findings about waste are of long jobs, unless the site says otherwise
	echo 'rule.finding_elapsed_s = 1' >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	# A job that hands over a lock a thousand times a second is soon starved by other work on its CPUs. So the jobs, which inherit
	# slurmd's real-time priority, interrupt all else. That is more than testbed --first does. It is short: one CPU is enough for
	# each job except in its first moments. Where it is not allowed, the machine should be quiet.
	chrt --all-tasks --rr --pid 1 "$(daemon_pid "slurmd.$NODE")" || true
}

teardown_file() {
	testbed_end
}

# Compiles one of the programs to $TOOLS/NAME, unless it is there; skips where its compiler or library is not installed.
made() { # NAME PACKAGE COMMAND...
	local name=$1 log=$BATS_TEST_TMPDIR/$1.log missing

	[ ! -e "$TOOLS/$name" ] || return 0
	# shellcheck source=contrib/packages.sh
	. "$SOURCE/contrib/packages.sh"
	missing=$(packages_missing "$2")
	[ -z "$missing" ] || skip "$missing is not installed"
	(cd "$BATS_TEST_DIRNAME/locks" && HOME=$BATS_TEST_TMPDIR "${@:3}") >"$log" 2>&1 || {
		cat "$log"
		return 1
	}
}

made_mutex() { made mutex gcc /usr/bin/gcc -O2 -o "$TOOLS/mutex" mutex.c -lpthread; }
made_java() { made Locks.class default-jdk-headless /usr/bin/javac -d "$TOOLS" Locks.java; }
made_go() { made golocks golang-go env GO111MODULE=off GOCACHE="$BATS_TEST_TMPDIR/go" /usr/bin/go build -o "$TOOLS/golocks" locks.go; }
made_uv() { made uvpool libuv1-dev /usr/bin/gcc -O2 -o "$TOOLS/uvpool" pool.c -luv; }
made_python() { made pool.py python3-minimal install -m 644 pool.py "$TOOLS/pool.py"; }

# The lock share that the verdict was tried with.
lock_share() {
	value '[.verdict.evidence[] | select(.name == "lock_share") | .value] | if . == [] then 0 else .[0] end'
}

ran() { # COMMAND...
	job --cpus-per-task=2 --mem=1G -- "$@"
	[ "$STATUS" -eq 0 ]
	valid
	holds '.complete == true'
	agree '.states | states_sum' '.states.lifetime_s' 0.001 0.05
	echo "lock share: $(lock_share); $(jq -c '[.states.lock_s, .states.condition_s, .states.turns_s, .states.lifetime_s]' "$REPORT")"
}

# Threads that fight for a lock: one of two CPUs is lost to it, and that is said.
is_lock() { # COMMAND...
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

is_idle() { # COMMAND...
	ran "$@"
	no_lock
	bound_by idle
}

is_serial() { # COMMAND...
	ran "$@"
	no_lock
	bound_by serial
}

@test "a mutex of pthreads: lock" {
	made_mutex
	is_lock "$TOOLS/mutex" contended "$SECONDS_LONG"
}

@test "a mutex that is seldom waited for: serial, with the waits that the program's own clock saw" {
	local waited

	made_mutex
	ran "$TOOLS/mutex" rare "$SECONDS_LONG"
	not_found lock-contention
	bound_by serial
	# Who has the mutex may be kept from its CPU, and the others then really wait: the clock saw that too.
	waited=$(cat "$(dirname "$REPORT")/waited")
	echo "$waited s by the program's clock"
	between 0.002 "$waited" 2
	# the clock also saw how long a thread that was woken waited for a CPU
	between "$(awk "BEGIN { print $waited * 0.3 - 0.002 }")" "$(value .states.lock_s)" "$(awk "BEGIN { print $waited * 1.05 + 0.02 }")"
}

@test "a mutex of C++: lock" {
	made mutexcc g++ /usr/bin/g++ -O2 -o "$TOOLS/mutexcc" mutex.cc -lpthread
	is_lock "$TOOLS/mutexcc" "$SECONDS_LONG"
}

@test "a critical section of OpenMP: lock" {
	made critical gcc /usr/bin/gcc -O2 -fopenmp -o "$TOOLS/critical" critical.c
	is_lock "$TOOLS/critical" "$SECONDS_LONG"
}

@test "synchronized in Java: lock" {
	made_java
	is_lock java -Xmx64m -cp "$TOOLS" Locks contended "$SECONDS_LONG"
}

# Its scheduler hands the mutex on to the next goroutine within the same thread: the kernel sees one that computes.
@test "a mutex of Go: serial" {
	made_go
	ran "$TOOLS/golocks" contended "$SECONDS_LONG"
	bound_by serial
}

@test "a mutex of Rust: lock" {
	made rustlocks rustc env PATH=/usr/bin:/bin /usr/bin/rustc -O -o "$TOOLS/rustlocks" locks.rs
	is_lock "$TOOLS/rustlocks" "$SECONDS_LONG"
}

@test "threads that wait for work on a condition variable: idle" {
	made_mutex
	is_idle "$TOOLS/mutex" idle "$SECONDS_LONG"
}

@test "threads that wait for work, beside one that computes: serial" {
	made_mutex
	is_serial "$TOOLS/mutex" beside "$SECONDS_LONG"
}

@test "threads that wait for 20 ms at a time: idle" {
	made_mutex
	is_idle "$TOOLS/mutex" timed "$SECONDS_LONG"
}

@test "threads that wait for 20 ms at a time, beside one that computes: serial" {
	made_mutex
	is_serial "$TOOLS/mutex" timed-beside "$SECONDS_LONG"
}

@test "an idle pool of Java: idle" {
	made_java
	is_idle java -Xmx64m -cp "$TOOLS" Locks idle "$SECONDS_LONG"
}

@test "an idle pool of Java beside a thread that computes: serial" {
	made_java
	is_serial java -Xmx64m -cp "$TOOLS" Locks beside "$SECONDS_LONG"
}

@test "idle goroutines: idle" {
	made_go
	is_idle "$TOOLS/golocks" idle "$SECONDS_LONG"
}

@test "idle goroutines beside one that computes: serial" {
	made_go
	is_serial "$TOOLS/golocks" beside "$SECONDS_LONG"
}

@test "idle pools of Python: idle" {
	made_python
	is_idle /usr/bin/python3 "$TOOLS/pool.py" idle "$SECONDS_LONG"
}

@test "idle pools of Python beside a thread that computes: serial" {
	made_python
	is_serial /usr/bin/python3 "$TOOLS/pool.py" beside "$SECONDS_LONG"
}

@test "libuv's idle pool: idle" {
	made_uv
	is_idle "$TOOLS/uvpool" idle "$SECONDS_LONG"
}

@test "libuv's idle pool beside its loop that computes: serial" {
	made_uv
	is_serial "$TOOLS/uvpool" beside "$SECONDS_LONG"
}

# A program that launches others and waits is not "lock"; those that it launches may be idle or compute: STEP... & one thread, or none.
# It computes until they have ended: on a busy machine mpirun takes seconds to begin.
launched() { # COMPUTES STEP...
	local before='' after=''

	made_mutex
	# shellcheck disable=SC2016
	[ "$1" = no ] || before="$TOOLS/mutex beside 100 & busy=\$!" after='kill "$busy"'
	script_job --ntasks=2 --mem=1G <<-END
		#!/bin/bash
		$before
		${*:2}
		status=\$?
		$after
		wait
		exit \$status
	END
	echo "$OUTPUT"
	[ "$STATUS" -eq 0 ]
	valid
	no_lock
	holds '[.findings[] | select(.code == "tools-killed" or .code == "tools-failed")] == []'
}

@test "srun of a step that sleeps: idle" {
	launched no srun --overlap sleep "$SECONDS_LONG"
	bound_by idle
}

@test "srun of a step that sleeps, beside a thread that computes: serial" {
	launched yes srun --overlap sleep "$SECONDS_LONG"
	bound_by serial
}

@test "mpirun of two that sleep: idle" {
	need mpirun
	launched no mpirun -np 2 sleep "$SECONDS_LONG"
	bound_by idle
}

@test "mpirun of two that sleep, beside a thread that computes: serial" {
	need mpirun
	launched yes mpirun -np 2 sleep "$SECONDS_LONG"
	bound_by serial
}
