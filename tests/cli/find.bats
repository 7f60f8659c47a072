#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests which reports an argument names, and tables of many jobs against the reports' own JSON, which Python reads.

setup_file() {
	export SOURCE STINT EPILOG WORK
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	EPILOG=${EPILOG:-$PWD/reports/stint-epilog}
	WORK=$BATS_FILE_TMPDIR
	export LC_ALL=C.UTF-8 TZ=UTC0
	mkdir "$WORK/libexec" "$WORK/path" "$WORK/home"
	export STINT_LIBEXEC=$WORK/libexec PATH=$WORK/path:$PATH
	: >"$WORK/empty.conf"
	slurm_says "cat '$SOURCE/tests/data/slurm-one.json'"
	sacct_says 'exit 1'
	deliver record-one.json 's/"array_job_id": 4160739/"array_job_id": 77/'
	mv "$WORK"/home/stint-*.json "$WORK/base.json"
	slurm_says 'exit 1'
	chmod 755 "$WORK" "$WORK/home"
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
}

slurm_says() { # SHELL-SCRIPT : in the place of slurmctld
	printf '#!/bin/sh\n%s\n' "$1" >"$WORK/libexec/stint-slurm-job"
	chmod +x "$WORK/libexec/stint-slurm-job"
}

sacct_says() { # SHELL-SCRIPT : in the place of accounting
	printf '#!/bin/sh\n%s\n' "$1" >"$WORK/path/sacct"
	chmod +x "$WORK/path/sacct"
}

# Delivers the record fixture as a report in $WORK/home, as the user who runs the tests.
deliver() { # RECORD [SED-SCRIPT]
	sed -e "s#/home/juser/run\"#$WORK/home\"#" -e "s/\"uid\": 1000/\"uid\": $(id -u)/" \
		-e "s/\"gid\": 1000/\"gid\": $(id -g)/" ${2:+-e "$2"} "$SOURCE/tests/data/$1" >"$WORK/record.json"
	chmod 755 "$WORK" "$WORK/home"
	"$EPILOG" --config "$WORK/empty.conf" "$WORK/record.json" >/dev/null
}

# Makes reports from the base one. PYTHON changes the report r with the number i; its name is the final value of n.
reports() { # COUNT PYTHON
	python3 - "$WORK/base.json" "$1" "$2" <<-'END'
		import json, sys
		for i in range(int(sys.argv[2])):
		    r = json.load(open(sys.argv[1], encoding="utf-8"))
		    r["job"].update(id=1000 + i, array_job_id=77, array_task_id=i)
		    n, text = f"stint-77_{i}.json", None
		    exec(sys.argv[3])
		    open(n, "w", encoding="utf-8").write(text or json.dumps(r, indent=2))
	END
}

python() { # SCRIPT [ARGUMENT...] : with what stint printed on its standard input
	python3 -c "import csv, glob, json, statistics, sys
reports = {p: json.load(open(p, encoding='utf-8')) for p in glob.glob('stint-*.json')}
$1" "${@:2}"
}

fails() { # TEXT COMMAND...
	run --separate-stderr "${@:2}"
	echo "status $status, stdout: $output, stderr: $stderr"
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"$1"* ]]
}

@test "the page of an array: how many, how they ended, the spread, which failed, and each task" {
	reports 7 'r["job"]["elapsed_s"] = 100.5 + 20 * i * i; r["used"]["memory_used_peak_bytes"] = (i + 1) << 28
if i == 3: r["job"].update(state="FAILED", exit_code=3); r["verdict"]["outcome"] = "FAILED: solve (pid 7) ended with exit code 3"
if i == 4: r["job"].update(state="OUT_OF_MEMORY", exit_code=0, signal=9); del r["verdict"]["outcome"]
if i == 5: r["complete"] = False
if i == 6: del r["used"]["cpu_efficiency"]'
	run "$STINT" report 77
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} =~ ^"Array 77 "[a-z]+": 2 of 7 tasks failed"$ ]]
	[[ ${lines[1]} == "NOT COMPLETE: 1 of 7 "* ]]
	[ "${lines[2]}" = "Array Job ID: 77" ]
	[[ $output == *$'\n'"Tasks with a report: 7"$'\n'"State: 5 COMPLETED, 1 FAILED, 1 OUT_OF_MEMORY"$'\n'* ]]
	[[ $output =~ Elapsed\ +00:01:41\ +00:04:41\ +00:13:41\ +0\ to\ 6 ]]
	[[ $output =~ Memory\ peak\ +256.0\ MiB\ +1.0\ GiB\ +1.8\ GiB\ +0\ to\ 6 ]]
	[[ $output =~ CPU\ efficiency\ .*,\ 1\ not\ known ]]
	[[ $output == *"Not completed: 2"$'\n'"  77_3  FAILED: solve (pid 7) ended with exit code 3"$'\n'"  77_4  OUT_OF_MEMORY (signal 9)"* ]]
	[ "$(grep -c '^77_' <<<"$output")" -eq 7 ]
	grep -q '^77_5 .*COMPLETED\*' <<<"$output"
	grep -q '^77_6 .* - ' <<<"$output"
	run "$STINT" report 77_4
	[[ ${lines[0]} == "Job 77_4 "*": OUT OF MEMORY: "* ]]
	grep -qx "Array Job ID: 77_4" <<<"$output"
	[ "$("$STINT" report --json 77 | grep -c '"schema"')" -eq 7 ]
}

@test "an array whose tasks all fit is not told to ask for more memory, and one with a killed task is" {
	reports 3 'r["requested"]["memory_bytes"] = 200 << 20; r["used"]["memory_used_peak_bytes"] = (160 + i) << 20
[r["used"].pop(k, None) for k in ("memory_used_peak_upper_bytes", "memory_mapped_peak_bytes")]
r["advice"] = []
for node in r["nodes"]: node.get("used", {}).update(memory_used_peak_bytes=(160 + i) << 20)'
	run "$STINT" report 77
	echo "$output"
	[[ $output != *--mem=* && $output != *"needs more"* ]]
	reports 3 'r["requested"]["memory_bytes"] = 200 << 20; r["used"]["memory_used_peak_bytes"] = (160 + i) << 20
[r["used"].pop(k, None) for k in ("memory_used_peak_upper_bytes", "memory_mapped_peak_bytes")]
r["advice"] = [{"line": "#SBATCH --mem=448M", "reason": "It was killed.", "memory_bytes": 448 << 20}] if i == 1 else []'
	run "$STINT" report 77
	echo "$output"
	[[ $output == *"#SBATCH --mem=448M"* && $output == *"and needs more"* ]]
}

