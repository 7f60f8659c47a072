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

@test "two jobs side by side never count each other's processes" {
	local one other up pids=()

	[ "$(nproc)" -ge 2 ] || skip "two jobs at once want two CPUs"
	up=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/up.XXXXXX")
	tool mine
	tool yours
	for name in mine yours; do
		(cd / && "$TESTBED" run --ntasks=1 --mem=100M --job-name="$name" -- sh -c "
			: >$up/$name; until [ -e $up/mine ] && [ -e $up/yours ]; do sleep 0.2; done
			echo \$(date +%s.%N)
			i=0; while [ \$i -lt 200 ]; do $TOOLS/$name burn 5; i=\$((i+1)); done
			echo \$(date +%s.%N)" >"$BATS_TEST_TMPDIR/$name") 3>&- &
		pids+=($!)
	done
	wait "${pids[@]}"
	one=$(cat "$BATS_TEST_TMPDIR/mine") other=$(cat "$BATS_TEST_TMPDIR/yours")
	ran_at_the_same_time "$one" "$other"
	REPORT=$one
	valid
	holds '.complete == true'
	holds '(.tools | any(.name == "mine" and .runs == 200)) and (.tools | any(.name == "yours") | not)'
	holds '.used.cpu_s >= 1 and .used.cpu_s < 1 + 0.9 * $slowness'
	REPORT=$other
	holds '(.tools | any(.name == "yours" and .runs == 200)) and (.tools | any(.name == "mine") | not)'
	holds '.used.cpu_s >= 1 and .used.cpu_s < 1 + 0.9 * $slowness'
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
	tool straggler
	tool medium
	job -- sh -c "$TOOLS/medium daemon $TOOLS/straggler burn 60000; until pgrep -f '^$TOOLS/straggler'; do sleep 0.1; done"
	valid
	# it had been left behind on purpose: its end is not a failure
	holds '.tools[] | select(.name == "straggler") | .runs == 1 and .failures == 0 and .dismissed == 1'
}

@test "processes of nobody's job are in no report" {
	tool outsider
	tool insider
	"$TOOLS/outsider" burn 1500 3>&- &
	job -- "$TOOLS/insider" burn 300
	wait
	holds '.tools | any(.name == "outsider") | not'
	holds '.used.cpu_s < 0.3 + 0.5 * $slowness'
}
