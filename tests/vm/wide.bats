#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine of 64 processors: two packages, 32 cores with two hyperthreads each, four NUMA nodes.
# shellcheck shell=bash disable=SC2015,SC2016,SC2154

load ../system/helper
load machine
load plain

CPUS=64
BOUND=4-5,40-41,62-63 # three cores with their hyperthreads, in both packages and in three NUMA nodes

setup() {
	in_the_machine && [ "$(nproc)" -eq "$CPUS" ] || skip "only in a virtual machine of $CPUS processors: contrib/check --vm wide"
}

teardown() {
	plain_evidence
}

setup_file() {
	! setup >/dev/null || plain_begin
}

teardown_file() {
	[ ! -d "${PLAIN:-/nonexistent}" ] || plain_end
}

@test "all kernel programs are loaded on a machine with four NUMA nodes" {
	[ "$(cat /sys/devices/system/node/online)" = 0-3 ]
	all_programs_are_loaded
}

@test "a job that is bound to 3 of 32 cores has these in its report, and is counted exactly" {
	plain_job "$BOUND" < <(known_work)
	known_work_is_told
	known_peak_is_told
	holds '.nodes[0].allocated.cpu_list == "'"$BOUND"'" and .nodes[0].allocated.cpus == 6'
	holds '[.nodes[0].allocated.cores[].pus] == [[4, 5], [40, 41], [62, 63]]'
	holds '[.nodes[0].allocated.cores[] | .package] == [0, 1, 1]'
	holds '.used.cores_bound == 3'
	holds '([.nodes[0].allocated.cores[].cpu_s] | add) as $there | .used.cpu_s as $all | $there > $all * 0.5 and $there < $all * 1.01'
}
