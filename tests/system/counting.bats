#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is counted is exact: processes, CPU and memory, down to what other tools miss.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

make_five_tools() {
	tool alpha
	tool beta
	cat >"$TOOLS/gamma.sh" <<-'END'
		#!/bin/bash
		case $(($1 % 10)) in
		3) exit 3 ;;
		7) kill -KILL $$ ;;
		esac
	END
	cat >"$TOOLS/delta.py" <<-'END'
		#!/usr/bin/python3 -SE
		import os, sys
		if int(sys.argv[1]) % 10 == 7:
		    os.kill(os.getpid(), 15)
		sys.exit(3 if int(sys.argv[1]) % 10 == 3 else 0)
	END
	cat >"$TOOLS/epsilon.pl" <<-'END'
		#!/usr/bin/perl
		kill 'TERM', $$ if $ARGV[0] % 10 == 7;
		exit($ARGV[0] % 10 == 3 ? 3 : 0);
	END
	chmod 755 "$TOOLS"/*.sh "$TOOLS"/*.py "$TOOLS"/*.pl
}

@test "of 5,000 short processes of five tools every run and failure is counted, under the right tool" {
	local path runs failures signals each=$((1000 / SLOWNESS))

	make_five_tools
	tool crowd crowd
	job --cpus-per-task="$(nproc)" -- "$TOOLS/crowd" "$each" \
		"$TOOLS"/{alpha,beta,gamma.sh,delta.py,epsilon.pl}
	[ "$STATUS" -eq 0 ]
	valid
	holds '.complete == true'
	[ "$(wc -l <<<"$OUTPUT")" -eq 5 ]
	while read -r path runs failures signals; do
		[ "$runs" -eq "$each" ] && [ "$failures" -eq $((each / 5)) ] && [ "$signals" -eq $((each / 10)) ]
		holds --arg path "$path" --argjson each "$each" \
			'.tools[] | select(.path == $path) | .runs == $each and .failures == $each / 5'
		holds --arg path "$path" --arg name "${path##*/}" '.tools[] | select(.path == $path) | .name == $name'
	done <<<"$OUTPUT"
	# plus the crowd itself, and the shell of the batch script
	holds --argjson each "$each" '.used.processes == 5 * $each + 2'
	holds --argjson each "$each" '[.tools[] | select(.slurm | not) | .runs] | add == 5 * $each + 2'
}

@test "the job's CPU equals its cgroup's own count within 0.5 % and 20 ms" {
	local counted

	tool crunch
	"$BATS_TEST_DIRNAME/poll-cpu" "$NODE" >"$BATS_TEST_TMPDIR/cgroup" 3>&- &
	job --cpus-per-task="$(nproc)" -- sh -c "$TOOLS/crunch burn 700 & $TOOLS/crunch threads 200 1 & $TOOLS/crunch burn 900; wait; i=0; while [ \$i -lt 200 ]; do i=\$((i+1)); /bin/true; done"
	wait
	counted=$(cat "$BATS_TEST_TMPDIR/cgroup") # seconds
	between 1.8 "$counted" "$(slack 10)"
	between "$(awk "BEGIN { print $counted * 0.995 - $(slack 0.020) }")" "$(value .used.cpu_s)" \
		"$(awk "BEGIN { print $counted * 1.005 + $(slack 0.020) }")"
}

@test "a single-threaded process has the CPU that wait4 tells, within 2 ms" {
	tool stopwatch
	tool runner
	job -- "$TOOLS/stopwatch" timed "$TOOLS/runner" burn 1500
	between "$(awk "BEGIN { print $OUTPUT / 1e6 - $(slack 0.002) }")" \
		"$(value '.tools[] | select(.name == "runner") | .cpu_s')" \
		"$(awk "BEGIN { print $OUTPUT / 1e6 + $(slack 0.002) }")"
}

@test "12 processes of 2.2 ms have all their CPU: what the exit tracepoint shows misses some of it" {
	tool blink
	job -- sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do $TOOLS/blink burn 2.2; done"
	holds '.tools[] | select(.name == "blink") | .runs == 12'
	between 0.0264 "$(value '.tools[] | select(.name == "blink") | .cpu_s')" "$(slack 0.060)"
}