@test "the page of a task says that its lines are for this task, and a job of no array has no such sentence" {
	local html says="This is for task 1. Others of the array may need more: see stint report 77 before you use it for all."
	reports 2 'r["advice"] = [{"line": "#SBATCH --mem=1G", "reason": "It was.", "memory_bytes": 1 << 30}]'
	run "$STINT" report --width 120 77_1
	echo "$output"
	[[ $output == *"lines for the job script"$'\n''#SBATCH --mem=1G'$'\n\n'"${says/for all/for$'\n'all}"$'\n\n'* ]]
	html=$("$STINT" report --html=- 77_1)
	[[ $html == *"<p>$says</p>"* ]]
	reports 1 'r["advice"] = [{"line": "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}", "reason": "It was."}]'
	run "$STINT" report --width 120 77_0
	[[ $output == *"export OMP"* && $output != *"This is for task"* ]]
	reports 1 'r["advice"] = [{"line": "#SBATCH --mem=1G", "reason": "It was."}]; [r["job"].pop("array_" + k) for k in ("job_id", "task_id")]'
	run "$STINT" report --width 120 stint-77_0.json
	[[ $output == *"#SBATCH --mem=1G"* && $output != *"This is for task"* ]]
	[[ $("$STINT" report --html=- stint-77_0.json) != *"This is for task"* ]]
}

@test "the page of an array without lines says why there are none" {
	reports 3 'r["job"]["elapsed_s"] = 5'
	run "$STINT" report 77
	echo "$output"
	[[ $output == *$'\n\n'"Next time: None of these tasks shows what it needs: they were too short, or did"$'\n'* && $output != *SBATCH* ]]
	[[ $("$STINT" report --html=- 77) == *"<p>None of these tasks shows what it needs: they were too short, or did nothing.</p>"* ]]
	reports 3 'r["requested"].update(memory_bytes=1 << 30, time_limit_s=900); r["job"]["elapsed_s"] = 480
r["used"].update(memory_used_peak_bytes=768 << 20); r["advice"] = []'
	run "$STINT" report 77
	echo "$output"
	[[ $output == *"Next time: No line would save anything and fit all of these tasks."* && $output != *SBATCH* ]]
}

@test "less is advised for an array only where all of its tasks completed" {
	local base state
	base='r["requested"].update(memory_bytes=32 << 30, time_limit_s=86400); r["job"]["elapsed_s"] = 480 + 60 * (i < 2)
r["used"].update(memory_used_peak_bytes=768 << 20); [r["used"].pop(k, None) for k in ("memory_used_peak_upper_bytes", "memory_mapped_peak_bytes")]
r["advice"] = [{"line": "#SBATCH --cpus-per-task=1", "reason": "It was.", "cpus_per_task": 1}]'
	reports 8 "$base"
	run "$STINT" report 77
	echo "$output"
	[[ $output == *"lines for the job script that fit these tasks"$'\n''#SBATCH --mem=960M'$'\n''#SBATCH --cpus-per-task=1'$'\n''#SBATCH --time=00:15:00'$'\n'* ]]
	for state in CANCELLED FAILED PREEMPTED NODE_FAIL OUT_OF_MEMORY TIMEOUT RUNNING; do
		reports 8 "$base"$'\n'"if i == 7: r['job']['state'] = '$state'"
		run "$STINT" report 77
		echo "$output"
		[[ $output == *"7 COMPLETED, 1 $state"* && $output != *SBATCH* && $output != *"that fit"* ]]
		[[ $output == *"Next time: Not all of these tasks are known to have completed"* ]]
	done
	reports 8 "$base"$'\n''if i == 7: r["complete"] = False'
	run "$STINT" report 77
	[[ $output != *SBATCH* ]]
	# a value that one of them shows to be too small is raised, whatever happened to the others
	reports 8 "$base"$'\n''r["requested"]["time_limit_s"] = 570
if i == 7: r["job"]["state"] = "FAILED"'
	run "$STINT" report 77
	echo "$output"
	[[ $output == *$'\n''#SBATCH --time=00:15:00'$'\n'* ]]
}

@test "an array whose tasks would do with one CPU has the option without which each would keep all" {
	local advice='{"line": "#SBATCH --ntasks=1 --cpus-per-task=1", "reason": "It was.", "cpus_per_task": 1}'
	reports 3 "r['advice'] = [$advice]"
	run "$STINT" report 77
	echo "$output"
	[[ $output == *$'\n''#SBATCH --ntasks=1 --cpus-per-task=1'$'\n'* ]]
	"$STINT" report --html=- 77 | grep -q 'id="advice-lines">#SBATCH --ntasks=1 --cpus-per-task=1$'
	reports 3 "r['advice'] = [$advice]
if i == 1: r['advice'][0]['line'] = '#SBATCH --cpus-per-task=1'"
	run "$STINT" report 77
	echo "$output"
	[[ $output != *--cpus-per-task* ]]
}

@test "the page of an array says what its words for waits for CPUs mean" {
	reports 3 'r["verdict"]["bound"] = ["starved", "starved", "throttled"][i]'
	"$STINT" report 77 | grep -qx "Bound: 2 starved (other work on the CPUs), 1 throttled (a CPU quota)"
}

@test "the failed tasks of an array are a line to submit again, for people and for programs" {
	reports 30 'r["job"]["state"] = "FAILED" if i in (7, 19, 20, 21, 28, 29) else "COMPLETED"
if i == 7: r["job"]["state"] = "TIMEOUT"
if i == 9: r["job"]["state"] = "RUNNING"; r["complete"] = False; del r["job"]["end"]'
	run "$STINT" report 77
	echo "$output"
	grep -qx "Again, with the job script at the end: sbatch --array=7,19-21,28,29" <<<"$output"
	[ "$("$STINT" report --again 77)" = "sbatch --array=7,19-21,28,29" ]
	[ "$("$STINT" report --again .)" = "sbatch --array=7,19-21,28,29" ]
	"$STINT" report --html=- 77 | grep -q '>sbatch --array=7,19-21,28,29</pre><button type="button" class="copy"'
	"$STINT" report --again --json 77 | jq --exit-status '. == {array_job_id: 77, tasks: "7,19-21,28,29",
		line: "sbatch --array=7,19-21,28,29"}'
	# as Slurm reads it
	[ "$("$STINT" report --again 77_20)" = "sbatch --array=20" ]
	reports 3 ''
	[ -z "$("$STINT" report --again 77_2)" ]
	"$STINT" report --again --json 77_2 | jq --exit-status '.tasks == null and .line == null'
	[[ $("$STINT" report 77_2) != *Again* ]]
	reports 2 'r["job"]["array_job_id"] = None if i else 77'
	fails "stint-77_1.json: not an array: --again needs the number of one" "$STINT" report --again stint-77_1.json
	# a list that fills screens is left to --again
	reports 1000 'r["job"]["state"] = "FAILED" if i % 3 == 0 else "COMPLETED"'
	"$STINT" report 77 | grep -qx "Again: stint report --again 77"
	[ "$("$STINT" report --again 77)" = "sbatch --array=$(seq -s, 0 3 999)" ]
	"$STINT" report --all 77 | grep -qx "Again, with the job script at the end: sbatch --array=$(seq -s, 0 3 999)"
}

