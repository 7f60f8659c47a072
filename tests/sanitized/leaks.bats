#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stintd loses no memory, and needs no more of it, however many processes and jobs there are. In a build with
# --enable-sanitizers: AddressSanitizer's leak detector looks when a program ends.
# shellcheck shell=bash disable=SC2154

load ../system/helper

PROCESSES=${STINT_LEAK_PROCESSES:-40000}

setup_file() {
	testbed_directory
	[ -z "$NO_TESTBED" ] || return 0
	export REPORTS=$STINT_TESTBED-reports
	mkdir "$REPORTS"
	chmod 1777 "$REPORTS"
	# what is freed is soon used again, as without the sanitizer: else it is kept, and looks like growth
	export ASAN_OPTIONS=log_path=$REPORTS/report:quarantine_size_mb=1 UBSAN_OPTIONS=log_path=$REPORTS/report
	testbed_begin
}

teardown_file() {
	testbed_end
	rm -rf "${REPORTS:?}"
}

no_reports() {
	local report

	for report in "$REPORTS"/*; do
		[ -e "$report" ] || continue
		head -n 40 "$report"
		return 1
	done
}

# Without the kernel's ring of records, whose 4 MiB become resident page by page as records first pass through them.
resident_kib() {
	awk '$1 == "RssAnon:" { print $2 }' "/proc/$(daemon_pid stintd)/status"
}

wait_for_file() { # FILE
	soon test -e "$1"
}

stop_collector() {
	local pid

	pid=$(daemon_pid stintd)
	kill -TERM "$pid"
	for ((i = 0; i < 3000; i++)); do
		[ -e "/proc/$pid/exe" ] || return 0
		sleep 0.1
	done
	echo "stintd did not end"
	return 1
}

@test "a leak would be reported here" {
	"$STINT_BUILD/tests/sanitized/leak" || true
	run no_reports
	rm -f "$REPORTS"/*
	[ "$status" -eq 1 ]
	[[ "$output" == *"Direct leak of 4711 byte"* ]]
}

@test "a job of $PROCESSES processes: all are counted, nothing is lost, and stintd stays as small as after the first fifth" {
	local marks first last

	# the first fifth fills all that is bounded: the timeline has 4096 entries
	[ $((PROCESSES / 5)) -gt 4096 ]
	tool crowd crowd
	install -m 755 "$STINT_BUILD/tests/bench/nothing" "$TOOLS/nothing"
	marks=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/marks.XXXXXX")
	(cd / && "$TESTBED" run -- sh -c "$TOOLS/crowd $((PROCESSES / 5)) $TOOLS/nothing; touch $marks/first; sleep 2
		$TOOLS/crowd $((PROCESSES / 5 * 4)) $TOOLS/nothing; touch $marks/last; sleep 2" >"$BATS_TEST_TMPDIR/report") 3>&- &
	wait_for_file "$marks/first"
	sleep 1
	first=$(resident_kib)
	# four times the work of the first, of which a busy machine takes its time
	for _ in {1..4}; do wait_for_file "$marks/last" && break; done
	wait_for_file "$marks/last"
	sleep 1
	last=$(resident_kib)
	wait
	REPORT=$(cat "$BATS_TEST_TMPDIR/report")
	valid
	holds --argjson runs "$PROCESSES" '.complete and ([.tools[] | select(.name == "nothing") | .runs] == [$runs])'
	echo "resident: $first KiB after a fifth, $last KiB at the end"
	[ "$last" -le $((first + 2048)) ]
	no_reports
}

@test "many short jobs and steps leave nothing behind" {
	local first last

	"$TESTBED" exec sh -c 'cd && sbatch --wait --array=1-8 --output=/dev/null --wrap true'
	first=$(resident_kib)
	"$TESTBED" exec sh -c 'cd && sbatch --wait --array=1-24 --output=/dev/null --wrap "srun --quiet true"'
	last=$(resident_kib)
	echo "resident: $first KiB after 8 jobs, $last KiB after 32"
	[ "$last" -le $((first + 2048)) ]
	no_reports
}

@test "stintd, told to stop, has lost no memory, nor has any of its children" {
	job -- true
	stop_collector
	no_reports
}
