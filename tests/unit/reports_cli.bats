#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint report and stint doctor, without Slurm and without root: bad input gets one clear line and a
# status that is not zero; good input gets a page that no user's text can spoil.

setup_file() {
	export SOURCE STINT EPILOG
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	EPILOG=${EPILOG:-$PWD/reports/stint-epilog}
	export LC_ALL=C.UTF-8 TZ=UTC0
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
	mkdir libexec job
	cat >libexec/stint-slurm-job <<-EOF
		#!/bin/sh
		case \$1 in
		4160740) sed "s#/home/juser/run#$PWD/job#" "$SOURCE/tests/unit/data/slurm-one.json" ;;
		*) echo "stint-slurm-job: job \$1: Invalid job id specified" >&2; exit 1 ;;
		esac
	EOF
	chmod +x libexec/stint-slurm-job
	export STINT_LIBEXEC=$PWD/libexec
	: >empty.conf
}

# Delivers the record fixture to a report in $PWD/job, as whoever runs the tests.
deliver() { # RECORD [SED-SCRIPT]
	sed -e "s#/home/juser/run\"#$PWD/job\"#" -e "s/\"uid\": 1000/\"uid\": $(id -u)/" \
		-e "s/\"gid\": 1000/\"gid\": $(id -g)/" ${2:+-e "$2"} "$SOURCE/tests/unit/data/$1" >record.json
	chmod 755 "$PWD" job
	"$EPILOG" --config empty.conf record.json
}

fails() { # STATUS TEXT COMMAND...
	local expected=$1 text=$2
	shift 2
	run --separate-stderr "$@"
	echo "status $status, stdout: $output, stderr: $stderr"
	[ "$status" -eq "$expected" ]
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"$text"* ]]
}

@test "a command line that makes no sense is one line and status 2" {
	fails 2 "which verb" "$STINT"
	fails 2 "unknown verb 'frob'" "$STINT" frob
	fails 2 "--frob" "$STINT" --frob
	fails 2 "--frob" "$STINT" report --frob
	fails 2 "--frob" "$STINT" doctor --frob
	fails 2 "--width=59: it is a number of columns, 60 or more" "$STINT" report --width 59
	fails 2 "--width=wide" "$STINT" report --width=wide
	fails 2 "--color=blue: it is auto, always or never" "$STINT" report --color=blue
	fails 2 "--seff with --json" "$STINT" report --seff --json
	fails 2 "--seff with --table" "$STINT" report --table --seff
	fails 2 "which RECORD" "$EPILOG"
}

@test "help and version go to standard output" {
	for verb in "" report export doctor; do
		run --separate-stderr "$STINT" $verb --help
		[ "$status" -eq 0 ]
		[[ $output == *Usage:* ]]
		[ -z "$stderr" ]
	done
	run "$STINT" --version
	[[ $output == "stint "[0-9]* ]]
}

@test "a job that nobody knows: where it was looked for, and what to do" {
	fails 1 "job 99: no report of it in this directory" "$STINT" report 99
	[[ $stderr == *"Invalid job id"*"name the report's file"* ]]
	STINT_LIBEXEC=/nonexistent fails 1 "job 99" "$STINT" report 99
}

@test "what is no report is named, with the place of the damage" {
	printf '{\n  "schema": "stint-report/1",\n  oops' >cut.json
	: >empty.json
	echo '{"name": "something else"}' >foreign.json
	echo '{"schema": "stint-report/2"}' >newer.json
	echo '{"schema": "stint-report/1", "complete": true, "gaps": 3}' >wrong.json
	head -c 4096 /dev/urandom >noise.json
	fails 1 "cut.json:3:3: damaged JSON" "$STINT" report cut.json
	fails 1 "empty.json:1:1: damaged JSON" "$STINT" report empty.json
	fails 1 "foreign.json: not a stint report" "$STINT" report --json foreign.json
	fails 1 "newer.json: a report of another version" "$STINT" report newer.json
	fails 1 "wrong.json: a damaged report: \"gaps\" is not an array" "$STINT" report wrong.json
	fails 1 "noise.json" "$STINT" report noise.json
	fails 1 "nothing.json: No such file" "$STINT" report nothing.json
	mkfifo fifo.json
	fails 1 "fifo.json: not a plain file" "$STINT" report fifo.json
}

@test "a file that cannot be read" {
	local as_nobody=()

	echo '{}' >secret.json
	chmod 000 secret.json
	if [ "$EUID" -eq 0 ]; then # which reads everything
		cp "$STINT" ./stint
		chmod 755 . ..
		as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
		"${as_nobody[@]}" test -x ./stint || skip "nobody cannot come to this directory"
		STINT=./stint
	fi
	fails 1 "secret.json: Permission denied" "${as_nobody[@]}" "$STINT" report secret.json
}