@test "an array's advice fits its largest and longest task, and is not given on thin evidence" {
	reports 5 'r["requested"].update(memory_bytes=64 << 30, nodes=1, time_limit_s=86400)
r["advice"] = []; r["job"]["elapsed_s"] = 1000 + 1000 * i
r["used"].update(memory_used_peak_bytes=(i + 1) << 30, memory_used_peak_upper_bytes=(i + 2) << 30,
                 memory_mapped_peak_bytes=(6 - i) << 30)'
	run "$STINT" report 77
	echo "$output"
	[[ $output == *$'\n'"#SBATCH --mem=9G"$'\n'* ]] # 1.2 x 7 GiB, with the mapped files
	reports 5 'r["requested"].update(memory_bytes=64 << 30, nodes=1, time_limit_s=86400)
r["advice"] = []; r["job"]["elapsed_s"] = 1000 + 1000 * i; r["used"].pop("memory_mapped_peak_bytes", None)
r["used"].update(memory_used_peak_bytes=(i + 1) << 30, memory_used_peak_upper_bytes=(i + 2) << 30)'
	run "$STINT" report 77
	echo "$output"
	[[ $output == *$'\n'"#SBATCH --mem=8G"$'\n'*"77_4"* ]] # 1.2 x 6 GiB
	[[ $output == *$'\n'"#SBATCH --time=01:45:00"$'\n'*"77_4"* ]] # 1.2 x 5000 s
	reports 5 'r["requested"].update(memory_bytes=64 << 30, nodes=1, time_limit_s=86400)
r["advice"] = []; r["job"]["elapsed_s"] = 1000 + 1000 * i
r["used"].update(memory_used_peak_bytes=(i + 1) << 30, memory_used_peak_upper_bytes=(i + 2) << 30)
if i == 2: del r["used"]["memory_used_peak_bytes"]; del r["used"]["memory_used_peak_upper_bytes"]
if i == 0: r["job"]["state"] = "TIMEOUT"'
	run "$STINT" report 77
	echo "$output"
	[[ $output != *"#SBATCH"* ]]
	# all of them slept
	reports 5 'r["requested"].update(memory_bytes=64 << 30, nodes=1, time_limit_s=86400); r["verdict"]["bound"] = "idle"
r["advice"] = []; r["job"]["elapsed_s"] = 1000; r["used"].update(memory_used_peak_bytes=1 << 30, cpu_s=9.9)'
	run "$STINT" report 77
	echo "$output"
	[[ $output != *"#SBATCH"* ]]
	reports 5 'r["requested"].update(memory_bytes=64 << 30, nodes=1, time_limit_s=86400); r["verdict"]["bound"] = "idle"
r["advice"] = []; r["job"]["elapsed_s"] = 1000; r["used"].update(memory_used_peak_bytes=1 << 30, cpu_s=10)'
	run "$STINT" report 77
	[[ $output == *"#SBATCH"* ]]
	# one was killed at its limit, and its advice is more than all had
	reports 3 'r["requested"].update(memory_bytes=4 << 30, nodes=1, time_limit_s=None); r["advice"] = []
r["used"].update(memory_used_peak_bytes=1 << 30, memory_used_peak_upper_bytes=1 << 30)
if i == 1: r["advice"] = [{"line": "#SBATCH --mem=6G", "memory_bytes": 6 << 30, "reason": "killed"}]; r["job"]["state"] = "OUT_OF_MEMORY"'
	rm stint-77_3.json stint-77_4.json
	run "$STINT" report 77
	echo "$output"
	[[ $output == *$'\n'"#SBATCH --mem=6G"$'\n'*"77_1"* ]]
}

@test "the table as JSON has each job's numbers" {
	reports 6 'r["job"]["elapsed_s"] = 100.25 * (i + 1)
if i == 2: r["requested"]["time_limit_s"] = None
if i == 3: del r["job"]["elapsed_s"]
if i == 4: r["verdict"]["bound"] = "idle"; r["findings"] = []'
	"$STINT" report --table --json . | python 'rows = json.load(sys.stdin)
assert len(rows) == len(reports) == 6
for row in rows:
    r = reports[row["path"]]
    limit, elapsed = r["requested"]["time_limit_s"], r["job"].get("elapsed_s")
    assert row["job"] == "77_" + str(r["job"]["array_task_id"]) and row["id"] == r["job"]["id"], row
    assert row["elapsed_s"] == elapsed and row["time_limit_s"] == limit, row
    assert row["time_efficiency"] == (round(elapsed / limit, 6) if limit and elapsed else None), row
    assert row["cpu_efficiency"] == r["used"]["cpu_efficiency"] and row["cpu_s"] == r["used"]["cpu_s"], row
    assert row["memory_used_peak_bytes"] == r["used"]["memory_used_peak_bytes"], row
    assert row["bound"] == r["verdict"]["bound"] and row["complete"] == r["complete"], row
    assert sorted(row["findings"]) == sorted(f["code"] for f in r["findings"]), row'
	[ "$("$STINT" report --table --json stint-77_1.json | python 'print(len(json.load(sys.stdin)))')" -eq 1 ]
}

@test "other programs read the table as CSV, and none of its texts is a formula" {
	reports 8 'r["job"]["name"] = ["=cmd()", "a,b \"c\"", "-1+2", "plain", "@x\n\r\x1b", "a;=1+1", " =1", "\uff1d1"][i]'
	"$STINT" report --csv . >table.csv
	[ "$(grep -c $'\r$' table.csv)" -eq 9 ]
	grep -q '"a;=1+1"' table.csv
	python 'names = [row["name"] for row in csv.DictReader(open("table.csv", newline=""), strict=True)]
assert names == ["'"'"'=cmd()", "a,b \"c\"", "'"'"'-1+2", "plain", "'"'"'@x\\x0a\\x0d\\x1b", "a;=1+1", "'"'"' =1", "'"'"'\uff1d1"], names'
}

