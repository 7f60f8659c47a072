#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A 64-bit ARM machine with Debian's own kernel: other system calls, other registers, and no programs on functions (fentry) in older
# kernels, such as Debian 12's.
# shellcheck shell=bash disable=SC2154

load ../system/helper
load machine
load plain

setup() {
	in_the_machine || skip "only in the virtual machine: contrib/check --vm arm64"
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

no_fentry() {
	grep -q 'BPF programs cannot attach to this kernel.s functions (fentry)' "$PLAIN/stintd.log"
}

@test "the machine is a 64-bit ARM, and all kernel programs are loaded there that its kernel can have" {
	[ "$(uname -m)" = aarch64 ]
	if no_fentry; then
		grep 'counts from now on' "$PLAIN/stintd.log"
		run ! grep 'without' <(grep -vE 'files = off|\(fentry\)$|this kernel has no tracepoint' "$PLAIN/stintd.log")
	else
		all_programs_are_loaded
	fi
}

@test "a job of known work is counted exactly; what this kernel hides is a gap" {
	plain_job < <(known_work)
	known_work_is_told
	if no_fentry; then
		holds '[.gaps[].name] | contains(["tools.peak_bytes", "used.socket_rx_bytes", "used.async_read_bytes"])'
		holds 'all(.tools[]; .peak_bytes == null)'
	else
		known_peak_is_told
	fi
}
