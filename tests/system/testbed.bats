#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The testbed itself.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

none_left() { # DIRECTORY NODES : nothing of a testbed is left
	local left

	left=$(leftovers "$@")
	[ -z "$left" ] || { echo "left: $left"; return 1; }
}

leftovers() { # DIRECTORY NODES
	local node

	ls -d "$1" 2>/dev/null
	grep -F "$1" /proc/mounts
	getent passwd | grep -F "$1"
	grep -lsF "$1" /proc/[0-9]*/cmdline
	for node in $2; do
		find /sys/fs/cgroup -maxdepth 3 -name "*$node*" 2>/dev/null
	done
	return 0
}

@test "up on one that is up says so and prints the same line" {
	run --separate-stderr "$TESTBED" up
	[ "$status" -eq 0 ]
	[ "$output" = "export SLURM_CONF=$SLURM_CONF" ]
	[[ $stderr == *already* ]]
}

@test "run prints the report's path alone, and exits with the job's exit code" {
	run --separate-stderr "$TESTBED" run -- sh -c 'echo noise; exit 9'
	[ "$status" -eq 9 ]
	[ -f "$output" ]
	[ "${#lines[@]}" -eq 1 ]
}

@test "run keeps the words of a command as they are" {
	job -- printf '<%s>' 'a b' '$HOME' "it's" '*' ''
	[ "$OUTPUT" = "<a b><\$HOME><it's><*><>" ]
}

@test "run takes sbatch's options in every form, and a script's own arguments" {
	printf '#!/bin/sh\necho "$SLURM_JOB_NAME $SLURM_NTASKS $*"\n' >"$BATS_TEST_TMPDIR/my script.sh"
	job -n 1 --time 5 -Jwords --mem=50M "$BATS_TEST_TMPDIR/my script.sh" one 'two three'
	[ "$OUTPUT" = "words 1 one two three" ]
}

@test "run submits from the current directory where it is the user's" {
	local directory

	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/own.XXXXXX")
	cd "$directory"
	printf '#!/bin/sh\necho elsewhere\n' >"$BATS_TEST_TMPDIR/mine.sh"
	"$TESTBED" exec sh -c 'echo precious >mine.sh'
	REPORT=$("$TESTBED" run "$BATS_TEST_TMPDIR/mine.sh")
	[ "$(dirname "$REPORT")" = "$directory" ]
	[ "$(cat mine.sh)" = precious ]
	[ "$(cat slurm-*.out)" = elsewhere ]
}

@test "run says 125 where there is no report, and the job's own output stays" {
	collector_kill
	# no stintd lives that could write one: there is no reason to wait
	STINT_TESTBED_PATIENCE=0 run "$TESTBED" run -- echo kept
	"$TESTBED" restart-collector
	[ "$status" -eq 125 ]
	[[ $output =~ "no report at "([^;]*)"/stint-" ]]
	[ "$(cat "${BASH_REMATCH[1]}"/slurm-*.out)" = kept ]
}

@test "a second testbed runs beside the first, and down removes all of it" {
	local second=$STINT_TESTBED-second nodes

	STINT_TESTBED=$second "$TESTBED" up --nodes 2
	nodes=$(SLURM_CONF=$second/etc/slurm.conf sinfo --noheader --Node --format %N)
	[ "$(wc -l <<<"$nodes")" -eq 2 ]
	[ "$nodes" != "$NODE" ]
	STINT_TESTBED=$second "$TESTBED" run -N 2 -- srun true
	STINT_TESTBED=$second "$TESTBED" down
	none_left "$second" "$nodes"
	STINT_TESTBED=$second "$TESTBED" down
	job -- true
}

@test "down cleans up after a crash of everything, with a job running" {
	local crashed=$STINT_TESTBED-crash nodes file

	STINT_TESTBED=$crashed "$TESTBED" up
	nodes=$(SLURM_CONF=$crashed/etc/slurm.conf sinfo --noheader --Node --format %N)
	STINT_TESTBED=$crashed "$TESTBED" exec sbatch --chdir=/ --output=/dev/null --wrap 'setsid sleep 1000 & sleep 1000'
	soon eval "[ \"\$(SLURM_CONF=$crashed/etc/slurm.conf squeue --noheader --format %t)\" = R ]"
	for file in "$crashed"/pid/*; do
		kill -KILL "$(cut -d' ' -f1 "$file")"
	done
	STINT_TESTBED=$crashed "$TESTBED" down
	none_left "$crashed" "$nodes"
}

@test "a directory that is no testbed is never touched" {
	mkdir "$BATS_TEST_TMPDIR/precious"
	echo mine >"$BATS_TEST_TMPDIR/precious/file"
	run env STINT_TESTBED="$BATS_TEST_TMPDIR/precious" "$TESTBED" up
	[ "$status" -eq 1 ]
	STINT_TESTBED="$BATS_TEST_TMPDIR/precious" "$TESTBED" down
	[ "$(cat "$BATS_TEST_TMPDIR/precious/file")" = mine ]
}

@test "a step of up that fails is named with its log, and what was started is stopped" {
	local broken=$STINT_TESTBED-broken build=$BATS_TEST_TMPDIR/build

	mkdir -p "$build"/{spank/.libs,collector,reports}
	cp "${STINT_BUILD:-$SOURCE}/spank/.libs/stint.so" "$build/spank/.libs/"
	printf '#!/bin/sh\necho stintd cannot do it >&2\nexit 1\n' >"$build/collector/stintd"
	chmod 755 "$build/collector/stintd"
	touch "$build/collector/stint-gpu" "$build/reports/stint" "$build/reports/stint-epilog" "$build/spank/stint-slurm-job"
	run --separate-stderr env STINT_TESTBED="$broken" STINT_BUILD="$build" "$TESTBED" up
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[[ $stderr == *"stintd failed"*"stintd cannot do it"*"$broken/log/stintd.out"* ]]
	[ -z "$(ls "$broken/pid" 2>/dev/null)" ]
	STINT_TESTBED="$broken" "$TESTBED" down
	[ ! -e "$broken" ]
}

all_gone() { # DIRECTORY NODES FILES
	none_left "$1" "$2" && [ ! -e "$1.own" ] && [ ! -e "$3" ]
}

@test "a suite that is killed leaves nothing: no process, mount, cgroup, user or file" {
	local parent directory node files bats

	STINT_ENDLESS=$BATS_TEST_TMPDIR/began setsid env -u STINT_SUITE -u OWN_TESTBED -u GUARD \
		bats --tap "$BATS_TEST_DIRNAME/endless" >"$BATS_TEST_TMPDIR/endless.out" 2>&1 3>&- &
	bats=$!
	soon test -e "$BATS_TEST_TMPDIR/began" || {
		kill -KILL -- "-$bats"
		cat "$BATS_TEST_TMPDIR/endless.out"
		return 1
	}
	read -r parent directory node files <"$BATS_TEST_TMPDIR/began"
	mountpoint "$directory/mounted"
	[ "$(grep -lzsFx "STINT_SUITE=$directory" /proc/[0-9]*/environ | wc -l)" -gt 5 ]
	kill -KILL "$parent" # bats' process for the file; the one for the test lives on
	soon all_gone "$directory" "$node" "$files"
	none_left "$directory" "$node"
	[ ! -e "$directory.own" ]
	run ! grep -lzsFx "STINT_SUITE=$directory" /proc/[0-9]*/environ
	wait "$bats" || true
}
