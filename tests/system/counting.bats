#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is counted is exact: processes, CPU and memory, down to what other tools miss.
# shellcheck shell=bash disable=SC2154,SC2317

load truth

setup_file() {
	local nodes

	testbed_begin --nodes 5
	[ -z "$NO_TESTBED" ] || return 0
	mapfile -t nodes < <(sinfo --noheader --Node --format %N)
	export EACH=$((1000 / SLOWNESS)) THREADS=$((20000 / SLOWNESS))
	make_five_tools
	tool crowd crowd
	tool crunch
	tool stopwatch
	tool runner
	tool blink
	tool weaver
	tool fringe
	tool giant
	tool dwarf
	tool keeper
	polled "${nodes[1]}" crunch
	beside crunch --nodelist="${nodes[1]}" --cpus-per-task="$(nproc)" -- sh -c \
		"$TOOLS/crunch burn 300 & $TOOLS/crunch threads 100 1 & $TOOLS/crunch burn 400; wait; i=0; while [ \$i -lt 200 ]; do i=\$((i+1)); /bin/true; done"
	# on one CPU, waking the thread that joins brings the count up to date
	[ "$(nproc)" -lt 2 ] || {
		polled "${nodes[2]}" fringe
		beside fringe --nodelist="${nodes[2]}" --cpus-per-task=2 -- "$TOOLS/stopwatch" timed "$TOOLS/fringe" threads "$THREADS" 0.01
	}
	beside giant --nodelist="${nodes[3]}" --mem=600M -- "$TOOLS/giant" hold 400 "$TOOLS/dwarf" burn 1
	meet
	beside_script keeper --nodelist="${nodes[3]}" --mem=600M <<-END
		#!/bin/bash
		dd if=/dev/zero of=cached bs=1M count=300
		$TOOLS/keeper hold 100 /bin/sh -c '$(tells_and_awaits holds seen)'
	END
	beside blink --nodelist="${nodes[4]}" --cpus-per-task="$(nproc)" -- "$TOOLS/stopwatch" timed \
		/bin/sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do $TOOLS/blink burn 2.2; done; exec $TOOLS/runner burn 50"
	beside weaver --nodelist="${nodes[4]}" -- "$TOOLS/stopwatch" timed "$TOOLS/weaver" threads 100 1
	beside single --nodelist="${nodes[4]}" -- "$TOOLS/stopwatch" timed "$TOOLS/runner" burn 500
	beside nothing --nodelist="${nodes[4]}" --cpus-per-task=1 -- true
	beside direct --nodelist="${nodes[4]}" -- dd if=/dev/zero of=direct bs=1M count=32 oflag=direct
	NO_FIO=$(no_fio)
	export NO_FIO
	[ -n "$NO_FIO" ] ||
		beside fio --nodelist="${nodes[4]}" --cpus-per-task=2 -- "$TOOLS/stopwatch" timed "$(command -v fio)" --output=/dev/null \
			--name=asynchronous --filename=data --size=16m --rw=randread --bs=64k --ioengine=io_uring --force_async=1 \
			--iodepth=8 --time_based --runtime=1
	beside crowd --nodelist="${nodes[0]}" --cpus-per-task="$(nproc)" -- "$TOOLS/crowd" "$EACH" \
		"$TOOLS"/{alpha,beta,gamma.sh,delta.py,epsilon.pl}
	told holds
	seen keeper '.used.memory_used_peak_bytes >= 104857600'
	tell seen
	jobs_end
	wait "${POLLERS[@]}"
}

teardown_file() {
	testbed_end
}

# Follows the own count of the cgroup of a node's next job.
polled() { # NODE JOB
	"$BATS_TEST_DIRNAME/poll-cpu" "$1" >"$BATS_FILE_TMPDIR/$2.cgroup" 3>&- &
	POLLERS+=("$!")
}

no_fio() {
	command -v fio >/dev/null || { echo "fio is not installed"; return; }
	! no_uring || echo "io_uring is turned off here"
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
	local path runs failures signals

	of crowd
	[ "$(wc -l <<<"$OUTPUT")" -eq 5 ]
	while read -r path runs failures signals; do
		[ "$runs" -eq "$EACH" ] && [ "$failures" -eq $((EACH / 5)) ] && [ "$signals" -eq $((EACH / 10)) ]
		holds --arg path "$path" --argjson each "$EACH" \
			'.tools[] | select(.path == $path) | .runs == $each and .failures == $each / 5'
		holds --arg path "$path" --arg name "${path##*/}" '.tools[] | select(.path == $path) | .name == $name'
	done <<<"$OUTPUT"
	# plus the crowd itself, and the shell of the batch script
	holds --argjson each "$EACH" '.used.processes == 5 * $each + 2'
	holds --argjson each "$EACH" '[.tools[] | select(.slurm | not) | .runs] | add == 5 * $each + 2'
}