@test "a table is sorted by any field, either way, with unknown values last" {
	reports 5 'r["job"]["elapsed_s"] = [30.0, 10.0, 50.0, 20.0, 40.0][i]
if i == 2: del r["job"]["elapsed_s"]'
	order() { "$STINT" report --table --json "$@" . | python 'print(*[row["id"] - 1000 for row in json.load(sys.stdin)])'; }
	[ "$(order)" = "0 1 2 3 4" ]
	[ "$(order --sort elapsed)" = "1 3 0 4 2" ]
	[ "$(order --sort=-elapsed)" = "4 0 3 1 2" ]
	[ "$(order --sort -id)" = "4 3 2 1 0" ]
	[ "$(order --sort state)" = "0 1 2 3 4" ]
	run "$STINT" report --table --sort colour .
	[ "$status" -eq 2 ]
	[[ $output == *"no field 'colour': id, state"* ]]
	run "$STINT" report --sort id .
	[ "$status" -eq 2 ]
}

@test "a table fits every width, and leaves out columns rather than its findings" {
	reports 3 'r["job"].update(array_job_id=12345678, array_task_id=10000 + i, state="OUT_OF_MEMORY")
r["verdict"]["bound"] = "oversubscribed" if i else "x" * 300'
	for width in 60 72 80 100; do
		run "$STINT" report --table --width $width .
		echo "$output"
		for line in "${lines[@]}"; do
			[ "${#line}" -le $width ]
		done
		[ "$(grep -c '^12345678_1000[012]  OUT_OF_MEMORY .* [a-z-]*\(\.\.\.\)\? +[0-9]$' <<<"$output")" -eq 3 ]
	done
	[[ $output == *TimeEff*Bound*oversubscribed* ]]
	run "$STINT" report --table --width 60 .
	[[ $output != *TimeEff* ]]
}

@test "several arguments, each a job, a file, a directory or a glob that no shell expanded" {
	mkdir deep
	reports 3 ''
	mv stint-77_2.json deep/
	run "$STINT" report --table 77_0 stint-77_1.json deep
	[ "$status" -eq 0 ]
	[ "$(grep -c '^77_' <<<"$output")" -eq 3 ]
	run "$STINT" report --table 'stint-*_[01].json' 'deep/*'
	[ "$(grep -c '^77_' <<<"$output")" -eq 3 ]
	run "$STINT" report 77_0 deep/stint-77_2.json
	[ "$(grep -c '^Array Job ID: 77_[02]' <<<"$output")" -eq 2 ]
	fails "nothing*: names no file" "$STINT" report 'nothing*'
	run --separate-stderr "$STINT" report --table 'nothing*' 77_0
	[ "$status" -eq 1 ]
	[[ $output == *77_0* && $stderr == *"names no file"* ]]
}

@test "a report in another form, of any length, is read as exactly; one that is cut short is named" {
	reports 5 'r["job"]["elapsed_s"] = 100.0 + i
if i == 4: text = json.dumps({**{k: v for k, v in r.items() if k != "findings"}, "findings": r["findings"]})
if i == 0: text = json.dumps(r, separators=(",", ":"))
if i == 1: text = json.dumps(dict(reversed(r.items())), indent=1)
if i == 2: r["gaps"] = [{"name": f"x{n}", "reason": "\\\"}]{[ " * 50} for n in range(200)]
if i == 3: r["lost"]["tools"] = 0; text = json.dumps({"tools\"x": {"job": {"id": 9}}, **r})'
	"$STINT" report --table --json . | python 'rows = json.load(sys.stdin)
assert [row["elapsed_s"] for row in rows] == [100, 101, 102, 103, 104], rows
assert all(row["bound"] == "mixed" and len(row["findings"]) == len(reports[row["path"]]["findings"]) for row in rows)'
	rm stint-*.json
	reports 2 'if i == 1: text = json.dumps(r, indent=2)[:-20]'
	run --separate-stderr "$STINT" report --table .
	[ "$status" -eq 1 ]
	[[ $stderr == *"stint-77_1.json:"*"damaged JSON"* ]]
	[ "$(grep -c '^77_' <<<"$output")" -eq 1 ]
}

# Makes a report of 85 MB of brackets, as another user. FORM is stint's or another. Then it has NAMES names.
plant() { # FORM NAMES
	python3 - "$WORK/base.json" "$@" <<-'END'
		import json, os, re, sys
		text = open(sys.argv[1], encoding="utf-8").read()
		if sys.argv[2] == "other":
		    text = json.dumps(json.loads(text))
		text = re.sub('"uid": *[0-9]+', '"uid": 4242', text)
		begin = text.index('"tools": [') + 10
		many = '{"name":"a","runs":1,"x":[[],[],{}]},' * 2300000
		open("big", "w", encoding="utf-8").write(text[:begin] + many + text[begin:])
		os.chown("big", 4242, 4242)
		for i in range(int(sys.argv[3])):
		    os.symlink("big", f"stint-{900000 + i}.json")
	END
}

jobs_of() { # with a summary on standard input
	python3 -c 'import json, sys; print(json.load(sys.stdin)["total"]["jobs"])'
}

# Runs stint, and checks that it took less memory and time than parsing such a file: 2 GiB, and a second for each name.
cheap() { # STATUS ARGUMENT...
	python3 - "$1" "$STINT" "${@:2}" <<-'END'
		import resource, subprocess, sys
		status = subprocess.run(sys.argv[2:], check=False).returncode
		used = resource.getrusage(resource.RUSAGE_CHILDREN)
		told = f"status {status}, {used.ru_utime + used.ru_stime:.2f} s, {used.ru_maxrss >> 10} MiB"
		print(told, file=sys.stderr)
		assert status == int(sys.argv[1]) and used.ru_maxrss < 768 << 10, told
		assert used.ru_utime + used.ru_stime < 10, told
	END
}

