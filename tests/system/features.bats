#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each feature of the kernel is removed alone: stintd refuses to start with one clear line that names it, or counts without it and says what
# that costs. The list is collector/kernel/features.c, and docs/kernels.md. STINT_FEATURES=K/N removes only those whose place in the list,
# counted from 0, is K modulo N.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -n "$NO_TESTBED" ] || {
		collector_gets 'files = on' # so that all programs are loaded
		cp "$STINT_TESTBED/run/status.json" "$BATS_FILE_TMPDIR/whole.json"
	}
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	REFUSE=$PROGRAMS/.libs/refuse.so
	[ -e "$REFUSE" ]
}

teardown() {
	[ -z "${LACKING_PID:-}" ] || kill -KILL "$LACKING_PID" 2>/dev/null || true
	testbed_evidence
}

features() { # JQ-CONDITION : lines of kind, tab and name
	jq --raw-output ".features[] | select($1) | [.kind, .name] | @tsv" "$BATS_FILE_TMPDIR/whole.json"
}

# Prints those of its input, a feature a line, whose turn it is.
todays() {
	awk -v which="${STINT_FEATURES:-0/1}" 'BEGIN { split(which, of, "/") } (NR - 1) % of[2] == of[1]'
}

missing() {
	jq --raw-output '.features[] | select(.present | not) | [.kind, .name] | @tsv' "$STINT_TESTBED/run/status.json"
}

helper_number() { # NAME
	grep -o '^[[:space:]]FN([a-z0-9_]*' /usr/include/linux/bpf.h | sed 's/.*(//' | grep -nx "${1#bpf_}" | awk -F : '{ print $1 - 1 }'
}

map_number() { # NAME
	case $1 in
	SK_STORAGE) echo 24 ;;
	RINGBUF) echo 27 ;;
	TASK_STORAGE) echo 29 ;;
	*) return 1 ;;
	esac
}

btf_without() { # as btf_without.py
	python3 "$SOURCE/tests/system/btf_without.py" "$BATS_TEST_TMPDIR/btf" "$@"
}

# How this feature is removed: sets WITHOUT, variables for tests/system/refuse.c, or makes BTF without it. Fails if neither is possible: an
# alternative is chosen by a function's arguments (Debian's kernel 6.1 in the virtual machine has the older ones).
take_away() { # KIND NAME
	local number

	WITHOUT=(STINT_TEST_NONE=)
	rm -f "$BATS_TEST_TMPDIR/btf"
	case $1:$2 in
	"program type:tp_btf") WITHOUT=(STINT_TEST_REFUSE_ATTACH=23) ;;
	"program type:fentry and fexit") WITHOUT=('STINT_TEST_REFUSE_ATTACH=24 25') ;;
	"program type:iter/"*) btf_without "bpf_iter_${2#iter/}" ;;
	instruction:*) WITHOUT=(STINT_TEST_REFUSE_FETCH=yes) ;;
	"map type:"*) number=$(map_number "$2") && WITHOUT=(STINT_TEST_REFUSE_MAPS="$number") ;;
	"system call:BPF_MAP_LOOKUP_BATCH") WITHOUT=(STINT_TEST_REFUSE_COMMANDS=24) ;;
	helper:*) number=$(helper_number "$2") && [ -n "$number" ] && WITHOUT=(STINT_TEST_REFUSE_HELPERS="$number") ;;
	"kernel function:"*) btf_without "$2" ;;
	tracepoint:fuse_request_send) [ ! -e /sys/kernel/btf/fuse ] && btf_without "btf_trace_$2" ;;
	tracepoint:*) btf_without "btf_trace_$2" ;;
	member:task_struct.__state) btf_without "$2" state ;;
	member:*) btf_without "$2" ;;
	argument:*) return 1 ;;
	*) echo "how is $1 $2 taken away?"; exit 1 ;;
	esac
}

