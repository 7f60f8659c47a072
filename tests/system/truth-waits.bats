#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of known truth that wait, side by side. Those that compute meanwhile are in truth-cpu.bats.
# shellcheck shell=bash disable=SC2154,SC2317

load truth

setup_file() {
	testbed_begin --nodes 3
	[ -z "$NO_TESTBED" ] || return 0
	workload sleeper fighter idler parent
	beside sleep --mem=200M -- "$TOOLS/sleeper" sleep 60 50
	beside lock --mem=200M -- "$TOOLS/fighter" lock 4 40 20 sleep
	beside epoll --mem=200M -- "$TOOLS/idler" epoll 10 300
	beside child --mem=200M -- "$TOOLS/parent" child 20 150
	jobs_end
}

teardown_file() {
	testbed_end
}

@test "sleep: as long as it slept; idle" {
	of sleep
	waited sleeper sleep_s 'own("sleep").waited_ns' 'own("sleep").times'
	agree '.states.waits.sleep' 'own("sleep").times' 0 2
	closed 3
	time_or_skip
	agree '.states.some.sleep_s' 'own("sleep").waited_ns / 1e9' 0.01 0.001
	agree '.states.full.sleep_s' 'own("sleep").waited_ns / 1e9' 0.01 0.005
	bound_by idle
}

@test "a fight for a mutex whose holder sleeps: lock" {
	of lock
	waited fighter lock_s 'own("lock").lock_ns + own("lock").join_ns' 'own("lock").times + 4'
	waited fighter sleep_s 'own("lock").held_ns' 'own("lock").times'
	closed 7
	bound_by lock
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
