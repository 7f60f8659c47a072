#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Only its own user and root can see what a running job has used so far; that is exact, and does not change the job's report.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -n "$NO_TESTBED" ] || begin_job
}

# One job for all of the tests: it computes in processes that end, then in one that lives on, until the file "idle" exists.
begin_job() {
	export ID DIRECTORY=$STINT_TESTBED/home/running
	install -d -o "$TESTBED_USER" "$DIRECTORY"
	cat >"$STINT_TESTBED/job.sh" <<-'END'
		#!/bin/bash
		cat /proc/self/cgroup >cgroup
		echo $$ >pid
		timeout 0.2 bash -c 'while :; do :; done'
		sleep 600 &
		mkfifo gate
		touch up
		until [ -e down ]; do [ ! -e idle ] || read -r -t 0.2 _ <>gate; done
		kill $!
	END
	ID=$(cd "$DIRECTORY" && "$TESTBED" exec sbatch --parsable --output=/dev/null "$STINT_TESTBED/job.sh")
	soon test -e "$DIRECTORY/up"
}

teardown_file() {
	testbed_end
}

# Runs stint as the user UID, in a directory without reports.
as() { # UID ARGUMENT...
	local uid=$1

	shift
	(cd / && setpriv --reuid="$uid" --regid="$uid" --clear-groups "$STINT" "$@" --config "$STINT_TESTBED/etc/stint.conf" "$ID")
}

# Finds the job by its own cgroup: other testbeds on this machine may have a job with the same number.
cgroup_cpu_s() {
	local path file

	path=$(sed -n "s,^[0-9]*:\\(\\|.*cpuacct.*\\):\\(.*/\\(job_$ID\\|s[0-9A-Z]\\{13\\}\\)\\)\\(/.*\\|\\)\$,\\2,p" "$DIRECTORY/cgroup" | head -n 1)
	file=$(find /sys/fs/cgroup -path "*$path/cpuacct.usage" 2>/dev/null | head -n 1)
	if [ -n "$file" ]; then
		awk '{ print $1 / 1e9 }' "$file"
	else
		awk '$1 == "usage_usec" { print $2 / 1e6 }' "$(find /sys/fs/cgroup -path "*$path/cpu.stat" | head -n 1)"
	fi
}

@test "its user sees what a running job has used, as exact as its cgroup counts" {
	local before after

	REPORT=$BATS_TEST_TMPDIR/so-far.json
	before=$(cgroup_cpu_s)
	as "$(id -u "$TESTBED_USER")" report --json >"$REPORT"
	after=$(cgroup_cpu_s)
	valid
	holds '.so_far and .complete == false and .job.state == "RUNNING" and (.job | has("end") or has("exit_code") | not)'
	holds '.advice == [] and (.gaps | any(.name == "job.end"))'
	between "$(awk "BEGIN { print $before - 0.01 }")" "$(value .used.cpu_s)" "$(awk "BEGIN { print $after + 0.01 }")"
	holds '.used.cpu_s > 0.01 and .job.elapsed_s >= .used.cpu_s / .allocated.cpus - 1'
	run as "$(id -u "$TESTBED_USER")" report
	[[ $output == "Still running: so far"* ]]
	[[ $output != *"NOT COMPLETE"* ]]
	[[ $output == *$'\n'"State: RUNNING"$'\n'* ]]
}

