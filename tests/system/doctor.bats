#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint doctor, on a node where all is well and on one where it is not.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

@test "doctor finds nothing wrong on a node where stint works" {
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "doctor finds a dead stintd and says how to mend it" {
	kill -KILL "$(daemon_pid stintd)"
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	echo "$output"
	[ "$status" -ne 0 ]
	[[ $output == *stintd* ]]
}
