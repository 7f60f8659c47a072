#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stintd as systemd starts it: all that its unit takes from it, it can do without.
# shellcheck shell=bash disable=SC2015,SC2016,SC2154

load ../system/helper
load machine
load plain

UNIT=/run/systemd/system/stintd.service

setup() {
	in_the_machine && [ "$(cat /proc/1/comm)" = systemd ] || skip "only in a virtual machine with systemd: contrib/check --vm unit"
}

teardown() {
	[ -n "${BATS_TEST_COMPLETED:-}" ] || [ -n "${BATS_TEST_SKIPPED:-}" ] || systemctl status --no-pager --full stintd || true
	plain_evidence
}

setup_file() {
	! setup >/dev/null || plain_begin start_unit
}

teardown_file() {
	[ ! -d "${PLAIN:-/nonexistent}" ] || { systemctl stop stintd && plain_end; }
}

# The unit as it is installed, but for the units that this machine has none of, and for what is built and not installed.
start_unit() {
	sed -e '/^\(Before\|After\|Wants\|RequiresMountsFor\|ExecStart\)=/d' -e 's/^TimeoutStartSec=.*/TimeoutStartSec=infinity/' \
		-e 's/^\[Unit\]/&\nDefaultDependencies=no/' \
		-e "s|^\\[Service\\]|&\nEnvironment=STINT_LIBEXEC=$STINT_BUILD/reports\nExecStart=$STINTD --config $CONF|" \
		"$BATS_TEST_DIRNAME/../../contrib/stintd.service.in" >"$UNIT"
	systemctl daemon-reload && systemctl start stintd
	journal_to_log
}

# Where plain_begin() has what stintd says.
journal_to_log() {
	journalctl --sync
	journalctl --unit=stintd --output=cat >"$PLAIN/stintd.log"
}

journal_has() { # TEXT [OPTION...] : of journalctl
	journalctl --sync
	journalctl --unit=stintd --output=cat "${@:2}" | grep -q "$1"
}

began_times() { # COUNT : stintd
	journalctl --sync
	[ "$(journalctl --unit=stintd --output=cat | grep -c 'socket /')" -eq "$1" ]
}

of_stintd() { # FIELD : of its status in /proc
	sed -n "s/^$1:\t//p" "/proc/$(systemctl show --property=MainPID --value stintd)/status"
}

@test "the unit's bounds are in force, and all kernel programs are loaded" {
	[ "$(of_stintd NoNewPrivs)" -eq 1 ]
	[ "$(of_stintd Seccomp)" -eq 2 ]
	# DAC_READ_SEARCH, KILL, SETGID, SETUID, SYS_PTRACE, PERFMON, BPF: capability.h numbers them
	[ "$((0x$(of_stintd CapBnd)))" -eq "$((1 << 2 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 19 | 1 << 38 | 1 << 39))" ]
	all_programs_are_loaded
}

@test "a job is counted exactly, and its report is written as its user" {
	plain_job '' < <(known_work)
	journal_to_log
	known_work_is_told
	known_peak_is_told
}

@test "systemd finds the unit well enough guarded" {
	local exposure

	exposure=$(systemd-analyze security --no-pager stintd.service | sed -n 's/.*Overall exposure level[^:]*: \([0-9.]*\).*/\1/p')
	echo "exposure: $exposure"
	between 0 "$exposure" 4.9 # "OK"
}

@test "a stint.conf with a mistake is not tried again, and a stintd that was killed is started" {
	local before

	before=$(systemctl show --property=MainPID --value stintd)
	kill -KILL "$before"
	SOON_S=600 soon began_times 2
	cp "$CONF" "$BATS_TEST_TMPDIR/kept"
	echo 'colour = blue' >>"$CONF"
	run ! systemctl restart stintd
	[ "$(systemctl show --property=ExecMainStatus --value stintd)" -eq 78 ]
	[ "$(systemctl show --property=SubState --value stintd)" = failed ]
	cp "$BATS_TEST_TMPDIR/kept" "$CONF"
	systemctl start stintd
}

@test "the journal has each line with its priority" {
	journal_has "unknown key 'colour'" --priority=err
	run ! journal_has 'socket /' --priority=warning
	journal_has 'socket /' --priority=notice
}
