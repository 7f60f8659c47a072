#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests stint timeline: the picture at several widths in UTF-8 and ASCII, its parts, and the trace.
# STINT_GOLDEN=write renews the pictures: look at them before you keep them.
# shellcheck disable=SC2154

setup_file() {
	export SOURCE STINT DATA
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	DATA=$SOURCE/tests/data/timeline
	export LC_ALL=C.UTF-8 TZ=UTC0
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
}

golden() { # NAME ARGUMENT... : what is printed is $DATA/NAME.txt
	local name=$1
	shift
	[ "${STINT_GOLDEN:-}" != write ] || "$STINT" timeline "$DATA/report.json" "$@" >"$DATA/$name.txt"
	"$STINT" timeline "$DATA/report.json" "$@" | diff -u "$DATA/$name.txt" -
}

narrow() { # COLUMNS : no line of the standard input is wider. Not by awk: mawk counts bytes
	local widest

	widest=$(LC_ALL=C.UTF-8 wc -L)
	[ "$widest" -gt 0 ] && [ "$widest" -le "$1" ]
}

patched() { # EXPRESSION FILE : the report, changed by python
	python3 -c "
import json, sys
report = json.load(open('$DATA/report.json'))
$1
json.dump(report, open('$2', 'w'))"
}

@test "the title has the elapsed time that all pages have, though the picture begins with a whole second" {
	title() { # TEXT : in the output
		patched "report['job'].update(start='2026-11-20T22:34:59.300+00:00', elapsed_s=$1)" title.json
		"$STINT" timeline title.json | head -1
	}
	[[ $(title 130.1) == *": 00:02:10 from 2026-11-20 22:34:59"* ]]
	# it was suspended
	[[ $(title 100) == *": 00:02:11 from "* ]]
}

@test "the picture at 60, 80 and 130 columns, in UTF-8 and in ASCII" {
	local width

	for width in 60 80 130; do
		golden "tool-$width" --width=$width
		"$STINT" timeline --width=$width "$DATA/report.json" | narrow $width
		LC_ALL=C golden "tool-$width-ascii" --width=$width
	done
	[ "$(LC_ALL=C "$STINT" timeline "$DATA/report.json" | LC_ALL=C grep -c '[^ -~]')" -eq 0 ]
}

@test "by step, by process, and a part of it" {
	golden step --by=step --all
	golden process --by=process --width=130
	golden part --from=1m20s --to 1:40
	diff <("$STINT" timeline --from=80 --to=100s "$DATA/report.json") "$DATA/part.txt"
}

@test "colour only where it is asked for, and no control character from the report" {
	local colour

	colour=$("$STINT" timeline --color=always "$DATA/report.json")
	[[ $colour == *$'\033['*m×* ]]
	[[ $colour == *'plot\x1b[31m'* ]]
	diff <(sed -e 's/\x1b\[[0-9;]*m//g' -e 's/┊/ /g' <<<"$colour") "$DATA/tool-80.txt"
	[ "$("$STINT" timeline "$DATA/report.json" | tr -d '\n' | LC_ALL=C grep -c '[[:cntrl:]]')" -eq 0 ]
}

@test "the number of rows is bounded: those that ran longest, and how many more" {
	patched "
entry = report['timeline'][3]
report['timeline'] += [dict(entry, tool='t%03d' % i, pid=5000 + i, wall_s=0.001 * i) for i in range(200)]
report['timeline'].sort(key=lambda e: e['start'])" many.json
	run "$STINT" timeline many.json
	echo "$output"
	[[ $output == *"  t199 "* ]]
	[[ $output != *"  t100 "* ]]
	[[ $output =~ and\ 196\ more\ tools\ with\ 4\.7%\ of\ the\ time ]]
	[ "$("$STINT" timeline --all many.json | grep -c '^  t[0-9][0-9][0-9] ')" -eq 200 ]
}

@test "a job without a timeline says why, and still shows what was used over time" {
	patched "report.update(mode='summary', timeline=[])" summary.json
	run --separate-stderr "$STINT" timeline summary.json
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"No timeline: the job was counted in mode summary"* ]]
	[[ $output == *"CPU cores"* ]]
	run --separate-stderr "$STINT" timeline --trace=summary.trace summary.json
	[ "$status" -eq 0 ]
	[[ $stderr == *"mode summary"* ]]
	python3 "$SOURCE/tests/cli/trace_check" summary.json summary.trace
	patched "report.update(timeline=[], series=[], complete=False); report['job'] = {'id': 1};
report['gaps'] = [{'name': 'timeline', 'reason': 'all of it is lost'}]" lost.json
	run "$STINT" timeline lost.json
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"NOT COMPLETE"* ]]
	[[ $output == *"all of it is lost"* ]]
}

@test "the trace is what the format and Perfetto want, and has what the report has" {
	"$STINT" timeline --trace=t.json "$DATA/report.json"
	python3 "$SOURCE/tests/cli/trace_check" "$DATA/report.json" t.json
	"$STINT" timeline --trace=- "$DATA/report.json" | cmp - t.json
	# the check itself can fail
	sed 's/"dur":20250000/"dur":20250001/' t.json >longer.json
	run python3 "$SOURCE/tests/cli/trace_check" "$DATA/report.json" longer.json
	[[ $status -ne 0 && $output == *"lasts otherwise"* ]]
	sed '/sha256sum.*"ts":95000000/s/"tid":[0-9]*/"tid":4194306/; /gzip/s/"tid":[0-9]*/"tid":4194306/' t.json >overlap.json
	run python3 "$SOURCE/tests/cli/trace_check" "$DATA/report.json" overlap.json
	[[ $status -ne 0 && $output == *"overlaps in part"* ]]
}

