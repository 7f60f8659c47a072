#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of known truth that use the network: payloads are exact, and it is known which end waits for which. The other end is
# outside the job, on the loopback device or behind a pair of virtual ones, in a network namespace.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load truth

setup_file() {
	testbed_begin --first --nodes 4
	[ -z "$NO_TESTBED" ] || return 0
	workload reader writer player
	NO_VETH=$(no_veth)
	export NO_VETH
	loopback_jobs
	[ -n "$NO_VETH" ] || veth_jobs
	jobs_end
	truth_undo
}

teardown_file() {
	truth_undo
	testbed_end
}

# Starts the other end. Sets PORT.
serve() { # ADDRESS ARGUMENT... ; in the namespace SPACE, if it is set
	local out

	out=$(mktemp "$BATS_FILE_TMPDIR/serve.XXXXXX")
	${SPACE:+ip netns exec "$SPACE"} "$PROGRAMS/workload/workload" serve "$@" >"$out" 3>&- &
	undo_with end_server $!
	soon test -s "$out" && PORT=$(head -n 1 "$out")
}

end_server() { # PID : it ends with its connection
	[ ! -e "/proc/$1/exe" ] || kill -TERM "$1"
}

loopback_jobs() {
	local kind

	serve 127.0.0.1 write 2097152 65536 100
	beside loopback-read --mem=100M -- "$TOOLS/reader" connect 127.0.0.1 "$PORT" read
	serve 127.0.0.1 read 1048576 32768 60
	beside loopback-write --mem=100M -- "$TOOLS/writer" connect 127.0.0.1 "$PORT" write 1048576
	for kind in tcp udp unix; do
		beside "$kind" --mem=100M -- "$TOOLS/player" pingpong "$kind" 150 1000 20
	done
}

# Prints why there can be no veth pair here.
no_veth() {
	local name=stint$$

	command -v ip >/dev/null || { echo "ip is not installed"; return; }
	ip netns add "$name" 2>/dev/null || { echo "no network namespace can be made here"; return; }
	ip link add "$name" type veth peer name peer netns "$name" 2>/dev/null || echo "no veth pair can be made here"
	ip netns del "$name"
	ip link del "$name" 2>/dev/null || true # it goes with the namespace, sooner or later
}

# Two pairs, because one is made slow for all: here 10.213.77.1 and 10.213.77.5, there .2 and .6.
veth_up() {
	SPACE=stint$$
	ip netns add "$SPACE"
	undo_with veth_down "$SPACE"
	ip -n "$SPACE" link set lo up
	veth_pair "$SPACE" peer 10.213.77 1
	veth_pair "${SPACE}s" slow 10.213.77 5
}

veth_pair() { # HERE THERE NETWORK NUMBER
	ip link add "$1" type veth peer name "$2" netns "$SPACE"
	ip address add "$3.$4/30" dev "$1"
	ip link set "$1" up
	ip -n "$SPACE" address add "$3.$(($4 + 1))/30" dev "$2"
	ip -n "$SPACE" link set "$2" up
}

veth_down() { # NAME : a pair goes at once when one end is deleted, and with the namespace only later
	local name

	for name in "$1" "${1}s"; do
		! ip link show "$name" >/dev/null 2>&1 || ip link del "$name"
	done
	ip netns del "$1"
}

veth_jobs() {
	veth_up
	serve 10.213.77.2 write 2097152 65536 100
	beside veth-read --mem=100M -- "$TOOLS/reader" connect 10.213.77.2 "$PORT" read
	serve 10.213.77.2 read 1048576 32768 60
	beside veth-write --mem=100M -- "$TOOLS/writer" connect 10.213.77.2 "$PORT" write 1048576
	# a line too slow for the sent data drops some of it
	! tc qdisc add dev "${SPACE}s" root tbf rate 4mbit burst 8kb limit 8kb || {
		serve 10.213.77.6 read 1048576 65536 0
		beside lossy --mem=100M -- "$TOOLS/writer" connect 10.213.77.6 "$PORT" write 1048576
	}
}

