#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests stint compare: its sentence, its table, and what it says if nothing differs or nothing is known. STINT_GOLDEN=write renews the
# golden files: look at them before you keep them.
# shellcheck disable=SC2154,SC2164

setup_file() {
	export SOURCE STINT DATA A B
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	DATA=$SOURCE/tests/data/compare
	A=$DATA/a.json B=$DATA/b.json
	export LC_ALL=C.UTF-8 TZ=UTC0
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
}

golden() { # NAME ARGUMENT... : what is printed is $DATA/NAME.txt
	local name=$1
	shift
	[ "${STINT_GOLDEN:-}" != write ] || "$STINT" compare "$@" "$A" "$B" >"$DATA/$name.txt"
	"$STINT" compare "$@" "$A" "$B" | diff -u "$DATA/$name.txt" -
}

narrow() { # COLUMNS : no line of the standard input is wider. Not by awk: mawk counts bytes
	local widest

	widest=$(LC_ALL=C.UTF-8 wc -L)
	[ "$widest" -gt 0 ] && [ "$widest" -le "$1" ]
}

patched() { # FILE EXPRESSION [FROM] : $A, or FROM, changed by python
	python3 -c "
import json
report = json.load(open('${3:-$A}'))
job, used, states, tools = (report[name] for name in ('job', 'used', 'states', 'tools'))
$2
json.dump(report, open('$1', 'w'))"
}

says() { # TEXT : in the output, however the lines break
	local all

	all=$(tr -s ' \n' ' ' <<<"$output")
	[[ $all == *"$1"* ]] || {
		echo "it does not say: $1"
		echo "$output"
		return 1
	}
}

# Makes an array of tasks from $A: EXPRESSION uses the index i and a random generator r.
array() { # ID TASKS EXPRESSION
	python3 -c "
import copy, json, random
base = json.load(open('$A'))
r = random.Random($1)
for i in range($2):
    report = copy.deepcopy(base)
    job, used, states = (report[name] for name in ('job', 'used', 'states'))
    job.update(id=$1 * 100 + i, array_job_id=$1, array_task_id=i, name='sweep')
    $3
    json.dump(report, open('stint-$1_%d.json' % i, 'w'))"
}

@test "the page at several widths, in UTF-8 and in ASCII" {
	local width

	for width in 60 80 120; do
		golden "job-$width" --width=$width
		LC_ALL=C golden "job-$width-ascii" --width=$width
		"$STINT" compare --width=$width "$A" "$B" | narrow $width
	done
	golden all --all
	[ "$("$STINT" compare --color=always "$A" "$B" | sed 's/\x1b\[[0-9;]*m//g' | LC_ALL=C grep -c '[[:cntrl:]]')" -eq 0 ]
}

@test "thresholds: a pair of jobs on either side of each, and docs/compare.md has them" {
	python3 "$SOURCE/tests/cli/compare_rules.py" "$STINT" "$A" "$SOURCE/docs/compare.md"
}

