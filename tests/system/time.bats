#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The same id, path or pid again, and time that is not the job's: nothing of the former is in the latter.
# shellcheck shell=bash disable=SC2016,SC2153,SC2154,SC2317

load helper

setup_file() {
	testbed_with '' --nodes 2 # the components of a het job want one each
}

# A requeued job waits until its first credential has expired: before that its node may refuse the second.
testbed_with() { # SLURM-LINE OPTION...
	testbed_directory
	[ -n "$NO_TESTBED" ] ||
		STINT_TESTBED_SLURM="AuthInfo=socket=$STINT_TESTBED/munge/socket,cred_expire=8"$'\n'"$1" testbed_begin "${@:2}"
}

teardown() {
	testbed_evidence
	[ -z "${SECOND:-}" ] || testbed_end
}

teardown_file() {
	testbed_end
}

# Starts another testbed next to that of this file, for one test.
without_extern_step() {
	testbed_or_skip
	testbed_with 'PrologFlags='
	SECOND=yes
}

# Prints the job's number.
submit() { # sbatch option... : the script on standard input
	local script

	script=$(mktemp "$TOOLS/job.XXXXXX")
	cat >"$script"
	chmod 755 "$script"
	"$TESTBED" exec mkdir -p "$STINT_TESTBED/home/here"
	"$TESTBED" exec sbatch --parsable --chdir="$STINT_TESTBED/home/here" --mem=100M "$@" "$script"
}

appears() { # FILE
	soon test -e "$1"
}

# Starts slurmctld without its state: its next job has the number NUMBER.
slurmctld_begins_anew() { # NUMBER
	sed -i '/^FirstJobId=/d' "$SLURM_CONF"
	echo "FirstJobId=$1" >>"$SLURM_CONF"
	(
		HERE=$SOURCE/contrib DIR=$STINT_TESTBED
		set +eu
		. "$SOURCE/contrib/testbed-lib/common.sh" && . "$SOURCE/contrib/testbed-lib/daemons.sh" && need_testbed
		daemon_stop slurmctld && rm -f "$DIR"/state/job_state* && start_slurmctld && wait_for 30 nodes_are_idle
	) 3>&-
}

# ---- Slurm suspends a job ----

is_stopped() { # PID
	grep -q $'^State:\tT' "/proc/$1/status"
}

