#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of known truth whose processes come and go in unusual ways. What membership.bats and counting.bats test (a
# daemon's runs, 5,000 processes of five tools) is not tested again here.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load truth

setup_file() {
	testbed_begin --first --nodes 3
	[ -z "$NO_TESTBED" ] || return 0
	tool medium
	tool stopwatch
	workload ghost counter forker switcher runner spawner
	beside forks --mem=200M -- "$TOOLS/forker" forks 500
	beside switch --mem=200M -- "$TOOLS/stopwatch" timed "$TOOLS/switcher" thread-exec 300 "$TOOLS/runner" spin 1 0.3
	beside vfork --mem=200M -- "$TOOLS/spawner" vfork 500 "$TOOLS/runner" spin 1 0.2
	beside_script daemon --mem=200M <<-END
		#!/bin/bash
		$TOOLS/medium daemon /bin/sh -c '$TOOLS/ghost sleep 40 50 >told; : >done'
		until [ -e done ]; do sleep 0.1; done
		cat told
	END
	NO_NAMESPACES=
	"$TESTBED" exec unshare --user --pid --fork true 2>/dev/null || NO_NAMESPACES="a user can make no namespaces here"
	export NO_NAMESPACES
	if [ -z "$NO_NAMESPACES" ]; then
		beside namespaces --mem=200M -- "$TOOLS/counter" namespaces "$TOOLS/forker" forks 300
		beside stress --mem=500M -- "$TOOLS/counter" namespaces "$(command -v stress-ng || echo /bin/false)" \
			--exec 2 --exec-max 8 --exec-ops 800 --metrics-brief
	fi
	jobs_end
}

teardown_file() {
	testbed_end
}

@test "500 forks are 500 processes" {
	of forks
	agree '.used.processes' 'own("forks").forks + 2' 0 0
	agree 'tool("forker").forks' 'own("forks").forks' 0 0
	holds '.lost | add == 0'
	closed 502
}

@test "exec by a thread that is not the leader: one process, two tools, and all CPU of both" {
	of switch
	# wait4's number for the process that was both
	agree 'tool("switcher").cpu_s + tool("runner").cpu_s' '$own[1] / 1e6' 0 0.002
	agree 'tool("switcher").cpu_s' 0.6 0 0.02
	holds '[.tools[] | select(.name == "switcher" or .name == "runner") | [.runs, .failures]] == [[1, 0], [1, 0]]'
	true_of_both '[.timeline[] | select(.tool == "switcher" or .tool == "runner") | .pid] | unique == [own("spin").pid]'
	# the batch script, stopwatch and that one
	agree '.used.processes' 3 0 0
	closed 5
}

@test "vfork: the parent waits for its child until it execs, and then for its end" {
	of vfork
	waited spawner child_s 'own("vfork").waited_ns' 2
	agree 'tool("spawner").states.sleep_s' 0.5 0.01 0.001
	agree 'tool("runner").states.on_cpu_s' 'own("spin").cpu_ns / 1e9' 0.001 0.003
	true_of_both '[.timeline[] | select(.tool == "runner") | .pid] == [own("vfork").child_pid]'
	agree '.used.processes' 3 0 0
	closed 4
}

@test "a double-forking daemon's time is the job's" {
	of daemon
	waited ghost sleep_s 'own("sleep").waited_ns' 'own("sleep").times'
	true_of_both '[.timeline[] | select(.tool == "ghost") | .pid] == [own("sleep").pid]'
	closed 60
	bound_by idle
}

@test "in its own user, pid, mount and cgroup namespaces a job is counted as by the pid namespace itself" {
	[ -z "$NO_NAMESPACES" ] || skip "$NO_NAMESPACES"
	of namespaces
	true_of_both 'own("namespaces").tasks == own("forks").forks + 2'
	# those of the namespaces, the one that asks for the next number, and their parents
	agree '.used.processes' 'own("namespaces").tasks + 3' 0 0
	agree 'tool("forker").forks' 'own("forks").forks' 0 0
	agree '[.tools[] | select(.name == "counter" or .name == "forker") | .cpu_s] | add' \
		'own("namespaces") | (.children_cpu_ns + .process_cpu_ns) / 1e9' 0.01 0.005
	holds '.lost | add == 0'
	closed 305
}

@test "stress-ng --exec: as many processes as it says, and with their threads as the pid namespace has given numbers" {
	local executions

	need stress-ng
	[ -z "$NO_NAMESPACES" ] || skip "$NO_NAMESPACES"
	of stress
	executions=$(awk '$2 == "metrc:" && $4 == "exec" { print $5 }' <<<"$OUTPUT")
	OUTPUT=$(grep '^{' <<<"$OUTPUT")
	[ "$executions" -ge 800 ]
	# and the batch script, counter, init, the one that asks for a number, stress-ng and its two workers
	agree .used.processes "$executions + 7" 0 0
	true_of_both '.used.processes <= own("namespaces").tasks + 3'
	true_of_both "[.tools[] | select(.name | startswith(\"stress-ng\")) | .runs + .forks] | add >= $executions"
	holds '.lost | add == 0'
	closed 3000
}

@test "a process that is older than the collector: all its CPU, and what it waited from then on" {
	local began ended job

	collector_kill
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	# they continue for two seconds after the collector is there
	beside elder --mem=200M -- "$TOOLS/ghost" sleep 40 50 "$STINT_TESTBED/counted"
	beside worker --mem=200M -- "$TOOLS/runner" spin 1 2 "$STINT_TESTBED/counted"
	for job in ghost runner; do
		soon eval '[ -n "$(find /proc -maxdepth 2 -name exe -lname "$TOOLS/$job" 2>/dev/null)" ]'
	done
	began=$(date +%s.%N)
	"$TESTBED" restart-collector
	for job in $(squeue --noheader --states=R --format %i); do soon is_followed "$job"; done
	ended=$(date +%s.%N)
	: >"$STINT_TESTBED/counted"
	jobs_end
	for job in elder worker; do
		REPORT=$(cat "$BATS_FILE_TMPDIR/$job.report")
		OUTPUT=$(cat "$(dirname "$REPORT")"/slurm-*.out)
		valid
		holds '.complete == false and (.gaps | length > 0)'
		closed 3
		[ "$job" = elder ] || continue
		# its life from then on; next to other work a part of that is its wait for a CPU
		between "$(both "own(\"sleep\").now_unix_ns / 1e9 - $ended")" \
			"$(both 'tool("ghost").states | .sleep_s + .runnable_s + .on_cpu_s')" \
			"$(both "own(\"sleep\").now_unix_ns / 1e9 - $began")"
		between 2 "$(both 'tool("ghost").states.sleep_s')" 1000 # 40 times 50 ms, all of them after "counted"
	done
	agree '.used.cpu_s' 'own("spin").process_cpu_ns / 1e9' 0.005 0.03
	true_of_both 'tool("runner").states.on_cpu_s < own("spin").process_cpu_ns / 1e9'
}