@test "the first sentence: longer, shorter, as long, the same, and why" {
	run "$STINT" compare "$A" "$B"
	[ "$status" -eq 0 ]
	says "B took 1 h 12 min, 35 % longer than A: 80 % of that is waiting for nfs4."
	run "$STINT" compare "$B" "$A"
	says "B took 53 min 20 s, 26 % shorter than A: 80 % of that is less waiting for nfs4."
	run "$STINT" compare "$A" "$A"
	[ "$status" -eq 0 ]
	says "No real difference: A took 53 min 20 s, B 53 min 20 s."
	[[ $output != *Tools* ]]
	patched cpu.json "used['cpu_s'] *= 1.5"
	run "$STINT" compare "$A" cpu.json
	says "B took about as long as A (53 min 20 s), and differs in CPU time (+50 %)."
	patched long.json "job['elapsed_s'] *= 3; states['active_s'] += 6400; used['cpu_s'] *= 3"
	run "$STINT" compare "$A" long.json
	says "B did 3.0 times as much CPU work as A, and took 2 h 40 min, 3.0 times as long."
	# a tenth of the work also waits for CPUs a tenth of the time: that is no separate reason
	patched less.json "job['elapsed_s'] *= 0.13; states['active_s'] *= 0.13; used['cpu_s'] *= 0.13; states['runnable_s'] *= 0.13"
	run "$STINT" compare "$A" less.json
	says "B did 87 % less CPU work than A, and took 6 min 56 s, 87 % shorter."
	patched alike.json "job['elapsed_s'] += 1000; states['active_s'] += 1000; used['cpu_s'] *= 1.29"
	run "$STINT" compare "$A" alike.json
	says "31 % longer than A: all of that is work on CPUs."
	patched crowd.json "job['elapsed_s'] += 1000; states['active_s'] += 900; states['runnable_s'] += 3000"
	run "$STINT" compare "$A" crowd.json
	says "90 % of that is waiting for CPUs."
	# the time at work is both: the shares add up, and none of them is all
	patched both.json "job['elapsed_s'] += 1000; states['active_s'] += 1000; used['cpu_s'] += 380; states['runnable_s'] += 620"
	run "$STINT" compare "$A" both.json
	says "31 % longer than A: 62 % of that is waiting for CPUs, and 38 % work on CPUs."
	run "$STINT" compare both.json "$A"
	says "24 % shorter than A: 62 % of that is less waiting for CPUs, and 38 % less work on CPUs."
	patched most.json "job['elapsed_s'] += 1000; states['active_s'] += 900; used['cpu_s'] += 2000; states['runnable_s'] += 1000"
	run "$STINT" compare "$A" most.json
	says "31 % longer than A: 60 % of that is work on CPUs, and 30 % waiting for CPUs."
	# the same work by fewer threads at once: their short waits are no reason
	patched fewer.json "job['elapsed_s'] += 1000; states['active_s'] += 1000; states['runnable_s'] += 20"
	run "$STINT" compare "$A" fewer.json
	says "31 % longer than A: all of that is work on CPUs."
	says "Time at work: a thread computed, or waited for a CPU"
	# older reports do not distinguish waits for work from locks; a newer one does
	patched work.json "job['elapsed_s'] += 1000; states['bound']['condition_s'] = 1000"
	patched nowork.json "states['bound']['condition_s'] = 0"
	run -0 "$STINT" compare nowork.json work.json
	says "all of that is waiting for other threads."
	run -0 "$STINT" compare "$A" work.json
	says "Not known: wait: other threads: the report does not have it"
	patched none.json "job['elapsed_s'] += 1000; states['bound']['lock_s'] += 200; states['bound']['pipe_s'] += 250"
	run "$STINT" compare "$A" none.json
	says "31 % longer than A, for no one reason."
}

@test "tools: new, gone, slower, more runs, more failures; Slurm's own are left out" {
	"$STINT" compare --json "$A" "$B" >tools.json
	python3 - <<-'END'
		import json
		found = {tool["name"]: tool["changes"] for tool in json.load(open("tools.json"))["tools"]}
		assert found == {"fastp": ["gone"], "trim\u001b[31m.sh": ["new"], "bwa": ["slower"],
		                 "samtools": ["more-failures", "more-runs"]}, found
	END
	# the batch script is one tool, whatever its name
	patched one.json "tools.append(dict(name='v1.sh', interpreter='bash', path='/spool/job1/slurm_script', runs=1, failures=0, wall_s=9.0, cpu_s=2.0))"
	patched two.json "tools.append(dict(name='v2.sh', interpreter='bash', path='/spool/job2/slurm_script', runs=1, failures=1, wall_s=9.0, cpu_s=2.0))"
	[[ $("$STINT" compare --json one.json two.json |
		python3 -c 'import json, sys; print([tool["changes"] for tool in json.load(sys.stdin)["tools"]])') == "[['more-failures']]" ]]
	patched slow.json "tools[0]['wall_s'] *= 1.101"
	"$STINT" compare "$A" slow.json | grep -q "  bwa .*slower$"
	"$STINT" compare --width=60 "$A" slow.json | grep -q "^Tools.* Wall" # which shows it, however narrow the page is
	patched slow.json "tools[0]['wall_s'] *= 1.099"
	[ "$("$STINT" compare "$A" slow.json | grep -c "  bwa ")" -eq 0 ]
	patched cpu.json "tools[1]['cpu_s'] *= 0.89"
	"$STINT" compare "$A" cpu.json | grep -q "  samtools .*less CPU$"
	patched runs.json "tools[2]['runs'] = 2; tools[2]['wall_s'] *= 2"
	"$STINT" compare "$A" runs.json | grep -q "  fastp .*more runs$"
	patched failed.json "tools[3]['failures'] = 1"
	"$STINT" compare "$A" failed.json | grep -q "plot.py.*more failures$"
}