@test "its living tools are told with what they have used so far, in each view, and no zero stands for what is not known" {
	local text

	REPORT=$BATS_TEST_TMPDIR/stint-$ID.json
	as "$(id -u "$TESTBED_USER")" report --json >"$REPORT"
	valid
	# The script has computed since it began; the sleep does nothing, and is there.
	holds '.tools | any(.interpreter == "bash" and .living == 1 and .runs == 1 and .cpu_s > 0.01 and .wall_s > 0.1)'
	holds '.tools | any(.name == "sleep" and (.slurm | not) and .living == 1 and .runs == 1 and .wall_s > 0.01)'
	holds '[.tools[] | select(.slurm | not) | select(.living == 0)] | any(.name == "timeout")'
	holds '.timeline | any(.living and .tool == "sleep" and .pid > 1 and .wall_s > 0.01 and (has("end") or has("exit_code") | not))'
	holds '.timeline | any(.living and .interpreter == "bash" and .cpu_s > 0.01)'
	# What the job's cgroup had used before it was counted is only in the job's sums: tools and steps have everything else.
	holds '(.used.cpu_s - ([.tools[].cpu_s] | add)) as $before | $before > -0.0001 and $before < 0.02'
	holds '(([.steps[] | .cpu_s // 0] | add) - ([.tools[].cpu_s] | add)) | fabs < 0.0001'
	holds '.states | ([.on_cpu_s, .runnable_s, .memory_stall_s, .fault_io_s, .file_io_s, .gpu_s, .network_s, .pipe_s, .lock_s,
		.condition_s, .child_s, .event_s, .sleep_s, .other_s] | add) - .lifetime_s | fabs < 0.02'
	holds '.gaps | any(.name == "tools") | not'
	text=$("$STINT" report "$REPORT")
	[[ $text == *"(by bash, 1 running)"* ]]
	[[ $text == *$'\n'"  sleep (1 running)"* ]]
	text=$("$STINT" timeline "$REPORT")
	[[ $text == *$'\n'"Still running: so far"$'\n'* ]]
	[[ $text == *$'\n'"  sleep "*"▶    1"* ]]
	text=$("$STINT" report --html=- "$REPORT")
	[[ $text == *"Still running: so far"* ]]
	[[ $text == *'>sleep <span class="by">1 running</span>'* ]]
	[[ $text != *"Not complete"* ]]
	STINT=$STINT python3 "$SOURCE/tests/cli/views.py" "$REPORT"
}

script_ticks() { # prints how much CPU the script has used, in 1/100 s
	cut -d' ' -f14 "/proc/$(cat "$DIRECTORY/pid")/stat"
}

# If the core is taken from it right between stintd's looks at cores and at threads, the answer lacks that time.
cores_have_all() {
	local from

	from=$(script_ticks)
	until [ "$(script_ticks)" -ge $((from + 20)) ]; do sleep 0.02; done
	as "$(id -u "$TESTBED_USER")" report --json >"$REPORT"
	holds '([.nodes[0].allocated.cores[].cpu_s] | add) - ([.tools[] | select(.slurm | not) | .cpu_s] | add) | fabs < 0.005'
}

@test "a core has what a running job has used of it, also since the kernel last took it from a thread" {
	local script

	REPORT=$BATS_TEST_TMPDIR/stint-$ID.json
	script=$(cat "$DIRECTORY/pid")
	chrt --fifo --pid 1 "$script" # only another of its kind takes a core from it, for most of each second
	soon cores_have_all
	chrt --other --pid 0 "$script"
	valid
	touch "$DIRECTORY/idle" # no test below needs that it computes
}

@test "stint list has what it has used so far, for its user and root" {
	local uid before after

	# slurmctld answers instead of accounting, which does not exist
	for uid in "$(id -u "$TESTBED_USER")" 0; do
		before=$(cgroup_cpu_s)
		listed=$(cd / && setpriv --reuid="$uid" --regid="$uid" --clear-groups "$STINT" list --json --user="$TESTBED_USER" \
			--config "$STINT_TESTBED/etc/stint.conf" | jq ".[] | select(.id == $ID)")
		after=$(cgroup_cpu_s)
		jq --exit-status '.state == "RUNNING" and .path == null and .complete == null and .memory_used_peak_bytes > 0' <<<"$listed"
		between "$(awk "BEGIN { print $before - 0.01 }")" "$(jq .cpu_s <<<"$listed")" "$(awk "BEGIN { print $after + 0.01 }")"
	done
}

@test "root sees it, another user does not, and no summary is made of it" {
	as 0 report --json | jq --exit-status .so_far
	fails_with_one_line as 65534 report
	[[ $stderr == "stint report: job $ID: it is running on "*"--overlap stint report $ID"*"job of yours with this number on this node)" ]]
	[ "$(as 0 export --js1)" = JS1:None ]
}