@test "a directory without reports" {
	fails 1 "no reports in this directory" "$STINT" report
	fails 1 "job: no reports" "$STINT" report job
}

@test "a bad stint.conf is refused with file and line" {
	printf 'mode = timeline\n\nsample_interval_s = often\n' >bad.conf
	printf 'colour = blue\n' >unknown.conf
	for command in "$STINT report" "$STINT doctor" "$EPILOG record.json"; do
		fails 1 "bad.conf:3: sample_interval_s" $command --config bad.conf
		fails 1 "unknown.conf:1: unknown key 'colour'" $command --config unknown.conf
		fails 1 "absent.conf: No such file" $command --config absent.conf
	done
}

@test "a record that stint-epilog cannot use" {
	echo '{"stint_record": 1' >record.json
	fails 65 "record.json:2:1: damaged JSON" "$EPILOG" record.json
	fails 1 "gone.json: No such file" "$EPILOG" gone.json
}

@test "the page has seff's lines in seff's order" {
	deliver record-one.json
	cd job
	run "$STINT" report 4160739_0
	echo "$output"
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "Job ID: 4160740" ]
	[ "${lines[1]}" = "Array Job ID: 4160739_0" ]
	[ "${lines[2]}" = "Cluster: foocluster" ]
	[[ ${lines[3]} == "User/Group: juser/"* ]]
	[ "${lines[4]}" = "State: COMPLETED (exit code 0)" ]
	[ "${lines[5]}" = "Nodes: 1" ]
	[ "${lines[6]}" = "Cores per node: 4" ]
	[ "${lines[7]}" = "CPU Utilized: 00:04:13" ]
	[ "${lines[8]}" = "CPU Efficiency: 48.72% of 00:08:40 core-walltime" ]
	[ "${lines[9]}" = "Job Wall-clock time: 00:02:10" ]
	[ "${lines[10]}" = "Memory Utilized: 3.1 GiB" ]
	[ "${lines[11]}" = "Memory Efficiency: 38.75% of 8.0 GiB (8.0 GiB/node)" ]
	[[ ${lines[12]} == "Verdict: "* ]] # run leaves empty lines out
	[[ $output == *"Memory peak: 3.1 GiB used (at most 6.4 GiB), 6.4 GiB charged with cache"* ]]
	[[ $output == *"Cores kept busy: 1.9 of 4 bound, 1 never used"* ]]
	[[ $output == *"Sockets: 8.0 MiB received, 64.2 KiB sent"* ]]
	[[ $output == *"picard.jar (by java)"* ]]
	[[ $output != *"System calls:"* ]]
	[[ ${lines[-1]} == "Not shown: 3 waits, 1 file system, 1 tool. --all tells all." ]]
	[[ $("$STINT" report --all 4160739_0) == *"System calls: 3.5 GiB read, 1.6 GiB written"* ]]
	for line in "${lines[@]}"; do
		[ "${#line}" -le 80 ]
	done
}

@test "the page says where the threads' time went, and on which file systems" {
	deliver record-one.json
	run "$STINT" report job
	echo "$output"
	[[ $output == *"  on a CPU                                        00:04:13  47.8%"$'\n'* ]]
	[[ $output == *"  file I/O                36.5 s       14.5 s       47.5 s   9.0%"* ]]
	[[ $output != *"memory stall"* ]] # 0.1 % of it
	[[ $("$STINT" report -a job) == *"memory stall"* ]]
	[[ $output == *"  nfs4              network   38.5 s   6100  2.3G   517M   5030"* ]]
	[[ $output == *"  (not told apart)  unknown  0.400 s     12     0      0      0"* ]]
	[ "$(grep -c ' $' <<<"$output")" -eq 0 ]
}

@test "the page tells who was killed for want of memory, who stalled, and when nothing happened" {
	deliver record-two-n2.json 's/"node_list": "n\[1-2\]"/"node_list": "n2"/
		s/"first_activity_unix_ns": 1763678102/"first_activity_unix_ns": 1763678111/'
	run "$STINT" report job
	echo "$output"
	[[ $output == *"Swapped out: 8.0 KiB at most"* ]]
	[[ $output == *"Idle: 00:00:11 before its first activity, 00:00:01 after the last"* ]]
	[[ $output == *$'\n'"  critical  oom-kill: "* ]]
	[[ $output == *$'\n'"#SBATCH --mem="* ]] # at the line's begin, where Slurm takes it
	[[ $output == *"  stress               202     0    n2  2.0G   4.0G"* ]]
	[[ $output == *"  stress                  202     0    n2     6.00 s"* ]]
	run "$STINT" report --width 90 job
	[[ $output == *"  stress               202     0    n2  2.0G   4.0G  2025-11-20T22:35:12.900"* ]]
	[[ $output == *"  stress                  202     0    n2     6.00 s  2025-11-20T22:35:04.000"* ]]
}