@test "unknown values are named, with the reason, and never count as 0" {
	patched gap.json "del used['read_bytes'], states['bound'], states['active_s']
report['gaps'] = [{'name': 'used.read_bytes', 'reason': 'no task accounting'}, {'name': 'states.some', 'reason': 'not followed'}]"
	run "$STINT" compare "$A" gap.json
	says "No real difference in what is known"
	says "Not known: storage read: no task accounting"
	says "Not known: time at work, wait: memory, wait: page faults, wait: files,"
	says "wait: other: not followed"
	patched longer.json "job['elapsed_s'] *= 2" gap.json
	run "$STINT" compare "$A" longer.json
	says "2.0 times as long as A; why is not known."
	patched bare.json "del job['elapsed_s']"
	run "$STINT" compare "$A" bare.json
	says "How long they took is not known: the report does not have it."
}

@test "a job that was counted only in part is not compared as a whole" {
	patched part.json "report['complete'] = False; used['cpu_s'] = 5.0; tools.clear()
report['gaps'] = [{'name': 'nodes', 'reason': 'n2 sent nothing'}]"
	run "$STINT" compare "$A" part.json
	echo "$output"
	[ "$status" -eq 0 ]
	says "B cannot be compared as a whole, because not all of it was counted: n2 sent nothing."
	grep -q "CPU time .*in part$" <<<"$output"
	[ "$(grep -c "worse$\|better$\|gone$" <<<"$output")" -eq 0 ]
	# complete reports also have gaps, which are not the reason
	patched part.json "report['complete'] = False
report['gaps'] = [{'name': 'files', 'reason': 'files = off'}, {'name': 'used', 'reason': 'one of its steps is not counted'}]"
	run "$STINT" compare "$A" part.json
	says "B cannot be compared as a whole, because not all of it was counted: one of its steps is not counted."
	patched part.json "report.update(complete=False, so_far=True); report['gaps'] = [{'name': 'files', 'reason': 'files = off'}]"
	run "$STINT" compare "$A" part.json
	says "B cannot be compared as a whole, because not all of it was counted: it is still running."
}

@test "different numbers of CPUs: times differ, and are neither better nor worse" {
	patched eight.json "report['requested']['cpus'] = report['allocated']['cpus'] = 8; job['elapsed_s'] = 1800.0
used['cpu_efficiency'] = 0.66; states['active_s'] = 1400.0"
	run "$STINT" compare "$A" eight.json
	says "B took 30 min, 44 % shorter than A, with 8 CPUs for 4: 93 % of that is less work on CPUs."
	says "They did not ask for the same number of CPUs"
	grep -q "elapsed .*differs$" <<<"$output"
	grep -q "CPU efficiency .*-9.0 points *worse$" <<<"$output"
	patched killed.json "job['state'] = 'TIMEOUT'"
	run "$STINT" compare "$A" killed.json
	says "A ended as COMPLETED and B as TIMEOUT, so they may not have done the same work."
}

@test "arrays of the same indices are compared task by task" {
	array 10 20 "job['elapsed_s'] = 100.0 * (i + 1) + r.random()"
	array 11 20 "job['elapsed_s'] = 120.0 * (i + 1) + r.random(); states['bound']['lock_s'] += 18.0 * (i + 1)"
	run "$STINT" compare 10 11
	echo "$output"
	[ "$status" -eq 0 ]
	# the distributions mostly overlap: 100 to 2000 s, and 120 to 2400 s
	says "20 of the same index, compared one by one: 20 took longer in B, 0 shorter, 0 as long."
	says "longer than A: 90 % of that is waiting for locks."
	says "A: array 10 (sweep), 20 tasks, 20 COMPLETED"
	run "$STINT" compare 10 10
	says "No real difference"
}

