#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stintd starts beside many jobs: it looks at all threads of the node once for all jobs, and systemd waits for it.
# shellcheck shell=bash disable=SC2034,SC2154,SC2317

load helper
load sluid

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	SLUID_UID=$(id -u "$TESTBED_USER") SLUID_GID=$(id -g "$TESTBED_USER")
	OURS=${STINT_BUILD:-$SOURCE}/collector/stintd OTHER=$PROGRAMS/other/stintd
	OPEN=0
}

teardown() {
	testbed_evidence
	sluid_end
}

jobs_open() { # COUNT : that many more
	local last=$((OPEN + $1))

	while [ "$OPEN" -lt "$last" ]; do
		OPEN=$((OPEN + 1))
		sluid_step $((910000 + OPEN)) "s7f3k9q2m4x$OPEN" batch sleep 1000 >"$BATS_TEST_TMPDIR/open.$OPEN" 3>&- &
		soon grep '^0' "$BATS_TEST_TMPDIR/open.$OPEN"
	done
}

start_with() { # STINTD
	sed -i "s|^STINTD=.*|STINTD=$1|" "$STINT_TESTBED/etc/testbed.env"
	"$TESTBED" restart-collector
}

# Sets WALKS to how often all threads of the node were looked at while stintd started: an iterator was read to its end.
walks_of_start_with() { # STINTD
	printf '#!/bin/sh\nexec strace -D -qq -e trace=bpf,read -o %s %s "$@"\n' "$BATS_TEST_TMPDIR/calls" "$1" \
		>"$BATS_TEST_TMPDIR/traced"
	chmod 755 "$BATS_TEST_TMPDIR/traced"
	start_with "$BATS_TEST_TMPDIR/traced"
	start_with "$1" # and the tracer has written all
	WALKS=$(awk '/BPF_ITER_CREATE/ { fd = $NF; next }
		fd && index($0, "read(" fd ", \"\", ") == 1 && $NF == 0 { walks++; fd = 0 }
		END { print walks + 0 }' "$BATS_TEST_TMPDIR/calls")
	echo "$OPEN jobs: $WALKS walks"
	[ "$WALKS" -gt 0 ]
}

log_says() { # TEXT
	grep -qF "$1" "$STINT_TESTBED/log/stintd.out" || { echo "the log does not say '$1'"; return 1; }
}

@test "a start beside twelve jobs makes no more walks over all threads than one beside two, also where programs are replaced" {
	local few few_replaced

	need strace
	[ -x "$OTHER" ] || skip "the other layout's stintd is not built (make check)"
	jobs_open 2
	walks_of_start_with "$OURS"
	few=$WALKS
	: >"$STINT_TESTBED/log/stintd.out"
	walks_of_start_with "$OTHER"
	log_says "took over what another version had counted"
	few_replaced=$WALKS
	start_with "$OURS"
	jobs_open 10
	# each look is repeated, three times at most, where a thread was only being made
	walks_of_start_with "$OURS"
	between 1 "$WALKS" $((few + 3))
	: >"$STINT_TESTBED/log/stintd.out"
	walks_of_start_with "$OTHER"
	log_says "took over what another version had counted"
	between 1 "$WALKS" $((few_replaced + 5))
	start_with "$OURS"
}

@test "while it takes up jobs stintd asks systemd for more time, and then it is ready" {
	local listener

	jobs_open 2
	python3 - "$BATS_TEST_TMPDIR/notify" >"$BATS_TEST_TMPDIR/told" <<-'END' 3>&- &
		import socket, sys
		listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
		listener.settimeout(600)
		listener.bind(sys.argv[1])
		while True:
		    told = listener.recv(4096).decode()
		    print(told, flush=True)
		    if told.startswith("READY"):
		        break
	END
	listener=$!
	soon test -S "$BATS_TEST_TMPDIR/notify"
	NOTIFY_SOCKET=$BATS_TEST_TMPDIR/notify "$TESTBED" restart-collector
	wait "$listener"
	cat "$BATS_TEST_TMPDIR/told"
	[ "$(sort -u "$BATS_TEST_TMPDIR/told")" = $'EXTEND_TIMEOUT_USEC=10000000\nREADY=1' ]
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/told")" = "READY=1" ]
}