@test "another user's huge made-up report, by whatever names, costs its reader little and no other job its row" {
	[ "$(id -u)" -eq 0 ] || skip "only root can make another user's file"
	reports 100 'del r["job"]["array_job_id"], r["job"]["array_task_id"]; n = f"stint-{1000 + i}.json"'
	for form in stint other; do
		rm -f big stint-9*.json
		plant "$form" 100
		cheap 1 summary --json . >summary.json 2>said
		cat said
		[ "$(jobs_of <summary.json)" -eq 100 ]
		[ "$(grep -c 'not read, because stint cannot have written' said)" -eq 1 ]
		grep -q '99 more names of these files' said
		cheap 1 report --json 4711 2>said
		cat said
		cheap 1 report stint-900000.json 2>said
		grep -q 'stint-900000.json: not read, because stint cannot have written this file of another user (.* KiB)' said
		for view in "compare stint-1000.json" timeline; do
			cheap 1 $view stint-900000.json 2>said
			cat said
			[ "$(grep -c 'stint-900000.json: not read, because stint cannot have written this file of another user (.* KiB)' said)" -eq 1 ]
		done
		[ "$form" = stint ] || continue
		# it begins like stint's own, so it is a row
		cheap 0 report --table --csv . >table
		[ "$(grep -c . table)" -eq 201 ]
	done
	cheap 1 report --table --csv . >table 2>said
	cat said
	[ "$(grep -c . table)" -eq 101 ]
	[ "$(grep -c 'not read, because stint cannot have written' said)" -eq 1 ]
	cheap 1 report 900050 2>said
	grep -q 'stint-900050.json: not read' said
}

@test "what json-c takes for a quote hides no brackets of another user's report" {
	[ "$(id -u)" -eq 0 ] || skip "only root can make another user's file"
	reports 2 'del r["job"]["array_job_id"], r["job"]["array_task_id"]; n = f"stint-{1000 + i}.json"'
	python3 - "$WORK/base.json" <<-'END'
		import os, re, sys
		text = re.sub('"uid": *[0-9]+', '"uid": 4242', open(sys.argv[1], encoding="utf-8").read())
		begin = text.index('"tools": [') + 10
		many = """{"name":"a",'"':[""" + "[],{}," * 600000 + """1],"":1},"""
		open("stint-5.json", "w", encoding="utf-8").write(text[:begin] + many + text[begin:])
		os.chown("stint-5.json", 4242, 4242)
	END
	cheap 1 summary --json . >summary.json 2>said
	cat said
	[ "$(jobs_of <summary.json)" -eq 2 ]
	grep -q 'stint-5.json: not read, because stint cannot have written' said
	cheap 1 report stint-5.json 2>said
	grep -q 'stint-5.json: not read, because stint cannot have written' said
}

@test "another user's report is read whole, as long as it can be that stint wrote it" {
	[ "$(id -u)" -eq 0 ] || skip "only root can make another user's file"
	python3 - "$WORK/base.json" <<-'END'
		import json, os, re, sys
		text = open(sys.argv[1], encoding="utf-8").read()
		text = re.sub('"uid": *[0-9]+', '"uid": 4242', text)
		entry = json.dumps(json.loads(text)["timeline"][0]) + ","
		begin = text.index('"timeline": [') + 13
		gap = '{"name": "nodes", "reason": "n1: there was no record of it"},'
		gaps = text.index('"gaps": [') + 9
		more = gap * 3000 if text[gaps:].lstrip()[0] == "{" else (gap * 3000)[:-1]
		text = text[:gaps] + more + text[gaps:begin] + entry * ((20 << 20) // len(entry)) + text[begin:]
		open("stint-5.json", "w", encoding="utf-8").write(text)
		os.chown("stint-5.json", 4242, 4242)
	END
	"$STINT" report --table --csv . >table
	[ "$(grep -c . table)" -eq 2 ]
	"$STINT" report stint-5.json | grep '^Job '
	"$STINT" report --json stint-5.json | cmp - stint-5.json
	[ "$("$STINT" summary --json . | jobs_of)" -eq 1 ]
}

@test "a user's text cannot control the terminal by a table" {
	reports 2 'r["job"]["state"] = "FAIL\x1b[31m\nED"; r["verdict"]["bound"] = "\u202ecpu"; r["job"]["name"] = "a\nb"
r["findings"] = [{"code": "x\x1b]0;", "severity": "critical", "evidence": [], "threshold": {}, "hint": "h"}]'
	for form in 77 "--table ." "--table --json ." "--csv ."; do
		run "$STINT" report $form
		[ "$status" -eq 0 ]
		[ "$(tr -d '\n\r' <<<"$output" | LC_ALL=C grep -c '[[:cntrl:]]')" -eq 0 ]
	done
}

@test "a state has the same colour in a table as on the job's page: red only where the job failed" {
	reports 4 'r["job"]["state"] = ("COMPLETED", "RUNNING", "CANCELLED", "FAILED")[i]'
	for task in 0 1 2 3; do
		page=$("$STINT" report --color=always 77_$task | sed -n 's/^State: \(\x1b\[[0-9;]*m\)[A-Z]*.*/\1/p')
		table=$("$STINT" report --color=always --table 77_$task | sed -n 's/^77_. *\(\x1b\[[0-9;]*m\)[A-Z]*.*/\1/p')
		echo "$task: page $page table $table" | cat -v
		[ -n "$page" ] && [ "$page" = "$table" ]
		[ "$([ "$page" = $'\e[1;31m' ] && echo red)" = "$([ $task -eq 3 ] && echo red)" ]
	done
}

@test "the columns of an array's spread do not run into each other, however long the jobs took" {
	reports 3 'r["job"]["elapsed_s"] = (55.4, 98122, 1e6)[i]'
	run "$STINT" report 77
	echo "$output"
	grep -qE '^  Elapsed +55\.4 s +1-03:15:22 +11-13:46:40  0 to 2$' <<<"$output"
}

@test "where the locale has no UTF-8, a table and an array's page have none, and no line is wider than the page" {
	reports 3 'r["job"].update(name="d\u00e4ta", user="\u00e4da", state="FAILED" + "\u00e9" * i, attempt=10 ** 17)
r["verdict"]["bound"] = "\u00fcber"; r["job"]["workflow"] = {"engine": "snakemake", "rule": "\u00e9", "wildcards": "\u00e9"}
r["findings"] = [{"code": f"{c}\u00e9-{c * 9}", "severity": "critical", "evidence": [], "threshold": {}, "hint": "h"} for c in "ab"]'
	for form in 77 "--table ." "--by rule ."; do
		for width in 60 77 100 200; do
			LC_ALL=C run "$STINT" report $form --width $width
			echo "$output"
			[ "$status" -eq 0 ]
			[ "$(LC_ALL=C grep -c '[^ -~]' <<<"$output")" -eq 0 ]
			[ "$(grep -cE "^.{$((width + 1))}" <<<"$output")" -eq 0 ]
		done
	done
}

# ---- by id, from anywhere ----

elsewhere() { # makes the task 77_3 in $WORK/home, and goes elsewhere
	mkdir -p away
	(cd "$WORK/home" && reports 4 '')
	cd away
}

@test "where slurmctld has forgotten a job, accounting says where it ran" {
	elsewhere
	slurm_says 'echo "stint-slurm-job: $1: Invalid job id specified" >&2; exit 1'
	# in sacct's form: for a task's own job id, the task; for an array, a line for each task
	sacct_says "echo \"\$*\" >$WORK/asked
		case \$7 in
		1003 | 77_3) echo '77_3|$(id -u)|COMPLETED|n1|$WORK/home' ;;
		77) for i in 0 1 2 3; do echo \"77_\$i|$(id -u)|COMPLETED|n1|$WORK/home\"; done ;;
		9) echo '9|$(id -u)|CANCELLED by 1000|None assigned|$WORK/home' ;;
		8) echo '8|$(id -u)|COMPLETED|n1|$WORK' ;;
		5) echo '5|$(id -u)|RUNNING|n1|$WORK' ;;
		7) echo nonsense ;;
		esac"
	[ "$("$STINT" report 77_3 | grep '^Array Job ID')" = "Array Job ID: 77_3" ]
	[ "$(cat "$WORK/asked")" = "-X -P -n -o JobID,UID,State,NodeList,WorkDir -j 77_3" ]
	[ "$("$STINT" report 1003 | grep '^Array Job ID')" = "Array Job ID: 77_3" ]
	"$STINT" report 77 | grep -qx "Tasks with a report: 4"
	fails "job 9: it never started, so there is no report: CANCELLED by 1000" "$STINT" report 9
	fails "job 8: no report of it in this directory, nor in $WORK, where it ran" "$STINT" report 8
	fails "job 5: no report of it in this directory, nor in $WORK: accounting says that it is RUNNING, and Slurm says: 5: Invalid" "$STINT" report 5
	tried() { # TEXT COMMAND...
		run --separate-stderr "${@:2}"
		[ "$status" -eq 1 ]
		[[ $stderr == *"tried: $1"* ]]
	}
	fails "No job 7 is known here; --verbose says" "$STINT" report 7
	tried "Slurm says: 7: Invalid job id specified" "$STINT" report -v 7
	tried "accounting says: stint does not understand its answer" "$STINT" report -v 7
	tried "accounting says: it does not know the job" "$STINT" report -v 6
	sacct_says 'echo "Slurm accounting storage is disabled" >&2; exit 1'
	fails "No job 6 is known here; --verbose says" "$STINT" report 6
	tried "accounting says: Slurm accounting storage is disabled" "$STINT" report -v 6
	tried "accounting says: No such file" env PATH=/nowhere "$STINT" report -v 6
	# it must not ask a source that might know
	sacct_says 'echo "sacct: error: slurm_persist_conn_open: failed to open connection: Connection refused" >&2; exit 1'
	fails "No job 6 is known here, and accounting does not answer; --verbose" "$STINT" report 6
	slurm_says 'echo "stint-slurm-job: Slurm does not answer" >&2; exit 1'
	fails "job 6: no report of it in this directory, and Slurm cannot say where it ran: Slurm does not answer" "$STINT" report 6
}