# Sets LACKING, the beginning of a command that runs on a kernel without what take_away took, with the rights that stintd's
# unit gives: libbpf must not look for it where only CAP_SYS_ADMIN may.
lacking() {
	unit_rights
	LACKING=(env STINT_LIBEXEC="$STINT_TESTBED/libexec" unshare --mount --propagation slave bash -c '
		[ ! -e "$0" ] || mount --bind "$0" /sys/kernel/btf/vmlinux || exit
		exec "$@"' "$BATS_TEST_TMPDIR/btf" "${RIGHTS[@]}" env LD_PRELOAD="$REFUSE" "${WITHOUT[@]}")
}

no_collector() {
	kill -TERM "$(daemon_pid stintd)" 2>/dev/null || true # a test before this one may have ended it
	soon has_ended "$(daemon_pid stintd)"
	rm -rf "${STINT_TESTBED:?}/bpf/stint" "$STINT_TESTBED/run/stintd.sock"
}

collector_lacking() {
	rm -f "$BATS_TEST_TMPDIR/said"
	lacking
	"${LACKING[@]}" "$STINTD" --config "$STINT_TESTBED/etc/stint.conf" >"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
	LACKING_PID=$!
	soon it_runs_or_has_ended "$LACKING_PID"
	cat "$BATS_TEST_TMPDIR/said"
	grep -q 'stintd: version' "$BATS_TEST_TMPDIR/said"
}

it_runs_or_has_ended() { # PID
	grep -qs 'stintd: version' "$BATS_TEST_TMPDIR/said" || has_ended "$1"
}

end_collector_lacking() {
	kill -TERM "$LACKING_PID"
	wait "$LACKING_PID"
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
}

@test "without a feature that has no substitute, stintd ends with one line that names it and the kernel that brought it" {
	local kind name since

	no_collector
	[ "$(features .needed | wc -l)" -gt 20 ]
	while IFS=$'\t' read -r kind name; do
		echo "$kind $name"
		take_away "$kind" "$name"
		since=$(jq --raw-output --arg name "$name" '.features[] | select(.name == $name) | .since' "$BATS_FILE_TMPDIR/whole.json")
		lacking
		fails_with_one_line "${LACKING[@]}" "$STINTD" --config "$STINT_TESTBED/etc/stint.conf"
		[[ $stderr == "stintd: this kernel lacks what stint needs to count: "*"$kind $name (Linux $since)"* ]]
		# it names only that one, unless nothing else can be tried without it
		[[ $name == tp_btf || $name == iter/task || $name == sched_switch || $stderr != *,* ]]
		[ -z "$(ls -A "$STINT_TESTBED/bpf/stint" 2>/dev/null)" ]
	done < <(features .needed | todays)
}

locked_down() { # MODES : in the form of /sys/kernel/security/lockdown
	LACKING=(unshare --mount --propagation slave sh -c 'mount -t tmpfs tmpfs /sys/kernel/security && echo "$0" >/sys/kernel/security/lockdown &&
		exec "$@"' "$1" "${LACKING[@]}")
}

@test "where lockdown forbids BPF to read the kernel's memory, stintd ends with one line that says so, and doctor fails by it" {
	no_collector
	take_away helper bpf_probe_read_kernel
	lacking
	locked_down 'none [integrity] confidentiality'
	fails_with_one_line "${LACKING[@]}" "$STINTD" --config "$STINT_TESTBED/etc/stint.conf"
	[[ $stderr == "stintd: this kernel lacks what stint needs to count: helper bpf_probe_read_kernel (Linux 5.5)" ]]
	run "${LACKING[@]}" "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	[[ $output != *lockdown* ]]
	lacking
	locked_down 'none integrity [confidentiality]'
	fails_with_one_line "${LACKING[@]}" "$STINTD" --config "$STINT_TESTBED/etc/stint.conf"
	[ "$stderr" = "stintd: lockdown=confidentiality, set by Secure Boot or at boot, forbids BPF to read kernel memory, and stint cannot count without that" ]
	run "${LACKING[@]}" "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	[ "$status" -eq 1 ]
	grep '^FAIL  lockdown: lockdown=confidentiality, .* forbids BPF to read kernel memory -> boot with lockdown=integrity, or with none$' <<<"$output"
}

counts_right() {
	clocked_job 60
	holds '.complete and .used.processes >= 5'
	by_its_clocks
	holds '.states.other_s < .states.sleep_s'
}

# A program that was loaded before and is not now causes a gap in the report, for the status's reason.
gaps_are_named() {
	holds --slurpfile now "$STINT_TESTBED/run/status.json" '.gaps as $gaps | $now[0].programs |
		all(.gap == null or (.gap as $gap | $gaps | any(.name == $gap)))'
}

doctor_names() { # KIND NAME
	local said

	said=$("$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf")
	grep -q "^\(info\|warn\)  kernel feature: no $1 $2, which came with Linux [0-9.]*: ." <<<"$said" || {
		echo "$said"
		return 1
	}
}

@test "without any other feature, alone, stintd counts, and doctor and report say what that costs" {
	local kind name alternatives=0 choice='.needed == false and .present'

	# lacking a tracepoint that has no substitute is lacking its program, which programs.bats tests
	[ -n "${STINT_TEST_LONG:-}" ] || choice+=' and (.costs and .kind == "tracepoint" | not)'
	no_collector
	[ "$(features "$choice" | wc -l)" -gt 12 ]
	while IFS=$'\t' read -r kind name; do
		echo "$kind $name"
		take_away "$kind" "$name" || { alternatives=$((alternatives + 1)); continue; }
		collector_lacking
		# a missing tracepoint has no arguments either
		diff <(features '.present | not') <(missing) | grep '^[<>]' | grep -v "argument.$name's" >"$BATS_TEST_TMPDIR/differs"
		[ "$(cat "$BATS_TEST_TMPDIR/differs")" = "$(printf '> %s\t%s' "$kind" "$name")" ] || {
			cat "$BATS_TEST_TMPDIR/differs"
			return 1
		}
		doctor_names "$kind" "$name"
		counts_right
		gaps_are_named
		end_collector_lacking
	done < <(features "$choice" | todays)
	[ "$alternatives" -le 3 ]
}
