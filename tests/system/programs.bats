#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernel programs that the site leaves out, and files = on: what the reports then have, and what they lack.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/stint.conf"
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/conf.$(daemon_pid stintd)"
	cp "$STINT_TESTBED/run/status.json" "$BATS_FILE_TMPDIR/whole.json"
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

# Makes stint.conf with these lines.
conf_with() { # LINE...
	cp "$BATS_FILE_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	[ $# -eq 0 ] || printf '%s\n' "$@" >>"$STINT_TESTBED/etc/stint.conf"
}

# Makes a stintd run with these lines in stint.conf: the running one, if it began with them, or a new one.
collector_with() { # LINE...
	local pid

	conf_with "$@"
	pid=$(daemon_pid stintd)
	! cmp -s "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/conf.$pid" || has_ended "$pid" || return 0
	"$TESTBED" restart-collector
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_FILE_TMPDIR/conf.$(daemon_pid stintd)"
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

small_job() {
	tool small
	tool stopwatch
	job -- sh -c "$TOOLS/stopwatch timed $TOOLS/small burn 30; $TOOLS/stopwatch timed $TOOLS/small burn 20"
	valid
	# by wait4, in microseconds
	holds --argjson cpu "$(awk '/^[0-9]+$/ { sum += $1 } END { print sum / 1e6 }' <<<"$OUTPUT")" \
		'.tools[] | select(.name == "small") | .runs == 2 and .cpu_s >= 0.05 and .cpu_s >= $cpu - 0.01 and .cpu_s <= $cpu + 0.002'
}

@test "with files = off, which is the default, no path is in the report's files" {
	collector_with
	talk
	holds '(has("files") | not) or .files == []'
	holds '[.gaps[] | select(.name == "files") | .reason] == ["files = off in stint.conf"]'
}

@test "a second stintd ends with one line, and the first's programs keep their pins" {
	local pins

	collector_with
	pins=$(ls -i "$STINT_TESTBED/bpf/stint")
	fails_with_one_line "$STINTD" --config "$STINT_TESTBED/etc/stint.conf"
	[ "$stderr" = "stintd: $STINT_TESTBED/run/stintd.sock: another stintd serves it" ]
	[ "$(ls -i "$STINT_TESTBED/bpf/stint")" = "$pins" ]
	small_job
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
	[ "$status" -eq 78 ]
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

# ---- each program that the kernel or the site refuses is a named gap, and stint doctor says the same ----

doctor() {
	"$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
}

status_json() { # [jq option...] EXPRESSION
	jq --raw-output "$@" "$STINT_TESTBED/run/status.json"
}

# For each program that is not loaded, the report has the gap that the status names, and no number for it, and doctor names program and gap.
all_agree() {
	local name loaded gap reason said lack

	said=$(doctor) || { echo "$said"; return 1; }
	while IFS=$'\t' read -r name loaded gap reason; do
		if [ -n "$gap" ]; then
			holds --arg gap "$gap" --arg reason "$reason" '.gaps | any(.name == $gap and .reason == $reason)'
		fi
		lack=${gap:+not in the reports: $gap}
		lack=${lack:-the reports lack nothing}
		case $loaded:$gap in
		true:) grep -q "^ok    programs: .*[ ,]$name\(,\|$\)" <<<"$said" ;;
		true:*) grep -q "^\(info\|warn\)  program $name: loaded, but reports have only a part of what it counts: $gap: $reason$" <<<"$said" ;;
		*) grep -q "^\(info\|warn\)  program $name: not loaded: .*; $lack" <<<"$said" ;;
		esac || { echo "doctor and status do not agree on $name (loaded: $loaded, gap: $gap)"; return 1; }
	done < <(status_json '.programs[] | [.name, .loaded, .gap // "", .gap_reason // ""] | @tsv')
	# a gap has no number, unless a part is known (in another way, or from the last sample), or a number that includes more
	holds '. as $report | ["used.async_read_bytes", "used.memory_charged_peak_bytes", "used.memory_used_peak_bytes"] as $part |
		[.gaps[].name | select(startswith("used.")) | select(IN($part[]) | not) | split(".") as $path |
		$report | getpath($path)] | all(. == null)'
	# the totals that need no optional program are there
	holds '.complete and .used.cpu_s >= 0.05 and .used.processes >= 3'
	# nothing is missing for a reason that the status does not name
	holds --argjson told "$(status_json '[.programs[].gap // empty]')" '[.gaps[] |
		select(.reason | test("node record does not have it|live threads are not sampled|no tick of") | not) | .name] - $told == []'
}

