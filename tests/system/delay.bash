# SPDX-License-Identifier: GPL-2.0-or-later
# How long a job's start and end take, for the suites in which stintd is not well.
# shellcheck shell=bash disable=SC2153,SC2154

collector_kill() {
	kill -KILL "$(daemon_pid stintd)"
	until [ ! -e "/proc/$(daemon_pid stintd)/exe" ]; do sleep 0.05; done
}

# Seconds from slurmd's taking the job to the job's first action, and from its last action to the job's being gone.
# Sets START_S and END_S, of a job that does nothing.
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

# The middle of three. Sets START_S and END_S.
time_three_jobs() {
	local i starts=() ends=()

	for i in 1 2 3; do
		time_a_job
		starts+=("$START_S") ends+=("$END_S")
	done
	START_S=$(printf '%s\n' "${starts[@]}" | sort -g | sed -n 2p)
	END_S=$(printf '%s\n' "${ends[@]}" | sort -g | sed -n 2p)
}

log_lines_of_job() { # JOB
	grep -ci "stint.* job $1\b" "$STINT_TESTBED/log/slurmd.$NODE.log"
}

delays_are_bounded() { # what it is compared with: BASE_START_S and BASE_END_S
	time_three_jobs
	between -1 "$START_S" "$(awk "BEGIN { print $BASE_START_S + 0.25 + 0.05 }")"
	between -1 "$END_S" "$(awk "BEGIN { print $BASE_END_S + 2.0 }")"
}

baseline() {
	time_three_jobs
	BASE_START_S=$START_S BASE_END_S=$END_S
}
