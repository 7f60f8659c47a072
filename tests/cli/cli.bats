#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint report and stint doctor, without Slurm and without root: bad input gets one clear line and a nonzero status; good input gets a page
# that no user's text can spoil.

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
		4160740) sed -e "s#/home/juser/run#$PWD/job#" -e 's/"user_id": 1000/"user_id": $(id -u)/' "$SOURCE/tests/data/slurm-one.json" ;;
		*) echo "stint-slurm-job: job \$1: Invalid job id specified" >&2; exit 1 ;;
		esac
	EOF
	chmod +x libexec/stint-slurm-job
	export STINT_LIBEXEC=$PWD/libexec
	: >empty.conf
}

# Delivers the record fixture as a report in $PWD/job, as the user who runs the tests.
deliver() { # RECORD [SED-SCRIPT]
	sed -e "s#/home/juser/run\"#$PWD/job\"#" -e "s/\"uid\": 1000/\"uid\": $(id -u)/" \
		-e "s/\"gid\": 1000/\"gid\": $(id -g)/" ${2:+-e "$2"} "$SOURCE/tests/data/$1" >record.json
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

@test "a job alone is the report of the job" {
	local directory=$BATS_TEST_TMPDIR/here

	mkdir "$directory" && cp "$SOURCE/tests/data/example/stint-7.json" "$directory"
	cd "$directory"
	"$STINT" report 7 --width 100 >"$BATS_TEST_TMPDIR/whole"
	"$STINT" 7 --width 100 >"$BATS_TEST_TMPDIR/short"
	diff "$BATS_TEST_TMPDIR/whole" "$BATS_TEST_TMPDIR/short"
	[ -s "$BATS_TEST_TMPDIR/short" ]
	fails 1 "4711" "$STINT" 4711
	[[ $stderr == "stint report: "* ]]
	fails 2 "--frob" "$STINT" 7 --frob
}

@test "a command line that makes no sense gives one line and status 2" {
	fails 2 "which verb" "$STINT"
	fails 2 "unknown verb 'frob'" "$STINT" frob
	fails 2 "--frob" "$STINT" --frob
	fails 2 "--frob" "$STINT" report --frob
	fails 2 "--frob" "$STINT" doctor --frob
	fails 2 "--width=59: expected a number of columns, 60 or more" "$STINT" report --width 59
	fails 2 "--width=wide" "$STINT" report --width=wide
	fails 2 "--color=blue: expected auto, always or never" "$STINT" report --color=blue
	fails 2 "--seff and --json exclude" "$STINT" report --seff --json
	fails 2 "--seff and --table exclude" "$STINT" report --table --seff
	fails 2 "--schema describes all reports" "$STINT" report --schema 1
	fails 2 "--schema describes all reports" "$STINT" report --json --schema
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
	for verb in report list timeline compare export doctor; do
		[ "$("$STINT" $verb --help)" = "$("$STINT" $verb -h)" ]
		[ "$("$STINT" $verb --help)" = "$("$STINT" help $verb)" ]
	done
	[ "$("$STINT" report -ah)" = "$("$STINT" report --help)" ]
	[ "$("$STINT" --help)" = "$("$STINT" -h)" ]
	[ "$("$STINT" --help)" = "$("$STINT" help)" ]
	[ "$("$EPILOG" --help)" = "$("$EPILOG" -h)" ]
	fails 2 "unknown verb 'frob'" "$STINT" help frob
}

@test "options before the verb give one line that says where they go" {
	fails 2 "stint: options go after the verb: stint report --json 7 (see" "$STINT" --json report 7
	fails 2 "stint: options go after the verb: stint report -v --width 80 7 (see" "$STINT" -v --width 80 report 7
	fails 2 "stint: options go after the verb: stint list --since=7d (see" "$STINT" --since=7d list
	fails 2 "stint: options go after the job: stint JOB [OPTION...] (see" "$STINT" --json 7
	fails 2 "stint: options go after the verb: stint report --\x1b]0;x 7 (see" "$STINT" "--"$'\e]0;x' report 7
	# without a verb or a job there is nothing that an option could be of
	fails 2 "unrecognized option '--json'" "$STINT" --json
	fails 2 "unrecognized option '--json'" "$STINT" --json frob
	# stint's own
	[ "$("$STINT" --help report)" = "$("$STINT" help)" ]
	[ "$("$STINT" --vers report)" = "$("$STINT" --version)" ]
	[ "$("$STINT" -V report)" = "$("$STINT" --version)" ]
}

@test "an unknown job is named in one line, and what was tried with --verbose; a missing helper program is named, too" {
	fails 1 "stint report: No job 99 is known here; --verbose says what was tried" "$STINT" report 99
	run --separate-stderr "$STINT" report --verbose 99
	[ "$status" -eq 1 ]
	[ "${#stderr_lines[@]}" -eq 4 ]
	[ "${stderr_lines[0]}" = "stint report: tried: no report of job 99 with the name stint-%i.json in this directory" ]
	[ "${stderr_lines[1]}" = "stint report: tried: Slurm says: job 99: Invalid job id specified" ]
	[[ ${stderr_lines[2]} == "stint report: tried: accounting says: "* ]]
	[[ ${stderr_lines[3]} == *"No job 99 is known here; "* ]]
	for verb in timeline "export --js1"; do
		fails 1 "No job 99 is known here" "$STINT" $verb 99
		[ "$("$STINT" $verb --verbose 99 2>&1 | wc -l)" -eq 4 ]
	done
	deliver record-one.json
	fails 1 "No job 99 is known here" "$STINT" compare job/stint-4160739_0.json 99
	[ "$("$STINT" compare -v job/stint-4160739_0.json 99 2>&1 | wc -l)" -eq 4 ]
	STINT_LIBEXEC=/nonexistent fails 1 "stint's helper program /nonexistent/stint-slurm-job, which asks Slurm, cannot be run" \
		"$STINT" report 99
}

@test "what is neither a job's number nor a file is named as that" {
	local word

	for word in abc 1.batch 1-5 1,2 1_ 12+ 99999999999999999999 ''; do
		fails 1 "$word: neither a job's number nor a file" "$STINT" report "$word"
		fails 1 "$word: neither a job's number nor a file" "$STINT" timeline "$word"
	done
	fails 1 "1.batch: neither a job's number nor a file: the steps of a job are on its page" "$STINT" report 1.batch
	fails 1 "1,2: neither a job's number nor a file: separate jobs by spaces" "$STINT" report 1,2
	fails 1 "sub/abc: No such file" "$STINT" report sub/abc
}

@test "a file that is no report is named, with the place of the damage" {
	printf '{\n  "schema": "stint-report/1",\n  oops' >cut.json
	: >empty.json
	echo '{"name": "something else"}' >foreign.json
	echo '{"schema": "stint-report/2"}' >newer.json
	echo '{"schema": "stint-report/1", "complete": true, "gaps": 3}' >wrong.json
	head -c 4096 /dev/urandom >noise.json
	fails 1 "cut.json:3:3: damaged JSON" "$STINT" report cut.json
	fails 1 "empty.json: an empty file" "$STINT" report empty.json
	fails 1 "foreign.json: not a stint report" "$STINT" report --json foreign.json
	fails 1 "newer.json: a report of another version" "$STINT" report newer.json
	fails 1 "wrong.json: a damaged report: \"gaps\" is not an array" "$STINT" report wrong.json
	fails 1 "noise.json" "$STINT" report noise.json
	fails 1 "nothing.json: No such file" "$STINT" report nothing.json
	mkfifo fifo.json
	fails 1 "fifo.json: not a plain file" "$STINT" report fifo.json
}

@test "a file that cannot be read is named" {
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
	# a glob says about such a directory that nothing matches
	mkdir -m 000 closed
	fails 1 "closed: Permission denied" "${as_nobody[@]}" "$STINT" report closed
	fails 1 "closed: Permission denied" "${as_nobody[@]}" "$STINT" summary closed
}

@test "a directory without reports is named" {
	fails 1 "this directory has no reports" "$STINT" report
	fails 1 "job: this directory has no reports" "$STINT" report job
}

@test "a mistake in stint.conf, or a key of a newer release, is named in one line, and takes no report from a user" {
	local mistake

	deliver record-one.json
	printf 'mode = timeline\n\nsample_interval_s = often\n' >'bad.conf:3: sample_interval_s'
	printf 'colour = blue\nshape = round\n' >"bad.conf:1: unknown key 'colour'"
	printf 'stall_s = 7\njust words\n' >"bad.conf:2: not of the form 'key = value'"
	for mistake in bad.conf:*; do
		cp "$mistake" bad.conf
		for what in "report job" "report --table job" "report --by rule job" "report --json job" "report --html=- job" \
			"report --html=- job job/*.json" "summary job"; do
			run --separate-stderr "$STINT" $what --config bad.conf
			echo "$what: $status, $output, $stderr"
			[ "$status" -eq 0 ]
			[ -n "$output" ]
			[ "${#stderr_lines[@]}" -eq 1 ]
			[[ $stderr == "stint ${what%% *}: $mistake"* ]]
		done
		run --separate-stderr "$EPILOG" --config bad.conf record.json
		[ "$status" -eq 0 ]
		[[ $stderr == "stint-epilog: $mistake"*"such lines of stint.conf are ignored" ]]
		run "$STINT" doctor --config bad.conf
		[ "$status" -eq 1 ]
		grep -q "^FAIL  stint.conf: $mistake.* -> fix that line: stintd does not start with it$" <<<"$output"
	done
	printf 'output = kept-%%j.json\njust words\n' >bad.conf
	mkdir other
	cp job/stint-*.json other/kept-4160740.json
	"$STINT" report --config bad.conf other # what is understood counts
	for command in "$STINT report" "$STINT doctor" "$EPILOG record.json"; do
		fails 1 "absent.conf: No such file" $command --config absent.conf
	done
}

@test "stintd alone refuses such a stint.conf, with a status after which systemd does not start it again" {
	local stintd=${STINT%/*}/../collector/stintd

	[ -x "$stintd" ] || skip "there is no stintd beside stint"
	printf 'mode = timeline\ncolour = blue\n' >bad.conf
	fails 78 "bad.conf:2: unknown key 'colour'" "$stintd" --config bad.conf
	fails 78 "absent.conf: No such file" "$stintd" --config absent.conf
	grep -qx 'RestartPreventExitStatus=78' "$SOURCE/contrib/stintd.service.in"
}

@test "stintd --check says what a stint.conf would bring about, changes nothing, and fails where a directory cannot be used" {
	local stintd=${STINT%/*}/../collector/stintd

	[ -x "$stintd" ] || skip "there is no stintd beside stint"
	printf 'mode = summary\nrun_dir = /run/stint-%s\nspool_dir = /etc/passwd/spool\nrule.cpu_idle = 0.25\nprograms_off = aio_got\n' $$ >good.conf
	run --separate-stderr "$stintd" --check --config good.conf
	echo "$output$stderr"
	[ "$status" -eq 1 ]
	[ -z "$stderr" ]
	grep -qx 'jobs  *are counted, without a timeline, unless they choose otherwise' <<<"$output"
	grep -q "^run_dir  */run/stint-$$: .*(it will be made)$" <<<"$output"
	grep -qx 'spool_dir  */etc/passwd/spool: Not a directory' <<<"$output"
	grep -qx 'programs_off  *aio_got is left out' <<<"$output"
	grep -qx 'verdict  *rule.cpu_idle = 0.25' <<<"$output"
	[ ! -e "/run/stint-$$" ]
	sed -i 's,^spool_dir.*,spool_dir = /var/spool/stint-%s,' good.conf
	run "$stintd" --check --config good.conf
	[ "$status" -eq 0 ]
	: >file
	printf 'run_dir = %s\nspool_dir = %s\nstore_dir = %s\nstore_user = daemon\nbpf_dir = %s\n' "$PWD/none/run" "$PWD/file" "$PWD/none/store" "$PWD/b" >good.conf
	run "$stintd" --check --config good.conf
	[ "$status" -eq 1 ]
	grep -qx "run_dir  *$PWD/none/run: the directory above it is missing (mkdir -p $PWD/none)" <<<"$output"
	grep -qx "spool_dir  *$PWD/file: it is not a directory (rm $PWD/file)" <<<"$output"
	grep -qx "store_dir  *$PWD/none/store: No such file or directory (mount its file system, or make it: install -d -m 0750 -o daemon $PWD/none/store)" <<<"$output"
	grep -qx "bpf_dir  *$PWD/b: not on a bpffs: .* (set bpf_dir below /sys/fs/bpf in stint.conf)" <<<"$output"
	rm file
	mkdir -m 0777 file
	if [ "$(id -u)" -eq 0 ]; then
		run "$stintd" --check --config good.conf
		grep -qx "spool_dir  *$PWD/file: users other than root may write there (chmod go-w $PWD/file)" <<<"$output"
		chown daemon file
		run "$stintd" --check --config good.conf
		grep -qx "spool_dir  *$PWD/file: it does not belong to root (chown root $PWD/file)" <<<"$output"
	fi
	printf 'colour = blue\n' >bad.conf
	fails 78 "bad.conf:1: unknown key 'colour'" "$stintd" --check --config bad.conf
	printf 'mode = loud\nsample_s = 2\nrule.cpu_idle = much\nno pair\n' >bad.conf
	fails 78 "bad.conf:1: mode: " "$stintd" --config bad.conf
	run --separate-stderr "$stintd" --check --config bad.conf
	echo "$stderr"
	[ "$status" -eq 78 ]
	[ "$(grep -oE 'bad.conf:[0-9]+' <<<"$stderr" | tr '\n' ' ')" = "bad.conf:1 bad.conf:2 bad.conf:3 " ]
	printf 'no pair\nmode = loud\n' >bad.conf
	run --separate-stderr "$stintd" --check --config bad.conf
	grep -q "bad.conf:1: not of the form 'key = value'" <<<"$stderr"
	grep -q 'bad.conf:2: mode: ' <<<"$stderr"
}

@test "a record that stint-epilog cannot use is refused" {
	echo '{"stint_record": 1' >record.json
	fails 65 "record.json: damaged JSON at byte 20: it ends too soon" "$EPILOG" record.json
	fails 1 "gone.json: No such file" "$EPILOG" gone.json
}

@test "where threads share cores, the page counts CPUs, and is never of more cores than there are" {
	busy() { # CPUS CORES-BUSY
		sed -e "s/\"cpus\": 4,/\"cpus\": $1,/" -e "s/\"cores_busy\": [0-9.]*/\"cores_busy\": $2/" \
			"$SOURCE/tests/data/report-many.json" >busy.json
		"$STINT" report busy.json | grep -E '^(Cores|CPUs) used: '
	}
	[ "$(busy 8 7.9)" = "CPUs used: 7.9 of 8 on average, 1 never used" ]
	[ "$(busy 8 4.06)" = "CPUs used: 4.1 of 8 on average, 1 never used" ]
	[ "$(busy 8 4.04)" = "Cores used: 4.0 of 4 on average, 1 never used" ]
	[ "$(busy 4 4.06)" = "Cores used: 4.1 of 4 on average, 1 never used" ]
}

@test "the page has how the job ended, the bars and the lines to paste, then seff's lines in seff's order" {
	# of a job without a killed program, which would leave no lines
	deliver record-one.json '/"name": "picard.jar"/,/"dismissed"/s/"signals": 1/"signals": 0/'
	cd job
	run "$STINT" report 4160739_0
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == "Job 4160739_0 align: COMPLETED in 2 min 10 s on 1 node" ]]
	[ "${lines[1]}" = "CPU       49 % of 4 CPUs" ]
	[ "${lines[2]}" = "Memory    39 % of 8.0 GiB" ]
	[ "${lines[3]}" = "Time       4 % of 1 h" ]
	[[ ${lines[4]} == "Why: Mixed: "* ]] # run leaves empty lines out
	[ "${lines[6]}" = "Next time: lines for the job script" ]
	[ "${lines[7]}" = "#SBATCH --time=00:10:00" ]
	[ "${lines[8]} ${lines[9]}" = "This is for task 0. Others of the array may need more: see stint report 4160739 before you use it for all." ]
	[ "${lines[10]}" = "Job ID: 4160740" ]
	[ "${lines[11]}" = "Array Job ID: 4160739_0" ]
	[ "${lines[12]}" = "Cluster: foocluster" ]
	[[ ${lines[13]} == "User/Group: juser/"* ]]
	[ "${lines[14]}" = "State: COMPLETED (exit code 0)" ]
	[ "${lines[15]}" = "Nodes: 1" ]
	[ "${lines[16]}" = "Cores per node: 4" ]
	[ "${lines[17]}" = "CPU Utilized: 00:04:13" ]
	[ "${lines[18]}" = "CPU Efficiency: 48.72% of 00:08:40 core-walltime" ]
	[ "${lines[19]}" = "Job Wall-clock time: 00:02:10" ]
	[ "${lines[20]}" = "Memory Utilized: 3.1 GiB" ]
	[ "${lines[21]}" = "Memory Efficiency: 38.75% of 8.0 GiB (8.0 GiB/node)" ]
	[[ $output == *"Memory peak: 3.1 GiB or more (6.4 GiB with file cache)"* ]]
	[[ $output == *"Cores used: 1.9 of 4 on average, 1 never used"* ]]
	[[ $output == *"Sockets: 8.0 MiB received, 64.2 KiB sent"* ]]
	[[ $output == *"picard.jar (by java)"* ]]
	[[ $output != *"System calls:"* ]]
	[[ ${lines[-1]} == "Not shown: 2 waits, 1 file system, 1 tool. --all shows all." ]]
	[[ $("$STINT" report --all 4160739_0) == *"System calls: 3.5 GiB read, 1.6 GiB written"* ]]
	for line in "${lines[@]}"; do
		[ "${#line}" -le 80 ]
	done
}

