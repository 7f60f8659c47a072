# SPDX-License-Identifier: GPL-2.0-or-later
# Measures how long a job's start and end take, for the suites in which stintd is late, absent or hung.
# shellcheck shell=bash disable=SC2153,SC2154

# Seconds from when slurmd takes the job to the job's first action, and from its last action until the job is gone. Sets START_S and END_S,
# for a job that does nothing.
time_a_job() {
	local id started ended taken gone directory

	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/timed.XXXXXX")
	id=$("$TESTBED" exec sbatch --parsable --chdir="$directory" --output=times --wrap 'date +%s.%N; date +%s.%N')
	while squeue --noheader --jobs "$id" --states=PD,R,CF,CG --format %T | grep -q .; do sleep 0.02; done
	gone=$(date +%s.%N)
	JOB_ID=$id
	{ read -r started && read -r ended; } <"$directory/times"
	taken=$(date -d "$(sed -n "s/^\[\([^]]*\)\] .*batch_bind: job $id CPU input mask.*/\1/p" "$STINT_TESTBED/log/slurmd.$NODE.log" | tail -n 1)" +%s.%N)
	START_S=$(awk "BEGIN { print $started - $taken }")
	END_S=$(awk "BEGIN { print $gone - $ended }")
	echo "job $id began after $START_S s and was gone $END_S s after its last action"
}

log_lines_of_job() { # JOB
	grep -ci "stint.* job $1\b" "$STINT_TESTBED/log/slurmd.$NODE.log"
}

# The same without stint, at the same time. Sets BASE_START_S and BASE_END_S.
time_a_job_without() {
	local plugstack=$STINT_TESTBED/etc/plugstack.conf

	cp "$plugstack" "$BATS_TEST_TMPDIR/plugstack.conf"
	: >"$plugstack"
	time_a_job
	cp "$BATS_TEST_TMPDIR/plugstack.conf" "$plugstack"
	BASE_START_S=$START_S BASE_END_S=$END_S
}

least() { # NUMBER [NUMBER]
	printf '%s\n' "$@" | sort -g | head -n 1
}

# A job starts at most 0.25 s later than without stint, and ends at most 2 s later. Other work on the machine sometimes delays a job and
# never speeds it up. So the quickest of some jobs with stint is compared with the quickest of as many without; the two kinds alternate.
# JOB_ID is a job with stint.
delays_are_bounded() {
	local try start='' end='' base_start='' base_end=''

	for ((try = 0; try < 12; try++)); do
		time_a_job_without
		base_start=$(least "$BASE_START_S" $base_start) base_end=$(least "$BASE_END_S" $base_end)
		time_a_job
		start=$(least "$START_S" $start) end=$(least "$END_S" $end)
		! between -1 "$start" "$(awk "BEGIN { print $base_start + 0.25 + 0.05 }")" ||
			! between -1 "$end" "$(awk "BEGIN { print $base_end + 2.0 }")" || return 0
	done
	return 1
}
