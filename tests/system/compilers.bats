#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel programs from each compiler: this kernel accepts them all, and they count right. STINT_COMPILERS names the compilers whose turn
# it is, separated by blanks; all, if it is not set.
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

# stintd's knowledge about an object from its skeleton does not change.
same_skeleton() {
	diff <(skeleton_of "$STINT_BUILD/bpf/stint.bpf.o") <(skeleton_of "$MADE/stint.bpf.o")
}

skeleton_of() { # OBJECT
	bpftool gen skeleton "$1" name stint_bpf | sed -n '/^struct stint_bpf {/,/^#ifdef/p'
}

# Starts a stintd whose kernel programs are those of MADE, instead of the running one: the testbed's own, or the previous compiler's.
collector_of_made() {
	local pid

	kill -TERM "$(daemon_pid stintd)"
	soon has_ended "$(daemon_pid stintd)"
	rm -rf "${STINT_TESTBED:?}/bpf/stint" # otherwise it would take these over, because it compares them with the object that it was built with
	: >"$BATS_TEST_TMPDIR/said" # the shell in the background opens it later
	LD_PRELOAD=$PROGRAMS/.libs/object.so STINT_TEST_OBJECT=$MADE/stint.bpf.o STINT_LIBEXEC=$STINT_TESTBED/libexec \
		"$STINTD" --config "$STINT_TESTBED/etc/stint.conf" >"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
	pid=$!
	echo "$pid $(sed 's/.*) //' "/proc/$pid/stat" | cut -d' ' -f20)" >"$STINT_TESTBED/pid/stintd"
	soon it_runs_or_has_ended "$pid"
	cat "$BATS_TEST_TMPDIR/said"
	grep -q 'stintd: version' "$BATS_TEST_TMPDIR/said"
}

it_runs_or_has_ended() { # PID
	grep -q 'stintd: version' "$BATS_TEST_TMPDIR/said" || has_ended "$1"
}

# The program that stintd has pinned has the instructions that this compiler made.
made_are_in_use() {
	local tag

	tag=$(bpftool --json prog show pinned "$STINT_TESTBED/bpf/stint/scan" | jq --raw-output .tag)
	grep -qx "member_scan loaded $tag" "$BATS_TEST_TMPDIR/loads"
}

counts_right() {
	clocked_job 100
	whole
	by_its_clocks
	holds '[.files[] | select(.path | endswith("/data")) | .write_bytes] == [300000]'
}

loads_and_counts() { # COMPILER
	[ -z "${STINT_COMPILERS:-}" ] || [[ " $STINT_COMPILERS " == *" $1 "* ]] ||
		skip "not today's compiler (contrib/check compilers tests all)"
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
	local name cache=$BATS_TEST_TMPDIR/cache

	for name in clang-19 /usr/bin/clang-19; do
		need "$name"
		mkdir -p "$BATS_TEST_TMPDIR/build"
		# it takes everything that does not concern clang from this build
		sed -n '/^## Cache variables/,/^## Output variables/p' "$STINT_BUILD/config.log" | grep '^[a-z]*_cv_' |
			grep -v 'ac_cv_env_\|clang\|CLANG' >"$cache"
		(cd "$BATS_TEST_TMPDIR/build" && "$SOURCE/configure" --quiet --cache-file="$cache" BPF_CLANG="$name" >/dev/null)
		grep -qx "BPF_CLANG = $name" "$BATS_TEST_TMPDIR/build/Makefile"
	done
}
