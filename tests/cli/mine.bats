#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint summary --mine: which jobs are asked for, whose reports are read, and what is said about jobs that left none. A script that records
# its question replaces Slurm.
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

# Writes what Slurm says about COUNT jobs of an hour on 4 CPUs, the newest first, an hour between their ends, and reports of those with an
# even number, which used one CPU. PYTHON changes the job j and the report r with the number i; r is written if "there" is true. END: when
# the newest ended, in seconds since 1970; two hours ago without it.
jobs() { # COUNT [PYTHON [END]]
	rm -f run/*.json
	python3 - "$1" "${2:-}" "${3:-$(($(date +%s) - 7200))}" <<-'END'
		import copy, datetime, json, os, sys
		count, last = int(sys.argv[1]), int(sys.argv[3])
		def text(moment):
		    return datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).isoformat(timespec="milliseconds")
		with open("jobs", "w") as out:
		    for i in reversed(range(count)):
		        end = last - 3600 * (count - 1 - i)
		        j = {"job_id": 100 + i, "array_job_id": None, "array_task_id": None, "het_job_id": None,
		             "het_job_offset": None, "cluster": "c", "name": f"job{i % 2}", "user_id": os.getuid(), "user": "juser",
		             "account": "lab", "partition": "main", "state": "COMPLETED", "exit_status": 0,
		             "submit_unix_s": end - 3700, "start_unix_s": end - 3600, "end_unix_s": end, "elapsed_s": 3600,
		             "time_limit_s": 7200, "nodes": 1, "node_list": "n1", "cpus": 4, "work_dir": os.getcwd() + "/run"}
		        r = {"schema": "stint-report/1", "complete": True, "gaps": [], "lost": {},
		             "job": {"id": 100 + i, "attempt": 1, "cluster": "c", "name": f"job{i % 2}", "user": "juser",
		                     "account": "lab", "partition": "main", "state": "COMPLETED", "exit_code": 0,
		                     "submit": text(end - 3700), "start": text(end - 3600), "end": text(end), "elapsed_s": 3600},
		             "requested": {"nodes": 1, "memory_bytes": 1 << 30, "time_limit_s": 7200},
		             "allocated": {"cpus": 4, "nodes": 1},
		             "used": {"cpu_s": 3600, "cpu_efficiency": 0.25, "memory_used_peak_bytes": 1 << 28,
		                      "memory_efficiency": 0.25},
		             "verdict": {"bound": "cpu"}, "findings": [], "advice": [], "tools": [], "timeline": [], "steps": [],
		             "nodes": [{"name": "n1", "allocated": {"cpus": 4},
		                        "used": {"cpu_s": 3600, "memory_used_peak_bytes": 1 << 28}}]}
		        n, there = f"run/stint-{100 + i}.json", i % 2 == 0
		        exec(sys.argv[2])
		        if there:
		            json.dump(r, open(n, "w"))
		        out.write(json.dumps(j) + "\n")
	END
}

mine() { # OPTION... : prints JSON
	"$STINT" summary --mine --json "$@"
}

says() { # JQ OPTION...
	mine "${@:2}" | jq --exit-status "$1" >/dev/null || {
		mine "${@:2}" | jq --compact-output '{sentence, without_report, running, total: .total.figures}'
		return 1
	}
}

fails() { # STATUS TEXT COMMAND...
	run --separate-stderr "${@:3}"
	echo "status $status, stdout: $output, stderr: $stderr"
	[ "$status" -eq "$1" ]
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"$2"* ]]
}

@test "the question is one, for thirty days, the thirty before them, and this user" {
	local before after since until days

	for days in 30 7; do
		: >asked
		before=$(date +%s)
		if [ "$days" -eq 30 ]; then mine; else mine --last 7d; fi >/dev/null
		after=$(date +%s)
		read -r jobs source since until uid <asked
		[ "$jobs $source $uid $(wc -l <asked)" = "--jobs accounting $(id -u) 1" ]
		[ $((since + 2 * days * 86400)) -ge "$before" ] && [ $((since + 2 * days * 86400)) -le "$after" ]
		[ "$until" -gt "$before" ] && [ "$until" -le $((after + 1)) ]
	done
	: >asked
	mine --since 2025-11-20 --until 2025-11-22 >/dev/null
	[ "$(cat asked)" = "--jobs accounting 1763424000 1763769601 $(id -u)" ]
	: >asked
	mine --until 2025-11-22 >/dev/null # thirty days up to there
	[ "$(cat asked)" = "--jobs accounting $((1763769600 - 60 * 86400)) 1763769601 $(id -u)" ]
}

@test "what was used is that of the reports, and a job without one counts for what it was given" {
	says '.without_report == 2 and .total.jobs == 4 and .total.figures.core_hours_given == 16'
	says '.total.figures | .core_hours_used == 2 and .core_hours_wasted == 6 and .cpu_efficiency == 0.25 and .coverage == 0.5'
	says '.sentence | startswith("4 jobs of 1 user used 25 % of 8.00 core-hours (not known for 8.00 more); 6.00 were wasted")'
	says '.groups | map({(.keys["job-name"]): [.jobs, .figures.core_hours_used]}) | add == {"job0": [2, 2], "job1": [2, null]}' --by job-name
	says '.total.jobs == 2 and .without_report == 2' --where job-name=job1
	says '.without_report == 0' --where job-name=job0
	"$STINT" summary --mine | grep -qx '2 of these jobs left no report: what they used is not known.'
	jobs 2 'there = True'
	"$STINT" summary --mine | grep -qx 'All of them have a report.'
	jobs 2 'there = False'
	"$STINT" summary --mine | grep -qx 'None of them left a report: what they used is not known.'
	says '.total.figures.core_hours_given == 8 and .total.figures.cpu_efficiency == null'
	jobs 1 'there = False'
	"$STINT" summary --mine | grep -qx 'It left no report: what it used is not known.'
}

@test "reports are found where a site puts them, and by their default name too" {
	jobs 4 'there = True
if i < 2: n = f"other/juser-{100 + i}-job{i}.json"'
	says '.without_report == 2'
	echo "output = $PWD/other/%u-%i-%x.json" >store.conf
	says '.without_report == 0 and .total.jobs == 4' --config store.conf
}

@test "a report of another job by the same name, or of an older job of the same number, is not the job's" {
	jobs 3 'there = True
if i == 0: r["job"]["id"] = 7
if i == 1: r["job"].update(end=text(end - 86400), start=text(end - 90000), submit=text(end - 90000))'
	says '.without_report == 2 and .total.jobs == 3 and .total.figures.core_hours_used == 1'
	# the clocks of a node and of slurmctld differ a little
	jobs 1 'j["submit_unix_s"] = end + 3'
	says '.without_report == 0'
	jobs 2 'there = True
if i == 0: r = {"schema": 3}'
	run --separate-stderr "$STINT" summary --mine --json
	[ "$status" -eq 1 ]
	[[ $stderr == *"stint-100.json"* ]]
	[ "$(jq .without_report <<<"$output")" -eq 1 ]
}

@test "jobs that never started are none, and those that run are named" {
	jobs 5 'there = False
if i == 0: [j.pop(x) for x in ("node_list", "start_unix_s", "elapsed_s", "nodes")]; j["state"] = "CANCELLED"
if i == 1: [j.pop(x) for x in ("node_list", "start_unix_s", "end_unix_s", "elapsed_s", "nodes")]; j["state"] = "PENDING"
if i == 2: j.pop("end_unix_s"); j.update(state="RUNNING", elapsed_s=5)
if i == 3: j.pop("end_unix_s"); j.update(state="SUSPENDED", elapsed_s=5)'
	says '.total.jobs == 1 and .running == 2 and .without_report == 1'
	"$STINT" summary --mine | grep -qx 'Not counted: 2 jobs still running'
}

@test "of a requeued job all attempts that left a report are counted, each once" {
	jobs 1 'j["restarts"] = 2
r["job"]["attempt"] = 3
for a in (1, 2):
    o = copy.deepcopy(r)
    o["job"].update(attempt=a, state="REQUEUED", submit=text(end - 9000 + a), end=text(end - 9000 + 1000 * a))
    json.dump(o, open(f"run/stint-100.attempt-{a}.json", "w"))'
	says '.total.jobs == 3 and .without_report == 0 and .total.ends == {"completed": 1, "requeued": 2}'
}

@test "the period before is compared, and its jobs are none of this one" {
	jobs 4 'there = True
if i < 1: j.update(end_unix_s=end - 40 * 86400, submit_unix_s=end - 41 * 86400); r["job"].update(end=text(end - 40 * 86400), start=text(end - 40 * 86400 - 3600), submit=text(end - 41 * 86400))
if i == 1: there = False; j.update(end_unix_s=end - 40 * 86400, submit_unix_s=end - 41 * 86400)'
	says '.total.jobs == 2 and .total_before.jobs == 2 and .without_report == 0'
	"$STINT" summary --mine | grep -q '^The period before: 2 jobs, 8.00 core-hours, 3.00 wasted'
}

@test "slurmctld is asked where accounting does not answer, and that is said; so is what was too much" {
	slurm_says '[ "$2" = controller ] || exit 1; cat jobs; echo "{\"left_out\": 12}"'
	run --separate-stderr "$STINT" summary --mine --json
	[ "$status" -eq 0 ]
	[ "$(jq .total.jobs <<<"$output")" -eq 4 ]
	[ "${stderr_lines[0]}" = "stint summary: only jobs that slurmctld still remembers: accounting does not answer" ]
	[ "${stderr_lines[1]}" = "stint summary: 12 older jobs are left out, because Slurm cannot list so many at once: choose a shorter time to see all of its jobs" ]
	: >jobs
	slurm_says 'cat jobs'
	run --separate-stderr "$STINT" summary --mine
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "No jobs." ]
}

@test "a command line that makes no sense, or a Slurm that does not answer, gives one line" {
	fails 2 "--mine finds your jobs by itself" "$STINT" summary --mine run
	fails 2 "--since: '2026-02-31' is not a time such as" "$STINT" summary --mine --since 2026-02-31
	fails 2 "--since and --last exclude each other" "$STINT" summary --mine --since 2d --last 2d
	slurm_says 'echo "stint-slurm-job: Slurm does not answer" >&2; exit 1'
	fails 1 "Slurm does not answer" "$STINT" summary --mine
	slurm_says 'echo "{"'
	fails 1 "damaged JSON" "$STINT" summary --mine
	rm libexec/stint-slurm-job
	fails 1 "stint-slurm-job" "$STINT" summary --mine
}

@test "what Slurm says of names and states controls no terminal, and makes no markup" {
	jobs 2 'j.update(name="a\x1b[31m\n<script>b", user="\u202ex", account="<b>", state="x\x1b]0;"); there = False'
	for form in "" --csv "--html=-" "--by job-name" "--by state"; do
		# shellcheck disable=SC2086
		run "$STINT" summary --mine $form
		[ "$status" -eq 0 ]
		[ "$(tr -d '\n\r\t' <<<"$output" | LC_ALL=C grep -c '[[:cntrl:]]')" -eq 0 ]
		! grep -q '<script>b\|<b>' <<<"$output"
	done
}

@test "the text is as it was when somebody looked at it, at 60, 80 and 120 columns" {
	local source=$BATS_TEST_DIRNAME/../data/summary width colour

	jobs 9 'import math
r["used"]["cpu_s"] = 3600 * 4 * (0.1 + i / 10)
if i == 2: r["job"]["state"] = j["state"] = "FAILED"
if i == 3: j["state"] = "TIMEOUT"
if i == 4: r["verdict"]["bound"] = "idle"; r["job"]["name"] = "a-name-that-is-far-too-long-for-a-narrow-page-" * 2' 1763640000
	for width in 60 80 120; do
		for colour in auto always; do
			"$STINT" summary --mine --since 2025-11-20 --until 2025-11-21 --by job-name,state --width "$width" --color "$colour" \
				>"mine-$width-$colour.txt"
			[ -z "${UPDATE:-}" ] || cp "mine-$width-$colour.txt" "$source/"
			diff "$source/mine-$width-$colour.txt" "mine-$width-$colour.txt"
		done
	done
}
