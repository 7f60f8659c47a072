#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A node that crashed during a job and is up again: the second half of the test that tests/vm/crash began, on the disks that it left.
# shellcheck shell=bash disable=SC1091,SC2016,SC2034,SC2153,SC2154,SC2317

load ../system/helper
load machine

has_the_disks() {
	in_the_machine && modprobe --all virtio_blk ext4 && [ -b /dev/vda ] && [ -b /dev/vdb ]
}

setup() {
	has_the_disks || skip "only in the virtual machine, on the disks that tests/vm/crash left"
}

# Starts the cluster from its files: only files that a reboot removes are made again. If a node registers without a batch job that slurmctld
# believes to be running, slurmctld ends the job, unless it got a message about it within BatchStartTimeout and MessageTimeout, 10 s each.
# Here slurmctld is started again too, and its start counts as such a message. If slurmd came earlier, slurmctld would have jobs that run
# for ever. On a real cluster the node's boot takes longer.
start_again() {
	HERE=$SOURCE/contrib DIR=$STINT_TESTBED
	set +eu
	for part in common settings daemons up; do
		. "$SOURCE/contrib/testbed-lib/$part.sh"
	done
	need_testbed
	find_programs
	user_create && mount -t bpf -o mode=0700 bpf "$DIR/bpf" && prepare_cgroup_v2 && start_munge &&
		daemon_up slurmctld 30 slurmctld_answers slurmctld -D && start_stintd && sleep 22 &&
		daemon_start "slurmd.${NODE_PREFIX}1" slurmd -D -N "${NODE_PREFIX}1" # does not become idle: it gets the requeued job at once
}

setup_file() {
	has_the_disks || return 0
	export STINT_TESTBED=/disk/cluster STINT_TESTBED_USER=games
	PATH=$PATH:/usr/sbin:/sbin
	mkdir /disk /slurmctld && mount /dev/vda /disk && mount /dev/vdb /slurmctld
	export SLURM_CONF=$STINT_TESTBED/etc/slurm.conf STINT_LIBEXEC=$STINT_TESTBED/libexec
	# the file system may have lost unwritten data
	ls "$STINT_TESTBED"/spool/*.record
	rm -f "$STINT_TESTBED"/pid/*
	chmod 755 "$STINT_TESTBED/home/kept"
	(start_again || { echo "$STEP: $REASON" && false; }) 3>&- >&2
}

teardown_file() {
	has_the_disks || return 0
	"$TESTBED" down
	umount /disk /slurmctld
}

# Says whether stint failed, or Slurm, which never began or ended the job.
teardown() {
	testbed_evidence
	[ -z "${BATS_TEST_COMPLETED:-}" ] && [ -z "${BATS_TEST_SKIPPED:-}" ] || return 0
	echo "--- Slurm"
	scontrol ping || true
	scontrol --oneliner show job || true
	scontrol --oneliner show node || true
	tail -n 40 "$STINT_TESTBED"/log/slurmctld.log "$STINT_TESTBED"/log/slurmd.*.log || true
}

report_of() { # DIRECTORY : sets REPORT
	report_in "$STINT_TESTBED/home/$1"
}

spool_is_empty() {
	! compgen -G "$STINT_TESTBED/spool/*.record"
}

@test "a record that was in the spool when the node crashed is delivered after the reboot, whole" {
	report_of kept
	valid
	holds '.complete and .job.attempt == 1'
	holds '.tools | any(.name == "kept" and .runs == 7)'
	soon spool_is_empty
}

@test "a job that Slurm ended for the crash has a report that says what is missing, and why" {
	report_of gone
	valid
	holds '.complete == false'
	holds '.gaps | any(.reason | test("node was restarted"))'
	holds '.tools | any(.name == "lost") | not'
	holds '.job.state == "NODE_FAIL" or (.gaps | any(.name == "job.state"))'
}

report_with() { # DIRECTORY TOOL : sets REPORT
	for REPORT in "$1"/stint-*.json; do
		[ ! -f "$REPORT" ] || ! holds --arg tool "$2" '.tools | any(.name == $tool)' >/dev/null || return 0
	done
	return 1
}

@test "the attempt after the crash has nothing of the one before; what is told of that says what is missing" {
	local id directory=$STINT_TESTBED/home/again

	for _ in {1..3000}; do
		! report_with "$directory" after || break
		# Slurm lets a requeued job wait for a while
		id=$(squeue --noheader --states=PENDING --name again.sh --format %i) || true
		[ -z "$id" ] || scontrol update JobId="$id" StartTime=now || true
		sleep 0.5
	done
	ls "$directory"
	report_with "$directory" after
	valid
	holds '.complete and (.tools | any(.name == "after" and .runs == 3) and (any(.name == "before") | not))'
	# Slurm waits longer for an epilog than for its answer
	if grep -q 'Slurm could not be asked' "$directory"/stint-*.json ||
		grep -q 'stint: job 1: stintd does not answer' "$STINT_TESTBED"/log/slurmd.*.log; then
		skip "the attempt after the crash is whole, but slurmctld, too slow here to be asked, alone numbers the attempts"
	fi
	holds '.job.attempt == 2'
	soon compgen -G "$directory/stint-*.attempt-1.json"
	REPORT=$(compgen -G "$directory/stint-*.attempt-1.json")
	valid
	holds '.complete == false and .job.attempt == 1 and .job.state == "REQUEUED"'
	holds '.gaps | any(.reason | test("node was restarted"))'
}
