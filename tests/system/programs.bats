#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernel programs that the site leaves out, and files that it wants: what the reports then tell, and do not.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/stint.conf"
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
}

# Starts a stintd that loads its programs anew, with these lines in stint.conf.
collector_with() { # LINE...
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	printf '%s\n' "$@" >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
}

talk() {
	script_job <<-'END'
		#!/bin/bash
		exec python3 -c '
		import socket
		a, b = socket.socketpair()
		a.sendall(b"x" * 1000)
		b.recv(1000)
		'
	END
}

@test "a program that is left out by name leaves a gap with its reason, and no number" {
	collector_with 'programs_off = socket_sent, sample_tasks'
	talk
	holds '.complete'
	holds '.used.socket_rx_bytes == 1000 and .used.network.unix.rx_bytes == 1000'
	holds '.used | has("socket_tx_bytes") | not'
	holds '.used.network.unix | has("tx_bytes") | not'
	holds '[.gaps[] | select(.name == "used.socket_tx_bytes") | .reason] | any(test("programs_off"))'
	holds '[.gaps[] | select(.name == "series")] | length > 0'
	valid
}

@test "counting cannot do without some, and stintd says which" {
	cp "$BATS_FILE_TMPDIR/stint.conf" "$BATS_TEST_TMPDIR/stint.conf"
	echo 'programs_off = thread_switch' >>"$BATS_TEST_TMPDIR/stint.conf"
	run "$STINT_BUILD/collector/stintd" --config "$BATS_TEST_TMPDIR/stint.conf"
	[ "$status" -eq 1 ]
	[[ $output == *"stint.conf"*"thread_switch"* ]]
	[ "${#lines[@]}" -eq 1 ]
}

@test "with files = on each file's bytes, operations and opens are told, and those of its file system" {
	collector_with 'files = on'
	script_job <<-'END'
		#!/bin/bash
		exec python3 -c '
		import os
		fd = os.open("data", os.O_RDWR | os.O_CREAT)
		for i in range(10):
		    os.write(fd, b"x" * 1000)
		os.close(fd)
		for i in range(5):
		    fd = os.open("data", os.O_RDONLY)
		    os.pread(fd, 500, 0)
		    os.close(fd)
		'
	END
	holds '[.files[] | select(.path | endswith("/data"))] == [.files[] | select(.opens == 6 and .writes == 10 and
		.write_bytes == 10000 and .reads == 5 and .read_bytes == 2500)]'
	holds '[.files[] | select(.path | endswith("/data"))] | length == 1'
	holds '.files_count >= (.files | length)'
	holds '[.used.file_systems[] | .write_bytes // 0] | add >= 10000'
	valid
}

@test "with files = off, which is the default, no path is in the report's files" {
	collector_with
	talk
	holds '(has("files") | not) or .files == []'
	holds '[.gaps[] | select(.name == "files") | .reason] == ["files = off in stint.conf"]'
}
