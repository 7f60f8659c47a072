# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs without a Slurm, for machines on which Slurm would be too slow, or is not installed: a stintd, cgroups like Slurm's on cgroup v2, and
# the messages that the plugin sends. One job that uses a known amount of everything.
# shellcheck shell=bash disable=SC2016,SC2154

plain_begin() { # [COMMAND...] : it starts stintd; otherwise this does
	export PLAIN=/run/plain NO_TESTBED='' # of the machine's own memory
	export TOOLS=$PLAIN/tools REPORT=$PLAIN/home/stint-1.json CONF=$PLAIN/stint.conf JOB=/sys/fs/cgroup/slurm/job_1
	mkdir -p "$PLAIN"/{bpf,home,tools} "$JOB" && mount -t bpf -o mode=0700 bpf "$PLAIN/bpf" || return
	printf '%s = %s\n' run_dir "$PLAIN/run" spool_dir "$PLAIN/spool" bpf_dir "$PLAIN/bpf/stint" metrics off >"$CONF"
	if [ $# -gt 0 ]; then
		"$@" || return
	else
		STINT_LIBEXEC=$STINT_BUILD/reports "$STINTD" --config "$CONF" >"$PLAIN/stintd.log" 2>&1 3>&- &
		STINTD_PID=$!
	fi
	SOON_S=600 soon test -S "$PLAIN/run/stintd.sock"
}

plain_end() {
	[ -z "${STINTD_PID:-}" ] || kill "$STINTD_PID"
	umount "$PLAIN/bpf"
}

# Every program, except those that nobody has asked for.
all_programs_are_loaded() {
	grep 'counts from now on' "$PLAIN/stintd.log"
	run ! grep 'without' <(grep -v 'files = off' "$PLAIN/stintd.log")
}

plain_evidence() {
	[ -z "${BATS_TEST_COMPLETED:-}" ] && [ -z "${BATS_TEST_SKIPPED:-}" ] || return 0
	tail -n 15 "$PLAIN/stintd.log"
	[ ! -f "$REPORT" ] || jq --compact-output '{complete, lost, used, states}, .gaps[], .nodes[].allocated,
		(.tools[] | {name, runs, failures, signals, peak_bytes, used, states})' "$REPORT"
}

# Starts COMMAND in a cgroup of the job, where it waits for a line on its standard input; sets PID.
start_in() { # CGROUP COMMAND...
	local cgroup=$1

	shift
	mkdir -p "$cgroup" || return
	"$@" 3>&- &
	PID=$!
	echo "$PID" >"$cgroup/cgroup.procs"
}

# Runs a script as job 1, one step with one task, bound to CPUS if any are named. Sets CPU_S: what the job's cgroup used.
plain_job() { # [CPUS] : the script is standard input
	local step=$JOB/step_0 daemon task

	if [ -n "${1:-}" ]; then
		echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control && echo +cpuset >"${JOB%/*}/cgroup.subtree_control" &&
			echo "$1" >"$JOB/cpuset.cpus" || return
	fi
	cat >"$PLAIN/script" && mkfifo "$PLAIN/go" || return
	cp "$PROGRAMS/../bench/workloads" "$PLAIN/slurmstepd" # stintd recognizes the step's daemon by this name
	start_in "$step/slurm" "$PLAIN/slurmstepd" 86400 hold >/dev/null
	daemon=$PID
	start_in "$step/user/task_0" bash -c "read -r _ <$PLAIN/go; . $PLAIN/script" >"$PLAIN/out" 2>&1
	task=$PID
	"$PROGRAMS/../bench/job" "$PLAIN/run" 1 "$PLAIN/home" "$daemon" "$task" &&
		echo go >"$PLAIN/go" && wait "$task" || return
	kill "$daemon"
	! wait "$daemon" || return
	CPU_S=$(awk '$1 == "usage_usec" { print $2 / 1e6 }' "$JOB/cpu.stat")
	"$PROGRAMS/../bench/job" "$PLAIN/run" 1 "$PLAIN/home" && soon test -e "$REPORT"
}

# Work of known size. Each wait lasts for a second in total: each kind of wait is found by a system call's number and arguments.
known_work() {
	local name

	for name in holder many ends first sleeper; do
		cp "$PROGRAMS/worker" "$TOOLS/$name"
	done
	cp "$(command -v dd)" "$(command -v cat)" "$(command -v sleep)" "$TOOLS"
	cat <<-END
		cd $TOOLS
		./first burn 300
		./first threads 50 2
		./holder hold 100
		for ((i = 0; i < 50; i++)); do ./many 0; done
		./ends 3
		./ends 7
		./dd if=/dev/zero of=/dev/null bs=65536 count=256 status=none
		./sleep 2
		{ exec 4<&- ; sleep 2; } | ./cat
		true
	END
}

# The report has that work: the right numbers of processes and bytes, all CPU time of the cgroup, and each wait under its name.
known_work_is_told() {
	holds '.lost | to_entries | all(.value == 0)'
	between "$(awk "BEGIN { print $CPU_S * 0.995 - 0.05 }")" "$(value .used.cpu_s)" \
		"$(awk "BEGIN { print $CPU_S * 1.005 + 0.05 }")"
	holds '[.tools[] | select(.name == "many")] | length == 1 and (.[0] | .runs == 50 and .failures == 0)'
	holds '.tools[] | select(.name == "ends") | .runs == 2 and .failures == 2 and .signals == 1'
	holds '.tools[] | select(.name == "first") | .runs == 2 and .states.on_cpu_s >= 0.4'
	holds '.tools[] | select(.name == "dd") | .syscall_write_bytes == 16777216 and .syscall_read_bytes >= 16777216'
	holds '[.tools[] | select(.name == "sleep")] | length == 2 and all(.states.sleep_s > 1.9)'
	holds '.tools[] | select(.name == "cat") | .states.pipe_s > 1.5'
	holds '.tools[] | select(.name == "bash") | .states.child_s > 3'
	holds '.tools | all(.states | (del(.lifetime_s, .throttled_s, .turns_s, .waits) | add) as $sum |
		$sum > .lifetime_s * 0.999 - 0.001 and $sum < .lifetime_s * 1.001 + 0.001)'
}

# The kernel's high-water mark leaves out up to 64 pages of each kind that a thread has not added up yet.
known_peak_is_told() {
	holds '.tools[] | select(.name == "holder") | .peak_bytes > 99.5 * 1048576 and .peak_bytes < 110 * 1048576'
}