@test "the same process id on two nodes, and one used twice at once, have lanes of their own" {
	patched "
twice = dict(next(e for e in report['timeline'] if e['tool'] == 'bwa'), wall_s=70.0)
report['timeline'].insert(4, dict(twice, tool='tail'))" twice.json
	"$STINT" timeline --trace=t.json twice.json
	run python3 - t.json <<-'END'
		import json, sys
		spans = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "X" and e["args"].get("pid") == 1001]
		print(sorted({(e["pid"], e["tid"] == 1001) for e in spans}), len({(e["pid"], e["tid"]) for e in spans}))
	END
	echo "$output"
	[ "$output" = "[(1, False), (1, True), (2, False)] 3" ]
}

fails() { # STATUS TEXT ARGUMENT...
	local expected=$1 text=$2
	shift 2
	run --separate-stderr "$STINT" timeline "$@"
	echo "status $status, stdout: $output, stderr: $stderr"
	[ "$status" -eq "$expected" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"$text"* ]]
}

@test "a command line that makes no sense gives one line" {
	fails 2 "which JOB or FILE"
	fails 2 "only one JOB or FILE" a b
	fails 2 "tool, step, process or container" --by=node "$DATA/report.json"
	for time in x 1x -5 1e9 1m30q 1:2:3:4 : 1. 1..2s 99999999999; do
		[ "$time" = 1. ] || fails 2 "--from=$time" --from="$time" "$DATA/report.json"
	done
	fails 2 "--to is not after --from" --from=10 --to=5 "$DATA/report.json"
	fails 1 "after the job's end: it took 2m10s" --from=1h "$DATA/report.json"
	fails 1 "/nonexistent/t: No such file" --trace=/nonexistent/t "$DATA/report.json"
	fails 1 "/dev/full: not a plain file" --trace=/dev/full "$DATA/report.json"
	fails 1 "nothing.json: No such file" nothing.json
	patched "report['job'].update(array_job_id=7, array_task_id=1)" stint-7_1.json
	patched "report['job'].update(id=4712, array_job_id=7, array_task_id=2)" stint-7_2.json
	fails 1 "these are 2 jobs, but a timeline shows one: name one job, such as 7_1," 7
	"$STINT" timeline 7_2 | head -n 1 | grep -q "^Job 4712, 7_2 (align): "
}

@test "a job that has only its nodes' parts has a timeline and a trace, and can be compared" {
	mkdir libexec
	echo "munge_socket = $PWD/no-munge" >conf
	printf '#!/bin/sh\necho "[\\"n1\\", \\"n2\\"]"\n' >libexec/stint-slurm-job
	chmod +x libexec/stint-slurm-job
	export STINT_LIBEXEC=$PWD/libexec
	for node in n1 n2; do
		python3 - "$SOURCE/tests/data/record-two-$node.json" "$SOURCE/tests/data/slurm-two.json" \
			>".stint-77.1.$node.part" <<-'END'
			import json, sys
			record, slurm = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
			print(json.dumps({**record, "slurm_job": slurm}))
		END
	done
	run "$STINT" timeline --config conf 77
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == "Job 77"* && $output == *$'\nn2\n'* ]]
	"$STINT" report --config conf --json 77 >whole.json
	"$STINT" timeline --config conf --trace=t.json 77
	python3 "$SOURCE/tests/cli/trace_check" whole.json t.json
	"$STINT" compare --config conf 77 77 | head -n 1 | grep -q "^No real difference"
}

@test "runs, failures and CPU time are the tool's own; forks are no runs, dismissed runs have not failed, and living ones are marked" {
	patched "
del report['nodes'][1:], report['series'][:]
run = dict(node=report['nodes'][0]['name'], step='batch', start='2026-11-20T22:35:10.000+00:00', end='2026-11-20T22:35:20.000+00:00')
report['timeline'] = [
    dict(run, tool='srun', pid=1, wall_s=10, cpu_s=0.5, exit_code=0),
    dict(run, tool='srun', pid=2, ppid=1, wall_s=10, cpu_s=0.25, forked=True, failures=1, signal=9),
    dict(run, tool='seq', pid=3, wall_s=10, cpu_s=1, dismissed=True, failures=1, signal=13),
    dict({name: value for name, value in run.items() if name != 'end'}, tool='alive', pid=4, wall_s=30, cpu_s=3, living=True)]
report['tools'] = [dict(name='srun', runs=1, forks=1, failures=0, wall_s=10, cpu_s=2.24),
                   dict(name='seq', runs=1, failures=0, dismissed=1, wall_s=10, cpu_s=1),
                   dict(name='alive', runs=1, failures=0, wall_s=30, cpu_s=3, living=1)]" own.json
	run "$STINT" timeline own.json
	echo "$output"
	[[ $output =~ $'\n'"  srun "[^$'\n']*" 1    2.24 s"$'\n' ]]
	[[ $output =~ $'\n'"  seq "[^$'\n']*" 1    1.00 s"$'\n' ]]
	[[ $output =~ $'\n'"  alive "[^$'\n']*"▶ "[^$'\n']*" 1    3.00 s"$'\n' ]]
	[[ $output == *"▶ still running"* && $output != *"×"* && $output != *Failed* ]]
	jq '.timeline[].failures = 0 | .oom = []' own.json >living.json # as today's reports have it
	"$STINT" timeline --trace=living.trace living.json
	python3 "$SOURCE/tests/cli/trace_check" living.json living.trace
	# By process, the numbers are those of what is drawn, and a line names what they lack.
	run "$STINT" timeline --by=process own.json
	[[ $output == *"CPU: the runs drawn used 4.75 s of the tools' 6.24 s"* ]]
}
