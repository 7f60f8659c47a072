#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Bad input to every command: one clear line on standard error, and a nonzero status.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup() {
	testbed_or_skip
	need jq
	cd "$BATS_TEST_TMPDIR"
}

@test "stint without a command, or with an unknown one" {
	fails_with_one_line env SLURM_CONF=/nonexistent "$STINT" # if Slurm answers, it lists the latest jobs
	fails_with_one_line "$STINT" reprot
	[[ $stderr == *reprot* ]]
}

@test "stint report: no such job, file or directory" {
	fails_with_one_line env SLURM_CONF=/nonexistent "$STINT" report 4294967
	[[ $stderr == *4294967* ]]
	fails_with_one_line "$STINT" report ./nothing.json
	[[ $stderr == *nothing.json* ]]
	fails_with_one_line "$STINT" report "$BATS_TEST_TMPDIR"
}

@test "stint report: damaged, empty and foreign JSON" {
	echo '{"schema": ' >cut.json
	: >empty.json
	echo '{"name": "something else"}' >foreign.json
	head -c 4096 /dev/urandom >noise.json
	for file in cut empty foreign noise; do
		fails_with_one_line "$STINT" report $file.json
		[[ $stderr == *$file.json* ]]
		fails_with_one_line "$STINT" report --json $file.json
	done
}

@test "stint report: a file that cannot be read" {
	[ "$EUID" -eq 0 ] || skip "becoming another user wants root"
	echo '{}' >secret.json
	chmod 600 secret.json
	chmod 755 . .. ../.. 2>/dev/null || true
	fails_with_one_line setpriv --reuid=65534 --regid=65534 --clear-groups "$STINT" report "$PWD/secret.json"
	[[ $stderr == *secret.json* ]]
}

@test "an unknown option, to every command" {
	local command

	for command in "$STINT --frob" "$STINT report --frob" "$STINT timeline --frob" "$STINT compare --frob" "$STINT doctor --frob" "$STINTD --frob" \
		"$TESTBED up --frob" "$TESTBED run --frob" "$TESTBED down --frob" "$SOURCE/contrib/quickstart --frob"; do
		echo "$command"
		# shellcheck disable=SC2086
		run --separate-stderr $command
		[ "$status" -ne 0 ]
		[[ $stderr == *frob* || $command == *"testbed run"* ]]
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
}

@test "a bad stint.conf is refused with file and line by stintd; cli.bats has its readers" {
	printf 'mode = timeline\n\nsample_interval_s = often\n' >bad.conf
	printf 'colour = blue\n' >unknown.conf
	fails_with_one_line "$STINTD" --config bad.conf
	[[ $stderr == *bad.conf:3:* ]]
	fails_with_one_line "$STINTD" --config unknown.conf
	[[ $stderr == *unknown.conf:1:* && $stderr == *colour* ]]
	fails_with_one_line "$STINTD" --config absent.conf
	[[ $stderr == *absent.conf* ]]
}

@test "every command has --help, on standard output" {
	local command

	for command in "$STINT" "$STINT report" "$STINT timeline" "$STINT compare" "$STINT doctor" "$STINTD" "$TESTBED" "$SOURCE/contrib/quickstart"; do
		echo "$command"
		# shellcheck disable=SC2086
		run --separate-stderr $command --help
		[ "$status" -eq 0 ]
		[[ $output == *sage:* ]]
		[ -z "$stderr" ]
	done
}
