#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of known truth that compute. They run one after the other, because each needs the processors for itself. What counting.bats and
# membership.bats test (12 processes of 2.2 ms, 100 and 20,000 threads one after the other, the CPU of the cgroup, a small helper of a large
# parent) is not tested again here. If there are fewer than four cores, "all" are two; tests/vm/run has as many as one likes: --cpus 4 env
# TRUTH_SLACK=0.05 bats tests/system/truth-cpu.bats
# shellcheck shell=bash disable=SC2012,SC2016,SC2153,SC2154,SC2317

load truth

setup_file() {
	testbed_begin --first
	[ -z "$NO_TESTBED" ] || return 0
	# findings about waste need long jobs, unless the site sets another limit
	printf '%s\n' 'rule.finding_elapsed_s = 1' 'rule.cpu_wait_min_s = 0.1' >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	# four cores where there are four
	export CORES=$(($(nproc) < 4 ? $(nproc) : 4))
}

teardown_file() {
	testbed_end
}

# How long the job's other programs may have been busy.
OTHERS='([.tools[] | select(.name != "spinner") | .states | .on_cpu_s + .runnable_s] | add) + 0.02'

# Runs THREADS for so long on CPUS.
spin() { # CPUS THREADS
	workload spinner
	job --cpus-per-task="$1" -- "$TOOLS/spinner" spin "$2" 1.5
	[ "$STATUS" -eq 0 ]
	valid
	holds '.complete == true'
	agree 'tool("spinner").cpu_s' 'own("spin").process_cpu_ns / 1e9' 0.001 "0.002 + $2 * 0.00001"
	agree 'tool("spinner").states.on_cpu_s' 'own("spin").cpu_ns / 1e9' 0.001 "0.003 + $2 * 0.0002"
	# It waits only for a CPU. The kernel's own count of that, delay_ns, lacks what a hypervisor took. A thread that has looked at its own
	# clocks may have to wait once more before it ends.
	agree 'tool("spinner").states.runnable_s' 'own("spin") | (.life_ns - .cpu_ns) / 1e9' 0.01 "$2 * 0.006"
	true_of_both 'tool("spinner").states.runnable_s >= (own("spin").delay_ns / 1e9) * 0.99 - 0.006'
	closed $(($2 + 2))
}

# One thread is busy as long as it lives, and the others hardly.
one_is_busy() {
	agree '.states.active_s' 'own("spin").life_ns / 1e9' 0.01 "$OTHERS"
	agree '.states.parallel_s' 0 0 "$OTHERS"
}

@test "one thread on one core: on the CPU all the time; cpu" {
	spin 1 1
	one_is_busy
	bound_by cpu
	not_found serial-on-many-cores
}

@test "one thread on all cores: one is busy; serial" {
	[ "$CORES" -ge 2 ] || skip "this wants two CPUs"
	spin "$CORES" 1
	one_is_busy
	bound_by serial
	found serial-on-many-cores
}

@test "as many threads as cores: all are busy; cpu" {
	[ "$CORES" -ge 2 ] || skip "this wants two CPUs"
	spin "$CORES" "$CORES"
	agree '.states.parallel_s' "own(\"spin\").life_ns / 1e9 / $CORES" 0.01 "$OTHERS"
	between "$CORES" "$(value .states.busy_peak)" $((CORES + 1))
	bound_by cpu
}

@test "four threads on one core wait for it three quarters of their time; oversubscribed" {
	spin 1 4
	agree 'tool("spinner").states | .on_cpu_s + .runnable_s' 'own("spin").life_ns / 1e9' 0.01 0.024
	true_of_both 'tool("spinner").states.runnable_s > 0.73 * (own("spin").life_ns / 1e9)'
	between 4 "$(value .states.busy_peak)" 5
	bound_by oversubscribed
	found oversubscribed
}

@test "of 100 threads at once with 1 ms of CPU each, time on CPU, waiting for it and lifetime are theirs" {
	workload crowded
	job --cpus-per-task="$CORES" -- "$TOOLS/crowded" brief 100 1
	valid
	holds '.complete == true'
	agree 'tool("crowded").states.on_cpu_s' 'own("brief").process_cpu_ns / 1e9' 0.001 'own("brief").threads * 6e-6 + 0.002'
	# it may have to wait once more between its own last look and its end, which is before it is joined
	true_of_both '(own("brief") | .delay_ns / 1e9) as $own | (tool("crowded").states.runnable_s - $own) as $more |
		(own("brief").threads * 1e-4 + $own * 0.05) as $bound |
		$more >= -$bound and $more <= $bound + (own("brief") | (.joined_ns - .life_ns + .machine_stolen_ns) / 1e9)'
	# a thread lives on after its own last look at the clock, and is about gone when it is joined
	true_of_both '.states.lifetime_s - ([users | .wall_s] | add) |
		. >= own("brief").life_ns / 1e9 and . <= (own("brief") | .joined_ns / 1e9 + .threads * 0.001)'
	holds '.used.threads_peak >= 3 and .used.threads_peak <= 102'
	closed 102
}