@test "what Slurm held a job up for is none of its time: elapsed, efficiency, waits, idleness" {
	local id here=$STINT_TESTBED/home/here states ran times=()

	tool worked
	id=$(submit --cpus-per-task=1 --output=/dev/null <<-END
		#!/bin/bash
		$TOOLS/worked burn 400
		mkfifo resumed
		echo \$\$ >running.part && mv running.part running
		read -r _ <>resumed
		$TOOLS/worked burn 400
	END
	)
	appears "$here/running"
	times=("$(date +%s)")
	scontrol suspend "$id"
	times+=("$(date +%s)")
	soon is_stopped "$(cat "$here/running")"
	sleep 3 # the job is stopped for this long
	times+=("$(date +%s)")
	scontrol resume "$id"
	times+=("$(date +%s)")
	echo >"$here/resumed"
	REPORT=$here/stint-$id.json
	appears "$REPORT"
	valid
	whole
	holds '.job.state == "COMPLETED"'
	# Slurm has it in whole seconds, by a clock that lags some milliseconds behind date's
	between $((times[2] - times[1] - 1)) "$(value .job.suspended_s)" $((times[3] - times[0] + 1))
	# Slurm's own calculation, in whole seconds, or, if a step took longer to end, that step's
	[[ $(scontrol --oneliner show job "$id") =~ RunTime=00:([0-9]*):([0-9]*) ]]
	ran=$((10#${BASH_REMATCH[1]} * 60 + 10#${BASH_REMATCH[2]}))
	between $((ran - 1)) "$(value .job.elapsed_s)" "$(value ".job.suspended_s as \$held | [$ran, .steps[].elapsed_s - \$held] | max + 1")"
	between "$(value '.used.cpu_s / .job.elapsed_s * 0.99')" "$(value .used.cpu_efficiency)" \
		"$(value '.used.cpu_s / .job.elapsed_s * 1.01')"
	holds '.used.cores_busy <= 1.01'
	states=$(value '.states | [.on_cpu_s, .runnable_s, .memory_stall_s, .fault_io_s, .file_io_s, .gpu_s, .network_s, .pipe_s,
		.lock_s, .condition_s, .child_s, .event_s, .sleep_s, .other_s] | add')
	between "$(value '.states.lifetime_s * 0.999 - 0.01')" "$states" "$(value '.states.lifetime_s * 1.001 + 0.01')"
	# in the wait in which it was suspended, or in "other"
	holds --argjson held $((times[2] - times[1] - 1)) '.states | .event_s + .pipe_s + .other_s >= $held'
	holds '[.findings[].code] | any(. == "idle" or . == "stalled" or . == "idle-head" or . == "idle-tail") | not'
}

@test "a job that is cancelled while it is suspended took as long as Slurm says, whenever it was killed" {
	local id here=$STINT_TESTBED/home/here ran stopped

	tool worked
	id=$(submit --cpus-per-task=1 --output=/dev/null <<-END
		#!/bin/bash
		$TOOLS/worked burn 400
		echo \$\$ >busy.part && mv busy.part busy
		exec $TOOLS/worked burn 600000
	END
	)
	appears "$here/busy"
	scontrol suspend "$id"
	soon is_stopped "$(cat "$here/busy")"
	stopped=$(date +%s)
	sleep 3 # the job is stopped for this long
	scancel "$id"
	REPORT=$here/stint-$id.json
	appears "$REPORT"
	valid
	holds '.complete and .job.state == "CANCELLED"'
	[[ $(scontrol --oneliner show job "$id") =~ RunTime=00:([0-9]*):([0-9]*) ]]
	ran=$((10#${BASH_REMATCH[1]} * 60 + 10#${BASH_REMATCH[2]}))
	# Its computing until it was stopped is its time. Slurm's numbers of seconds and this one are whole.
	between $((ran - 1)) "$(value .job.elapsed_s)" $((stopped - $(date -d "$(value .job.start)" +%s) + 2))
	holds '.job.suspended_s >= 2'
	holds '.used.cpu_s <= .job.elapsed_s * 1.05 and .used.cpu_efficiency <= 1'
}

# ---- the same job again ----

# Submits a job whose first attempt works differently from its second.
twofold() { # sbatch option...
	submit "$@" --requeue --output=/dev/null <<-END
		#!/bin/bash
		if [ "\${SLURM_RESTART_COUNT:-0}" -eq 0 ]; then
			for ((i = 0; i < 10; i++)); do $TOOLS/first burn 30; done
			touch attempt1
			sleep 600
		fi
		for ((i = 0; i < 3; i++)); do $TOOLS/second burn 100; done
		touch attempt2
	END
}

# REPORT is the second attempt's, EARLIER the first's of the same job. Each used 0.3 s: any of the other's use would make it 0.6.
attempts_are_distinct() { # EARLIER
	valid
	holds '.complete and .job.attempt == 2 and .job.state == "COMPLETED"'
	holds '.tools | any(.name == "second" and .runs == 3) and (any(.name == "first" or .name == "sleep" and (.slurm | not)) | not)'
	holds '.tools[] | select(.name == "second") | .cpu_s >= 0.3 and .cpu_s < 0.6'
	nothing_but_its_tools
	holds '. as $r | all(.timeline[]; .start >= $r.job.start)'
	REPORT=$1
	valid
	holds '.job.attempt == 1 and .job.state == "REQUEUED"'
	holds '.tools | any(.name == "first" and .runs == 10) and (any(.name == "second") | not)'
	holds '.tools[] | select(.name == "first") | .cpu_s >= 0.3 and .cpu_s < 0.6'
}

# The job's sum is that of its tools and steps, and what Slurm used before the job was counted. Another's 0.3 s would be more.
nothing_but_its_tools() {
	holds '.used.cpu_s - ([.tools[].cpu_s] | add) | . > -0.001 and . < 0.3'
}

requeue_is_two_attempts() { # requeue|requeuehold
	local id here=$STINT_TESTBED/home/here

	tool first
	tool second
	rm -f "$here"/attempt[12]
	id=$(twofold)
	appears "$here/attempt1"
	scontrol "$1" "$id"
	if [ "$1" = requeuehold ]; then
		appears "$here/stint-$id.json"
		REPORT=$here/stint-$id.json
		holds '.job.attempt == 1 and .job.state == "REQUEUED"'
	fi
	[ "$1" = requeue ] || scontrol release "$id"
	# Slurm makes it wait until its first credential has expired
	appears "$here/attempt2"
	appears "$here/stint-$id.attempt-1.json"
	REPORT=$here/stint-$id.json
	attempts_are_distinct "$here/stint-$id.attempt-1.json"
}

@test "a requeued job's attempts are told apart, to the number" {
	requeue_is_two_attempts requeue
}

@test "a job that is requeued and held tells of its first attempt, and its second of itself" {
	requeue_is_two_attempts requeuehold
}

@test "without an extern step, too, a requeued job's attempts are told apart" {
	without_extern_step
	requeue_is_two_attempts requeue
}

same_id_is_another_job() {
	local id

	tool early
	tool later
	job --mem=100M -- sh -c "for i in 1 2 3 4 5; do $TOOLS/early burn 60; done"
	id=$(value .job.id)
	slurmctld_begins_anew "$id"
	job --mem=100M -- sh -c "for i in 1 2; do $TOOLS/later burn 30; done"
	holds --argjson id "$id" '.job.id == $id'
	valid
	whole
	holds '.job.attempt == 1 and .job.state == "COMPLETED"'
	holds '.tools | any(.name == "later" and .runs == 2) and (any(.name == "early") | not)'
	holds '.tools[] | select(.name == "later") | .cpu_s >= 0.06 and .cpu_s < 0.36'
	nothing_but_its_tools
}

@test "another job with the same id, and so the same cgroup path, has nothing of the first" {
	same_id_is_another_job
}

@test "without an extern step, too, another job with the same id has nothing of the first" {
	without_extern_step
	same_id_is_another_job
}

# ---- the same pid again ----

# Prints the cgroup.procs files through which a process can enter the cgroups of the job's process PID.
ways_into() { # PID
	local controllers path

	while IFS=: read -r _ controllers path; do
		[[ $path == */job_* ]] || continue
		controllers=/sys/fs/cgroup${controllers:+/$controllers}
		[ -e "$controllers$path/cgroup.procs" ] || continue
		echo "$controllers$path/cgroup.procs"
	done <"/proc/$1/cgroup"
}

# Prints a pid that is free, and stays so for long: the kernel reuses it when its counter has gone round.
free_pid() {
	local last pid

	last=$(cut -d' ' -f5 /proc/loadavg)
	pid=$((last > 2000 ? last - 1000 : $(cat /proc/sys/kernel/pid_max) - 1000))
	while [ -e "/proc/$pid" ]; do
		pid=$((pid - 1))
	done
	echo "$pid"
}

# A job that waits; its first process is in FILE.
waiting_job() { # NAME
	submit --job-name="$1" --ntasks=1 --output=/dev/null <<-END
		#!/bin/bash
		echo \$\$ >$1.part && mv $1.part $1.pid
		until [ -e go ]; do sleep 0.1; done
	END
}

@test "a pid that comes again, in one job and in two at once, is another process each time" {
	local here=$STINT_TESTBED/home/here pid one other name ways parent times=() in_one in_other

	rm -f "$here/go"
	for name in red green blue; do tool "$name"; done
	# pids that were free before the jobs began: none of their own processes may have had it
	pid=$(free_pid)
	one=$(waiting_job one)
	other=$(waiting_job other)
	appears "$here/one.pid"
	appears "$here/other.pid"
	mapfile -t in_one < <(ways_into "$(cat "$here/one.pid")")
	mapfile -t in_other < <(ways_into "$(cat "$here/other.pid")")
	# with several threads and with one: the kernel programs store the two in different places
	for name in red:one green:other blue:one; do
		ways=in_${name#*:}[@]
		"$PROGRAMS/reborn" "$pid" "${!ways}" -- "$TOOLS/${name%:*}" threads 2 40 3>&- &
		parent=$!
		wait "$parent"
		times+=("$parent")
	done
	"$PROGRAMS/reborn" "$pid" "${in_other[@]}" -- "$TOOLS/red" burn 50
	touch "$here/go"
	REPORT=$here/stint-$one.json
	appears "$REPORT"
	valid
	whole
	holds '[.tools[].name] | (index("red") and index("blue")) and (index("green") | not)'
	# each took 0.08 s, and the last one 0.05: any part of another's would make it more
	holds '.tools[] | select(.name == "red" or .name == "blue") | .runs == 1 and .cpu_s >= 0.08 and .cpu_s < 0.13 and .threads_peak == 2'
	# On a slow machine reborn itself exists for a while, between the job's cgroup and exec.
	holds --argjson pid "$pid" --argjson red "${times[0]}" --argjson blue "${times[2]}" \
		'[.timeline[] | select(.pid == $pid and .tool != "reborn") | {tool, ppid}] == [{tool: "red", ppid: $red}, {tool: "blue", ppid: $blue}]'
	holds --argjson pid "$pid" '[.timeline[] | select(.pid == $pid and .tool != "reborn")] | .[0].end <= .[1].start'
	REPORT=$here/stint-$other.json
	appears "$REPORT"
	valid
	whole
	holds '[.tools[].name] | (index("red") and index("green")) and (index("blue") | not)'
	holds '.tools[] | select(.name == "green") | .runs == 1 and .cpu_s >= 0.08 and .cpu_s < 0.13 and .threads_peak == 2'
	holds '.tools[] | select(.name == "red") | .runs == 1 and .cpu_s >= 0.05 and .cpu_s < 0.13 and .threads_peak == 1'
	holds --argjson pid "$pid" '[.timeline[] | select(.pid == $pid and .tool != "reborn") | .tool] == ["green", "red"]'
}

# ---- a job of several parts ----

@test "each component of a heterogeneous job has a report of its own, with its own steps and numbers" {
	local name report

	for name in head tail both; do tool "$name"; done
	script_job <<-END
		#!/bin/bash
		#SBATCH --ntasks=1 --mem=100M
		#SBATCH hetjob
		#SBATCH --ntasks=1 --mem=200M
		# what one has of another's makes it 0.1 s more, or as much as that one used
		srun --het-group=0 $TOOLS/head burn 200
		srun --het-group=1 $TOOLS/tail burn 300
		srun --het-group=0,1 $TOOLS/both burn 100
	END
	[ "$STATUS" -eq 0 ]
	[ "$(wc -l <<<"$REPORT")" -eq 2 ]
	report=$REPORT
	REPORT=$(sed -n 1p <<<"$report")
	valid
	whole
	holds '[.steps[].id] | sort == ["0", "2", "batch", "extern"]'
	holds '[.tools[].name] | (index("head") and index("both")) and (index("tail") | not)'
	holds '.tools[] | select(.name == "head") | .runs == 1 and .cpu_s >= 0.2 and .cpu_s < 0.3'
	holds '.requested.memory_bytes == 100 * 1048576 and (.nodes | length == 1)'
	REPORT=$(sed -n 2p <<<"$report")
	valid
	whole
	holds '[.steps[].id] | sort == ["1", "2", "extern"]'
	holds '[.tools[].name] | (index("tail") and index("both")) and (index("head") | not)'
	holds '.tools[] | select(.name == "tail") | .runs == 1 and .cpu_s >= 0.3 and .cpu_s < 0.4'
	holds '.requested.memory_bytes == 200 * 1048576 and (.nodes | length == 1)'
}
