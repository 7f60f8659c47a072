#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A real-time kernel (PREEMPT_RT): spinlocks sleep there, and interrupts are threads.
# shellcheck shell=bash disable=SC2154

load ../system/helper
load machine
load plain

setup() {
	in_the_machine || skip "only in the virtual machine: contrib/check --vm rt"
}

teardown() {
	plain_evidence
}

setup_file() {
	in_the_machine || return 0
	plain_begin
}

teardown_file() {
	! in_the_machine || plain_end
}

@test "the kernel is a real-time one, and all kernel programs are loaded there" {
	[ "$(cat /sys/kernel/realtime)" = 1 ]
	all_programs_are_loaded
}

@test "a job of known work is counted exactly" {
	plain_job < <(known_work)
	known_work_is_told
	known_peak_is_told
}
