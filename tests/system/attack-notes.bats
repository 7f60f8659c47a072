#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A user whose jobs end by the hundred while stintd is away takes no room of others' notes: their jobs are told of when it is back.
# shellcheck shell=bash disable=SC2154,SC2030,SC2031

load helper

setup_file() {
	testbed_begin --nodes 2
	[ -z "$NO_TESTBED" ] || return 0
	victim_begin
}

teardown_file() {
	victim_end
}

notes() {
	find "$NOTES" -type f | wc -l
}

# Makes copies of one note of the attacker's, for jobs that there are not: some hundreds of real jobs more fill the rest.
multiply_notes() { # COUNT
	local one i

	one=$(find "$NOTES" -name '*.job-close.*' -printf '%f\n' -quit)
	for ((i = 0; i < $1; i++)); do
		cp --preserve=all "$NOTES/$one" "$NOTES/$((1000000 + i)).${one#*.}"
	done
}

@test "a user whose jobs end by the hundred while stintd is away takes no room of another's notes" {
	local theirs

	NOTES=$STINT_TESTBED/run/notes
	collector_kill
	"$TESTBED" exec sbatch --wait --chdir=/ --output=/dev/null --wrap true
	soon compgen -G "$NOTES/*.job-close.*"
	multiply_notes 3000
	"$TESTBED" exec sbatch --wait --array=1-260 --mem=50M --chdir=/ --output=/dev/null --wrap true
	soon node_is_idle
	echo "$(notes) notes"
	[ "$(notes)" -ge 3050 ] # more than there is room for were tried: the attack went on to the end
	theirs=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --wait --chdir="$theirs" --output=/dev/null --wrap true
	soon node_is_idle
	find "$NOTES" -name '1000*' -delete
	"$TESTBED" restart-collector
	report_in "$theirs"
	holds '.job.state == "COMPLETED"'
}