@test "a job that waits, was cancelled before its start, or runs, and a site's store" {
	elsewhere
	slurm_says 'case $1 in
		1) echo "{\"job_id\": 1, \"state\": \"PENDING\", \"waits_for\": \"Dependency\", \"work_dir\": \"/x\"}" ;;
		2) echo "{\"job_id\": 2, \"state\": \"CANCELLED\", \"work_dir\": \"/x\"}" ;;
		3) echo "{\"job_id\": 3, \"state\": \"RUNNING\", \"node_list\": \"n[1-2]\", \"work_dir\": \"/x\"}" ;;
		*) exit 1 ;;
		esac'
	fails "job 1: it has not started yet, so there is no report: PENDING, Dependency" "$STINT" report 1
	fails "job 2: it never started, so there is no report: CANCELLED" "$STINT" report 2
	fails "job 3: it is running on n[1-2], so its report comes when it has ended" "$STINT" report 3
	echo "output = $WORK/home/stint-%i.json" >store.conf
	[ "$("$STINT" report --config store.conf 77_2 | grep '^Array Job ID')" = "Array Job ID: 77_2" ]
}

@test "an array that goes on: what has ended, what runs and what waits; a task that it does not have" {
	elsewhere
	reports 3 ''
	mkdir -p run && mv stint-77_*.json run
	slurm_says "case \$1 in
		--jobs) echo '{\"job_id\": 77, \"array_job_id\": null, \"array_task_id\": null, \"array_tasks\": \"5-9:2%2\", \"state\": \"PENDING\", \"user_id\": $(id -u), \"work_dir\": \"$PWD/run\"}'
			echo '{\"job_id\": 1004, \"array_job_id\": 77, \"array_task_id\": 4, \"state\": \"RUNNING\", \"user_id\": $(id -u), \"work_dir\": \"$PWD/run\"}'
			echo '{\"job_id\": 1001, \"array_job_id\": 77, \"array_task_id\": 1, \"state\": \"COMPLETED\", \"user_id\": $(id -u), \"work_dir\": \"$PWD/run\"}'
			echo '{\"job_id\": 99, \"array_job_id\": null, \"array_task_id\": null, \"state\": \"RUNNING\", \"user_id\": $(id -u), \"work_dir\": \"$PWD/run\"}' ;;
		77 | 77_*) echo '{\"job_id\": 77, \"array_job_id\": null, \"array_task_id\": null, \"array_tasks\": \"5-9:2%2\", \"state\": \"PENDING\", \"submit_unix_s\": 1763600000, \"user_id\": $(id -u), \"work_dir\": \"$PWD/run\"}' ;;
		88) echo '{\"job_id\": 88, \"array_tasks\": \"0-3\", \"state\": \"PENDING\", \"waits_for\": \"Priority\", \"user_id\": $(id -u), \"work_dir\": \"$PWD\"}' ;;
		*) exit 1 ;;
	esac"
	run "$STINT" report 77
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == "Array 77 "*": 3 of 7 tasks completed, 1 runs, 3 wait" ]]
	[[ $output == *"Tasks with a report: 3"$'\n'"State: 3 COMPLETED, 3 PENDING, 1 RUNNING"$'\n'* ]]
	[[ $output == *$'\n'"77_[5-9:2%2]  PENDING"* && $output == *$'\n'"77_4          RUNNING"* && $output != *$'\n'"99"* ]]
	# like a user who is in their directory
	cd run
	run "$STINT" report 77
	cd ..
	echo "$output"
	[[ $output == *"Tasks with a report: 3"$'\n'"State: 3 COMPLETED, 3 PENDING, 1 RUNNING"$'\n'* ]]
	run "$STINT" report --attempt=1 77
	[ "$status" -eq 0 ]
	# programs get the existing reports
	[ "$("$STINT" report --json 77 | jq --slurp --compact-output 'map(.job.array_task_id)')" = '[0,1,2]' ]
	[ "$("$STINT" report --json 77_2 | jq .job.array_task_id)" -eq 2 ]
	fails "job 77_7: it has not started yet, so there is no report: PENDING" "$STINT" report 77_7
	fails "the tasks 5-9:2%2 of its array wait, and this task is not among them: it has ended, or the array has no such task" "$STINT" report 77_70
	fails "job 88: none of its tasks has started yet, so there is no report: PENDING, Priority" "$STINT" report 88
}

