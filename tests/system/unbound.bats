#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A Slurm that binds no job to its CPUs: the report of a job that uses more than it asked for says so.
# shellcheck shell=bash disable=SC2154

load truth

setup_file() {
	STINT_TESTBED_SLURM='TaskPlugin=task/none' testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	printf '%s\n' 'rule.finding_elapsed_s = 1' 'rule.advice_elapsed_s = 1' >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
}

teardown() {
	testbed_evidence
}

teardown_file() {
	testbed_end
}

@test "two busy threads where one CPU was asked for: a finding, and as many CPUs as they used" {
	[ "$(nproc)" -ge 2 ] || skip "one CPU only"
	tool small
	script_job --cpus-per-task=1 --mem=50M <<-END
		#!/bin/bash
		$TOOLS/small burn 3000 & $TOOLS/small burn 3000
		wait
	END
	valid
	between 6 "$(value .used.cpu_s)" 6.5
	holds '.used.cpu_efficiency <= 1'
	# on a busy machine it can have had less than both of its CPUs, at times less than one
	if holds '.used.cpu_s / .job.elapsed_s >= 1.2'; then
		not_found oversubscribed
		found cpus-exceeded
		holds '[.advice[].cpus_per_task // empty] == [2]'
	else
		holds '.used.cpu_s / .job.elapsed_s < 1.1 or (.findings | any(.code == "cpus-exceeded"))'
	fi
}

@test "one busy thread there: nothing is found" {
	tool small
	script_job --cpus-per-task=1 --mem=50M <<-END
		#!/bin/bash
		$TOOLS/small burn 2000
	END
	valid
	between 2 "$(value .used.cpu_s)" 2.3
	not_found cpus-exceeded
}
