#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a running job has used so far: shown to its own user and to root, exact, and at no cost to the job's report.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -n "$NO_TESTBED" ] || begin_job
}

# One job for all of the tests: it computes in processes that end, then in one that lives on.
begin_job() {
	export ID DIRECTORY=$STINT_TESTBED/home/running
	install -d -o "$TESTBED_USER" "$DIRECTORY"
	cat >"$STINT_TESTBED/job.sh" <<-'END'
		#!/bin/bash
		timeout 0.2 bash -c 'while :; do :; done'
		touch up
		until [ -e down ]; do :; done
	END
	ID=$(cd "$DIRECTORY" && "$TESTBED" exec sbatch --parsable --output=/dev/null "$STINT_TESTBED/job.sh")
	soon test -e "$DIRECTORY/up"
}

teardown_file() {
	testbed_end
}

# stint as the user UID, from where there is no report.
as() { # UID ARGUMENT...
	local uid=$1

	shift
	(cd / && setpriv --reuid="$uid" --regid="$uid" --clear-groups "$STINT" "$@" --config "$STINT_TESTBED/etc/stint.conf" "$ID")
}

cgroup_cpu_s() {
	local file

	file=$(find /sys/fs/cgroup -path "*/job_$ID/cpuacct.usage" 2>/dev/null | head -n 1)
	if [ -n "$file" ]; then
		awk '{ print $1 / 1e9 }' "$file"
	else
		awk '$1 == "usage_usec" { print $2 / 1e6 }' "$(find /sys/fs/cgroup -path "*/job_$ID/cpu.stat" | head -n 1)"
	fi
}

@test "its user sees what a running job has used, as exact as its cgroup counts" {
	local before after

	REPORT=$BATS_TEST_TMPDIR/so-far.json
	before=$(cgroup_cpu_s)
	as "$(id -u "$TESTBED_USER")" report --json >"$REPORT"
	after=$(cgroup_cpu_s)
	valid
	holds '.so_far and .complete == false and .job.state == "RUNNING" and (.job | has("end") or has("exit_code") | not)'
	holds '.advice == [] and (.gaps | any(.name == "job.end"))'
	between "$(awk "BEGIN { print $before - 0.01 }")" "$(value .used.cpu_s)" "$(awk "BEGIN { print $after + 0.01 }")"
	holds '.used.cpu_s > 0.01 and .job.elapsed_s >= .used.cpu_s / .allocated.cpus - 1'
	run as "$(id -u "$TESTBED_USER")" report
	[ "${lines[0]}" = "Runs still: so far" ]
	[[ $output == *$'\n'"State: RUNNING"$'\n'* ]]
}

@test "root sees it, another user does not, and no summary is made of it" {
	as 0 report --json | jq --exit-status .so_far
	fails_with_one_line as 65534 report
	[[ $stderr == "stint report: job $ID: it is running on "*"--overlap stint report $ID"*"no such job of yours here)" ]]
	[ "$(as 0 export --js1)" = JS1:None ]
}

@test "who asks nothing, or noise, or for no answer, hinders nobody" {
	local i

	for i in 1 2 3; do
		setpriv --reuid=65534 --clear-groups python3 - "$STINT_TESTBED/run.show" <<-'END'
			import os, socket, struct, sys
			sockets = [socket.socket(socket.AF_UNIX) for i in range(30)]
			for i, s in enumerate(sockets):
			    s.settimeout(2)
			    try:
			        s.connect(sys.argv[1])
			        s.send([b"", os.urandom(4096), struct.pack("<4I", 0x574f4853, 1, i, 0)][i % 3])
			    except OSError:
			        pass
		END
		as 0 report --json | jq --exit-status .so_far
	done
}

@test "the report of the job's end is none the worse for it" {
	touch "$DIRECTORY/down"
	report_in "$DIRECTORY"
	valid
	whole
	holds '.job.state == "COMPLETED" and (has("so_far") | not)'
	holds '.tools | any(.name == "bash" or .interpreter == "bash")'
}
