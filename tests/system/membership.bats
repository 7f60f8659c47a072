#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Which process belongs to which job and step.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

teardown() {
	[ -z "${OUTSIDER:-}" ] || kill "$OUTSIDER" 2>/dev/null || true
	testbed_evidence
}

@test "two jobs side by side never count each other's processes" {
	local one other up pids=()

	[ "$(nproc)" -ge 2 ] || skip "two jobs at once want two CPUs"
	up=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/up.XXXXXX")
	tool mine
	tool yours
	tool stopwatch
	for name in mine yours; do
		(cd / && "$TESTBED" run --ntasks=1 --mem=100M --job-name="$name" -- sh -c "
			: >$up/$name; until [ -e $up/mine ] && [ -e $up/yours ]; do sleep 0.05; done
			$TOOLS/stopwatch timed /bin/sh -c 'i=0; while [ \$i -lt 100 ]; do $TOOLS/$name burn 5; i=\$((i+1)); done'" >"$BATS_TEST_TMPDIR/$name") 3>&- &
		pids+=($!)
	done
	wait "${pids[@]}"
	one=$(cat "$BATS_TEST_TMPDIR/mine") other=$(cat "$BATS_TEST_TMPDIR/yours")
	ran_at_the_same_time "$one" "$other"
	counted_alone "$one" mine yours
	counted_alone "$other" yours mine
}

# The job printed what wait4 tells of its tools, in microseconds. Beside them were the shell that waited for the other job, and its sleeps.
counted_alone() { # REPORT TOOL OTHER-TOOL
	local used

	REPORT=$1
	valid
	holds '.complete == true'
	holds --arg mine "$2" --arg other "$3" '(.tools | any(.name == $mine and .runs == 100)) and (.tools | any(.name == $other) | not)'
	used=$(cat "${REPORT%/*}"/slurm-*.out)
	between "$(awk "BEGIN { print $used / 1e6 * 0.99 }")" "$(value .used.cpu_s)" "$(awk "BEGIN { print $used / 1e6 * 1.01 + $(slack 0.2) }")"
}

ran_at_the_same_time() { # REPORT REPORT
	jq --slurp --exit-status '.[0].job.start <= .[1].job.end and .[1].job.start <= .[0].job.end' "$@"
}

@test "a process that becomes a daemon stays with its job" {
	tool ghost
	tool medium
	job -- sh -c "$TOOLS/medium daemon /bin/sh -c '$TOOLS/ghost burn 400; : >done'; until [ -e done ]; do sleep 0.1; done"
	valid
	holds '.complete == true'
	holds '.tools[] | select(.name == "ghost") | .runs == 1 and .cpu_s > 0.399 and .cpu_s < 0.4 + 0.05 * $slowness'
}

@test "a process that outlives its job's script is ended by Slurm, and counted" {
	tool medium
	install -m 755 /bin/sleep "$TOOLS/straggler"
	job -- sh -c "$TOOLS/medium daemon $TOOLS/straggler 300; until pgrep -f '^$TOOLS/straggler'; do sleep 0.1; done"
	valid
	# it had been left behind on purpose: its end is not a failure
	holds '.tools[] | select(.name == "straggler") | .runs == 1 and .failures == 0 and .dismissed == 1'
}

@test "processes of nobody's job are in no report" {
	tool outsider
	tool insider
	"$TOOLS/outsider" burn 600000 3>&- &
	OUTSIDER=$!
	job -- "$TOOLS/insider" burn 300
	kill "$OUTSIDER"
	holds '.tools | any(.name == "outsider") | not'
	holds '.used.cpu_s < 0.3 + 0.5 * $slowness'
}