@test "eight programs of one user at once are all answered" {
	local i pids=()

	for ((i = 0; i < 8; i++)); do
		as "$(id -u "$TESTBED_USER")" report --json >"$BATS_TEST_TMPDIR/$i" &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i"
	done
	jq --exit-status .so_far "$BATS_TEST_TMPDIR"/[0-7]
}

@test "within a user namespace, where nobody is seen to be root, its user is told to ask outside, and nothing is believed" {
	local uid map

	uid=$(id -u "$TESTBED_USER")
	for map in "" --map-root-user; do
		# shellcheck disable=SC2086
		setpriv --reuid="$uid" --regid="$uid" --clear-groups unshare --user $map true || skip "users may make no user namespace"
		# shellcheck disable=SC2086
		run --separate-stderr setpriv --reuid="$uid" --regid="$uid" --clear-groups unshare --user $map --wd / \
			"$STINT" report --config "$STINT_TESTBED/etc/stint.conf" "$ID"
		echo "$stderr"
		[ "$status" -eq 1 ]
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == *"(here: within this container, stint cannot see whether root runs stintd: run stint outside of it)" ]]
	done
	run unshare --user "$STINT" doctor --role=node --config "$STINT_TESTBED/etc/stint.conf"
	grep "^warn  run_dir: .*/run: stint cannot see its owner from within a user namespace -> run 'stint doctor' outside of this container$" <<<"$output"
}

@test "who asks nothing, or noise, or for no answer, hinders nobody" {
	local i

	for i in 1 2 3; do
		setpriv --reuid=65534 --clear-groups python3 - "$STINT_TESTBED/run.show" <<-'END'
			import os, socket, struct, sys
			sockets = [socket.socket(socket.AF_UNIX) for i in range(30)]
			for i, s in enumerate(sockets):
			    s.settimeout(2)
			    try:
			        s.connect(sys.argv[1])
			        s.send([b"", os.urandom(4096), struct.pack("<4I", 0x574f4853, 1, i, 0)][i % 3])
			    except OSError:
			        pass
		END
		as 0 report --json | jq --exit-status .so_far
	done
}

# Calls as fast as it can, several at once, until the file END is there. Prints after 300 calls each, and at the end how many more.
call_in_a_loop() { # UID JOB END
	setpriv --reuid="$1" --clear-groups timeout 300 python3 - "$STINT_TESTBED/run.show" "$2" "$3" <<-'END'
		import os, socket, struct, sys
		children = []
		for i in range(4):
		    if os.fork() == 0:
		        calls = 0
		        while not os.path.exists(sys.argv[3]):
		            with socket.socket(socket.AF_UNIX) as s:
		                s.settimeout(2)
		                try:
		                    s.connect(sys.argv[1])
		                    s.send(struct.pack("<4I", 0x574f4853, 1, int(sys.argv[2]), 0))
		                    calls += 1
		                    if calls == 300:
		                        print(calls, flush=True)
		                except OSError:
		                    pass
		        print(calls - 300, flush=True)
		        os._exit(0)
		for i in range(4):
		    os.wait()
	END
}

@test "who calls in a loop, with a job or without one, keeps nobody from his report" {
	local uid forks loop end

	for uid in 65534 "$(id -u "$TESTBED_USER")"; do
		forks=$(awk '$1 == "processes" { print $2 }' /proc/stat)
		end=$STINT_TESTBED/end.$uid
		call_in_a_loop "$uid" "$ID" "$end" >"$BATS_TEST_TMPDIR/calls" 3>&- &
		loop=$!
		soon eval "[ \"\$(wc -l <'$BATS_TEST_TMPDIR/calls')\" -ge 4 ]" # they are at it
		for _ in 1 2 3; do
			# it gives up after two seconds
			as 0 report --json | jq --exit-status .so_far
		done
		touch "$end"
		wait "$loop"
		echo "# uid $uid: $(awk '{ n += $1 } END { print n }' "$BATS_TEST_TMPDIR/calls") calls," \
			"$(($(awk '$1 == "processes" { print $2 }' /proc/stat) - forks)) processes on the node meanwhile" >&3
		awk '{ n += $1 } END { exit n < 1000 }' "$BATS_TEST_TMPDIR/calls"
	done
	# the user gets an answer when the loop is over
	as "$(id -u "$TESTBED_USER")" report --json | jq --exit-status .so_far
	fails_with_one_line as 65534 report
	[[ $stderr == *"job of yours with this number on this node)" ]]
}