optional_programs() {
	sed -n 's/.*X(\([a-z0-9_]*\), false).*/\1/p' "$SOURCE/common/program_names.h"
}

without_programs() { # NAME...
	collector_with "${@/#/programs_off = }"
	small_job
	all_agree
	for name; do
		# programs that this kernel does not need are not named
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

no_collector() {
	kill -TERM "$(daemon_pid stintd)" || true # a test before this one may have ended it
	soon has_ended "$(daemon_pid stintd)"
	rm -rf "${STINT_TESTBED:?}/bpf/stint" "$STINT_TESTBED/run/stintd.sock"
}

# Starts stintd with a kernel that always refuses these programs.
collector_without() { # NAME...
	no_collector
	: >"$BATS_TEST_TMPDIR/said" # the shell in the background opens it later: an earlier shell's words would be taken for this one's
	LD_PRELOAD=$REFUSE STINT_TEST_REFUSE=$* STINT_LIBEXEC=$STINT_TESTBED/libexec \
		"$STINTD" --config "$STINT_TESTBED/etc/stint.conf" >"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
	REFUSED_PID=$!
	soon it_runs_or_has_ended
	it_runs
}

it_runs() {
	grep -q 'stintd: version' "$BATS_TEST_TMPDIR/said"
}

it_runs_or_has_ended() {
	it_runs || has_ended "$REFUSED_PID"
}

@test "a program that this kernel refuses is left out, it alone, however many there are" {
	local name refused=(sample_tasks oom_victim)

	REFUSE=$PROGRAMS/.libs/refuse.so
	[ -e "$REFUSE" ]
	conf_with
	mapfile -t before < <(jq --raw-output '.programs[] | select(.loaded) | .name' "$BATS_FILE_TMPDIR/whole.json")
	collector_without "${refused[@]}"
	soon doctor
	small_job
	all_agree
	for name in "${before[@]}"; do
		if [[ " ${refused[*]} " == *" $name "* ]]; then
			[ "$(status_json --arg name "$name" '.programs[] | select(.name == $name) | [.loaded, .reason] | @tsv')" = \
				"$(printf 'false\tthe kernel refused to load it: Invalid argument')" ]
			grep "without $name: the kernel refused to load it: Invalid argument" "$BATS_TEST_TMPDIR/said"
		else
			[ "$(status_json --arg name "$name" '.programs[] | select(.name == $name) | .loaded')" = true ]
		fi
	done
	[ "$(grep -c 'the kernel refused' "$BATS_TEST_TMPDIR/said")" -eq "${#refused[@]}" ]
}

@test "one that counting cannot do without is named when this kernel refuses it" {
	no_collector
	LD_PRELOAD=$PROGRAMS/.libs/refuse.so STINT_TEST_REFUSE='process_exec sample_tasks' \
		fails_with_one_line "$STINTD" --config "$STINT_TESTBED/etc/stint.conf"
	[ "$stderr" = 'stintd: the kernel refuses the program process_exec: Invalid argument' ]
	[ -z "$(ls -A "$STINT_TESTBED/bpf/stint" 2>/dev/null)" ]
}

@test "where SELinux may have denied what the kernel refuses, stintd says where its denials stand" {
	local enforce

	need strace
	no_collector
	for enforce in 1 0; do
		fails_with_one_line unshare --mount --propagation slave sh -c 'mount -t tmpfs tmpfs /sys/fs && mkdir /sys/fs/selinux /sys/fs/bpf &&
			echo "$0" >/sys/fs/selinux/enforce && mount -t bpf bpf /sys/fs/bpf &&
			exec strace -f -qq -o /dev/null -e trace=bpf -e inject=bpf:error=EACCES "$@"' "$enforce" "$STINTD" --config "$STINT_TESTBED/etc/stint.conf"
		[[ $stderr == "stintd: the kernel refuses the maps: Permission denied"* ]]
		[[ $stderr == *"; SELinux is enforcing: 'ausearch -m AVC -c stintd' shows what it denied" ]] || [ "$enforce" -eq 0 ]
		[[ $stderr != *SELinux* ]] || [ "$enforce" -eq 1 ]
	done
}

# Starts stintd with one of its calls of bpf() failing. Sets REFUSED_PID; returns whether it runs.
collector_refused() { # ERROR N
	rm -rf "$STINT_TESTBED/run/stintd.sock"
	: >"$BATS_TEST_TMPDIR/said"
	STINT_LIBEXEC=$STINT_TESTBED/libexec strace -D -I 2 -qq -o "$BATS_TEST_TMPDIR/calls" -e trace=bpf \
		-e inject="bpf:error=$1:when=$2" "$STINTD" --config "$STINT_TESTBED/etc/stint.conf" \
		>"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
	REFUSED_PID=$!
	# if the kernel refuses to show what it knows, it may give programs up one by one, each after a million steps
	SOON_S=$((2 * SOON_S)) soon it_runs_or_has_ended || {
		echo "it neither runs nor ends"
		kill -KILL "$REFUSED_PID"
		exit 1
	}
	it_runs
}

# A signal that comes right before strace waits does not end the wait: the next one does.
is_left_alone() {
	local tracer

	tracer=$(awk '$1 == "TracerPid:" { print $2 }' "/proc/$REFUSED_PID/status")
	[ "$tracer" -ne 0 ] || return 0 # a kill of 0 would be for this whole check
	kill -TERM "$tracer"
	return 1
}

refused_is_borne() { # ERROR N
	local status=0

	echo "$1 at call $2"
	if collector_refused "$@"; then
		# without the tracer, it is as quick as usual
		soon is_left_alone
		kill -CONT "$REFUSED_PID" # strace may have left it stopped
		soon doctor || { doctor; cat "$BATS_TEST_TMPDIR/said"; return 1; }
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
	# nothing is pinned, and programs that are not pinned end with the process
	[ -z "$(ls -A "$STINT_TESTBED/bpf/stint" 2>/dev/null)" ]
}

# Prints the number of a call of each command of bpf(), the one in the middle of all of its calls, in their order.
one_of_each_command() {
	awk '{
		sub(/^bpf\(/, "")
		sub(/,.*/, "")
		of[$0] = of[$0] " " NR
	}
	END {
		for (command in of) {
			count = split(of[command], numbers)
			print numbers[int((count + 1) / 2)]
		}
	}' "$BATS_TEST_TMPDIR/calls" | sort -n
}

# Each command is refused, half of them on even days and half on odd ones, always with another error than on the day before.
@test "whichever call of bpf() the kernel refuses as stintd starts: it runs and names the gap, or ends with one clear line" {
	local calls n i error day errors=(EPERM EINVAL ENOMEM E2BIG)

	need strace
	conf_with
	no_collector
	collector_refused EPERM 60000
	calls=$(grep -c 'bpf(' "$BATS_TEST_TMPDIR/calls")
	mapfile -t numbers < <(one_of_each_command)
	kill -TERM "$REFUSED_PID"
	wait "$REFUSED_PID"
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	echo "$calls calls of ${#numbers[@]} commands"
	[ "$calls" -gt 50 ]
	[ "${#numbers[@]}" -gt 8 ]
	if [ -n "${STINT_TEST_LONG:-}" ]; then
		for ((n = 1; n <= calls; n++)); do
			for error in "${errors[@]}"; do refused_is_borne "$error" "$n"; done
		done
		return
	fi
	day=$(($(date +%s) / 86400))
	for i in "${!numbers[@]}"; do
		(((i + day) % 2)) || refused_is_borne "${errors[(i + day / 2) % 4]}" "${numbers[i]}"
	done
}
