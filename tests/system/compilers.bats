#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel programs as each compiler makes them: this kernel takes them all, and they count right.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -n "$NO_TESTBED" ] || {
		collector_gets 'files = on' # so that all programs are loaded
		programs >"$BATS_FILE_TMPDIR/ours"
	}
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	[ -n "${STINT_BUILD:-}" ] || skip "the sources are not built here"
}

teardown() {
	[ -z "${OTHER_PID:-}" ] || kill -KILL "$OTHER_PID" 2>/dev/null || true
	testbed_evidence
}

programs() { # what stintd has loaded, and why not the others
	jq --raw-output '.programs[] | [.name, .loaded, .reason // ""] | @tsv' "$STINT_TESTBED/run/status.json"
}

# Compiles all kernel programs. Sets MADE, a directory.
made_by() { # COMPILER
	MADE=$BATS_TEST_TMPDIR/made
	make -C "$STINT_BUILD" -j "$(nproc)" bpf-by BPF_BY_CLANG="$1" BPF_BY="$MADE"
}

# What stintd knows of an object beforehand, by its skeleton, is the same.
same_skeleton() {
	diff <(skeleton_of "$STINT_BUILD/bpf/stint.bpf.o") <(skeleton_of "$MADE/stint.bpf.o")
}

skeleton_of() { # OBJECT
	bpftool gen skeleton "$1" name stint_bpf | sed -n '/^struct stint_bpf {/,/^#ifdef/p'
}

# Starts a stintd whose kernel programs are those of MADE.
collector_of_made() {
	kill -TERM "$(daemon_pid stintd)"
	soon has_ended "$(daemon_pid stintd)"
	LD_PRELOAD=$PROGRAMS/.libs/object.so STINT_TEST_OBJECT=$MADE/stint.bpf.o STINT_LIBEXEC=$STINT_TESTBED/libexec \
		"$STINTD" --config "$STINT_TESTBED/etc/stint.conf" >"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
	OTHER_PID=$!
	for _ in {1..2400}; do
		! grep -q 'stintd: version' "$BATS_TEST_TMPDIR/said" || return 0
		sleep 0.05
	done
	cat "$BATS_TEST_TMPDIR/said"
	return 1
}

# The program that stintd has pinned has the instructions that this compiler made.
made_are_in_use() {
	local tag

	tag=$(bpftool --json prog show pinned "$STINT_TESTBED/bpf/stint/scan" | jq --raw-output .tag)
	grep -qx "member_scan loaded $tag" "$BATS_TEST_TMPDIR/loads"
}

counts_right() {
	tool small
	script_job <<-END
		#!/bin/bash
		$TOOLS/small burn 100
		dd if=/dev/zero of=data bs=1000 count=300 2>/dev/null
		sleep 0.5 | cat
	END
	valid
	whole
	holds '.tools[] | select(.name == "small") | .runs == 1 and .cpu_s >= 0.09 and .cpu_s < 0.2'
	holds '.tools[] | select(.name == "dd") | .runs == 1 and .syscall_write_bytes >= 300000 and .syscall_write_bytes < 310000'
	holds '.tools[] | select(.name == "sleep") | .runs == 1 and .wall_s >= 0.5 and .wall_s < 1.5 + $slowness'
	holds '[.files[] | select(.path | endswith("/data")) | .write_bytes] == [300000]'
	# on a busy machine cat begins later than sleep
	holds '.states.pipe_s >= 0.1 and .states.sleep_s >= 0.49'
}

loads_and_counts() { # COMPILER
	need "$1" bpftool
	made_by "$1"
	"$PROGRAMS/loads" "$MADE/stint.bpf.o" "$MADE/former.bpf.o" >"$BATS_TEST_TMPDIR/loads" || {
		grep -v ' loaded ' "$BATS_TEST_TMPDIR/loads"
		return 1
	}
	same_skeleton
	collector_of_made
	diff "$BATS_FILE_TMPDIR/ours" <(programs)
	made_are_in_use
	counts_right
	kill -TERM "$OTHER_PID"
	wait "$OTHER_PID"
	"$TESTBED" restart-collector
}

@test "clang 13: this kernel takes each kernel program, and a job is counted right" {
	loads_and_counts clang-13
}

@test "clang 14: this kernel takes each kernel program, and a job is counted right" {
	loads_and_counts clang-14
}

@test "clang 15: this kernel takes each kernel program, and a job is counted right" {
	loads_and_counts clang-15
}

@test "clang 16: this kernel takes each kernel program, and a job is counted right" {
	loads_and_counts clang-16
}

@test "clang 19: this kernel takes each kernel program, and a job is counted right" {
	loads_and_counts clang-19
}

@test "configure takes the compiler that BPF_CLANG names, with and without its path" {
	local name

	for name in clang-19 /usr/bin/clang-19; do
		need "$name"
		mkdir -p "$BATS_TEST_TMPDIR/build"
		(cd "$BATS_TEST_TMPDIR/build" && "$SOURCE/configure" --quiet BPF_CLANG="$name" >/dev/null)
		grep -qx "BPF_CLANG = $name" "$BATS_TEST_TMPDIR/build/Makefile"
	done
}