@test "a job that ended a moment ago: its report is on its way, and later it should be there" {
	ended() { # SECONDS-AGO [MORE]
		slurm_says "echo '{\"job_id\": 6, \"state\": \"COMPLETED\", \"node_list\": \"n1\", \"work_dir\": \"$WORK/home\",
			\"end_unix_s\": $(($(date +%s) - $1))${2:-}}'"
	}
	elsewhere
	ended 0
	fails "job 6: no report of it in this directory, nor in $WORK/home: it ended just now: its report comes in a moment" "$STINT" report 6
	ended 3600 ', "completing": true'
	fails "it ended just now: its report comes in a moment, unless it ran with --stint=off" "$STINT" report 6
	ended 60
	fails "If it cannot be written there, it waits on its node, and stintd's log says why." "$STINT" report 6
	slurm_says "echo '{\"job_id\": 6, \"state\": \"FAILED\", \"exit_status\": 1, \"work_dir\": \"$WORK/home\"}'"
	fails "job 6: it never started, so there is no report: FAILED" "$STINT" report 6
	ended 60
	mv "$WORK/home" "$WORK/gone"
	fails "job 6: stint cannot write a report to $WORK/home, where the job ran: it is gone. The report waits on its node, 168 h at most, and comes soon" \
		"$STINT" report 6
	mv "$WORK/gone" "$WORK/home"
}

@test "reports of several users' jobs of one number: Slurm says whose it is; else it is the reader's, or nobody's" {
	reports 4 'r["job"]["uid"] = ('"$(id -u), $(id -u)"', 4242, 4343)[i]'
	"$STINT" report 77 | grep -qx "Tasks with a report: 2"
	slurm_says "echo '{\"job_id\": 77, \"user_id\": 4242, \"state\": \"COMPLETED\", \"node_list\": \"n1\", \"work_dir\": \"$PWD\"}'"
	"$STINT" report 77 | grep -qx "Tasks with a report: 1"
	"$STINT" report 77_2 | grep -qx "Array Job ID: 77_2"
	fails "job 77_3: no report of it in this directory, nor in $PWD" "$STINT" report 77_3
	# nobody must be asked about a job of the reader's own; of an array, others may run or wait
	slurm_says "touch '$PWD/asked'; exit 1"
	rm stint-77_[23].json
	"$STINT" report 77_1 | grep -qx "Array Job ID: 77_1"
	[ ! -e asked ]
	"$STINT" report 77 | grep -qx "Tasks with a report: 2"
	[ -e asked ] && rm asked
	rm stint-*.json
	reports 4 'r["job"]["uid"] = 4242'
	"$STINT" report 77 | grep -qx "Tasks with a report: 4"
	[ -e asked ]
	reports 4 'r["job"]["uid"] = (4242, 4242, 4343, 4343)[i]'
	fails "job 77: jobs of several users with this number have reports here, and Slurm does not say which job is meant: name the file" "$STINT" report 77
	slurm_says 'exit 1'
}

# ---- attempts, components, parts ----

@test "the time for which Slurm suspended a job is told, on the page and in HTML" {
	reports 1 'r["job"].update(id=12, array_job_id=None, array_task_id=None, suspended_s=65.4); n = "stint-12.json"'
	"$STINT" report 12 | grep -q "^Suspended by Slurm: 00:01:05 of that, which is not part of the job's time"
	"$STINT" report --html=page.html 12
	grep -q 'Suspended by Slurm.*00:01:05' page.html
	reports 1 'r["job"].update(id=12, array_job_id=None, array_task_id=None); n = "stint-12.json"'
	run "$STINT" report 12
	[[ $output != *Suspended* ]]
}

@test "a requeued job: a line for each earlier attempt above the page, and each by its number" {
	reports 3 'r["job"].update(id=12, array_job_id=None, array_task_id=None, attempt=i + 1, elapsed_s=100.0 * (i + 1),
    start=f"2025-11-20T22:3{i}:00.000+00:00")
if i < 2: r["job"].update(state="REQUEUED", reason="NodeDown")
if i == 1: del r["job"]["start"]
n = "stint-12.json" if i == 2 else f"stint-12.attempt-{i + 1}.json"'
	run "$STINT" report 12
	echo "$output"
	[[ ${lines[0]} == "Attempt 1: REQUEUED, NodeDown, after 00:01:40, begun 2025-11-20T22:30:00" ]]
	[[ ${lines[1]} == "Attempt 2: REQUEUED, NodeDown, after 00:03:20" ]]
	[ "$(grep -c '^Job ID: 12$' <<<"$output")" -eq 1 ]
	[[ $output == *"Job Wall-clock time: 00:05:00"* ]]
	run "$STINT" report --attempt 2 12
	[ "$(grep -c '^Job ID: 12$' <<<"$output")" -eq 1 ]
	[[ $output == *"Job Wall-clock time: 00:03:20"* && $output != "Attempt 1"* ]]
	[ "$("$STINT" report --json --attempt 1 12 | python 'print(json.load(sys.stdin)["job"]["attempt"])')" -eq 1 ]
	[ "$("$STINT" report --json 12 | python 'print(json.load(sys.stdin)["job"]["attempt"])')" -eq 3 ]
	fails "job 12: no report of attempt 7" "$STINT" report --attempt 7 12
	[ "$("$STINT" report --table . | grep -c 'attempt [123]')" -eq 3 ]
	run "$STINT" report --attempt 0 12
	[ "$status" -eq 2 ]
}