@test "arrays of different sizes are compared as distributions, by rank" {
	array 20 30 "job['elapsed_s'] = 1000 + 300 * r.random()"
	array 21 12 "job['elapsed_s'] = 1000 + 300 * r.random(); job['array_task_id'] += 500"
	array 22 12 "job['elapsed_s'] = 1200 + 300 * r.random(); job['array_task_id'] += 500"
	run "$STINT" compare 20 21
	says "No real difference"
	run "$STINT" compare 20 22
	echo "$output"
	says "30 and 12, compared as two distributions; values are medians."
	says "a task, 1"
	"$STINT" compare --json 20 22 >ranks.json
	# the same, computed from the reports by the formula
	python3 - <<-'END'
		import glob, json, math
		samples = [[json.load(open(p))["job"]["elapsed_s"] for p in glob.glob("stint-%d_*.json" % n)] for n in (20, 22)]
		a, b = samples
		u = sum((x > y) + (x == y) / 2 for x in a for y in b)
		z = (abs(u - len(a) * len(b) / 2) - 0.5) / math.sqrt(len(a) * len(b) * (len(a) + len(b) + 1) / 12)
		line = json.load(open("ranks.json"))["quantities"][0]
		median = lambda v: (sorted(v)[(len(v) - 1) // 2] + sorted(v)[len(v) // 2]) / 2
		assert abs(line["chance"] - math.erfc(z / math.sqrt(2))) < 1e-9, (line, z)
		assert abs(line["a"] - median(a)) < 1e-9 and abs(line["b"] - median(b)) < 1e-9, line
		assert line["result"] == "worse" and line["a_low"] < line["a"] < line["a_high"], line
	END
	array 23 3 "job['elapsed_s'] = 2000.0"
	run "$STINT" compare 20 23
	says "30 and 3: too few to distinguish change from chance"
}

@test "tasks that were counted only in part are left out, and their number is shown" {
	array 30 12 "report['complete'] = i > 2; job['elapsed_s'] = 100.0 if i > 2 else 5.0"
	run "$STINT" compare 30 30
	echo "$output"
	says "3 tasks of A were not counted to the end, and are left out"
	says "A took 1 min 40 s, B 1 min 40 s (medians of their tasks)"
}

@test "a command line that makes no sense gives one line" {
	fails() { # STATUS TEXT ARGUMENT...
		local expected=$1 text=$2
		shift 2
		run --separate-stderr "$STINT" compare "$@"
		echo "status $status, stdout: $output, stderr: $stderr"
		[ "$status" -eq "$expected" ]
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == *"$text"* ]]
	}
	fails 2 "which two JOBs or FILEs?"
	fails 2 "which two JOBs or FILEs?" "$A"
	fails 2 "only two JOBs or FILEs" "$A" "$B" "$A"
	fails 1 "nothing.json: No such file" "$A" nothing.json
	echo '{' >cut.json
	run --separate-stderr "$STINT" compare "$A" cut.json
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[[ $stderr == *"cut.json:2:1: damaged JSON"* ]]
	# its begin is as stint writes it, which is enough for a row
	python3 - "$SOURCE/tests/data/report-pipeline.json" >broken.json <<-'END'
		import sys
		text = open(sys.argv[1], encoding="utf-8").read()
		print(text.replace('"steps": [', '"steps": [ !', 1), end="")
	END
	fails 1 "broken.json:$(grep -n '"steps": \[' broken.json | cut -d: -f1):13: damaged JSON: unexpected character" "$A" broken.json
	sed 's/"lost": {/"lost_not": {/' "$SOURCE/tests/data/report-pipeline.json" >lost.json
	fails 1 'lost.json: a damaged report: "lost" is not an object' "$A" lost.json
}

@test "another user's file is compared as one of which not all is known" {
	[ "$(id -u)" -eq 0 ] || skip "only root can make another user's file"
	patched others.json "report['gaps'] = []; job['uid'] = 1000"
	chown 4242 others.json
	run "$STINT" compare "$A" others.json
	[ "$status" -eq 0 ]
	says "B cannot be compared as a whole, because not all of it was counted: the file belongs to uid 4242, and not to the job's user"
	"$STINT" compare --json "$A" others.json | jq -e '.b.tasks_incomplete == 1 and .b.tasks_compared == 1' >/dev/null
	chown 1000 others.json
	run "$STINT" compare "$A" others.json
	[[ $output != *"not all of it was counted"* ]]
}

# A forged report can have as many tools as fit into it. Comparing each one with all others would take a minute.
@test "a report of 30,000 tools takes as long as it takes to read" {
	patched many.json 'report["tools"] = [dict(tools[0], name="tool%d" % i) for i in range(30000)]'
	(ulimit -t 8 && "$STINT" compare "$A" many.json >out.txt)
	grep -q "and .* more: --all" out.txt
	"$STINT" compare --json many.json many.json | jq -e '.tools == []' >/dev/null
}
