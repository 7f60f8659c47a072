#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernel programs that the site leaves out, and files that it wants: what the reports then tell, and do not.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

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

teardown() {
	[ -z "${REFUSED_PID:-}" ] || kill -KILL "$REFUSED_PID" 2>/dev/null || true
	testbed_evidence
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

# ---- whatever the kernel or the site refuses is a named gap, and stint doctor says the same ----

doctor() {
	"$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
}

status_json() { # [jq option...] EXPRESSION
	jq --raw-output "$@" "$STINT_TESTBED/run/status.json"
}

small_job() {
	tool small
	job -- sh -c "$TOOLS/small burn 30; $TOOLS/small burn 20"
	valid
	holds '.tools[] | select(.name == "small") | .runs == 2 and .cpu_s >= 0.05 and .cpu_s < 0.2'
}

# Of each program that is not there: the gap that the status tells is in the report, with no number beside it, and doctor
# names program and gap.
all_agree() {
	local name loaded gap reason said

	said=$(doctor) || { echo "$said"; return 1; }
	while IFS=$'\t' read -r name loaded gap reason; do
		if [ -n "$gap" ]; then
			holds --arg gap "$gap" --arg reason "$reason" '.gaps | any(.name == $gap and .reason == $reason)'
		fi
		if [ "$loaded" = true ] && [ -z "$gap" ]; then
			grep -q "^ok    program $name: loaded$" <<<"$said"
		else
			grep -q "^warn  program $name: .*not in the reports.*: ${gap:-nothing}" <<<"$said"
		fi || { echo "doctor and status do not agree on $name (loaded: $loaded, gap: $gap)"; return 1; }
	done < <(status_json '.programs[] | [.name, .loaded, .gap // "", .gap_reason // ""] | @tsv')
	# a gap has no number, but for what is told in part: by another way, or as it was last sampled
	holds '. as $report | ["used.async_read_bytes", "used.memory_charged_peak_bytes"] as $part |
		[.gaps[].name | select(startswith("used.")) | select(IN($part[]) | not) | split(".") as $path |
		$report | getpath($path)] | all(. == null)'
	# the totals that no optional program is needed for are there
	holds '.complete and .used.cpu_s >= 0.05 and .used.processes >= 3'
	# nothing is missing for another reason than one that the status tells of
	holds --argjson told "$(status_json '[.programs[].gap // empty]')" '[.gaps[] |
		select(.reason | test("node record does not tell it|live threads are not sampled|no tick of") | not) | .name] - $told == []'
}

optional_programs() {
	sed -n 's/.*X(\([a-z0-9_]*\), false).*/\1/p' "$SOURCE/collector/common/programs.h"
}

without_programs() { # NAME...
	collector_with "${@/#/programs_off = }"
	small_job
	all_agree
	for name; do
		# what this kernel has no need of is told of nowhere
		[ "$(status_json --arg name "$name" '[.programs[] | select(.name == $name)] | all(.loaded | not)')" = true ]
	done
}

@test "every optional program can be left out: each is a named gap in the report, and doctor says so" {
	local names=() i odd=() even=()

	mapfile -t names < <(optional_programs)
	[ "${#names[@]}" -gt 30 ]
	without_programs "${names[@]}"
	holds '.gaps | any(.name == "used.socket_tx_bytes" and (.reason | test("programs_off")))'
	if [ -n "${STINT_TEST_LONG:-}" ]; then
		for i in "${names[@]}"; do
			echo "$i"
			without_programs "$i"
		done
		return
	fi
	for i in "${!names[@]}"; do
		if ((i % 2)); then odd+=("${names[i]}"); else even+=("${names[i]}"); fi
	done
	without_programs "${odd[@]}"
	without_programs "${even[@]}"
}

# Starts stintd with one of its calls of bpf() failing. Sets REFUSED_PID; returns whether it runs.
collector_refused() { # ERROR N
	rm -rf "$STINT_TESTBED/run/stintd.sock"
	STINT_LIBEXEC=$STINT_TESTBED/libexec strace -D -I 2 -qq -o "$BATS_TEST_TMPDIR/calls" -e trace=bpf \
		-e inject="bpf:error=$1:when=$2" "$STINTD" --config "$STINT_TESTBED/etc/stint.conf" \
		>"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
	REFUSED_PID=$!
	for _ in {1..1200}; do
		! grep -q 'stintd: version' "$BATS_TEST_TMPDIR/said" || return 0
		[ -e "/proc/$REFUSED_PID/exe" ] || return 1
		sleep 0.05
	done
	echo "it neither runs nor ends"
	kill -KILL "$REFUSED_PID"
	exit 1
}

refused_is_borne() { # ERROR N
	local status=0 tracer

	echo "$1 at call $2"
	if collector_refused "$@"; then
		# traced no longer, it is as quick as ever
		tracer=$(awk '$1 == "TracerPid:" { print $2 }' "/proc/$REFUSED_PID/status")
		[ "$tracer" -eq 0 ] || kill -TERM "$tracer" # to 0 it would be to all of this check
		soon grep -q '^TracerPid:[[:space:]]*0$' "/proc/$REFUSED_PID/status"
		soon doctor
		small_job
		all_agree
		kill -TERM "$REFUSED_PID"
		wait "$REFUSED_PID"
		rm -rf "${STINT_TESTBED:?}/bpf/stint"
		return
	fi
	wait "$REFUSED_PID" || status=$?
	cat "$BATS_TEST_TMPDIR/said"
	[ "$status" -eq 1 ]
	[ "$(wc -l <"$BATS_TEST_TMPDIR/said")" -eq 1 ]
	grep -q '^stintd: .' "$BATS_TEST_TMPDIR/said"
	# nothing is pinned, and what is not goes with the process
	[ -z "$(ls -A "$STINT_TESTBED/bpf/stint" 2>/dev/null)" ]
}

@test "whichever call of bpf() the kernel refuses as stintd starts: it runs and names the gap, or ends with one clear line" {
	local calls n error errors=(EPERM EINVAL ENOMEM E2BIG)

	need strace
	collector_with
	kill -TERM "$(daemon_pid stintd)"
	soon test ! -e "/proc/$(daemon_pid stintd)/exe"
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	collector_refused EPERM 60000
	calls=$(grep -c 'bpf(' "$BATS_TEST_TMPDIR/calls")
	kill -TERM "$REFUSED_PID"
	wait "$REFUSED_PID"
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	echo "$calls calls"
	[ "$calls" -gt 50 ]
	if [ -n "${STINT_TEST_LONG:-}" ]; then
		for ((n = 1; n <= calls; n++)); do
			for error in "${errors[@]}"; do refused_is_borne "$error" "$n"; done
		done
		return
	fi
	for ((n = 1; n <= calls; n += calls / 9)); do
		refused_is_borne "${errors[n % 4]}" "$n"
	done
}