@test "a report of the old form has a page without what it does not know" {
	deliver record-old.json
	run "$STINT" report job
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output != *"System calls:"* ]]
	[[ $output != *"Where the time went"* ]]
	[[ $output == *$'\n'"Not known: "*". Not shown: 1 tool. --all"*"tells all." ]]
	run "$STINT" report --all job
	[[ $output == *$'\n'"Not known"$'\n'*"used.syscall_read_bytes"*": the node record does not tell it"* ]]
}

@test "what several nodes do not know for one reason is told once" {
	cat >nodes.json <<-'EOF'
		{"schema": "stint-report/1", "complete": true, "lost": {}, "job": {"id": 1}, "requested": {}, "used": {},
		 "tools": [], "timeline": [], "steps": [], "nodes": [{"name": "n1"}, {"name": "n2"}, {"name": "n3"}],
		 "gaps": [{"name": "used.a", "reason": "n1: no program"}, {"name": "used.b", "reason": "n1: no program"},
		          {"name": "used.a", "reason": "n3: no program"}, {"name": "used.c", "reason": "n4: no program"},
		          {"name": "job.x", "reason": "Slurm does not say"}]}
	EOF
	run "$STINT" report --all nodes.json
	echo "$output"
	[[ $output == *"  used.a, used.b: no program (n1, n3)"$'\n'* ]]
	[[ $output == *"  used.c: n4: no program"$'\n'* ]]
	[[ $output == *"  job.x: Slurm does not say" ]]
}

@test "a job is found by array task, by array, by its own id, and where Slurm says it ran" {
	deliver record-one.json
	deliver record-one.json 's/4160740/4160741/; s/"array_task_id": 0/"array_task_id": 1/'
	run "$STINT" report 4160740 # not here: Slurm knows the directory
	[ "${lines[1]}" = "Array Job ID: 4160739_0" ]
	cd job
	run "$STINT" report 4160741
	[ "${lines[1]}" = "Array Job ID: 4160739_1" ]
	run "$STINT" report 4160739
	[ "${lines[0]}" = "Array Job ID: 4160739" ]
	[[ $output == *$'\n'"Tasks with a report: 2"$'\n'* ]]
	run "$STINT" report
	[ "$(grep -c '^Job ID' <<<"$output")" -eq 2 ]
	run --separate-stderr "$STINT" report --seff 4160739 # of each task, which is what seff could not
	[ "$(grep -c '^Job ID' <<<"$output")" -eq 2 ]
	[ "$(grep -c '^CPU Efficiency: ' <<<"$output")" -eq 2 ]
	[ "$stderr" = "stint report: job 4160741: not known, and left out: State" ] # the test's Slurm knows one alone
}

@test "--json prints the report as it is" {
	deliver record-one.json
	"$STINT" report --json job/stint-4160739_0.json | cmp - job/stint-4160739_0.json
}

@test "a damaged report among good ones is told of, and the good ones are shown" {
	deliver record-one.json
	echo '{' >job/stint-1.json
	run --separate-stderr "$STINT" report job
	[ "$status" -eq 1 ]
	[[ $stderr == *"stint-1.json:2:1: damaged JSON"* ]]
	[[ $output == *"Job ID: 4160740"* ]]
}

@test "an incomplete report says so before everything" {
	deliver record-poor.json
	run "$STINT" report job
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == "NOT COMPLETE"* ]]
	[[ ${lines[1]} == *"used.cpu_s: the collector was started after the job"* ]]
	[[ $output == *"CPU Utilized: not known"* ]]
}

@test "a user's text cannot steer the terminal" {
	deliver record-one.json 's/"bwa"/"bw\\u001b[31m\\nState: FAILED"/; s/"foocluster"/"foo\\u009bc\\u202eluster"/'
	run "$STINT" report job
	echo "$output" | cat -v
	[[ $output == *'bw\x1b[31m\x0aState:'* ]]
	[[ $output == *'Cluster: foo\xc2\x9bc\xe2\x80\xaeluster'* ]]
	[ "$(tr -d '\n' <<<"$output" | LC_ALL=C grep -c '[[:cntrl:]]')" -eq 0 ]
}