veth_or_skip() {
	[ -z "$NO_VETH" ] || skip "$NO_VETH"
}

# One job's end of a TCP connection: bytes and calls, the wait, the verdict.
one_end() { # TOOL
	agree '.used.socket_rx_bytes' 'own("connect").rx_bytes' 0 0
	agree '.used.socket_tx_bytes' 'own("connect").tx_bytes' 0 0
	agree '.used.network.tcp.rx_bytes' 'own("connect").rx_bytes' 0 0
	agree '.used.network.tcp.tx_bytes' 'own("connect").tx_bytes' 0 0
	agree '.used.network.tcp.tx_ops' 'own("connect").tx_ops' 0 0
	# the call that finds the end, and moves nothing, may count as an operation or not
	agree '.used.network.tcp.rx_ops' 'own("connect").rx_ops' 0 1
	waited "$1" network_s 'own("connect").waited_ns' 'own("connect") | .rx_ops + .tx_ops'
	holds '.used.network | .udp.rx_bytes == 0 and .udp.tx_bytes == 0 and .unix.rx_bytes == 0 and .unix.tx_bytes == 0'
	closed 3
}

@test "a reader whose sender is slow, on loopback: every byte, the wait; network" {
	of loopback-read
	true_of_both 'own("connect").rx_bytes == 2097152'
	one_end reader
	bound_by network
}

@test "a writer whose receiver is slow, on loopback: every byte, the wait; network" {
	of loopback-write
	true_of_both 'own("connect").tx_bytes == 1048576'
	one_end writer
	bound_by network
}

@test "a reader whose sender is slow, over a veth pair: every byte, the wait; network" {
	veth_or_skip
	of veth-read
	one_end reader
	bound_by network
}

@test "a writer whose receiver is slow, over a veth pair: every byte, the wait; network" {
	veth_or_skip
	of veth-write
	one_end writer
	bound_by network
}

@test "over a line that drops packets, each one sent again is counted" {
	veth_or_skip
	[ -e "$BATS_FILE_TMPDIR/lossy.report" ] || skip "this kernel has no token bucket filter"
	of lossy
	one_end writer
	true_of_both 'own("connect").retransmits > 20'
	agree '.used.network.tcp.retransmits' 'own("connect").retransmits' 0.02 1
	bound_by network
}

# Both ends in the job: one sends, the other sleeps and answers.
both_ends() { # tcp|udp|unix
	local kind

	agree ".used.network.$1.rx_bytes" "own(\"$1\").rx_bytes" 0 0
	agree ".used.network.$1.tx_bytes" "own(\"$1\").tx_bytes" 0 0
	agree ".used.network.$1.rx_ops" "own(\"$1\").rx_ops" 0 0
	agree ".used.network.$1.tx_ops" "own(\"$1\").tx_ops" 0 0
	agree ".used.socket_rx_bytes" "own(\"$1\").rx_bytes" 0 0
	agree ".used.socket_tx_bytes" "own(\"$1\").tx_bytes" 0 0
	for kind in tcp udp unix; do
		[ "$kind" = "$1" ] || holds ".used.network.$kind | .rx_bytes == 0 and .tx_bytes == 0"
	done
	waited player network_s "own(\"$1\").waited_ns" "own(\"$1\") | .rx_ops + .tx_ops"
	waited player sleep_s "own(\"$1\").slept_ns" "own(\"$1\").rounds"
	holds '.used.processes == 3'
	closed 4
	# one end always sleeps while the other waits for it: if both wait, the network is what counts
	bound_by network
}

@test "TCP between two processes: bytes, operations and waits of both; network" {
	of tcp
	both_ends tcp
}

@test "UDP between two processes: bytes, operations and waits of both; network" {
	of udp
	both_ends udp
}

@test "Unix sockets between two processes: bytes, operations and waits of both; network" {
	of unix
	both_ends unix
}
