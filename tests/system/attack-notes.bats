#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# If hundreds of a user's jobs end while stintd is away, they take no room of others' notes: stintd learns about the others' jobs when it is
# back.
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

queue_is_empty() {
	! squeue --noheader --format %i | grep -q .
}

# Makes copies of one note of the attacker's, for jobs that do not exist: some more real jobs fill the remaining room.
multiply_notes() { # COUNT
	local one

	one=$(find "$NOTES" -name '*.job-close.*' -printf '%f\n' -quit)
	python3 - "$NOTES" "$one" "$1" <<-'END'
		import os, shutil, sys
		notes, one, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
		owner = os.stat(f"{notes}/{one}")
		for i in range(count):
		    copy = f"{notes}/{1000000 + i}.{one.split('.', 1)[1]}"
		    shutil.copy2(f"{notes}/{one}", copy)
		    os.chown(copy, owner.st_uid, owner.st_gid)
	END
}

@test "a user whose jobs end by the hundred while stintd is away takes no room of another's notes" {
	local theirs

	NOTES=$STINT_TESTBED/run/notes
	collector_kill
	"$TESTBED" exec sbatch --chdir=/ --output=/dev/null --wrap true
	soon compgen -G "$NOTES/*.job-close.*"
	multiply_notes 3040
	"$TESTBED" exec sbatch --array=1-40 --mem=50M --chdir=/ --output=/dev/null --wrap true
	soon queue_is_empty
	soon node_is_idle
	echo "$(notes) notes"
	[ "$(notes)" -ge 3072 ] # three quarters of the room, the limit of one user: more were tried
	theirs=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	as_victim sbatch --chdir="$theirs" --output=/dev/null --wrap true
	soon queue_is_empty
	soon node_is_idle
	find "$NOTES" -name '1000*' -delete
	"$TESTBED" restart-collector
	report_in "$theirs"
	holds '.job.state == "COMPLETED"'
}