@test "an array's requeued task counts once" {
	reports 3 'r["job"]["attempt"] = 1
if i == 2: r["job"].update(id=1001, array_task_id=1, attempt=2); n = "stint-77_1.json"
if i == 1: n = "stint-77_1.attempt-1.json"'
	run "$STINT" report 77
	echo "$output"
	[[ $output == *$'\n'"Tasks with a report: 2"$'\n'"Requeued: 1 of them"* ]]
	[ "$(grep -c '^77_1 ' <<<"$output")" -eq 1 ]
}

@test "an array's tasks are found where the site's output names none" {
	reports 3 'n = f"a.task-{i}.json"'
	for pattern in a.json %x.json; do
		echo "output = $pattern" >conf
		"$STINT" report --config conf 77_1 | grep -qx "Array Job ID: 77_1"
		run "$STINT" report --config conf 77
		[[ $output == *$'\n'"Tasks with a report: 3"$'\n'* ]]
		[ "$("$STINT" report --config conf --csv . | wc -l)" -eq 4 ]
	done
	cp a.task-0.json 'a*.json'
	echo 'output = a*.json' >conf
	[ "$("$STINT" report --config conf --csv . | wc -l)" -eq 2 ]
}

@test "a task is found by its job's number among many, wherever in its report the number stands" {
	# the gaps of a job that lacks very many nodes stand before it
	reports 300 'if i == 250: r["gaps"] += [{"name": "node n%05d" % k, "reason": "its record did not come"} for k in range(3000)]
if i == 251: r = {k: r[k] for k in sorted(r)}'
	[ "$(stat --format=%s stint-77_250.json)" -gt 200000 ]
	for job in 1000 1100 1250 1251 1299; do
		[ "$("$STINT" report --json "$job" | jq .job.id)" -eq "$job" ]
	done
	run ! "$STINT" report --json 12
}

@test "a heterogeneous job shows its components, and each by JOB+COMPONENT" {
	reports 4 'r["job"].update(id=20 + i, array_job_id=None, array_task_id=None)
n = f"stint-{20 + i}.json"
if i < 3: r["job"].update(het_job_id=20, het_job_offset=i)'
	run "$STINT" report 20
	echo "$output"
	[ "${lines[0]}" = "Heterogeneous job 20 align: all 3 components completed" ]
	[ "${lines[1]}" = "Heterogeneous Job ID: 20" ]
	[[ $output == *$'\n'"Components with a report: 3"$'\n'* ]]
	[ "$(grep -c '^20+[012] ' <<<"$output")" -eq 3 ]
	[[ $output != *"#SBATCH"* ]] # they ask for different things
	"$STINT" report 20+2 | grep -qx 'Job ID: 22'
	"$STINT" report 22 | grep -qx 'Job ID: 22'
	fails "job 20+3: " "$STINT" report 20+3
}

@test "the page of several nodes says which did most, least, and nothing" {
	reports 1 'one = r["nodes"][0]; r["nodes"] = []
for k, cpu, processes in (("n1", 30.0, 5), ("n2", 6.0, 3), ("n3", 0.0, 0), ("n4", None, 0)):
    node = json.loads(json.dumps(one)); node["name"] = k; node["used"].update(cpu_s=cpu, processes=processes)
    if cpu is None: del node["used"]["cpu_s"]; del node["used"]["processes"]
    r["nodes"].append(node)'
	run "$STINT" report stint-77_0.json
	echo "$output"
	[[ $output == *$'\n'"CPU time by node: n1 most, 30.0 s, 2.5 x the mean; n3 least, 0.000 s"$'\n'* ]]
	[[ $output == *$'\n'"Did nothing: n3: no process of the job's ran there"* ]]
}

@test "the parts that a job's nodes left are merged when the job is shown" {
	part() { # NODE [SUFFIX]
		python3 - "$SOURCE/tests/data/record-two-$1.json" "$SOURCE/tests/data/slurm-two.json" \
			>".stint-77.1.$1.${2:-part}" <<-'END'
			import json, sys
			record, slurm = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
			print(json.dumps({**record, "slurm_job": slurm}))
		END
	}
	# nothing proves the parts here
	echo "munge_socket = $PWD/no-munge" >conf
	slurm_says 'case $1 in --expand) echo "[\"n1\", \"n2\"]" ;; *) exit 1 ;; esac'
	part n2
	run "$STINT" report --config conf 77
	echo "$output"
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "Built just now from the records of the job's nodes, because no report file has the whole job" ]
	[[ $output == *"NOT COMPLETE"*"n1"* ]]
	part n1 lead
	"$STINT" report --config conf --json 77 >whole.json
	python 'r = json.load(open("whole.json"))
records = [json.load(open(path)) for path in sys.argv[1:]]
assert [g["reason"][:23] for g in r["gaps"]] == [f"{n}: nothing proves that" for n in ("n1", "n2")], r["gaps"]
assert r["complete"] and [n["name"] for n in r["nodes"]] == ["n1", "n2"], r["nodes"]
assert abs(r["used"]["cpu_s"] - sum(x["totals"]["cpu_ns"] for x in records) / 1e9) < 1e-3
assert r["used"]["processes"] == sum(x["totals"]["processes"] for x in records)' \
		"$SOURCE/tests/data/record-two-n1.json" "$SOURCE/tests/data/record-two-n2.json"
	# the same from elsewhere, where another process merges them
	slurm_says "case \$1 in --expand) echo '[\"n1\", \"n2\"]' ;; *) echo '{\"job_id\": 77, \"user_id\": 1000, \"state\": \"COMPLETED\", \"node_list\": \"n[1-2]\", \"work_dir\": \"$PWD\"}' ;; esac"
	mkdir elsewhere
	(cd elsewhere && "$STINT" report --config ../conf --json 77) | cmp - whole.json
	slurm_says 'case $1 in --expand) echo "[\"n1\", \"n2\"]" ;; *) exit 1 ;; esac'
	# a report that lacks a node which left a part; and one that lacks none
	python3 -c 'import json; r = json.load(open("whole.json")); r["complete"] = False
r["nodes"][1] = {"name": "n2", "complete": False, "gaps": []}; r["gaps"] = [{"name": "nodes", "reason": "n2: late"}]
json.dump(r, open("stint-77.json", "w"))'
	"$STINT" report --config conf --json 77 | cmp - whole.json
	"$STINT" report --config conf --json . | cmp - whole.json
	[[ $("$STINT" report --config conf stint-77.json) == "Built just now from"* ]]
	mv whole.json stint-77.json
	[[ $("$STINT" report --config conf 77) == "Job 77 "* ]]
	# without the leading node's part there is no more than the report has
	rm .stint-77.1.n1.lead stint-77.json
	echo damaged >.stint-77.1.n2.part
	fails "job 77: " "$STINT" report --config conf 77
}