@test "a fight for a mutex whose holder computes: some thread makes progress, and the others wait; lock" {
	[ "$(nproc)" -ge 2 ] || skip "this wants two CPUs"
	workload holder
	job --cpus-per-task=2 --mem=200M -- "$TOOLS/holder" lock 4 190 2 burn
	valid
	waited holder lock_s 'own("lock").lock_ns' 'own("lock").times'
	waited holder condition_s 'own("lock").join_ns' 4
	agree 'tool("holder").states.on_cpu_s' 'own("lock").process_cpu_ns / 1e9' 0.001 0.003
	# all of the time, less that in which all waiting threads are woken and others have the processors
	true_of_both '(own("lock").join_ns / 1e9) as $all | ($all * 0.01 + 0.02) as $bound |
		tool("holder").states.runnable_s as $ready | .states.some.lock_s |
		. <= $all + $bound and . >= $all - $bound - $ready'
	between 0 "$(value .states.full.lock_s)" 0.1
	closed 7
	bound_by lock
	found lock-contention
}

@test "page faults that wait for the lock of the address space: lock" {
	[ "$(nproc)" -ge 2 ] || skip "this wants two CPUs"
	workload spacer
	job --cpus-per-task=2 --mem=300M -- "$TOOLS/spacer" space 3 2
	valid
	true_of_both 'own("space").waited_ns > 50000000'
	agree 'tool("spacer").states.lock_s' 'own("space").waited_ns / 1e9' 0.02 '.states.waits.lock * 1e-5'
	closed 7
}

@test "a pipeline as fast as its slowest stage: the others wait in pipes; serial on two cores" {
	local name

	[ "$(nproc)" -ge 2 ] || skip "this wants two CPUs"
	workload first slow last
	script_job --cpus-per-task=2 --mem=300M <<-END
		#!/bin/bash
		$TOOLS/first stage source 150 65536 0 | $TOOLS/slow stage filter 150 65536 10 | $TOOLS/last stage sink 150 65536 0
	END
	valid
	for name in first:source last:sink; do
		waited "${name%:*}" pipe_s "own(\"${name#*:}\").waited_ns" "own(\"${name#*:}\") | .read_calls + .write_calls"
	done
	waited slow pipe_s 'own("filter").waited_ns' 'own("filter") | .read_calls + .write_calls'
	agree 'tool("slow").states.on_cpu_s' 'own("filter").process_cpu_ns / 1e9' 0.001 0.003
	for name in first:source slow:filter last:sink; do
		# what the job says about itself is written too
		over "tool(\"${name%:*}\").syscall_write_bytes" "own(\"${name#*:}\").wchar" 4096
		agree "tool(\"${name%:*}\").syscall_read_bytes" "own(\"${name#*:}\").rchar" 0 4096
	done
	agree '.states.some.pipe_s' 'own("source").waited_ns / 1e9' 0.05 0.1
	between 0 "$(value .states.full.pipe_s)" 0.3
	closed 6
	bound_by serial
}

@test "make -j2 of a real source tree: every compiler run counted, its CPU as wait4 has it; cpu" {
	local directory files

	need make gcc
	tool stopwatch
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/source.XXXXXX")
	cp -r "$SOURCE/common" "$directory/"
	files=$(cd "$directory" && ls common/*.c | wc -l)
	cat >"$directory/Makefile" <<-'END'
		CPPFLAGS = -I. -D_GNU_SOURCE -DSYSCONFDIR=\"/etc\" -DLOCALSTATEDIR=\"/var\"
		all: $(patsubst %.c,%.o,$(wildcard common/*.c))
		%.o: %.c ; gcc -std=gnu11 -O2 $(CPPFLAGS) -c -o $@ $<
	END
	# twice, so that it takes some seconds
	cat >"$directory/build" <<-END
		#!/bin/bash
		for round in 1 2; do rm -f common/*.o; make -s -j2 all || exit 1; done
	END
	chmod 755 "$directory/build"
	chown -R "$TESTBED_USER:" "$directory"
	job --cpus-per-task="$((CORES < 2 ? CORES : 2))" --mem=1G -- sh -c "cd $directory && $TOOLS/stopwatch timed ./build"
	[ "$STATUS" -eq 0 ]
	valid
	holds '.complete == true'
	for name in gcc as; do
		holds --arg name "$name" --argjson files "$files" '[.tools[] | select(.name == $name) | .runs] == [2 * $files]'
	done
	holds --argjson files "$files" '[.tools[] | select(.name | endswith("cc1")) | .runs] | add == 2 * $files'
	holds '[.tools[] | select(.name == "make") | [.runs, .failures]] == [[2, 0]]'
	# everything that stopwatch waited for, in microseconds: less itself, and the shells that started it
	agree '[users | select(.name | test("^(stopwatch|sh|command[.].*)$") | not) | .cpu_s] | add' '$own[0] / 1e6' 0.002 0.005
	closed 100
	bound_by cpu
}
