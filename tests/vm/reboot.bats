#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A node that crashed in mid-job and is up again: second half of what tests/vm/crash began, on the disk that it left.
# shellcheck shell=bash disable=SC1091,SC2016,SC2034,SC2153,SC2154,SC2317

load ../system/helper
load machine

has_the_disk() {
	in_the_machine && modprobe --all virtio_blk ext4 && [ -b /dev/vda ]
}

setup() {
	has_the_disk || skip "only in the virtual machine, on the disk that tests/vm/crash left"
}

# The cluster is started as it lies there: nothing is made anew but what a reboot takes away.
start_again() {
	HERE=$SOURCE/contrib DIR=$STINT_TESTBED
	set +eu
	for part in common settings daemons up; do
		. "$SOURCE/contrib/testbed-lib/$part.sh"
	done
	need_testbed
	find_programs
	user_create && mount -t bpf -o mode=0700 bpf "$DIR/bpf" && prepare_cgroup_v2 && start_munge &&
		daemon_up slurmctld 30 slurmctld_answers slurmctld -D && start_stintd &&
		daemon_start "slurmd.${NODE_PREFIX}1" slurmd -D -N "${NODE_PREFIX}1" # not idle: it gets the requeued job at once
}

setup_file() {
	has_the_disk || return 0
	export STINT_TESTBED=/disk/cluster STINT_TESTBED_USER=games
	PATH=$PATH:/usr/sbin:/sbin
	mkdir /disk && mount /dev/vda /disk
	export SLURM_CONF=$STINT_TESTBED/etc/slurm.conf STINT_LIBEXEC=$STINT_TESTBED/libexec
	# the file system may have lost what was not written yet
	ls "$STINT_TESTBED"/spool/*.record
	rm -f "$STINT_TESTBED"/pid/*
	chmod 755 "$STINT_TESTBED/home/kept"
	(start_again) 3>&- >&2
}

teardown_file() {
	has_the_disk || return 0
	tail -n 40 "$STINT_TESTBED/log/stintd.out" "$STINT_TESTBED"/log/slurmctld.log "$STINT_TESTBED"/log/slurmd.*.log >&2 || true
	"$TESTBED" down
	umount /disk
}

appears() { # FILE
	for _ in {1..900}; do
		[ ! -e "$1" ] || return 0
		sleep 0.2
	done
	echo "$1 did not appear; there is:"
	ls "$(dirname "$1")"
	return 1
}

report_of() { # DIRECTORY [TRIES] : sets REPORT
	local i

	for ((i = 0; i < ${2:-900}; i++)); do
		REPORT=$(find "$STINT_TESTBED/home/$1" -name 'stint-*.json' ! -name '*.attempt-*') && [ -n "$REPORT" ] && return
		sleep 0.2
	done
	echo "no report in $1"
	return 1
}

@test "a record that was in the spool when the node crashed is delivered after the reboot, whole" {
	report_of kept
	valid
	holds '.complete and .job.attempt == 1'
	holds '.tools | any(.name == "kept" and .runs == 7)'
	run ! compgen -G "$STINT_TESTBED/spool/*.record"
}

@test "a job that Slurm ended for the crash has a report that says what is missing, and why" {
	report_of gone 200 || skip "slurmd ran no epilog for a job that it no longer knew: nobody told stintd of it"
	valid
	holds '.complete == false'
	holds '.gaps | any(.reason | test("node was started anew"))'
	holds '.tools | any(.name == "lost") | not'
	holds '.job.state == "NODE_FAIL" or (.gaps | any(.name == "job.state"))'
}

@test "the attempt after the crash has nothing of the one before; what is told of that says what is missing" {
	local id directory=$STINT_TESTBED/home/again

	# its files were on the machine that crashed: in real life they are on another
	scontrol ping | grep -q 'is UP' ||
		skip "slurmctld did not outlive the crash of its own files: $(tail -n 1 "$STINT_TESTBED/log/slurmctld.log")"
	id=$(squeue --noheader --name again.sh --format %i) || true
	[ -z "$id" ] || scontrol update JobId="$id" StartTime=now || true
	for _ in {1..900}; do
		REPORT=$(find "$directory" -name 'stint-*.json' ! -name '*.attempt-*')
		[ -n "$REPORT" ] && holds '.job.attempt == 2' >/dev/null && break
		sleep 0.2
	done
	ls "$directory"
	valid
	holds '.complete and .job.attempt == 2'
	holds '.tools | any(.name == "after" and .runs == 3) and (any(.name == "before") | not)'
	# slurmd does not always run an epilog for what it does not know any more: then this report says that there is none
	if ! compgen -G "$directory/stint-*.attempt-1.json"; then
		holds '.gaps | any(.name == "job.attempt" and (.reason | test("attempt 1 had left no report")))'
		return
	fi
	REPORT=$(compgen -G "$directory/stint-*.attempt-1.json")
	valid
	holds '.complete == false and .job.attempt == 1'
	holds '.gaps | any(.reason | test("node was started anew"))'
}
