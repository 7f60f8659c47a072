#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The clock is set during a job: a minute must still be reported as a minute. The test may set the clock only in its own machine.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load ../system/helper
load machine

setup() {
	in_the_machine || skip "only in the virtual machine: see tests/vm/run"
}

setup_file() {
	in_the_machine || return 0
	# for Slurm, a node that has not answered for an hour is down, and its jobs are lost
	STINT_TESTBED_SLURM=SlurmdTimeout=0 testbed_begin
	tool first
	tool second
}

teardown_file() {
	testbed_end
}

uptime_s() {
	cut -d ' ' -f 1 /proc/uptime
}

# A job during which the clock is set; sets REPORT, and TOOK: by /proc/uptime, from its script's begin to its end.
clock_is_set_in_mid_job() { # +N|-N : seconds
	local directory=$STINT_TESTBED/home/clock$1 took

	"$TESTBED" exec mkdir "$directory"
	cat >"$BATS_TEST_TMPDIR/job.sh" <<-END
		#!/bin/bash
		cat /proc/uptime >uptime
		$TOOLS/first burn 200
		srun $TOOLS/first burn 200
		touch half
		until [ -e go ]; do sleep 0.2; done
		$TOOLS/second burn 300
		cat /proc/uptime >>uptime
	END
	install -m 755 "$BATS_TEST_TMPDIR/job.sh" "$TOOLS/job.sh"
	"$TESTBED" exec sbatch --chdir="$directory" --mem=200M --time=600 "$TOOLS/job.sh"
	soon test -e "$directory/half"
	date --set="@$(($(date +%s) + $1))"
	touch "$directory/go"
	report_in "$directory"
	took=($(cut -d ' ' -f 1 "$directory/uptime"))
	TOOK=$(awk "BEGIN { print ${took[1]} - ${took[0]} }")
}

# All times that a reader sees agree with each other, and with TOOK. A wrong time is wrong by an hour; a tolerance of half an hour
# leaves room for a busy machine.
times_are_sane() {
	valid
	holds '.complete and (.job.state == "COMPLETED" or (.gaps | any(.name == "job.state")))'
	between "$TOOK" "$(value .job.elapsed_s)" "$(awk "BEGIN { print $TOOK + 1800 }")"
	holds 'def t: .[0:19] + "Z" | fromdate;
		(.job.start | t) as $from | (.job.end | t) as $to |
		$to - $from - .job.elapsed_s < 2 and .job.elapsed_s - ($to - $from) < 2 and
		(.timeline | length > 3) and
		all(.timeline[]; (.start | t) >= $from - 1 and (.end | t) <= $to + 1 and .wall_s >= 0) and
		all(.steps[]; (.start | t) >= $from - 1 and (.end | t) <= $to + 1) and
		($to - now) < 5 and (now - $to) < 1800'
	holds 'all(.steps[]; .elapsed_s >= 0 and .elapsed_s < 1800) and all(.tools[]; .wall_s < 1800)'
	holds '[.tools[] | select(.name == "first" or .name == "second") | .runs] | add == 3'
	holds '.series[0].end_offsets_s | . == sort and .[-1] < 1800'
	holds '.progress | .idle_head_s < 1800 and .idle_tail_s < 1800'
	holds '.used.cpu_efficiency * .job.elapsed_s * .allocated.cpus / .used.cpu_s | . > 0.99 and . < 1.01'
}

# This test is the first, and sets the clock right again: slurmctld starts no job while its clock is behind its former time.
@test "a record in the spool is tried again though the clock was set back, and its times stay what they were" {
	local directory=$STINT_TESTBED/home/closed ended

	"$TESTBED" exec mkdir "$directory"
	chmod 555 "$directory"
	run "$TESTBED" exec sbatch --wait --chdir="$directory" --output=/dev/null --mem=200M --wrap "$TOOLS/first burn 100"
	ended=$(date +%s)
	soon compgen -G "$STINT_TESTBED/spool/*.record"
	date --set="@$(($(date +%s) - 3600))"
	chmod 755 "$directory"
	report_in "$directory"
	date --set="@$(($(date +%s) + 3600))"
	valid
	holds '.complete'
	holds --argjson ended "$ended" 'def t: .[0:19] + "Z" | fromdate; ([.steps[].end | t] | max) - $ended | . > -60 and . < 5'
}

@test "a clock that is set forward by an hour in mid-job changes no duration, and is named" {
	clock_is_set_in_mid_job +3600
	times_are_sane
	holds '.gaps | any(.name == "job.start" and (.reason | test("set forward by (3599|3600) s")))'
}

@test "a clock that is set back by an hour in mid-job changes no duration, and is named" {
	clock_is_set_in_mid_job -3600
	times_are_sane
	holds '.gaps | any(.name == "job.start" and (.reason | test("set back by (3600|3601) s")))'
}
