#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint list, stint alone and "last": which jobs are asked for, which are shown, and with which reports. A script that records its question
# replaces Slurm.
# shellcheck disable=SC2016

setup_file() {
	export STINT
	STINT=${STINT:-$PWD/reports/stint}
	export LC_ALL=C.UTF-8 TZ=UTC0
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
	mkdir libexec run other
	export STINT_LIBEXEC=$PWD/libexec
	slurm_says 'cat jobs'
	jobs 4
}

slurm_says() { # SHELL-SCRIPT : instead of slurmdbd and slurmctld
	printf '#!/bin/sh\necho "$*" >>"%s/asked"\n%s\n' "$PWD" "$1" >libexec/stint-slurm-job
	chmod +x libexec/stint-slurm-job
}

# Writes what Slurm says about COUNT jobs, the newest first, and reports of those with an even number. PYTHON changes the job j and the
# report r with the number i; r is written if "there" is true.
jobs() { # COUNT [PYTHON]
	rm -f run/*.json
	python3 - "$1" "${2:-}" <<-'END'
		import json, os, sys, time
		def moment(unix_s):
		    return time.strftime("%Y-%m-%dT%H:%M:%S.000+00:00", time.gmtime(unix_s))
		with open("jobs", "w") as out:
		    for i in reversed(range(int(sys.argv[1]))):
		        j = {"job_id": 100 + i, "array_job_id": None, "array_task_id": None, "het_job_id": None,
		             "het_job_offset": None, "name": f"job{i}", "user_id": os.getuid(), "user": "juser",
		             "state": "COMPLETED", "exit_status": 0, "submit_unix_s": 1763600000 + 60 * i,
		             "start_unix_s": 1763600010 + 60 * i, "end_unix_s": 1763600020 + 60 * i, "elapsed_s": 10,
		             "time_limit_s": 600, "nodes": 1, "node_list": "n1", "cpus": 2,
		             "work_dir": os.getcwd() + "/run"}
		        r = {"schema": "stint-report/1", "complete": True, "gaps": [], "lost": {},
		             "job": {"id": 100 + i, "array_job_id": None, "array_task_id": None, "attempt": 1,
		                     "name": f"job{i}", "user": "juser", "state": "COMPLETED", "exit_code": 0,
		                     "start": moment(1763600010 + 60 * i), "end": moment(1763600020 + 60 * i),
		                     "elapsed_s": 10.5},
		             "requested": {"nodes": 1, "memory_bytes": 1 << 30, "time_limit_s": 600},
		             "allocated": {"cpus": 2},
		             "used": {"cpu_s": 5, "cpu_efficiency": 0.25, "memory_used_peak_bytes": 1 << 28,
		                      "memory_efficiency": 0.25},
		             "verdict": {"bound": "cpu"}, "findings": [], "advice": [], "tools": [], "timeline": [],
		             "steps": [], "nodes": []}
		        n, there = f"run/stint-{100 + i}.json", i % 2 == 0
		        exec(sys.argv[2])
		        if there:
		            json.dump(r, open(n, "w"))
		        out.write(json.dumps(j) + "\n")
	END
}

fails() { # STATUS TEXT COMMAND...
	run --separate-stderr "${@:3}"
	echo "status $status, stdout: $output, stderr: $stderr"
	[ "$status" -eq "$1" ]
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"$2"* ]]
}

@test "the latest jobs first, with what their reports have; those without a report are listed too" {
	run "$STINT" list
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} =~ ^JobID\ +Name\ +State\ +Start\ +Elapsed.*Findings$ ]] || [[ ${lines[0]} =~ ^JobID\ +Name\ +State\ +Elapsed.*Findings$ ]]
	grep -qE '^103 +job3 +COMPLETED .* 10\.0 s .* no report$' <<<"$output"
	grep -qE '^102 +job2 +COMPLETED .* 10\.5 s .* 25\.0% +25\.0% .*256M +cpu ' <<<"$output"
	[ "$(grep -oE '^10[0-9]' <<<"$output" | tr '\n' ' ')" = "103 102 101 100 " ]
	run "$STINT" list --width 120
	[[ $output =~ "11-20 02:13" ]] || [[ $output =~ "11-20 00:53" ]]
}

@test "the question is one, for a day and this user; a window, other users and slurmctld are asked for by name" {
	local now after

	now=$(date +%s)
	"$STINT" list >/dev/null
	read -r jobs source since until uid <asked
	[ "$jobs $source $uid $(wc -l <asked)" = "--jobs accounting $(id -u) 1" ]
	after=$(date +%s)
	[ $((since + 86400)) -ge "$now" ] && [ $((since + 86400)) -le "$after" ] && [ $((until - after)) -le 10 ] && [ "$until" -gt "$now" ]
	: >asked
	"$STINT" list --since 2025-11-20 --until 2025-11-21T12:30 --user 4711 >/dev/null
	[ "$(cat asked)" = "--jobs accounting 1763596800 1763728200 4711" ]
	: >asked
	"$STINT" list --since 2d --user all >/dev/null
	read -r jobs source since until uid <asked
	[ "$uid" = - ] && [ $((since + 172800)) -ge "$now" ] && [ $((since + 172800)) -le "$(date +%s)" ]
	: >asked
	"$STINT" list --since yesterday --user root >/dev/null
	read -r jobs source since until uid <asked
	[ "$uid" = 0 ] && [ $((since % 86400)) -eq 0 ]
	slurm_says '[ "$2" = controller ] || exit 1; cat jobs'
	: >asked
	run --separate-stderr "$STINT" list
	[ "$status" -eq 0 ]
	[ "$(cut -d' ' -f2 asked | tr '\n' ' ')" = "accounting controller " ]
	[ "${lines[-1]}" = "Only jobs that slurmctld still remembers: accounting does not answer." ]
	run --separate-stderr "$STINT" list --json
	[[ $stderr == "stint list: only jobs that slurmctld still remembers"* ]]
	jq --exit-status length <<<"$output"
}

@test "jobs are chosen by state and name" {
	jobs 4 'j["state"] = ["FAILED", "TIMEOUT", "RUNNING", "COMPLETED"][i]; there = False'
	shown() { "$STINT" list --json "$@" | jq --compact-output 'map(.id)'; }
	[ "$(shown)" = "[103,102,101,100]" ]
	[ "$(shown --state failed,TO)" = "[101,100]" ]
	[ "$(shown --state=r)" = "[102]" ]
	[ "$(shown --name 'job[12]')" = "[102,101]" ]
	[ "$(shown --name 'job*' --state completed)" = "[103]" ]
	[ "$(shown --name nothing)" = "[]" ]
	[ "$("$STINT" list --name nothing)" = "No such jobs." ]
}

@test "tasks, waiting arrays, running jobs and a site's store are listed as what they are" {
	jobs 6 'there = False
if i == 0: j.update(array_job_id=90, array_task_id=3); r["job"].update(array_job_id=90, array_task_id=3); n = "run/stint-90_3.json"; there = True
if i == 1: [j.pop(x) for x in ("start_unix_s", "end_unix_s", "elapsed_s", "node_list")]; j.update(state="PENDING", array_tasks="5-9", waits_for="Priority")
if i == 2: j.update(state="RUNNING", elapsed_s=65); j.pop("end_unix_s")
if i == 3: n = "other/juser-103-job3.json"; there = True
if i == 4: j.update(state="CANCELLED"); [j.pop(x) for x in ("start_unix_s", "elapsed_s", "node_list")]
if i == 5: j.update(state="FAILED", exit_status=1, elapsed_s=0); j.pop("node_list")'
	run "$STINT" list --width 100
	echo "$output"
	grep -qE '^90_3 +job0 +COMPLETED .* cpu ' <<<"$output"
	grep -qE '^101 +job1 +PENDING .* 5 waiting, Priority$' <<<"$output"
	"$STINT" list --width 100 --tasks | grep -qE '^101_\[5-9\] +job1 +PENDING .* waits: Priority$'
	grep -qE '^102 +job2 +RUNNING .* 00:01:05 .* - *$' <<<"$output"
	grep -qE '^103 .* no report$' <<<"$output"
	grep -qE '^104 +job4 +CANCELLED +- +- .* never started$' <<<"$output"
	grep -qE '^105 +job5 +FAILED +- .* - +never started$' <<<"$output" # no node could have run it
	echo "output = $PWD/other/%u-%i-%x.json" >store.conf
	"$STINT" list --config store.conf | grep -qE '^103 +job3 .* 10\.5 s .* cpu '
	"$STINT" list --config store.conf | grep -qE '^90_3 +job0 +COMPLETED .* cpu ' # also by the default name
}

@test "an array is one row: how its tasks ended, the most that one of them used, and the worst finding" {
	jobs 6 'if i < 5: j.update(array_job_id=90, array_task_id=i); r["job"].update(array_job_id=90, array_task_id=i); n = f"run/stint-90_{i}.json"; there = True
j["name"] = r["job"]["name"] = "scan"
if i == 1: j["state"] = r["job"]["state"] = "FAILED"; r["job"].update(exit_code=3, elapsed_s=40); r["findings"] = [{"code": "small-reads", "severity": "warning"}]
if i == 2: r["used"].update(memory_used_peak_bytes=1 << 29, memory_efficiency=0.5, cpu_s=10.5, cpu_efficiency=0.5)
if i == 3: r["verdict"]["bound"] = "idle"
if i == 4: j["state"] = r["job"]["state"] = "CANCELLED"'
	run "$STINT" list --width 160
	echo "$output"
	[ "${#lines[@]}" -eq 3 ]
	# (4 x 5 + 10.5) s of CPU time, of 2 CPUs for 4 x 10.5 + 40 s
	grep -qE '^90 +scan +FAILED +11-20 ..:.. +40\.0 s +6\.7% +18\.6% +50\.0% +512M +- +3 ok, 1 failed, 1 cancelled, exit 3, small reads$' <<<"$output"
	[ "$("$STINT" list --tasks | grep -c '^90_')" -eq 5 ]
	[ "$("$STINT" list --json | jq length)" -eq 6 ]
	# of these rows, the latest ones are shown
	jobs 70 'there = False
if i % 2: j.update(array_job_id=90, array_task_id=i)'
	run "$STINT" list
	[ "$(grep -c '^1[0-9][0-9] ' <<<"$output")" -eq 35 ]
	[ "$(grep -c '^90 .* 35 ok' <<<"$output")" -eq 1 ]
	run ! grep older <<<"$output"
	# tasks that run, and others that wait
	jobs 3 'there = False; j.update(array_job_id=90, array_task_id=i)
if i == 1: j.update(state="RUNNING"); j.pop("end_unix_s")
if i == 2: j.update(job_id=90, state="PENDING", array_job_id=None, array_task_id=None, array_tasks="7-9", waits_for="Priority"); j.pop("start_unix_s"); j.pop("node_list")'
	"$STINT" list --width 120 | grep -qE '^90 .* RUNNING .* 1 ok, 1 running, 3 waiting$'
}

@test "why a job failed comes first; a name is as wide as the page allows; nobody knows whether a report that is not there is complete" {
	local long=align-reads-of-the-second-batch-to-the-reference-of-2026

	jobs 4 'there = i < 3; j["state"] = r["job"]["state"] = "FAILED"; j["exit_status"] = 3 << 8
r["findings"] = [{"code": "small-reads", "severity": "warning"}]
r["job"]["exit_code"] = [139, 127, 127, 0][i]
r["verdict"]["outcome"] = ["FAILED: solver (pid 7) was killed by signal 11 SIGSEGV at 00:00:03 (it crashed: a bug or bad input)",
    "FAILED: the job script ended with exit code 127 (the shell did not find the command)", "FAILED: run.py ended with exit code 127", ""][i]
j["name"] = r["job"]["name"] = "'$long'"'
	run "$STINT" list --width 200
	echo "$output"
	grep -qE "^100 +$long +FAILED .* SIGSEGV, small reads$" <<<"$output"
	grep -qE '^101 .* command not found, small reads$' <<<"$output"
	grep -qE '^102 .* exit 127, small reads$' <<<"$output"
	grep -qE '^103 .* exit 3, no report$' <<<"$output"
	run "$STINT" list --width 80
	echo "$output"
	grep -qE '^100 +align[^ ]* +FAILED .* SIGSEGV, small reads$' <<<"$output"
	"$STINT" list --json | jq --exit-status 'map(.complete) == [null, true, true, true]'
	[ "$("$STINT" list --csv | python3 -c 'import csv, sys
print(*[row["complete"] for row in csv.DictReader(sys.stdin)], sep="/")')" = /true/true/true ]
}

@test "a job that was dead until its time limit is told from one that was at work" {
	jobs 2 'there = True; j["state"] = r["job"]["state"] = "TIMEOUT"; r["findings"] = [{"code": "oom-kill", "severity": "critical"}]
r["verdict"]["outcome"] = ["TIMEOUT after 1 h: the kernel killed the job script at 00:00:03, and Slurm did not notice; job.sh was killed",
    "TIMEOUT after 1 h: it had done nothing for 59 min 50 s; job.sh was killed"][i]'
	run "$STINT" list --width 200
	echo "$output"
	grep -qE '^100 .* TIMEOUT .* job script killed, and Slurm did not notice, out of memory$' <<<"$output"
	grep -qE '^101 .* TIMEOUT .* out of memory$' <<<"$output"
	[ "$(grep -c 'job script killed' <<<"$output")" = 1 ]
	"$STINT" list --width 80 | grep -qE '^100 .* TIMEOUT .* job script killed'
}

@test "a report of another job by the same name, or a damaged one, is not the job's" {
	jobs 4 'if i == 0: r["job"]["id"] = 7
if i == 2: r = {"schema": 3}'
	run "$STINT" list
	[ "$status" -eq 0 ]
	[ "$(grep -c 'no report$' <<<"$output")" -eq 4 ]
	# neither is what a job of this number left if it runs again
	jobs 1 'j.update(state="RUNNING", restarts=1); j.pop("end_unix_s")'
	"$STINT" list --json | jq --exit-status '.[0] | .state == "RUNNING" and .path == null and .attempt == 2'
}

@test "another user's huge made-up report is named, and takes neither the list's time nor another row" {
	[ "$(id -u)" -eq 0 ] || skip "only root can make another user's file"
	jobs 4 'if i == 2:
    r["tools"] = [{"x": [[], [], {}]}] * (20 << 16)'
	chown 4242 run/stint-102.json
	local kib # a sanitizer takes more addresses than memory
	grep -q __asan_init "$STINT" || kib=$((1 << 20))
	run --separate-stderr bash -c "ulimit -v ${kib:-unlimited}; \"\$STINT\" list --csv --user=all"
	echo "$output" "$stderr"
	[ "$status" -eq 1 ]
	[ "${#lines[@]}" -eq 5 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"run/stint-102.json: not read, because stint cannot have written this file of another user"* ]]
}

@test "what a user's long file proves in the own directory, it does not prove by a link in another's" {
	[ "$(id -u)" -eq 0 ] || skip "only root can make another user's file"
	# job 103 belongs to the user who made the file up; 102 is another user's, and a link has its name
	jobs 4 'r["used"]["cpu_s"] = 7777
r["job"]["uid"] = os.getuid()
if i == 3: j["work_dir"] = os.getcwd() + "/other"; j["user_id"] = 4242
if i == 2: r["steps"] = ["x" * 64] * (1 << 17)'
	mv run/stint-102.json other/stint-103.json
	chown -R 4242 other
	ln -s ../other/stint-103.json run/stint-102.json
	"$STINT" list --csv --user=all >table
	cat table
	[ "$(grep -c 7777 table)" -eq 1 ]
	grep -q '^100,.*7777' table
}

@test "a report that its job moved is found by the link in the job's directory" {
	jobs 4
	mv run/stint-100.json other/align.json
	ln -s ../other/align.json run/.stint-100.json
	mv run/stint-102.json other/far.json
	ln -s "$PWD/other/far.json" run/.stint-102.json
	# these lead to another job's, and nowhere
	ln -s ../other/far.json run/.stint-101.json
	ln -s ../other/gone.json run/.stint-103.json
	"$STINT" list --json >list
	jq --compact-output '.[] | {id, path}' list
	jq --exit-status --arg here "$PWD" '[.[].path] == [null, $here + "/other/far.json", null, $here + "/run/../other/align.json"]' list
	"$STINT" summary --mine --since 2025-11-01 --json >summary
	jq --compact-output '{sentence, without_report, jobs: .total.jobs}' summary
	jq --exit-status '.total.jobs == 4 and .without_report == 2' summary
	(cd run && "$STINT" report 100 | grep -qx 'Job ID: 100')
	# from elsewhere, if Slurm says which directory it is
	slurm_says "grep '\"job_id\": 102' jobs"
	"$STINT" report 102 | grep -qx 'Job ID: 102'
	"$STINT" report --json 102 | jq --exit-status '.job.id == 102'
}

@test "a link that another user left in the job's directory proves nothing" {
	[ "$(id -u)" -eq 0 ] || skip "only root can make another user's file"
	# the made-up report is in a directory of theirs, and claims to be of the reader's job
	jobs 1 'r["used"]["cpu_s"] = 7777
j["user_id"] = r["job"]["uid"] = 4243'
	mv run/stint-100.json other/stint-100.json
	chown -R 4242 other
	chown 4243 run
	ln -s ../other/stint-100.json run/.stint-100.json
	touch asked
	chmod 666 asked
	chmod 711 "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR"/.. "$BATS_TEST_TMPDIR"
	setpriv --reuid=4243 --clear-groups "$STINT" list --csv >table
	cat table
	grep -q '^100,' table
	[ "$(grep -c 7777 table)" -eq 0 ]
	cd run
	run setpriv --reuid=4243 --clear-groups "$STINT" report 100
	echo "$output"
	[[ $output != *7777* && $status -eq 1 ]]
	# their own is shown
	chown 4243 ../other/stint-100.json
	cd ..
	setpriv --reuid=4243 --clear-groups "$STINT" list --csv >own
	cat own
	grep -q 7777 own
}

@test "of many jobs the latest 50 are shown, and what else there is; programs get all" {
	jobs 70 'there = False'
	echo '{"left_out": 12}' >>jobs
	run "$STINT" list
	[ "$(grep -c '^1[0-9][0-9] ' <<<"$output")" -eq 50 ]
	[ "${lines[-2]}" = "and 20 older: --all shows them" ]
	[ "${lines[-1]}" = "and 12 older: Slurm cannot list so many at once; use --since and --until" ]
	[ "$("$STINT" list --all | grep -c '^1[0-9][0-9] ')" -eq 70 ]
	[ "$("$STINT" list --json | jq length)" -eq 70 ]
	[ "$("$STINT" list --csv | wc -l)" -eq 71 ]
}

@test "stint alone shows the latest ten" {
	run "$STINT"
	[ "$status" -eq 0 ]
	grep -qE '^103 +job3 +COMPLETED ' <<<"$output"
	jobs 12
	run "$STINT"
	[ "$(grep -c '^1[01][0-9] ' <<<"$output")" -eq 10 ]
	grep -qx 'and 2 more: stint list' <<<"$output"
	: >jobs
	run "$STINT"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == "No jobs of yours in the last day."* ]]
	slurm_says 'exit 1'
	fails 2 "which verb? The verbs are report, list, " "$STINT"
}

@test "a mistake in stint.conf takes no list from a user" {
	echo 'colour = blue' >bad.conf
	run --separate-stderr "$STINT" list --config bad.conf
	[ "$status" -eq 0 ]
	[ "$stderr" = "stint list: bad.conf:1: unknown key 'colour'" ]
	grep -qE '^103 ' <<<"$output"
}

@test "last is the latest job that has started, of every verb" {
	jobs 4 'if i == 3: j.update(state="PENDING"); j.pop("node_list")'
	slurm_says "case \$1 in --jobs) cat '$PWD/jobs' ;; *) exit 1 ;; esac"
	cd run
	[ "$("$STINT" report last | sed -n 's/^Job ID: //p')" = 102 ]
	[ "$("$STINT" report --json last | jq .job.id)" = 102 ]
	"$STINT" report --table last | grep -q '^102 '
	"$STINT" export --js1 last | grep -q ^JS1
	cp stint-102.json last
	sed -i 's/"id": 102/"id": 7/' last
	[ "$("$STINT" report --json ./last | jq .job.id)" = 7 ] # a path is a file
	[ "$("$STINT" report --json last | jq .job.id)" = 102 ] # anybody may have put a file of that name here
	rm last
	: >../jobs
	fails 1 "no job of yours has started within the last 7 days" "$STINT" report last
	STINT_LIBEXEC=/nonexistent fails 1 "stint's helper program /nonexistent/stint-slurm-job" "$STINT" report last
}

@test "what is no terminal is not drawn on" {
	fails 1 "standard output is not a terminal: stint report prints the page once" "$STINT" watch 102
	fails 1 "standard output is not a terminal" "$STINT" report --watch 102
	fails 2 "which JOB?" "$STINT" watch
	fails 2 "only one JOB" "$STINT" watch 1 2
	fails 2 "--watch: which JOB?" "$STINT" report --watch 1 2
	fails 2 "--watch shows the page, and nothing else" "$STINT" report --watch --json 1
}

@test "a list's command line that makes no sense gives one line" {
	fails 2 "--since: 'soon' is not a time such as 2h" "$STINT" list --since soon
	fails 2 "--until: '2025-13-01' is not a time" "$STINT" list --until 2025-13-01
	fails 2 "--since: '2026-02-31' is not a time such as" "$STINT" list --since 2026-02-31
	fails 2 "--until is not after --since" "$STINT" list --since 1h --until 2h
	fails 2 "--state: 'blue' is not a state" "$STINT" list --state failed,blue
	fails 2 "there is no user 'no such'" "$STINT" list --user 'no such'
	fails 2 "'12': stint report shows the page of a job" "$STINT" list 12
	fails 2 "--csv and --json exclude each other" "$STINT" list --csv --json
	slurm_says 'echo "stint-slurm-job: Slurm does not answer" >&2; exit 1'
	fails 1 "Slurm does not answer" "$STINT" list
	slurm_says 'echo "{"'
	fails 1 "damaged JSON" "$STINT" list
}

@test "a user's text cannot control the terminal by a list" {
	jobs 2 'j["name"] = "a\x1b[31m\nb"; j["user"] = "\u202ex"; j["state"] = "x\x1b]0;"; there = False'
	for form in "" --json --csv "--width 200"; do
		# shellcheck disable=SC2086
		run "$STINT" list $form
		[ "$status" -eq 0 ]
		[ "$(tr -d '\n\r' <<<"$output" | LC_ALL=C grep -c '[[:cntrl:]]')" -eq 0 ]
	done
}
