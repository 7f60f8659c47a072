#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# FUSE, whose requests programs can see since Linux 6.12, if it is no module, as it is in some distributions: stintd has only its unit's
# rights.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154

load ../system/helper
load machine
load plain

SLOW_MS=1500 # for a name lookup
FIFO_S=2

setup() {
	in_the_machine || skip "only in the virtual machine: contrib/check --vm fuse"
	[ -n "$FUSE" ] || skip "FUSE has no tracepoint in this kernel"
}

teardown() {
	plain_evidence
}

setup_file() {
	in_the_machine || return 0
	export FUSE=''
	modprobe fuse && cat /sys/kernel/btf/* | grep --quiet --text btf_trace_fuse_request_send || return 0
	FUSE=yes
	plain_begin with_the_units_rights
}

teardown_file() {
	[ -z "${FUSE:-}" ] || plain_end
}

with_the_units_rights() {
	unit_rights
	[ ${#RIGHTS[@]} -gt 0 ] || return
	STINT_LIBEXEC=$STINT_BUILD/reports "${RIGHTS[@]}" "$STINTD" --config "$CONF" >"$PLAIN/stintd.log" 2>&1 3>&- &
	STINTD_PID=$! # plain_end ends it
}

@test "all kernel programs are loaded, with the rights of the unit" {
	all_programs_are_loaded
	[ "$(jq --raw-output '.programs[] | select(.name == "fuse_requested") | .loaded' "$PLAIN/run/status.json")" = true ]
	[ "$(jq --raw-output '.features[] | select(.name == "fuse_request_send") | .present' "$PLAIN/run/status.json")" = true ]
}

# Both are interruptible waits in openat().
waits_in_open() {
	cat <<-END
		cd $PLAIN/tools
		./cat $PLAIN/slow/data
		./dd if=$PLAIN/fifo of=/dev/null status=none &
		until read -r call _ </proc/\$!/syscall && [ "\$call" = 257 ]; do ./sleep 0.1; done
		./sleep $FIFO_S
		echo >$PLAIN/fifo
		wait
	END
}

@test "an open() that waits for a FUSE server waits for a file, one that waits for a FIFO's other end for a pipe" {
	cp "$(command -v dd)" "$(command -v cat)" "$(command -v sleep)" "$TOOLS"
	mkdir "$PLAIN"/{files,slow} && echo text >"$PLAIN/files/data" && mkfifo "$PLAIN/fifo"
	"$PROGRAMS/slowfs" "$PLAIN/files" "$PLAIN/slow" "$SLOW_MS" 0 0 3>&- >/dev/null 2>&1 &
	SOON_S=600 soon mountpoint -q "$PLAIN/slow"
	plain_job < <(waits_in_open)
	umount "$PLAIN/slow"
	holds --argjson s "$SLOW_MS" '[.used.file_systems[] | select(.type == "fuse") | .wait_s] | add >= $s / 1000 * 0.98'
	holds --argjson s "$SLOW_MS" '.tools[] | select(.name == "cat") | .states.file_io_s >= $s / 1000 * 0.98 and .states.pipe_s < $s / 1000 / 2'
	holds --argjson s "$FIFO_S" '.tools[] | select(.name == "dd") | .states.pipe_s >= $s * 0.98'
}