@test "a core has all the CPU time that was used on it, also of processes that nothing ever interrupts" {
	tool blink
	tool runner
	job --cpus-per-task="$(nproc)" -- sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do $TOOLS/blink burn 2.2; done; exec $TOOLS/runner burn 50"
	# what a process did between fork and exec is no tool's of the user
	holds '([.nodes[0].allocated.cores[].cpu_s] | add) as $cores | ([.tools[] | select(.slurm | not) | .cpu_s] | add) as $tools |
		$cores > $tools - 0.0002 and $cores < .used.cpu_s + 0.0002'
	job --cpus-per-task=1 -- true
	holds '.progress.cores_used >= 1'
}

@test "100 threads of 1 ms have all their CPU: read before the last switch it is a fifth of it" {
	tool weaver
	job -- "$TOOLS/weaver" threads 100 1
	between 0.100 "$(value '.tools[] | select(.name == "weaver") | .cpu_s')" "$(slack 0.130)"
}

@test "20,000 short threads have the CPU that their cgroup counts: wait4 loses the tail of each" {
	local cgroup threads=$((20000 / SLOWNESS))

	# on one CPU, waking the thread that joins brings the count up to date
	[ "$(nproc)" -ge 2 ] || skip "this shows on two CPUs"
	tool stopwatch
	tool fringe
	"$BATS_TEST_DIRNAME/poll-cpu" "$NODE" >"$BATS_TEST_TMPDIR/cgroup" 3>&- &
	job --cpus-per-task=2 -- "$TOOLS/stopwatch" timed "$TOOLS/fringe" threads "$threads" 0.01
	wait
	cgroup=$(cat "$BATS_TEST_TMPDIR/cgroup")
	echo "wait4 ${OUTPUT} us, cgroup $cgroup s"
	between "$(awk "BEGIN { print $cgroup * 0.995 - $(slack 0.020) }")" "$(value .used.cpu_s)" \
		"$(awk "BEGIN { print $cgroup * 1.005 + $(slack 0.020) }")"
	between "$(awk "BEGIN { print $OUTPUT / 1e6 + $threads * 0.5e-6 }")" \
		"$(value '.tools[] | select(.name == "fringe") | .cpu_s')" "$(awk "BEGIN { print $cgroup + $(slack 0.020) }")"
}

@test "io_uring's workers have all their CPU from their birth, though the kernel tells of no fork" {
	command -v fio >/dev/null || skip "fio is not installed"
	[ "$(cat /proc/sys/kernel/io_uring_disabled 2>/dev/null)" != 2 ] || skip "io_uring is turned off here"
	tool stopwatch
	job --cpus-per-task=2 -- "$TOOLS/stopwatch" timed "$(command -v fio)" --output=/dev/null --name=asynchronous --filename=data --size=16m \
		--rw=randread --bs=64k --ioengine=io_uring --force_async=1 --iodepth=8 --time_based --runtime=2
	between "$(awk "BEGIN { print $OUTPUT / 1e6 * 0.98 - $(slack 0.020) }")" "$(value '[.tools[] | select(.name == "fio") | .cpu_s] | add')" \
		"$(awk "BEGIN { print $OUTPUT / 1e6 * 1.02 + $(slack 0.020) }")"
	# a walk that finds them later has their CPU time, but not what they did until then
	holds '[.tools[] | select(.name == "fio")] | ([.[].states.on_cpu_s] | add) >= 0.98 * ([.[].cpu_s] | add)'
}

@test "a small helper of a 400 MiB parent has its own peak, not its parent's as ru_maxrss has" {
	tool giant
	tool dwarf
	job --mem=1G -- "$TOOLS/giant" hold 400 "$TOOLS/dwarf" burn 1
	between 419430400 "$(value '.tools[] | select(.name == "giant") | .peak_bytes')" 440000000
	between 100000 "$(value '.tools[] | select(.name == "dwarf") | .peak_bytes')" 8000000
}

@test "both memory peaks are told: used is what must fit, charged has the cache as well" {
	tool keeper
	job --mem=1G -- sh -c "dd if=/dev/zero of=cached bs=1M count=300; $TOOLS/keeper hold 100 /bin/sleep 2.5"
	between 104857600 "$(value .used.memory_used_peak_bytes)" 160000000
	between 314572800 "$(value .used.memory_charged_peak_bytes)" 1073741824
}

@test "bytes written to storage are counted, by job and by tool" {
	job -- dd if=/dev/zero of=direct bs=1M count=32 oflag=direct
	between 33554432 "$(value '.tools[] | select(.name == "dd") | .write_bytes')" 34000000
	between 33554432 "$(value .used.write_bytes)" 36000000
}
