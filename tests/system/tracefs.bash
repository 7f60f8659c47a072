# SPDX-License-Identifier: GPL-2.0-or-later
# Records scheduling with the kernel's own tracefs, in the test's own instances. Needs truth.bash: truth_undo undoes what is made here.
# shellcheck shell=bash disable=SC2154

# Prints why nothing can be recorded here.
no_trace() {
	grep -qw tracefs /proc/filesystems || { echo "this kernel has no tracefs"; return; }
	[ -n "${TRACE:-}" ] || { echo "tracefs cannot be mounted here"; return; }
	[ -d "$TRACE.jobs/events/syscalls" ] || echo "this kernel traces no system calls (CONFIG_FTRACE_SYSCALLS)"
}

# Sets TRACE: the instance $TRACE.jobs is for everything that threads of jobs do, $TRACE.all for the switches of all tasks.
trace_begin() {
	local mount=$BATS_FILE_TMPDIR/tracing event

	mkdir -p "$mount"
	mount -t tracefs tracefs "$mount" 2>/dev/null || return 0
	undo_with umount "$mount"
	export TRACE=$mount/instances/stint-test-$$
	trace_instance all
	trace_instance jobs
	echo 1 >"$TRACE.all/events/sched/sched_switch/enable"
	for event in switch wakeup process_fork process_exec process_exit; do
		echo 1 >"$TRACE.jobs/events/sched/sched_$event/enable" || return 1
	done
	[ -d "$TRACE.jobs/events/syscalls" ] || return 0
	echo 1 >"$TRACE.jobs/events/syscalls/enable"
	# the tests' programs look at their clocks a million times a second, and never wait for them
	echo 0 | tee "$TRACE.jobs"/events/syscalls/sys_{enter,exit}_clock_gettime/enable >/dev/null
	echo 1 >"$TRACE.jobs/options/event-fork"
}

trace_instance() { # NAME : of an instance that does not record yet
	mkdir "$TRACE.$1" || return 1
	undo_with rmdir "$TRACE.$1"
	echo 0 >"$TRACE.$1/tracing_on"
	echo mono >"$TRACE.$1/trace_clock" # that of the programs
	echo 32768 >"$TRACE.$1/buffer_size_kb"
}

# Time that a hypervisor has taken from this machine's processors.
stolen_ms() {
	awk -v hertz="$(getconf CLK_TCK)" '$1 == "cpu" { printf "%.0f\n", $9 * 1000 / hertz }' /proc/stat
}

# Records from now on. Jobs are what the testbed's slurmds fork.
trace_start() {
	local file pids=()

	for file in "$STINT_TESTBED"/pid/slurmd.*; do
		pids+=("$(cut -d' ' -f1 "$file")")
	done
	echo >"$TRACE.jobs/set_event_pid"
	(cd /proc && printf '%s\n' "${pids[@]/%//task}" | xargs ls | grep -E '^[0-9]+$' | tr '\n' ' ') >"$TRACE.jobs/set_event_pid"
	grep -q "[0-9]" "$TRACE.jobs/set_event_pid" || return 1
	echo | tee "$TRACE.jobs/trace" "$TRACE.all/trace" >/dev/null # empties them
	STOLEN_MS=$(stolen_ms)
	echo 1 | tee "$TRACE.jobs/tracing_on" "$TRACE.all/tracing_on" >/dev/null
}

# Writes the recording to FILE.jobs and FILE.all, and to FILE.stolen how many ms a hypervisor took meanwhile; fails if some of it was lost.
trace_stop() { # FILE
	echo 0 | tee "$TRACE.jobs/tracing_on" "$TRACE.all/tracing_on" >/dev/null
	grep -H -E '^(overrun|commit overrun|dropped events): [^0]' "$TRACE".{jobs,all}/per_cpu/cpu*/stats && return 1
	cat "$TRACE.jobs/trace" >"$1.jobs"
	cat "$TRACE.all/trace" >"$1.all"
	echo $(($(stolen_ms) - STOLEN_MS)) >"$1.stolen"
}
