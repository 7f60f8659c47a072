#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Who is charged for the memory of stintd's writers: the user whose report it is, in a cgroup below that of its unit.
# shellcheck shell=bash disable=SC2016,SC2154,SC2030,SC2031

load helper

setup_file() {
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	victim_begin
	find_unit
	[ -n "$UNIT" ] || return 0
	undo_with remove_unit "$UNIT"
	mkdir "$UNIT"
	start_delegated
}

# Sets UNIT to a cgroup for stintd, like systemd makes for a unit; empty: no memory controller is available here.
find_unit() {
	local own

	own=$(sed -n 's/^[0-9]*:\([^:]*,\)*memory\(,[^:]*\)*:\(.*\)/\3/p' /proc/self/cgroup)
	export UNIT='' LIMIT=memory.limit_in_bytes
	if [ -n "$own" ]; then
		UNIT=$(findmnt --noheadings --output TARGET --types cgroup | grep '/memory$')$own/stint-unit-$$
	elif grep -qw memory "/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/cgroup.subtree_control" 2>/dev/null; then
		UNIT=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/stint-unit-$$ LIMIT=memory.max
	fi
}

remove_unit() { # UNIT
	local i

	for ((i = 0; i < 100; i++)); do # its last processes end
		rmdir "$1"/writers/* "$1"/writers "$1"/collector "$1"/.control "$1" 2>/dev/null
		[ -d "$1" ] || break
		sleep 0.1
	done
}

# Starts stintd as the unit does.
start_delegated() {
	local stintd

	stintd=$(sed -n 's/^STINTD=//p' "$STINT_TESTBED/etc/testbed.env")
	cat >"$STINT_TESTBED/tools/in-unit" <<-END
		#!/bin/sh
		mkdir -p $UNIT/.control
		(echo 0 >$UNIT/.control/cgroup.procs && $stintd --release)
		rmdir $UNIT/.control
		echo \$\$ >$UNIT/cgroup.procs
		exec $stintd --delegated "\$@"
	END
	chmod 755 "$STINT_TESTBED/tools/in-unit"
	sed -i "s|^STINTD=.*|STINTD=$STINT_TESTBED/tools/in-unit|" "$STINT_TESTBED/etc/testbed.env"
	"$TESTBED" restart-collector
}

teardown_file() {
	victim_end
	[ -z "${UNIT:-}" ] || remove_unit "$UNIT"
}

setup() {
	testbed_or_skip
	[ -n "$UNIT" ] || skip "no cgroup with the memory controller can be made here"
	OWN=$UNIT/writers/$(id -u "$TESTBED_USER")
	DIRECTORY=$("$TESTBED" exec mktemp -d /dev/shm/stint-test.XXXXXX)
	[ "$(stat --file-system --format=%T "$DIRECTORY")" = tmpfs ]
	LOG=$STINT_TESTBED/log/stintd.out
}

teardown() {
	testbed_evidence
	rm -rf "${DIRECTORY:?}"
}

pages() { # CGROUP : prints the bytes of in-memory file systems that are charged to it, without those below it
	awk '$1 == "shmem" { print $2 }' "$1/memory.stat"
}

stintds() { # prints the same of stintd's cgroup
	if [ -d "$UNIT/collector" ]; then pages "$UNIT/collector"; else pages "$UNIT"; fi
}

users_job() { # [SCRIPT] : in memory; sets JOB_ID
	JOB_ID=$("$TESTBED" exec sbatch --parsable --chdir="$DIRECTORY" --output=/dev/null --wrap "${1:-true}")
}

@test "a report in an in-memory file system is charged to its user's cgroup, and none of it to stintd" {
	local before bound

	before=$(stintds)
	users_job
	report_in "$DIRECTORY"
	soon no_writer_is_in "$OWN"
	echo "charged: $(pages "$OWN") to the user, $before before and $(stintds) now to stintd"
	soon has_pages "$(($(stat --format='%b * %B' "$REPORT")))" # the kernel adds these numbers up every two seconds
	# in a virtual machine, stintd's own files are in memory, too
	[[ $(stat --file-system --format=%T "$STINT_TESTBED") == @(tmpfs|ramfs|overlayfs) ]] || [ "$(stintds)" -le "$before" ]
	# a sixteenth of the node, in whole pages, or 256 MiB
	bound=$(($(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo) * 1024 / 16))
	[ "$bound" -ge $((256 << 20)) ] || bound=$((256 << 20))
	between $((bound - 4096)) "$(cat "$OWN/$LIMIT")" "$bound"
}

has_pages() { # BYTES
	[ "$(pages "$OWN")" -eq "$1" ]
}

no_writer_is_in() { # CGROUP
	[ -z "$(cat "$1/cgroup.procs")" ]
}

@test "a user's cgroup goes when no page of the user's is left, and stays until then" {
	users_job
	report_in "$DIRECTORY"
	collector_looks
	collector_looks
	[ -d "$OWN" ]
	rm -rf "${DIRECTORY:?}"/*
	soon_looked test ! -d "$OWN"
}

# Pages in memory, like those of more reports, take all of a limit of 1 MiB: the process that writes the last of them is killed. It is
# charged for nothing else, so its end makes no room.
fill_bound() {
	echo $((1 << 20)) >"$OWN/$LIMIT"
	run python3 -c 'import os, sys
page = bytes(4096)
file = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT)
procs = os.open(sys.argv[1], os.O_WRONLY)
os.write(procs, b"0")
for i in range(16384):
    os.write(file, page)' "$OWN/cgroup.procs" "$DIRECTORY/filler"
	[ "$status" -eq 137 ]
}

@test "a user whose bound is full has no report until there is room; others have theirs, and stintd goes on" {
	local stintd theirs

	stintd=$(daemon_pid stintd)
	users_job
	report_in "$DIRECTORY"
	soon no_writer_is_in "$OWN"
	fill_bound
	# with so many tools, the report takes more than the kernel keeps ready on each processor (64 pages, MEMCG_CHARGE_BATCH)
	users_job 'mkdir tools; for i in $(seq 500); do cp /bin/true tools/$i; tools/$i; done; rm -r tools'
	soon grep "job $JOB_ID of user $TESTBED_USER, .*: its report was not written: stint-epilog was ended by signal 9" "$LOG"
	theirs=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --chdir="$theirs" --output=/dev/null --wrap true
	report_in "$theirs"
	holds '.complete'
	[ "$(daemon_pid stintd)" -eq "$stintd" ] && kill -0 "$stintd"
	[ ! -e "$DIRECTORY/stint-$JOB_ID.json" ]
	echo -1 >"$OWN/$LIMIT" 2>/dev/null || echo max >"$OWN/$LIMIT"
	soon_looked test -s "$DIRECTORY/stint-$JOB_ID.json"
	REPORT=$DIRECTORY/stint-$JOB_ID.json
	holds '.complete'
}

@test "a stintd that starts again goes on with these cgroups" {
	users_job
	report_in "$DIRECTORY"
	"$TESTBED" restart-collector
	run ! grep 'stintd cannot make cgroups for the writers' "$LOG"
	rm -rf "${DIRECTORY:?}"/*
	soon_looked test ! -d "$OWN"
	users_job
	report_in "$DIRECTORY"
	[ "$(pages "$OWN")" -gt 0 ]
}