# Runs stint watch, as the job's user, on a terminal; prints the final contents of the terminal.
watch_on_terminal() { # KEY | touch=FILE : see watch.py
	local uid

	uid=$(id -u "$TESTBED_USER")
	(cd / && python3 "$SOURCE/tests/system/watch.py" "$1" setpriv --reuid="$uid" --regid="$uid" --clear-groups \
		"$STINT" "${@:2}" --config "${CONFIG:-$STINT_TESTBED/etc/stint.conf}" "$ID" | tr -d '\r'; exit "${PIPESTATUS[0]}")
}

@test "stint watch draws the page again and again on a terminal of 80 columns; Ctrl-C and q give the terminal back" {
	run watch_on_terminal ^C watch
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == "Still running: so far"* ]]
	[[ $output == *"State: RUNNING"* ]]
	run watch_on_terminal q report --watch
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"State: RUNNING"* ]]
}

@test "stint watch ends with the job, and leaves the page of the whole job" {
	run watch_on_terminal "touch=$DIRECTORY/down" watch
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"State: COMPLETED"* ]]
	[[ $output != *"so far"* ]]
}

@test "the report of the job's end is none the worse for it" {
	touch "$DIRECTORY/down"
	report_in "$DIRECTORY"
	valid
	whole
	holds '.job.state == "COMPLETED" and (has("so_far") | not)'
	holds '.tools | any(.name == "bash" or .interpreter == "bash")'
}

hold_job() { # [sbatch option...] : sets ID and DIRECTORY of a job that waits until it is released
	DIRECTORY=$STINT_TESTBED/home/held-$RANDOM
	install -d -o "$TESTBED_USER" "$DIRECTORY"
	touch "$DIRECTORY/idle"
	ID=$(cd "$DIRECTORY" && "$TESTBED" exec sbatch --parsable --hold --output=/dev/null "$@" "$STINT_TESTBED/job.sh")
}

@test "stint watch of a job that waits says why, goes on when it starts, and ends with one line when it is cancelled" {
	local ID DIRECTORY

	need script
	hold_job
	run watch_on_terminal q watch
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" = "Job $ID waits to start: PENDING, JobHeldUser" ]
	run watch_on_terminal "run=scontrol release $ID;;seen=RUNNING for;;touch=$DIRECTORY/down" watch
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"State: COMPLETED"* ]]
	[[ $output != *"waits to start"* ]]
	hold_job
	run watch_on_terminal "fails:run=scancel $ID" watch
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" = "stint watch: job $ID: it ended while it waited to start: CANCELLED" ]
	# like on a login host without stintd
	hold_job
	echo "run_dir = $DIRECTORY/none" >"$DIRECTORY/conf"
	CONFIG=$DIRECTORY/conf run watch_on_terminal "fails:run=scontrol release $ID" watch
	touch "$DIRECTORY/down"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == "stint watch: job $ID: it is running on "*"srun --jobid=$ID --overlap --pty stint watch $ID (here: no stintd here"* ]]
	hold_job --array=3-4
	run env TERM=xterm script --quiet --return --command "$STINT watch --config $STINT_TESTBED/etc/stint.conf $ID" /dev/null
	[ "$status" -eq 1 ]
	[[ $output == "stint watch: $ID: an array or a heterogeneous job has many pages: which one, such as ${ID}_1?"* ]]
	"$TESTBED" exec scancel "$ID"
}
