#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs on another kernel and pure cgroup v2, in the virtual machine of tests/vm/run. That is some
# twenty times slower than its host, so nothing here tests times.
# shellcheck shell=bash disable=SC2016,SC2153,SC2154,SC2317

load ../system/helper
load machine

setup() {
	in_the_machine || skip "only in the virtual machine: see tests/vm/run"
}

setup_file() {
	in_the_machine || return 0
	testbed_begin
	# writes to the machine's own root, which is in memory, do not count as storage
	modprobe --all loop ext4 && truncate --size 256M /run/image && mkfs.ext4 -q /run/image &&
		mkdir /run/disk && mount -o loop /run/image /run/disk && chmod 1777 /run/disk
}

teardown_file() {
	testbed_end
}

teardown() {
	[ -z "${LIMITED_PID:-}" ] || kill -KILL "$LIMITED_PID" 2>/dev/null || true
	testbed_evidence
}

# What the node's jobs have used so far, in microseconds. The cgroup above theirs also keeps the count of removed ones. Reading a job's own
# cgroup is not enough: if the machine stands still, its last reading is long before the job's end. Slurm's daemons, which are in no job,
# have cgroups next to those (from Slurm 26.05 on, slurmd has its own).
jobs_cpu_usec() {
	local scope=/sys/fs/cgroup/system.slice/${NODE}_slurmstepd.scope

	{
		sed -n 's/^usage_usec /+/p' "$scope/cpu.stat"
		cat "$scope"/{system,slurmd}/cpu.stat 2>/dev/null | sed -n 's/^usage_usec /-/p'
	} | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

cgroup_cpu_begin() {
	CGROUP_BEGIN=$(jobs_cpu_usec)
}

# If a thread moves itself into the cgroup, or out of it, the count is exact only to the last tick, and here a tick may come late: 63 ms,
# once.
cgroup_cpu_is_the_jobs() {
	local cpu

	cpu=$(awk "BEGIN { print ($(jobs_cpu_usec) - $CGROUP_BEGIN) / 1e6 }")
	echo "# the cgroup counted $cpu s, the report $(value .used.cpu_s) s" >&3
	between "$(awk "BEGIN { print $cpu * 0.995 - 0.1 }")" "$(value .used.cpu_s)" \
		"$(awk "BEGIN { print $cpu * 1.005 + 0.1 }")"
}

@test "all kernel programs are loaded, or not needed" {
	grep 'counts from now on' "$STINT_TESTBED"/log/stintd.*
	run ! grep 'without' <(grep -v 'files = off' "$STINT_TESTBED"/log/stintd.*)
}

programs_of() { # RUN-DIRECTORY : what a stintd has loaded, and why not the others
	jq --raw-output '.programs[] | [.name, .loaded, .reason // ""] | @tsv' "$1/status.json"
}

has_begun_or_ended() { # PID RUN-DIRECTORY
	[ -s "$2/status.json" ] || [ ! -e "/proc/$1/exe" ]
}

# If this kernel lacks a feature, libbpf may look for it in modules, which needs CAP_SYS_ADMIN.
@test "with the rights that the unit gives it, stintd loads as many programs as with all rights" {
	local base

	unit_rights
	[ ${#RIGHTS[@]} -gt 0 ]
	base=$(mktemp -d /run/limited.XXXXXX)
	printf '%s = %s\n' run_dir "$base/run" spool_dir "$base/spool" bpf_dir "$STINT_TESTBED/bpf/limited" >"$base/stint.conf"
	: >"$base/said" # the shell in the background opens it later
	"${RIGHTS[@]}" "$STINTD" --config "$base/stint.conf" >"$base/said" 2>&1 3>&- &
	LIMITED_PID=$!
	SOON_S=600 soon has_begun_or_ended "$LIMITED_PID" "$base/run"
	cat "$base/said"
	grep 'counts from now on' "$base/said"
	[ "$(awk '$1 == "CapBnd:" { print $2 }' "/proc/$LIMITED_PID/status")" != "$(awk '$1 == "CapBnd:" { print $2 }' /proc/1/status)" ]
	diff <(programs_of "$STINT_TESTBED/run") <(programs_of "$base/run")
	kill "$LIMITED_PID"
	wait "$LIMITED_PID"
	unset LIMITED_PID
	rm -rf "${STINT_TESTBED:?}/bpf/limited"
}

@test "a job is told in whole: processor, memory, storage, runs, failures, cores" {
	tool holder
	tool many
	tool ends
	cgroup_cpu_begin
	script_job --cpus-per-task=2 --mem=600M <<-END
		#!/bin/bash
		$TOOLS/holder hold 300
		python3 -c 'import os; b = b"x" * (50 << 20); os.execv("$TOOLS/many", ["many", "0"])'
		for ((i = 0; i < 49; i++)); do $TOOLS/many 0; done
		$TOOLS/ends 3
		$TOOLS/ends 7
		dd if=/dev/zero of=/run/disk/written bs=1M count=16 conv=fsync
		cat /sys/fs/cgroup\$(sed 's,^0::,,; s,/step_.*,,' /proc/self/cgroup)/memory.peak
	END
	valid
	whole
	cgroup_cpu_is_the_jobs
	# The kernel's high-water mark leaves out up to 64 pages of each kind that a thread has not added up yet.
	holds '.used.memory_used_peak_bytes > 299.5 * 1048576'
	holds '.used.memory_used_peak_bytes <= .used.memory_charged_peak_bytes'
	holds --argjson peak "$(tail -n 1 <<<"$OUTPUT")" '.used.memory_charged_peak_bytes >= $peak'
	holds '.used.memory_charged_peak_bytes < 600 * 1048576'
	holds '.tools[] | select(.name == "holder") | .peak_bytes > 300 * 1048576 and .peak_bytes < 310 * 1048576'
	holds '.timeline[] | select(.tool == "python3") | .peak_bytes > 50 * 1048576'
	holds '.tools[] | select(.name == "many") | .runs == 50 and .failures == 0 and .peak_bytes > 0 and .peak_bytes < 10 * 1048576'
	holds '.tools[] | select(.name == "ends") | .runs == 2 and .failures == 2 and .signals == 1'
	holds '.tools[] | select(.name == "dd") | .write_bytes >= 16 * 1048576 and .write_bytes < 17 * 1048576'
	holds '.tools | any(.slurm and (.name | startswith("slurmstepd")))'
	holds '[.tools[] | select(.slurm | not) | .name] | any(startswith("slurmstepd")) | not'
	holds '.used.cores_bound == 2'
}

@test "two steps side by side are told apart" {
	tool left
	tool right
	script_job --ntasks=2 --mem=400M <<-END
		#!/bin/bash
		srun --exact --ntasks=1 --mem=150M $TOOLS/left hold 40 &
		srun --exact --ntasks=1 --mem=150M $TOOLS/right hold 20 &
		wait
	END
	valid
	whole
	holds '[.steps[].id] | sort == ["0", "1", "batch", "extern"]'
	holds '[.steps[] | select(.id == "0" or .id == "1") | .processes] == [1, 1]'
	holds '[.steps[] | select(.id == "0" or .id == "1") | .memory_used_peak_bytes] | sort |
		.[0] > 19.5 * 1048576 and .[1] > 39.5 * 1048576 and .[0] < .[1]'
	holds '([.steps[].cpu_s] | add) <= .used.cpu_s * 1.001'
}

@test "two jobs at the same time never count each other's processes" {
	local meet=/run/disk/meet.$$ name first second

	for name in one other; do
		tool "$name"
		# each waits until the other runs too
		cat >"$BATS_TEST_TMPDIR/$name.sh" <<-END
			#!/bin/bash
			touch $meet.$name
			until [ -e $meet.one ] && [ -e $meet.other ]; do sleep 0.5; done
			for ((i = 0; i < 20; i++)); do $TOOLS/$name 0; done
		END
	done
	(cd / && "$TESTBED" run --mem=200M "$BATS_TEST_TMPDIR/one.sh") >"$BATS_TEST_TMPDIR/first" 3>&- &
	first=$!
	job --mem=200M "$BATS_TEST_TMPDIR/other.sh"
	second=$REPORT
	wait "$first"
	holds '(.tools[] | select(.name == "other") | .runs == 20) and (.tools | any(.name == "one") | not)'
	REPORT=$(cat "$BATS_TEST_TMPDIR/first")
	[ "$REPORT" != "$second" ]
	holds '(.tools[] | select(.name == "one") | .runs == 20) and (.tools | any(.name == "other") | not)'
}

@test "a child counts where clone3() makes it: in the job's cgroup for the job, outside it for no job" {
	local cgroup outside running

	tool cloner workload/workload
	tool joiner
	tool leaver
	cat >"$BATS_TEST_TMPDIR/job.sh" <<-END
		#!/bin/bash
		sed 's,^0::,/sys/fs/cgroup,' /proc/self/cgroup >/run/disk/cgroup.new
		mv /run/disk/cgroup.new /run/disk/cgroup
		until [ -e /run/disk/cloned ]; do sleep 0.2; done
	END
	(cd / && "$TESTBED" run "$BATS_TEST_TMPDIR/job.sh") >"$BATS_TEST_TMPDIR/cloned" 3>&- &
	running=$!
	soon [ -s /run/disk/cgroup ]
	cgroup=$(cat /run/disk/cgroup)
	outside=$(sed 's,^0::,/sys/fs/cgroup,' /proc/self/cgroup)
	"$TOOLS/cloner" into "$cgroup" "$TOOLS/joiner" 0
	sh -c "echo \$\$ >$cgroup/cgroup.procs; exec $TOOLS/cloner into $outside $TOOLS/leaver 0"
	touch /run/disk/cloned
	wait "$running"
	REPORT=$(cat "$BATS_TEST_TMPDIR/cloned")
	valid
	holds '.tools | any(.name == "joiner" and .runs == 1) and (any(.name == "leaver") | not)'
	holds '.moved_out.processes == 1 and (.tools[] | select(.name == "cloner") | .runs == 1 and .moved_out == 1)'
	holds '.complete == false'
}

@test "a collector that comes after the job's start finds what runs, and says so" {
	tool early
	tool late
	"$TESTBED" restart-collector
	collector_kill
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	cgroup_cpu_begin
	cat >"$BATS_TEST_TMPDIR/job.sh" <<-END
		#!/bin/bash
		$TOOLS/early 0
		touch /run/disk/began
		until [ -e /run/disk/counted ]; do sleep 0.2; done
		$TOOLS/late 0
	END
	(cd / && "$TESTBED" run "$BATS_TEST_TMPDIR/job.sh") >"$BATS_TEST_TMPDIR/late" 3>&- &
	local running=$!

	until [ -e /run/disk/began ]; do sleep 0.2; done
	"$TESTBED" restart-collector
	soon is_followed "$(squeue --noheader --states=R --format %i)"
	touch /run/disk/counted
	wait "$running"
	REPORT=$(cat "$BATS_TEST_TMPDIR/late")
	valid
	holds '.complete == false'
	holds '.gaps | any(.reason | test("collection began"))'
	holds '.tools | any(.name == "late" and .runs == 1) and (any(.name == "early") | not)'
	cgroup_cpu_is_the_jobs
}

# Limits the job that announces its cgroup to a tenth of a processor, and lets it begin.
tenth_of_a_cpu() { # DIRECTORY
	local group

	until [ -s "$1/group" ]; do sleep 0.2; done
	group=/sys/fs/cgroup$(cat "$1/group")
	[ -e "$group/cpu.max" ] || echo +cpu >"$group/../cgroup.subtree_control"
	echo '10000 100000' >"$group/cpu.max"
	sleep 3 # stintd checks once a second whether a thread has a quota
	touch "$1/go"
}

@test "a quota of cpu.max: the time it held the job up is what cpu.stat tells" {
	local ready giving

	ready=$(mktemp -d /run/disk/ready.XXXXXX)
	chmod 777 "$ready"
	tenth_of_a_cpu "$ready" 3>&- &
	giving=$!
	# The shell reads without another process, and python3 always wants a processor: only then is the group's time its own.
	script_job --cpus-per-task=1 --mem=200M <<-END
		#!/bin/bash
		throttled() {
			while read -r key value; do
				[ "\$key" != throttled_usec ] || printf -v "\$1" %s "\$value"
			done </sys/fs/cgroup\$group/cpu.stat
		}
		sed 's,^0::,,; s,/step_.*,,' /proc/self/cgroup >$ready/group
		read -r group <$ready/group
		until [ -e $ready/go ]; do sleep 1; done
		throttled before
		python3 -c 'import time; end = time.monotonic() + 10
		while time.monotonic() < end: pass'
		throttled after
		echo \$((after - before))
	END
	wait "$giving"
	echo "$OUTPUT"
	valid
	between 4 "$(awk "BEGIN { print $OUTPUT / 1e6 }")" 60
	holds --argjson kernel "$OUTPUT" '[.tools[] | select(.name == "python3").states.throttled_s][0] - $kernel / 1e6 | fabs <= $kernel / 1e6 * 0.05 + 0.5'
	holds '.states.throttled_s <= .states.runnable_s and .states.throttled_s >= [.tools[] | select(.name == "python3").states.throttled_s][0]'
	holds '.findings | any(.code == "cpu-throttled")'
}

@test "a job that runs out of memory says so, and what was killed for it" {
	tool glutton
	script_job --mem=100M <<-END
		#!/bin/bash
		$TOOLS/glutton hold 300
		cat /sys/fs/cgroup\$(sed 's,^0::,,; s,/step_.*,,' /proc/self/cgroup)/memory.events
	END
	valid
	# slurmctld may be too slow here to be asked
	holds '.job.state == "OUT_OF_MEMORY" or (.gaps | any(.name == "job.state"))'
	holds --argjson kills "$(awk '$1 == "oom_kill" { print $2 }' <<<"$OUTPUT")" '.used.oom_kills == $kills and $kills == 1'
	holds '.oom | length == 1 and .[0].tool == "glutton"'
	holds '.tools | any(.name == "glutton" and .failures == 1 and .signals == 1)'
}

@test "waits, sockets and asynchronous I/O, which programs on functions see here, are told to the byte" {
	need fio
	tool own workload/workload
	script_job --mem=300M <<-END
		#!/bin/bash
		$TOOLS/own sleep 10 100
		$TOOLS/own pingpong tcp 20 1000 20
		cd \$(mktemp -d /run/disk/fio.XXXXXX)
		fio --name=aio --filename=aio --ioengine=libaio --rw=write --bs=64k --size=4M --output-format=json --output=fio.json
		jq '{what: "fio", bytes: .jobs[0].write.io_bytes}' fio.json
	END
	echo "$OUTPUT"
	valid
	whole
	holds --argjson own "$(jq --slurp . <<<"$OUTPUT")" '
		def own($what): $own[] | select(.what == $what);
		.used.async_write_bytes == own("fio").bytes and own("fio").bytes == 4 * 1048576'
	holds --argjson own "$(jq --slurp . <<<"$OUTPUT")" '
		def own($what): $own[] | select(.what == $what);
		[.tools[] | select(.name == "own") | .states.sleep_s] | add >= own("sleep").waited_ns / 1e9 * 0.99'
	holds '.gaps | any(.name == "used.async_read_bytes") | not'
}

@test "of a collector that is killed in mid-job no sum is lost" {
	tool before
	tool after
	cat >"$BATS_TEST_TMPDIR/job.sh" <<-END
		#!/bin/bash
		for ((i = 0; i < 20; i++)); do $TOOLS/before 0; done
		touch /run/disk/half
		until [ -e /run/disk/killed ]; do sleep 0.2; done
		for ((i = 0; i < 10; i++)); do $TOOLS/before 0; done
		touch /run/disk/down
		until [ -e /run/disk/back ]; do sleep 0.2; done
		for ((i = 0; i < 20; i++)); do $TOOLS/after 3; done
	END
	cgroup_cpu_begin
	(cd / && "$TESTBED" run "$BATS_TEST_TMPDIR/job.sh") >"$BATS_TEST_TMPDIR/killed" 3>&- &
	local running=$!

	until [ -e /run/disk/half ]; do sleep 0.2; done
	collector_kill
	touch /run/disk/killed
	until [ -e /run/disk/down ]; do sleep 0.2; done
	"$TESTBED" restart-collector
	touch /run/disk/back
	wait "$running" || true
	REPORT=$(cat "$BATS_TEST_TMPDIR/killed")
	valid
	holds '.complete'
	holds '.tools | any(.name == "before" and .runs == 30 and .failures == 0) and any(.name == "after" and .runs == 20 and .failures == 20)'
	cgroup_cpu_is_the_jobs
}