@test "the page says how much of the memory peak no process had, if that was most of it" {
	unheld() { # PEAK-MIB [FILTER] : of a job of three processes of 10 MiB, and slurmstepd
		jq ".used += {memory_used_peak_bytes: ($1 * 1048576), processes: 3} | del(.used.memory_used_peak_upper_bytes) | .lost.tools = 0 |
			.complete = true | .tools = [{name: \"a\", slurm: false, runs: 1, forks: 1, failures: 0, signals: 0, peak_bytes: 10485760},
			{name: \"b\", slurm: false, runs: 1, failures: 0, signals: 0, peak_bytes: 10485760},
			{name: \"slurmstepd\", slurm: true, runs: 0, forks: 0, failures: 0, signals: 0}] | ${2:-.}" \
			"$SOURCE/tests/data/report-many.json" >unheld.json
		"$STINT" report --width=120 unheld.json | tr -s ' \n' ' ' | grep -o 'Of that, in no process: [^:]*: files in memory' || true
	}
	[ "$(unheld 300)" = "Of that, in no process: 270.0 MiB at least: files in memory" ]
	[ "$(unheld 94)" = "Of that, in no process: 64.0 MiB at least: files in memory" ]
	[ -z "$(unheld 93)" ]
	[ "$(unheld 200 '.tools[0].peak_bytes = (50 * 1048576 - 1) | .tools[1].peak_bytes = 0')" = "Of that, in no process: 100.0 MiB at least: files in memory" ]
	[ -z "$(unheld 200 '.tools[0].peak_bytes = (50 * 1048576 + 1) | .tools[1].peak_bytes = 0')" ]
	# what is not known
	[ -z "$(unheld 300 'del(.tools[1].peak_bytes)')" ]
	[ -z "$(unheld 300 '.used.processes = 4')" ]
	[ -z "$(unheld 300 '.lost.tools = 1')" ]
	[ -z "$(unheld 300 'del(.lost)')" ]
	[ -z "$(unheld 300 '.complete = false')" ]
}

@test "the share of the CPUs of a job of some seconds is rough, unless the nodes gave its time" {
	timed() { # SECONDS
		jq ".job.elapsed_s = $1" "$SOURCE/tests/data/report-many.json" >timed.json
		"$STINT" report timed.json | sed -n 's/^CPU  .* of //p'
	}
	[ "$(timed 9)" = "4 CPUs, roughly" ]
	[ "$(timed 9.25)" = "4 CPUs" ]
	[ "$(timed 10)" = "4 CPUs" ]
}

@test "one screen has the tool by which an idle job was idle, though it took no CPU time" {
	idle() { # VERDICT SECONDS : what the page says about the tool
		jq ".verdict.bound = \"$1\" | .states += {sleep_s: 10, event_s: 0, condition_s: 0} | .tools |= (map(select(.name == \"gzip\")) +
			[{name: \"sleep\", slurm: false, runs: 1, forks: 0, failures: 0, signals: 0, wall_s: 10, cpu_s: 0.001, states: {sleep_s: $2}}])" \
			"$SOURCE/tests/data/report-many.json" >idle.json
		"$STINT" report idle.json | grep -c '^  sleep  .* 0.001 s'
	}
	[ "$(idle idle 9)" -eq 1 ]
	[ "$(idle idle 2)" -eq 0 ]
	[ "$(idle cpu 9)" -eq 0 ]
}

@test "the page says where the threads' time went, and on which file systems" {
	deliver record-one.json
	run "$STINT" report job
	echo "$output"
	[[ $output == *"  on a CPU                                 61.4%"$'\n'* ]]
	[[ $output == *"  waiting for a CPU                         1.1%"$'\n'"    of it, by a CPU quota                   0.1%"* ]]
	[[ $output == *"  file I/O                         14.5 s  11.5%"* ]]
	[[ $output == *"  another thread, timer           0.500 s   2.9%"* ]]
	[[ $output == *$'\n'"Storage: 1.9 GiB read, 1.7 GiB written, of which 12.0 KiB was deleted before it"$'\n'* ]]
	[[ $output != *"memory stall"* ]] # 0.1 % of it
	[[ $("$STINT" report -a job) == *"memory stall"* ]]
	[[ $output == *"  nfs4              network   38.5 s   6100  2.3G   517M   5030"* ]]
	[[ $output == *"  (not identified)  unknown  0.400 s     12     0      0      0"* ]]
	[ "$(grep -c ' $' <<<"$output")" -eq 0 ]
}

@test "the page shows processes killed for want of memory, stalled ones, and when nothing happened" {
	deliver record-two-n2.json 's/"node_list": "n\[1-2\]"/"node_list": "n2"/
		s/"first_activity_unix_ns": 1763678102/"first_activity_unix_ns": 1763678111/'
	run "$STINT" report job
	echo "$output"
	[[ $output == *"Swapped out: 8.0 KiB at most"* ]]
	[[ $output == *"Idle: 00:00:11 after its start, 00:00:01 before its end"* ]]
	[[ $output == *$'\n'"  critical  Out of memory: 1 process was killed at the limit of 4.0 GiB"* ]]
	[[ $output == *$'\n'"#SBATCH --mem="* ]] # at the line's begin, where Slurm takes it
	[[ $output == *"  stress               202     0    n2      2.0G   4.0G"* ]]
	[[ $output == *"  stress                  202     0    n2     6.00 s"* ]]
	run "$STINT" report --width 90 job
	[[ $output == *"  stress               202     0    n2      2.0G   4.0G  2025-11-20T22:35:12.900"* ]]
	[[ $output == *"  stress                  202     0    n2     6.00 s  2025-11-20T22:35:04.000"* ]]
}

@test "the page says that a job was idle all the time, and not that it began late" {
	deliver record-one.json '/_activity_unix_ns"/d'
	run "$STINT" report job
	echo "$output"
	[[ $output == *$'\n'"Idle: 00:02:10, all of its time"$'\n'* ]]
}

@test "a report of the old form has a page without the values that it lacks" {
	deliver record-old.json
	run "$STINT" report job
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output != *"System calls:"* ]]
	[[ $output != *"Where the threads' time went"* ]]
	[[ $output == *$'\n'"Not known: "*". Not shown: 1 tool."*"--all"*"shows all." ]]
	run "$STINT" report --all job
	[[ $output == *$'\n'"Not known"$'\n'*"used.syscall_read_bytes"*": the node record does not have it"* ]]
}

@test "the page says whose threads the table of states leaves out, if they took much of the time" {
	cat >launcher.json <<-'EOF'
		{"schema": "stint-report/1", "complete": true, "lost": {}, "job": {"id": 1}, "requested": {}, "used": {}, "gaps": [],
		 "states": {"on_cpu_s": 10.0, "runnable_s": 0.0, "event_s": 50.0, "child_s": 30.0},
		 "tools": [{"name": "srun", "states": {"on_cpu_s": 0.1, "event_s": 49.9, "child_s": 1.0}}],
		 "timeline": [], "steps": [], "nodes": [{"name": "n1"}]}
	EOF
	run "$STINT" report launcher.json
	echo "$output"
	[[ $output == *$'\n'"  on a CPU "*"99.0%"*$'\n'"Without the threads of srun, which waits for tasks."$'\n'* ]]
	sed 's/49.9/0.1/' launcher.json >little.json
	run "$STINT" report little.json
	echo "$output"
	[[ $output == *$'\n'"  on a CPU "* && $output != *"Without the threads"* ]]
}

@test "both pages say where a tool lies if another has its name" {
	cat >git.json <<-'EOF'
		{"schema": "stint-report/1", "complete": true, "lost": {}, "job": {"id": 1}, "requested": {}, "used": {"cpu_s": 4.0}, "gaps": [],
		 "tools": [{"name": "git", "path": "/usr/bin/git", "slurm": false, "runs": 12, "cpu_s": 2.5, "wall_s": 3.0},
		           {"name": "git", "path": "/usr/lib/git-core/git", "slurm": false, "runs": 9, "living": 2, "cpu_s": 0.8, "wall_s": 3.0},
		           {"name": "perl", "path": "/usr/bin/perl", "slurm": false, "runs": 2, "cpu_s": 0.7, "wall_s": 3.0}],
		 "timeline": [], "steps": [], "nodes": [{"name": "n1"}]}
	EOF
	run "$STINT" report git.json
	echo "$output"
	[[ $output == *$'\n'"  git (in bin)"*" 12 "*$'\n'"  git (in git-core, 2 running)"*" 9 "*$'\n'"  perl "*" 2 "* ]]
	"$STINT" report --html=git.html git.json
	grep -q 'git <span class="by">in bin</span>' git.html
	grep -q 'git <span class="by">in git-core</span> <span class="by">2 running</span>' git.html
}

@test "gaps of several nodes with one reason are shown once" {
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

@test "one screen has the steps that failed, and of the others the first" {
	jq -n '{"schema": "stint-report/1", "complete": true, "lost": {}, "job": {"id": 1}, "requested": {}, "used": {}, "tools": [],
		"timeline": [], "nodes": [], "gaps": [], "steps": [range(9) | {"id": "\(.)", "exit_code": (if . == 6 then 3 else 0 end),
		"signal": (if . == 8 then 9 else 0 end)}]}' >steps.json
	steps() { sed -n '/^Steps /,/^$/p' <<<"$output" | awk 'NR > 1 && NF { printf "%s ", $1 }'; }
	run -0 "$STINT" report steps.json
	echo "$output"
	[ "$(steps)" = "0 1 6 8 " ]
	[[ $output == *"Not shown: 5 steps. "* ]]
	run -0 "$STINT" report --all steps.json
	[ "$(steps)" = "0 1 2 3 4 5 6 7 8 " ]
	jq '.steps[].exit_code = 1' steps.json >failed.json
	run -0 "$STINT" report failed.json
	[ "$(steps)" = "0 1 2 3 " ]
}

@test "a job is found by array task, by array, by its own id, and where Slurm says that it ran" {
	deliver record-one.json
	deliver record-one.json 's/4160740/4160741/; s/"array_task_id": 0/"array_task_id": 1/'
	run "$STINT" report 4160740 # not here: Slurm knows the directory
	grep -qx "Array Job ID: 4160739_0" <<<"$output"
	cd job
	run "$STINT" report 4160741
	grep -qx "Array Job ID: 4160739_1" <<<"$output"
	run "$STINT" report 4160739
	[ "${lines[0]}" = "Array 4160739 align: 1 of 2 tasks completed, 1 of unknown state" ]
	[ "${lines[1]}" = "Array Job ID: 4160739" ]
	[[ $output == *$'\n'"Tasks with a report: 2"$'\n'* ]]
	run "$STINT" report # for several jobs the table, not a page of each
	[ "$(grep -c '^4160739_[01] ' <<<"$output")" -eq 2 ]
	[ "${lines[-1]}" = "stint report JOB shows the page of one." ]
	[ "$("$STINT" report --seff . 2>/dev/null | grep -c '^Job ID')" -eq 2 ]
	[ "$("$STINT" report --json . | grep -c '"schema"')" -eq 2 ]
	rm stint-4160739_1.json
	"$STINT" report | grep -q '^Array Job ID: 4160739_0'
	cd ..
	deliver record-one.json 's/4160740/4160741/; s/"array_task_id": 0/"array_task_id": 1/'
	cd job
	run --separate-stderr "$STINT" report --seff 4160739 # for each task, which seff could not do
	[ "$(grep -c '^Job ID' <<<"$output")" -eq 2 ]
	[ "$(grep -c '^CPU Efficiency: ' <<<"$output")" -eq 2 ]
	[ "$stderr" = "stint report: job 4160741: these values are not known, and left out: State" ] # the test's Slurm knows only one
}

@test "--json prints the report as it is" {
	deliver record-one.json
	"$STINT" report --json job/stint-4160739_0.json | cmp - job/stint-4160739_0.json
}

@test "a damaged report among good ones is named, and the good ones are shown" {
	deliver record-one.json
	echo '{' >job/stint-1.json
	run --separate-stderr "$STINT" report job
	[ "$status" -eq 1 ]
	[[ $stderr == *"stint-1.json:2:1: damaged JSON"* ]]
	[[ $output == *"Job ID: 4160740"* ]]
}

@test "an incomplete report says so first" {
	deliver record-poor.json
	run "$STINT" report job
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == "NOT COMPLETE"* ]]
	[[ ${lines[1]} == *"used.cpu_s: the collector was started after the job"* ]]
	[[ $output == *"CPU Utilized: not known"* ]]
}

@test "a user's text cannot control the terminal" {
	deliver record-one.json 's/"bwa"/"bw\\u001b[31m\\nState: FAILED"/; s/"foocluster"/"foo\\u009bc\\u202eluster"/'
	run "$STINT" report job
	echo "$output" | cat -v
	[[ $output == *'bw\x1b[31m\x0aState:'* ]]
	[[ $output == *'Cluster: foo\xc2\x9bc\xe2\x80\xaeluster'* ]]
	[ "$(tr -d '\n' <<<"$output" | LC_ALL=C grep -c '[[:cntrl:]]')" -eq 0 ]
}

# The shell expands '*' to names that anybody can make. A name that looks like an unknown option is printed escaped.
@test "an option that is a file's hostile name is printed escaped" {
	local escape=$'\e]0;x\a' word

	for word in "-$escape" "--$escape" "--json=$escape" "--config"; do
		fails 2 "" "$STINT" report "$word"
		[[ $stderr != *$'\e'* ]] && [[ $stderr != *$'\a'* ]] && [[ $stderr == "stint report: "* ]]
	done
	fails 2 "unrecognized option '--\x1b]0;x" "$STINT" "--$escape"
	fails 2 "unrecognized option '--\x1b]0;x" "$STINT" doctor "--$escape"
	fails 2 "unrecognized option '--\x1b]0;x" "$EPILOG" "--$escape"
	fails 2 "invalid option -- 'x'" "$STINT" report -x
	fails 2 "option '--config' requires an argument" "$STINT" report --config
	fails 2 "option '--json' doesn't allow an argument" "$STINT" report --json=3
	fails 2 "is ambiguous" "$STINT" report --c
	"$STINT" report '-?' | grep -q '^Usage: stint report'
}

@test "an argument behind -- is a file's name, whatever it looks like" {
	local verb

	deliver record-one.json
	cp job/stint-4160739_0.json ./--config=x
	"$STINT" report --config empty.conf -- --config=x | grep -q 4160739
	"$STINT" export --config empty.conf --js1 -- --config=x | grep -q JS1
	"$STINT" timeline --config empty.conf -- --config=x | grep -q .
	"$STINT" compare --config empty.conf -- --config=x --config=x | grep -q .
	for verb in report timeline "export --js1"; do
		# shellcheck disable=SC2086
		fails 1 "--none" "$STINT" $verb --config empty.conf -- --none
	done
	fails 1 "--none" "$STINT" compare --config empty.conf -- --none --config=x
}

@test "doctor's mend for a directory that is missing is the whole of it" {
	local missing=$BATS_TEST_TMPDIR/no/such

	printf 'spool_dir = %s/spool\nrun_dir = %s/stint.conf/run\n' "$missing" "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/stint.conf"
	run "$STINT" doctor --role=node --config "$BATS_TEST_TMPDIR/stint.conf"
	[ "$status" -eq 1 ]
	grep -Fx "FAIL  spool_dir: $missing/spool: No such file or directory -> mkdir -p $missing, and restart stintd, which makes the rest" <<<"$output"
	grep '^FAIL  run_dir: .*: Not a directory -> name another run_dir in stint.conf, and restart stintd$' <<<"$output"
	mkdir -p "$missing"
	run "$STINT" doctor --role=node --config "$BATS_TEST_TMPDIR/stint.conf"
	grep -Fx "FAIL  spool_dir: $missing/spool: No such file or directory -> start stintd, which makes it" <<<"$output"
	: >"$missing/spool"
	run "$STINT" doctor --role=node --config "$BATS_TEST_TMPDIR/stint.conf"
	grep -Fx "FAIL  spool_dir: $missing/spool: not a directory -> rm $missing/spool; systemctl restart stintd" <<<"$output"
}

store_dir_mend() { # prints what doctor says to do about store_dir
	"$STINT" doctor --role=node --config "$BATS_TEST_TMPDIR/stint.conf" | sed -n 's/^warn  store_dir: .* -> //p'
}

@test "doctor's mend for store_dir fits what is wrong with it, and helps" {
	local top=$BATS_TEST_TMPDIR/top store=$BATS_TEST_TMPDIR/top/a/b

	[ "$(id -u)" -eq 0 ] || skip "not root"
	chmod 711 "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
	printf '%s\n' "store_dir = $store" "store_user = nobody" >stint.conf
	[ "$(store_dir_mend)" = "mount its file system, or make it: install -d -m 0750 -o nobody $store" ]
	sh -c "$(store_dir_mend | sed 's/.* make it: //')"
	[ -z "$(store_dir_mend)" ]
	[ "$(stat -c %U "$store")" = nobody ]
	chmod 500 "$store"
	[ "$(store_dir_mend)" = "chown nobody $store; chmod u+rwx $store" ]
	sh -c "$(store_dir_mend)"
	[ -z "$(store_dir_mend)" ]
	chown root "$store"
	chmod 755 "$store"
	[ "$(store_dir_mend)" = "chown nobody $store" ]
	chown daemon "$store"
	[ "$(store_dir_mend)" = "chown nobody $store" ]
	sh -c "$(store_dir_mend)"
	chmod 777 "$store"
	[ "$(store_dir_mend)" = "chmod go-w $store" ]
	sh -c "$(store_dir_mend)"
	[ -z "$(store_dir_mend)" ]
	chmod 700 "$top"
	[ "$(store_dir_mend)" = "let nobody pass: chmod o+x $top" ]
	sh -c "$(store_dir_mend | sed 's/.*: //')"
	[ -z "$(store_dir_mend)" ]
	rmdir "$store"
	: >"$store"
	[ "$(store_dir_mend)" = "name a directory as store_dir in stint.conf, and restart stintd" ]
	echo "store_user = no-such-user" >>stint.conf
	[ "$(store_dir_mend)" = "set store_user in stint.conf" ]
}

@test "doctor's mends change only what is wrong: the owner, or the mode, or both" {
	local own=$BATS_TEST_TMPDIR/own

	[ "$(id -u)" -eq 0 ] || skip "not root"
	mkdir -m 0700 "$own"
	printf '%s\n' "run_dir = $own" >stint.conf
	mend() { "$STINT" doctor --role=node --config "$BATS_TEST_TMPDIR/stint.conf" | sed -n "s/^[a-zA-Z]*  $1: .* -> //p"; }
	chown nobody "$own"
	[ "$(mend run_dir)" = "chown root $own, unless others use the directory: then name another one in stint.conf" ]
	chmod 750 "$own"
	[ "$(mend run_dir)" = "chown root $own; chmod 0700 $own, unless others use the directory: then name another one in stint.conf" ]
	sh -c "$(mend run_dir | sed 's/, unless.*//')"
	[ -z "$(mend run_dir)" ]
	chmod 0664 stint.conf
	chgrp nogroup stint.conf
	mend stint.conf | grep -x "chmod go-w .*stint.conf"
	chmod 0644 stint.conf
	chown nobody stint.conf
	mend stint.conf | grep -x "chown root .*stint.conf"
	chmod 0666 stint.conf
	mend stint.conf | grep -x "chown root .*stint.conf; chmod go-w .*stint.conf"
	printf '%s\n' "MailProg=$PWD/stint-mail" >slurm.conf
	mail() { SLURM_CONF=$PWD/slurm.conf "$STINT" doctor --role=controller --config empty.conf | sed -n "s/^FAIL  MailProg: .* -> //p"; }
	[[ $(mail) == "set MailProg="*" in slurm.conf, and install stint here" ]]
	: >stint-mail
	[ "$(mail)" = "chmod 0755 $PWD/stint-mail" ]
}

@test "doctor tells of each missing program that a host's role needs, and of one that cannot be run or is another's" {
	local directory=$BATS_TEST_TMPDIR/programs version

	version=$("$STINT" --version | sed 's/.* //')
	mkdir "$directory"
	helpers() { STINT_LIBEXEC=$directory run "$STINT" doctor --role="$1" --config empty.conf && grep "  stint-[a-z-]*: " <<<"$output"; }
	helpers node
	[ "$status" -eq 1 ]
	grep -Fx "FAIL  stint-epilog: it cannot be run: $directory/stint-epilog: No such file or directory: no job gets a report -> install the package stint-node" <<<"$output"
	grep -Fx "warn  stint-slurm-job: $directory/stint-slurm-job: No such file or directory: stint cannot ask Slurm anything -> install the package stint-slurm" <<<"$output"
	run ! grep "stint-site" <<<"$output"
	helpers submit
	run ! grep "stint-epilog\|stint-site" <<<"$output"
	printf '#!/bin/sh\necho "stint-epilog %s"\n' "$version" >"$directory/stint-epilog"
	printf '#!/bin/sh\necho "stint-slurm-job 0.0.1"\n' >"$directory/stint-slurm-job"
	chmod 644 "$directory"/*
	helpers node
	grep -Fx "FAIL  stint-epilog: it cannot be run: $directory/stint-epilog: Permission denied: no job gets a report -> chmod 0755 $directory/stint-epilog" <<<"$output"
	sh -c "$(sed -n 's/^FAIL  stint-epilog.* -> //p' <<<"$output"); $(sed -n 's/^warn  stint-slurm-job.* -> //p' <<<"$output")"
	run helpers node
	grep "^warn  stint-slurm-job: $directory/stint-slurm-job is not of this stint, $version, but: stint-slurm-job 0.0.1 -> install stint-slurm $version$" <<<"$output"
	run ! grep "stint-epilog" <<<"$output"
	printf '#!/bin/sh\necho "error while loading shared libraries: libslurm.so.42" >&2; exit 127\n' >"$directory/stint-slurm-job"
	run helpers node
	grep "^warn  stint-slurm-job: .* does not say its version: .*libslurm.so.42 -> install stint-slurm $version, built for the libraries of this host$" <<<"$output"
}

@test "doctor counts the records and store lines that wait, also without stintd, with their ages" {
	local spool=$BATS_TEST_TMPDIR/spool run=$BATS_TEST_TMPDIR/run record=c.n1.5.0.1800000000.u1000.record

	mkdir -p "$spool/store/lines" "$spool/store/batches" "$run/spool"
	printf '%s\n' "spool_dir = $spool" "run_dir = $run" >"$BATS_TEST_TMPDIR/stint.conf"
	waits() { run "$STINT" doctor --role=node --config "$BATS_TEST_TMPDIR/stint.conf" && grep '  records\|  store:' <<<"$output"; }
	waits
	grep -Fx "ok    records: none waits for its report" <<<"$output"
	grep -Fx "ok    store: no line waits for it" <<<"$output"
	: >"$spool/$record"
	: >"$spool/store/lines/5.0.abc.u1000"
	waits
	grep -Fx "ok    records: 1 is on its way to its report" <<<"$output"
	grep "^ok    store: 1 line and 0 batches (0 B) are on their way to it, the oldest since " <<<"$output"
	touch -d "2 hours ago" "$spool/$record" "$spool/store/lines/5.0.abc.u1000"
	: >"$spool/store/batches/n1.b.0000000001.u1000.ndjson"
	: >"$run/spool/$record"
	waits
	grep "^warn  records: 2 (0 B) wait for their report, the oldest since 20[^ ]* (2 h) -> see stintd's log" <<<"$output"
	grep "^warn  records: 1 of them is in run_dir, because spool_dir could not be written: a reboot loses them" <<<"$output"
	grep "^warn  store: 1 line and 1 batch (0 B) wait for it, the oldest since 20[^ ]* (2 h) -> see stintd's log" <<<"$output"
	echo "store_dir = off" >>"$BATS_TEST_TMPDIR/stint.conf"
	waits
	grep "^info  store: it is off, but 1 line and 1 batch (0 B) wait in spool_dir/store since 20[^ ]* (2 h)" <<<"$output"
}

@test "doctor's mend never takes away from others what they use, and rules that are none are named" {
	local shared=$BATS_TEST_TMPDIR/shared own=$BATS_TEST_TMPDIR/own

	mkdir -m 1777 "$shared"
	mkdir -m 0755 "$own"
	printf '%s\n' "spool_dir = $shared" "run_dir = $own" "bpf_dir = $shared/x" "rule.nope = 2" "rule.cpu_share = 7" \
		>"$BATS_TEST_TMPDIR/stint.conf"
	run "$STINT" doctor --role=node --config "$BATS_TEST_TMPDIR/stint.conf"
	echo "$output"
	grep "^FAIL  spool_dir: $shared: .* mode 1777: not only root has access -> name a directory of stint's own as spool_dir in stint.conf, and restart stintd$" <<<"$output"
	grep "^FAIL  run_dir: $own: .* mode 0755: not only root has access -> $([ "$(id -u)" -eq 0 ] || echo "chown root $own; ")chmod 0700 $own, unless others use the directory" <<<"$output"
	grep "^warn  bpffs: none is mounted where bpf_dir $shared/x is: .* -> set bpf_dir below /sys/fs/bpf in stint.conf" <<<"$output"
	grep "^warn  rules: stint.conf: there is no rule 'nope' -> fix that line" <<<"$output"
	grep "^warn  rules: stint.conf: rule cpu_share: 7 is not from 0 to 1; 0.75 applies -> fix that line" <<<"$output"
}

@test "a verb that cannot print says why, whichever it is" {
	local report=$SOURCE/tests/data/example/stint-1.json verb

	for verb in report "report --json" "report --table" "report --html=-" timeline "timeline --trace=-" summary \
		"summary --html=-" "export --js1" "compare $report"; do
		# shellcheck disable=SC2086
		full() { "$STINT" $verb "$report" >/dev/full; }
		fails 1 "stint ${verb%% *}: standard output: No space left on device" full
	done
}
