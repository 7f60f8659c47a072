#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark, short and next to other work: its figures mean nothing here, but it must measure what it says.

load helper

BUILD=${STINT_BUILD:-$SOURCE}

setup_file() {
	NO_TESTBED=$(
		[ "$EUID" -eq 0 ] || { echo "the benchmark wants root"; exit; }
		command -v python3 >/dev/null || echo "python3 is not installed"
	)
	export NO_TESTBED DATA=$BATS_FILE_TMPDIR/bench.json SAID=$BATS_FILE_TMPDIR/said LEFT=$BATS_FILE_TMPDIR/left
	left_by_benchmarks >"$LEFT"
	[ -n "$NO_TESTBED" ] || (cd / && benchmark --build "$BUILD" --beside --pairs 2 --seconds 0.03 \
		--only pairs,files,programs,jitter --json "$DATA" >"$SAID" 2>"$SAID.progress") || {
		tail -n 30 "$SAID" "$SAID.progress"
		return 1
	}
}

# With fewer slices of each workload: the median of three is good enough, because the figures mean nothing.
benchmark() { # OPTION...
	python3 -B -c 'import runpy, sys
sys.path.insert(0, sys.argv[1])
import cost
cost.SLICES = 3
sys.argv = [sys.argv[1] + "/run", *sys.argv[2:]]
runpy.run_path(sys.argv[0], run_name="__main__")' "$SOURCE/tests/bench" "$@"
}

# Another benchmark may be running here, or have been killed.
left_by_benchmarks() {
	! grep -F /stint-bench. /proc/self/mounts
	find /sys/fs/cgroup -maxdepth 2 -name 'stint-bench-*' | sort
	find /var/tmp -maxdepth 1 -name 'stint-bench.*' | sort
}

teardown() {
	[ -n "${BATS_TEST_COMPLETED:-}" ] || tail -n 30 "$SAID" "$SAID.progress"
}

figure() { # EXPRESSION : prints it
	jq --raw-output "$1" "$DATA"
}

@test "each workload is run in pairs, within a job and outside" {
	[ "$(figure '[.pairs.stint.pairs[] | select(.[0] == "copy") | .[1], (.[2] | length)] | join(" ")')" = \
		"job 2 outside 2" ]
	[ "$(figure '[.pairs["stint, files = on"].pairs[] | select(.[0] == "open") | .[1]] | join(" ")')" = "job outside" ]
	[ "$(figure '[.pairs.stint.pairs[][0]] | unique - ["fio-cached", "fio-direct"] | length')" -eq 8 ]
	grep -q '^  sched pipe, both ends on one CPU .* [0-9.]* ([0-9.]*-[0-9.]*)' "$SAID"
}

# Other work has forks and switches too. The benchmark itself checks that each of the job's is counted once.
@test "no run is missed: two switches a round trip, a fork, an exec and an exit a process" {
	between 1.99 "$(figure '[.programs.pipe.job.programs[] | select(.hook == "sched_switch")][0].runs')" 1000
	for hook in task_newtask sched_process_exec sched_process_exit; do
		between 1 "$(figure "[.programs.spawn.job.programs[] | select(.hook == \"$hook\")][0].runs")" 1000
	done
}

@test "a program in a job takes longer than outside, where it takes next to nothing more than an empty one" {
	between 1 "$(figure '.programs.spawn.job.net_ns / .programs.spawn.outside.net_ns')" 1000
	# Each is the difference to an empty program, measured at another moment: on an uneven machine it may be below 0.
	figure '.programs.pipe | .outside.switch_net_ns < .job.switch_net_ns' | grep -qx true
}

# How long each piece takes depends on the machine, and next to other work it means nothing. Their number does: two walks over 2,000 threads
# have some 150 pauses; without them, stintd leaves the processor eight times.
@test "the walk over all tasks lets go of the processor again and again" {
	between 25 "$(figure .jitter.switches)" 100000
	between 0.1 "$(figure .jitter.mean_us)" 100000
	[ "$(figure '.jitter.pairs | length')" -eq 2 ]
}

@test "the benchmark leaves nothing behind" {
	[ -z "$(left_by_benchmarks | grep -vxFf "$LEFT")" ]
}

@test "a build that is not there is one clear line" {
	fails_with_one_line "$SOURCE/tests/bench/run" --build /nonexistent --only pairs
}