@test "the job's CPU equals its cgroup's own count within 0.5 % and 20 ms" {
	local counted

	of crunch
	counted=$(cat "$BATS_FILE_TMPDIR/crunch.cgroup") # seconds
	between 0.8 "$counted" "$(slack 5)"
	between "$(awk "BEGIN { print $counted * 0.995 - $(slack 0.020) }")" "$(value .used.cpu_s)" \
		"$(awk "BEGIN { print $counted * 1.005 + $(slack 0.020) }")"
}

@test "a single-threaded process has the CPU that wait4 tells, within 2 ms" {
	of single
	between "$(awk "BEGIN { print $OUTPUT / 1e6 - $(slack 0.002) }")" \
		"$(value '.tools[] | select(.name == "runner") | .cpu_s')" \
		"$(awk "BEGIN { print $OUTPUT / 1e6 + $(slack 0.002) }")"
}

# wait4 reports them, their shell and the program that it becomes, which computes for 50 ms.
@test "12 processes of 2.2 ms have all their CPU: what the exit tracepoint shows misses some of it" {
	of blink
	holds '.tools[] | select(.name == "blink") | .runs == 12'
	between 0.0264 "$(value '.tools[] | select(.name == "blink") | .cpu_s')" "$(awk "BEGIN { print $OUTPUT / 1e6 - 0.050 }")"
}

@test "a core has all the CPU time that was used on it, also of processes that nothing ever interrupts" {
	of blink
	# a process' work between fork and exec belongs to no tool of the user
	holds '([.nodes[0].allocated.cores[].cpu_s] | add) as $cores | ([.tools[] | select(.slurm | not) | .cpu_s] | add) as $tools |
		$cores > $tools - 0.0002 and $cores < .used.cpu_s + 0.0002'
	of nothing
	holds '.progress.cores_used >= 1'
}

# wait4 reports their time except the tail of each.
@test "100 threads of 1 ms have all their CPU: read before the last switch it is a fifth of it" {
	of weaver
	between 0.100 "$(value '.tools[] | select(.name == "weaver") | .cpu_s')" "$(awk "BEGIN { print $OUTPUT / 1e6 + 100 * $(slack 0.0001) }")"
}

@test "20,000 short threads have the CPU that their cgroup counts: wait4 loses the tail of each" {
	local cgroup

	[ "$(nproc)" -ge 2 ] || skip "this shows on two CPUs"
	of fringe
	cgroup=$(cat "$BATS_FILE_TMPDIR/fringe.cgroup")
	echo "wait4 ${OUTPUT} us, cgroup $cgroup s"
	between "$(awk "BEGIN { print $cgroup * 0.995 - $(slack 0.020) }")" "$(value .used.cpu_s)" \
		"$(awk "BEGIN { print $cgroup * 1.005 + $(slack 0.020) }")"
	between "$(awk "BEGIN { print $OUTPUT / 1e6 + $THREADS * 0.5e-6 }")" \
		"$(value '.tools[] | select(.name == "fringe") | .cpu_s')" "$(awk "BEGIN { print $cgroup + $(slack 0.020) }")"
}

@test "io_uring's workers have all their CPU from their birth, though the kernel tells of no fork" {
	[ -z "$NO_FIO" ] || skip "$NO_FIO"
	of fio
	between "$(awk "BEGIN { print $OUTPUT / 1e6 * 0.98 - $(slack 0.020) }")" "$(value '[.tools[] | select(.name == "fio") | .cpu_s] | add')" \
		"$(awk "BEGIN { print $OUTPUT / 1e6 * 1.02 + $(slack 0.020) }")"
	# a walk that finds them later has their CPU time, but not what they did until then
	holds '[.tools[] | select(.name == "fio")] | ([.[].states.on_cpu_s] | add) >= 0.98 * ([.[].cpu_s] | add)'
}

@test "a small helper of a 400 MiB parent has its own peak, not its parent's as ru_maxrss has" {
	of giant
	between 419430400 "$(value '.tools[] | select(.name == "giant") | .peak_bytes')" 440000000
	between 100000 "$(value '.tools[] | select(.name == "dwarf") | .peak_bytes')" 8000000
}

@test "both memory peaks are told: used is what must fit, charged has the cache as well" {
	of keeper
	between 104857600 "$(value .used.memory_used_peak_bytes)" 160000000
	between 314572800 "$(value .used.memory_charged_peak_bytes)" 1073741824
}

@test "bytes written to storage are counted, by job and by tool" {
	of direct
	between 33554432 "$(value '.tools[] | select(.name == "dd") | .write_bytes')" 34000000
	between 33554432 "$(value .used.write_bytes)" 36000000
}
