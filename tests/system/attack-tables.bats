#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A user whose jobs have more processes, or tools, than the kernel programs' tables have room for loses detail only in the reports of their
# own jobs. If another user's job begins then, and takes less than its share, it lacks nothing.
# shellcheck shell=bash disable=SC2154,SC2030,SC2031

load helper

setup_file() {
	testbed_begin --nodes 2 # room for three jobs, counted by one stintd
	[ -z "$NO_TESTBED" ] || return 0
	collector_gets 'map_entries.processes = 128' 'map_entries.process_uses = 128' 'map_entries.tools = 400'
	victim_begin
	tool swarm swarm
	tool worker
}

teardown_file() {
	victim_end
}

setup() {
	testbed_or_skip
}

teardown() {
	testbed_evidence
	[ -z "${HOLD:-}" ] || "$TESTBED" exec touch "$HOLD"
}

# Starts a job of the attacker's with COUNT processes of two threads, and waits until all exist. They wait for the file HOLD. Sets
# DIRECTORY, where its report will be.
hold_processes() { # COUNT
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/taker.XXXXXX")
	"$TESTBED" exec sbatch --chdir="$DIRECTORY" --output=took --mem=200M --wrap "exec $TOOLS/swarm hold $1 $HOLD" >/dev/null
	soon grep -qx "$1" "$DIRECTORY/took"
}

# Runs a job of the victim's: COUNT processes of several threads, each of which takes 10 ms of CPU.
victims_crowd() { # COUNT
	local directory

	directory=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --chdir="$directory" --output=/dev/null --mem=200M --wrap "$TOOLS/swarm crowd $1 4 10" >/dev/null
	report_in "$directory"
	valid
	holds '.complete and ([.lost[]] | add == 0)'
	holds --argjson count "$1" '.used.processes >= $count + 1 and .used.threads_peak >= 5 * $count'
	holds --argjson count "$1" '.tools[] | select(.name == "swarm") | .runs == 1 and .forks == $count and .cpu_s >= 0.04 * $count'
	holds '.used.cpu_s - ([.tools[].cpu_s] | add) | fabs < 0.005'
}

# Runs a job of the victim's that runs COUNT tools.
victims_tools() { # COUNT
	local directory

	directory=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --chdir="$directory" --output=/dev/null --mem=20M \
		--wrap "for i in \$(seq $1); do $TOOLS/t\$i burn 1; done" >/dev/null
	report_in "$directory"
	valid
	holds '.complete and .lost.tools == 0'
	holds --argjson count "$1" '[.tools[] | select(.name | test("^t[0-9]")) | .runs] | length == $count and all(. == 1)'
}

tables_are_empty() {
	"$BATS_TEST_DIRNAME/map-bytes" --count "$STINT_TESTBED/bpf/stint" >"$BATS_TEST_TMPDIR/entries"
	[ "$(grep -cE '^(totals|processes|process_uses|users|shares|tools) 0$' "$BATS_TEST_TMPDIR/entries")" -eq 6 ]
}

@test "a user who fills the tables of processes, with one job or several, takes no place of another user's" {
	local one two

	HOLD=$STINT_TESTBED/home/end-$BATS_TEST_NUMBER
	hold_processes 140
	one=$DIRECTORY
	hold_processes 100
	two=$DIRECTORY
	collector_looks # at how full the tables are
	victims_crowd 12
	"$TESTBED" exec touch "$HOLD"
	soon node_is_idle
	for DIRECTORY in "$one" "$two"; do
		report_in "$DIRECTORY"
		valid
		# the sums are complete: only the use of single threads is in no tool's
		holds '.complete and .lost.uses > 0 and ([.lost | to_entries[] | select(.key != "uses") | .value] | add == 0)'
		holds '.gaps | any(.name == "tools" and (.reason | contains("the user'"'"'s share")))'
		holds --argjson count "$(cat "$DIRECTORY/took")" '.used.processes >= $count + 1 and .used.threads_peak >= 2 * $count'
	done
	soon tables_are_empty
	# and a user with nothing left in them may take the whole share again
	HOLD=$STINT_TESTBED/home/again-$BATS_TEST_NUMBER
	hold_processes 40
	"$TESTBED" exec touch "$HOLD"
	soon node_is_idle
	report_in "$DIRECTORY"
	holds '.complete and ([.lost[]] | add == 0)'
	soon tables_are_empty
}

@test "a user whose many jobs take all the tools that they may leaves another user's job its share" {
	local directory i jobs=3

	for ((i = 1; i <= 110; i++)); do ln -f "$TOOLS/worker" "$TOOLS/t$i"; done
	HOLD=$STINT_TESTBED/home/end-$BATS_TEST_NUMBER
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/taker.XXXXXX")
	for ((i = 1; i <= jobs; i++)); do
		"$TESTBED" exec sbatch --chdir="$directory" --output=out --open-mode=append --ntasks=1 --mem=20M --wrap "
			: >there-\$SLURM_JOB_ID; until [ -e go ]; do sleep 0.1; done
			for i in \$(seq 110); do $TOOLS/t\$i burn 1; done
			: >took-\$SLURM_JOB_ID; until [ -e $HOLD ]; do sleep 0.1; done" >/dev/null
	done
	soon eval "[ \$(find $directory -name 'there-*' | wc -l) -eq $jobs ]"
	collector_looks # at how full the tables are
	"$TESTBED" exec touch "$directory/go"
	soon eval "[ \$(find $directory -name 'took-*' | wc -l) -eq $jobs ]"
	collector_looks
	victims_tools 20
	"$TESTBED" exec touch "$HOLD"
	soon node_is_idle
	soon tables_are_empty
}
