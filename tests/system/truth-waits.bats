#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of known truth that wait, side by side.
# shellcheck shell=bash disable=SC2154,SC2317

load truth

setup_file() {
	testbed_begin --nodes 3
	[ -z "$NO_TESTBED" ] || return 0
	workload sleeper fighter idler first slow last parent holder
	beside sleep --mem=200M -- "$TOOLS/sleeper" sleep 60 50
	beside lock --mem=200M -- "$TOOLS/fighter" lock 4 40 20 sleep
	beside epoll --mem=200M -- "$TOOLS/idler" epoll 10 300
	beside child --mem=200M -- "$TOOLS/parent" child 20 150
	jobs_end
	beside_script pipeline --cpus-per-task=2 --mem=300M <<-END
		#!/bin/bash
		$TOOLS/first stage source 300 65536 0 | $TOOLS/slow stage filter 300 65536 10 | $TOOLS/last stage sink 300 65536 0
	END
	jobs_end
	# the one that computes while it holds the lock has the machine for itself
	beside fight --cpus-per-task=2 --mem=200M -- "$TOOLS/holder" lock 4 375 2 burn
	jobs_end
}

teardown_file() {
	testbed_end
}

@test "sleep: as long as it slept; idle" {
	of sleep
	waited sleeper sleep_s 'own("sleep").waited_ns' 'own("sleep").times'
	agree '.states.some.sleep_s' 'own("sleep").waited_ns / 1e9' 0.01 0.001
	agree '.states.full.sleep_s' 'own("sleep").waited_ns / 1e9' 0.01 0.005
	agree '.states.waits.sleep' 'own("sleep").times' 0 2
	closed 3
	bound_by idle
}

@test "a fight for a mutex whose holder sleeps: lock" {
	of lock
	waited fighter lock_s 'own("lock").lock_ns + own("lock").join_ns' 'own("lock").times + 4'
	waited fighter sleep_s 'own("lock").held_ns' 'own("lock").times'
	closed 7
	bound_by lock
}

@test "a fight for a mutex whose holder computes: some thread makes progress, and the others wait; lock" {
	[ "$(nproc)" -ge 2 ] || skip "this wants two CPUs"
	of fight
	waited holder lock_s 'own("lock").lock_ns + own("lock").join_ns' 'own("lock").times + 4'
	agree 'tool("holder").states.on_cpu_s' 'own("lock").process_cpu_ns / 1e9' 0.001 0.003
	agree '.states.some.lock_s' 'own("lock").join_ns / 1e9' 0.01 0.02
	between 0 "$(value .states.full.lock_s)" 0.1
	closed 7
	bound_by lock
	found lock-contention
}

@test "a server that nobody calls, in epoll: event, told apart; idle" {
	of epoll
	waited idler event_s 'own("epoll").waited_ns' 'own("epoll").times'
	closed 3
	bound_by idle
}

@test "a parent that waits for its children: child; idle" {
	of child
	waited parent child_s 'own("child").waited_ns' 'own("child").times'
	agree 'tool("parent").states.sleep_s' 3 0.02 0
	holds '.used.processes == 22'
	closed 23
	bound_by idle
}

@test "a pipeline as fast as its slowest stage: the others wait in pipes; serial on two cores" {
	local name

	[ "$(nproc)" -ge 2 ] || skip "this wants two CPUs"
	of pipeline
	for name in first:source last:sink; do
		waited "${name%:*}" pipe_s "own(\"${name#*:}\").waited_ns" "own(\"${name#*:}\") | .read_calls + .write_calls"
	done
	waited slow pipe_s 'own("filter").waited_ns' 'own("filter") | .read_calls + .write_calls'
	agree 'tool("slow").states.on_cpu_s' 'own("filter").process_cpu_ns / 1e9' 0.001 0.003
	for name in first:source slow:filter last:sink; do
		# what is told of itself is written, too
		over "tool(\"${name%:*}\").syscall_write_bytes" "own(\"${name#*:}\").wchar" 4096
		agree "tool(\"${name%:*}\").syscall_read_bytes" "own(\"${name#*:}\").rchar" 0 4096
	done
	agree '.states.some.pipe_s' 'own("source").waited_ns / 1e9' 0.05 0.1
	between 0 "$(value .states.full.pipe_s)" 0.3
	closed 6
	bound_by serial
}
