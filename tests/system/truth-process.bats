#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of known truth whose processes come and go in unusual ways. What membership.bats and counting.bats hold (a
# daemon's runs, 5,000 processes of five tools) is not held again here.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load truth

setup_file() {
	testbed_begin --nodes 3
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
	jobs_end
	beside namespaces --mem=200M -- "$TOOLS/counter" namespaces "$TOOLS/forker" forks 300
	beside stress --mem=500M -- "$TOOLS/counter" namespaces "$(command -v stress-ng || echo /bin/false)" \
		--exec 2 --exec-ops 400 --exec-method execve --metrics-brief --log-file stress.log
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
	# wait4 of the one process that was both
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

@test "stress-ng --exec: as many processes as the pid namespace has given numbers" {
	local executions

	need stress-ng
	of stress
	agree '.used.processes' 'own("namespaces").tasks + 3' 0 0
	executions=$(awk '$4 == "exec" && $5 ~ /^[0-9]+$/ { print $5 }' "$(dirname "$REPORT")/stress.log")
	echo "stress-ng counts $executions"
	[ "$executions" -ge 400 ]
	holds '.lost | add == 0'
	holds --argjson executions "$executions" '[.tools[] | select(.name | startswith("stress-ng")) | .runs] | add >= $executions'
	closed 1000
}

@test "a process that is older than the collector: all its CPU, and what it waited from then on" {
	local began ended running

	kill -KILL "$(daemon_pid stintd)"
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	began=$(date +%s.%N)
	beside elder --mem=200M -- "$TOOLS/ghost" sleep 80 50
	beside worker --mem=200M -- "$TOOLS/runner" spin 1 4
	running=("${BESIDE[@]}")
	until [ "$(squeue --noheader --states=R --format %i | wc -l)" -eq 2 ]; do sleep 0.05; done
	sleep 1
	"$TESTBED" restart-collector
	ended=$(date +%s.%N)
	wait "${running[@]}"
	OUTPUT=$(cat "$(dirname "$(cat "$BATS_FILE_TMPDIR/elder.report")")"/slurm-*.out)
	REPORT=$(cat "$BATS_FILE_TMPDIR/elder.report")
	holds '.complete == false and (.gaps | length > 0)'
	# it slept four seconds, of which these were before
	between "$(both "own(\"sleep\").waited_ns / 1e9 - ($ended - $began)")" "$(both 'tool("ghost").states.sleep_s')" \
		"$(both 'own("sleep").waited_ns / 1e9 - 1')"
	closed 3
	REPORT=$(cat "$BATS_FILE_TMPDIR/worker.report")
	OUTPUT=$(cat "$(dirname "$REPORT")"/slurm-*.out)
	holds '.complete == false and (.gaps | length > 0)'
	agree '.used.cpu_s' 'own("spin").process_cpu_ns / 1e9' 0.005 0.03
	true_of_both 'tool("runner").states.on_cpu_s < own("spin").process_cpu_ns / 1e9'
	closed 3
}
