#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stintd starts while many jobs run: it looks at all threads of the node once for all jobs, and systemd waits for it.
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
	jobs_end
}

jobs_open() { # COUNT : that many more
	local last=$((OPEN + $1))

	while [ "$OPEN" -lt "$last" ]; do
		OPEN=$((OPEN + 1))
		sluid_step $((910000 + OPEN)) "s7f3k9q2m4x$OPEN" batch sleep 1000 >"$BATS_TEST_TMPDIR/open.$OPEN" 3>&- &
		soon grep '^0' "$BATS_TEST_TMPDIR/open.$OPEN"
	done
}

# Ends them all, and tells stintd so, like their epilogs: otherwise it would count them until epilog_wait_s is over.
jobs_end() {
	local i

	sluid_end
	for ((i = 1; i <= OPEN; i++)); do
		"$PROGRAMS/peer" "$STINT_TESTBED/run/stintd.sock" send kind=4 job=$((910000 + i)) step=0xfffffffe uid="$SLUID_UID" \
			gid="$SLUID_GID" node=simulated work_dir="$STINT_TESTBED/home" user="$TESTBED_USER" stepd=0 wait=30000
	done
}

start_with() { # STINTD
	sed -i "s|^STINTD=.*|STINTD=$1|" "$STINT_TESTBED/etc/testbed.env"
	"$TESTBED" restart-collector
}

# Starts STINTD, and records what it asks the kernel in the file CALLS.
start_traced() { # STINTD CALLS
	printf '#!/bin/sh\nexec strace -D -q -e trace=bpf,read -o %s %s "$@"\n' "$2" "$1" >"$BATS_TEST_TMPDIR/traced"
	chmod 755 "$BATS_TEST_TMPDIR/traced"
	: >"$STINT_TESTBED/log/stintd.out"
	start_with "$BATS_TEST_TMPDIR/traced"
}

# Sets WALKS to how often an ended stintd looked at all threads of the node while it started: it read an iterator to its end.
walks_in() { # CALLS
	soon grep -q '^+++ exited with' "$1"
	WALKS=$(awk '/BPF_ITER_CREATE/ { fd = $NF; next }
		fd && index($0, "read(" fd ", \"\", ") == 1 && $NF == 0 { walks++; fd = 0 }
		END { print walks + 0 }' "$1")
	echo "$1: $WALKS walks"
	[ "$WALKS" -gt 0 ]
}

# stintd says it after its socket is there, for which restart-collector waits.
log_says() { # TEXT
	soon grep -qF "$1" "$STINT_TESTBED/log/stintd.out" || { echo "the log does not say '$1'"; return 1; }
}

@test "a start beside twelve jobs makes no more walks over all threads than one beside two, also where programs are replaced" {
	local few few_replaced

	need strace
	[ -x "$OTHER" ] || skip "the other layout's stintd is not built (make check)"
	jobs_open 2
	start_traced "$OURS" "$BATS_TEST_TMPDIR/few"
	start_traced "$OTHER" "$BATS_TEST_TMPDIR/few-replaced"
	log_says "took over what another version had counted"
	jobs_open 10
	start_traced "$OURS" "$BATS_TEST_TMPDIR/many-replaced"
	log_says "took over what another version had counted"
	start_traced "$OURS" "$BATS_TEST_TMPDIR/many"
	log_says "took over the kernel programs that were counting"
	start_with "$OURS" # and the tracers have written all
	walks_in "$BATS_TEST_TMPDIR/few"
	few=$WALKS
	walks_in "$BATS_TEST_TMPDIR/few-replaced"
	few_replaced=$WALKS
	# each look is repeated, at most three times, if a thread was still being created
	walks_in "$BATS_TEST_TMPDIR/many"
	between 1 "$WALKS" $((few + 3))
	walks_in "$BATS_TEST_TMPDIR/many-replaced"
	between 1 "$WALKS" $((few_replaced + 5))
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

status_has() { # EXPRESSION
	jq --exit-status "$1" "$STINT_TESTBED/run/status.json" >/dev/null || { jq 'del(.programs, .features)' "$STINT_TESTBED/run/status.json"; return 1; }
}

# Puts an entry of zeros into a table, like one of a job that nobody removed.
leave_entry() { # TABLE
	local sizes

	sizes=$(bpftool --json map show pinned "$STINT_TESTBED/bpf/stint/map_$1" | jq --raw-output '"\(.bytes_key) \(.bytes_value)"')
	# shellcheck disable=SC2046
	bpftool map update pinned "$STINT_TESTBED/bpf/stint/map_$1" key $(printf '1 %.0s' $(seq "${sizes% *}")) \
		value $(printf '0 %.0s' $(seq "${sizes#* }"))
}

entries_of() { # TABLE : prints how many it has
	bpftool --json map dump pinned "$STINT_TESTBED/bpf/stint/map_$1" | jq length
}

no_job_is_counted() {
	[ "$(entries_of job_cgroups)" -eq 0 ] && status_has '.jobs.open == 0 and .jobs.closing == 0'
}

@test "a restart takes over what it would load just so, and loads anew what differs or has entries left" {
	need bpftool
	job -- true
	"$TESTBED" restart-collector
	status_has .taken_over
	job -- true
	valid
	whole
	soon_looked no_job_is_counted # otherwise the programs continue, whatever stint.conf says
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_TEST_TMPDIR/stint.conf"
	collector_gets 'map_entries.tools = 4000'
	status_has '.taken_over | not'
	"$TESTBED" restart-collector
	status_has .taken_over
	cp "$BATS_TEST_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	collector_gets 'programs_off = oom_victim'
	status_has '.taken_over | not'
	cp "$BATS_TEST_TMPDIR/stint.conf" "$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	status_has '(.taken_over | not) and all(.programs[]; .name != "oom_victim" or .loaded)'
	rm "$STINT_TESTBED/bpf/stint/oom_victim"
	"$TESTBED" restart-collector
	status_has '(.taken_over | not) and all(.programs[]; .name != "oom_victim" or .loaded)'
	collector_kill # it removes entries that it does not know
	leave_entry file_systems
	"$TESTBED" restart-collector
	status_has '.taken_over | not'
	[ "$(entries_of file_systems)" -eq 0 ]
	job -- true
	valid
	whole
}
