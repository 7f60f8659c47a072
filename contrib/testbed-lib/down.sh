# SPDX-License-Identifier: GPL-2.0-or-later
# testbed down: stops and removes the remains of a testbed, whether it is whole, half made or crashed.
# shellcheck shell=bash

testbed_down() {
	no_arguments down "$@"
	need_root
	if ! is_testbed; then
		say "there is no testbed in $DIR"
		return 0
	fi
	teardown remove
}

teardown() { # remove|keep-logs
	is_testbed || return 0
	if [ -f "$DIR/etc/testbed.env" ]; then
		need_testbed
		cancel_jobs
	fi
	stop_daemons
	kill_stepds
	# no node was started before the settings were written
	[ -z "${NODE_PREFIX:-}" ] || cgroups_clear
	user_remove
	remove_files "$1"
}

cancel_jobs() {
	daemon_pid slurmctld >/dev/null || return 0
	timeout 5 scancel --partition=test --hurry >/dev/null 2>&1
	wait_for 5 no_jobs
}

no_jobs() {
	local jobs

	jobs=$(timeout 5 squeue --noheader --format %i) && [ -z "$jobs" ]
}

stop_daemons() {
	local name pid slurmds=()

	# a script whose children are in its process group
	! pid=$(daemon_pid mariadb-install) || kill -KILL -- "-$pid"
	for name in "$DIR"/pid/slurmd.*; do
		[ ! -e "$name" ] || slurmds+=("${name##*/}")
	done
	daemon_stop slurmctld "${slurmds[@]}"
	daemon_stop stintd slurmdbd
	daemon_stop mariadbd munged
}

# slurmstepd outlives slurmd by design, and makes cgroups again while it lives. A slurmstepd is this testbed's if it has its slurmd's log or
# spool open; one that has just begun, and has not opened them yet, still has slurmd's environment.
stepds() {
	local proc

	for proc in /proc/[0-9]*; do
		[[ $(readlink "$proc/exe") == */slurmstepd* ]] || continue # Debian: slurmstepd-wlm
		if readlink "$proc"/fd/* 2>/dev/null | grep -q -F "$DIR/" ||
			grep -q -z -F -x "SLURM_CONF=$DIR/etc/slurm.conf" "$proc/environ" 2>/dev/null; then
			echo "${proc#/proc/}"
		fi
	done
}

kill_stepds() {
	local pids end=$((SECONDS + 10))

	while pids=$(stepds) && [ -n "$pids" ] && [ "$SECONDS" -lt "$end" ]; do
		# shellcheck disable=SC2086
		kill -KILL $pids 2>/dev/null
		sleep 0.05
	done
}

# Prints the cgroups that slurmd makes for the nodes of this testbed, in all hierarchies.
testbed_cgroups() {
	local node hierarchy

	awk '$3 == "cgroup" || $3 == "cgroup2" { print $2 }' /proc/mounts | while read -r hierarchy; do
		for node in "$hierarchy/slurm_$NODE_PREFIX"[0-9]* \
			"$hierarchy/system.slice/$NODE_PREFIX"[0-9]*_slurmstepd.scope; do
			[ ! -d "$node" ] || echo "$node"
		done
	done
}

node_processes() {
	local dirs

	dirs=$(testbed_cgroups)
	# shellcheck disable=SC2086
	[ -z "$dirs" ] || find $dirs -name cgroup.procs -exec cat {} + 2>/dev/null
}

cgroups_clear() {
	local dirs pids end=$((SECONDS + 10))

	while dirs=$(testbed_cgroups) && [ -n "$dirs" ]; do
		pids=$(node_processes)
		# shellcheck disable=SC2086
		[ -z "$pids" ] || kill -KILL $pids 2>/dev/null
		# a frozen process dies only when it is thawed
		# shellcheck disable=SC2086
		find $dirs -name freezer.state -exec sh -c 'echo THAWED >"$1"' sh {} \; 2>/dev/null
		# shellcheck disable=SC2086
		find $dirs -depth -type d -exec rmdir {} + 2>/dev/null
		[ "$SECONDS" -lt "$end" ] || { say "cgroups are left: ${dirs//$'\n'/ }"; return 1; }
		[ -z "$pids" ] || sleep 0.1
	done
}

remove_files() { # remove|keep-logs
	while mountpoint -q "$DIR/bpf"; do
		umount "$DIR/bpf" || umount --lazy "$DIR/bpf" || return 1
	done
	if [ "$1" = keep-logs ]; then
		find "$DIR" -mindepth 1 -maxdepth 1 ! -name log ! -name "$MARK" -exec rm -rf --one-file-system {} +
	else
		rm -rf --one-file-system "$DIR"
	fi
}
