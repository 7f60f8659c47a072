#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests stint report --by rule against the reports' own JSON, which Python reads.
# shellcheck disable=SC2016

setup_file() {
	export STINT
	STINT=${STINT:-$PWD/reports/stint}
	export LC_ALL=C.UTF-8
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
}

# Makes reports 0 to COUNT - 1. PYTHON changes the report r with the number i.
reports() { # COUNT PYTHON
	python3 - "$1" "$2" <<-'END'
		import json, sys
		GIB = 1 << 30
		def rule(name, wildcards): r["job"]["workflow"] = {"engine": "snakemake", "rule": name, "wildcards": wildcards}
		def process(name, tag): r["job"]["workflow"] = {"engine": "nextflow", "process": name, "tag": tag}
		for i in range(int(sys.argv[1])):
		    used = (i + 1) * GIB // 4
		    r = {"schema": "stint-report/1", "complete": True, "gaps": [], "lost": {},
		         "job": {"id": 100 + i, "array_job_id": None, "array_task_id": None, "attempt": 1, "name": "x",
		                 "state": "COMPLETED", "exit_code": 0, "start": f"2026-11-20T10:{i:02}:00.000+00:00",
		                 "elapsed_s": 600.5 + 100 * i * i},
		         "requested": {"nodes": 1, "memory_bytes": 32 * GIB, "memory_source": "per node", "time_limit_s": 86400},
		         "allocated": {"cpus": 4},
		         "used": {"cpu_s": 100, "cpu_efficiency": 0.1 + i / 100, "memory_used_peak_bytes": used,
		                  "memory_used_peak_upper_bytes": used, "memory_efficiency": used / (32 * GIB)},
		         "verdict": {"bound": "cpu"}, "findings": [], "advice": [], "tools": [], "timeline": [],
		         "steps": [], "nodes": []}
		    exec(sys.argv[2])
		    json.dump(r, open(f"stint-{100 + i}.json", "w"))
	END
}

@test "each rule's jobs, in the order of the first job, with the median and maximum of what they used" {
	reports 9 'rule("sort" if i % 3 else "align", f"S{i}")
if i == 4: r["job"].update(state="FAILED", exit_code=1)
if i == 5: del r["used"]["cpu_efficiency"]
if i == 8: del r["job"]["workflow"]'
	"$STINT" report --by rule --json . >table.json
	cat table.json
	python3 - <<-'END'
		import glob, json, statistics
		units = {}
		for path in sorted(glob.glob("stint-*.json")):
		    r = json.load(open(path))
		    if "workflow" in r["job"]:
		        units.setdefault(r["job"]["workflow"]["rule"], []).append(r)
		table = json.load(open("table.json"))
		assert [line["name"] for line in table] == list(units) == ["align", "sort"]
		for line in table:
		    jobs = units[line["name"]]
		    assert (line["engine"], line["kind"], line["jobs"]) == ("snakemake", "rule", len(jobs))
		    assert line["not_completed"] == sum(r["job"]["state"] != "COMPLETED" for r in jobs)
		    for name, values in (
		        ("elapsed_{}_s", [r["job"]["elapsed_s"] for r in jobs]),
		        ("cpu_efficiency_{}", [r["used"]["cpu_efficiency"] for r in jobs if "cpu_efficiency" in r["used"]]),
		        ("memory_efficiency_{}", [r["used"]["memory_efficiency"] for r in jobs]),
		    ):
		        assert abs(line[name.format("median")] - statistics.median(values)) < 1e-6, name
		        assert abs(line[name.format("max")] - max(values)) < 1e-6, name
		    assert line["memory_used_peak_bytes"] == max(r["used"]["memory_used_peak_bytes"] for r in jobs)
	END
	run "$STINT" report --by rule
	echo "$output"
	[ "${lines[0]}" = "Jobs: 9, 1 of no known process or rule" ]
	[[ $output =~ "Snakemake rule"\ +Jobs\ +Failed ]]
	grep -qE '^  align +3 +0 ' <<<"$output"
	grep -qE '^  sort +5 +1 ' <<<"$output"
}

@test "which job of a rule failed, for people and for programs" {
	reports 14 'rule("sort" if i % 3 else "align", f"S{i}")
if i == 4: r["job"].update(state="FAILED", exit_code=1); r["verdict"]["outcome"] = "FAILED: solve (pid 7) ended with exit code 3"
if i == 6: r["job"].update(state="TIMEOUT")
if i == 7: r["job"].update(state="RUNNING"); r["complete"] = False'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *$'\nNot completed: 2\n  106  align (S6): TIMEOUT\n  104  sort (S4): FAILED: solve (pid 7) ended with exit code 3' ]]
	"$STINT" report --by rule --json | jq --compact-output 'map([.name, .not_completed_jobs])' >jobs
	[ "$(cat jobs)" = '[["align",["106"]],["sort",["104"]]]' ]
	reports 14 'rule("sort", "S"); r["job"].update(state="FAILED", exit_code=1)'
	run "$STINT" report --by rule
	[ "$(grep -c '^  1[01][0-9]  sort ' <<<"$output")" -eq 8 ]
	grep -qx "  and 6 more: --all shows all" <<<"$output"
	[ "$("$STINT" report --all --by rule | grep -c '^  1[01][0-9]  sort ')" -eq 14 ]
}

@test "the advice fits the largest and longest job of a rule, as lines for Snakemake" {
	reports 3 'rule("align", f"S{i}")
r["advice"] = [{"line": f"#SBATCH --cpus-per-task={i + 1}", "cpus_per_task": i + 1, "reason": "x"}]'
	run "$STINT" report --by rule
	echo "$output"
	# 1.2 x 768 MiB in steps of 64 MiB; 1.2 x 1000.5 s in steps of 5 minutes; 3 CPUs
	[[ $output == *$'\nrule align:\n    threads: 3\n    resources: mem_mb=960, runtime=25\n    # '* ]]
	[[ $output == *"# The largest, job 102, used 768.0 MiB of 32.0 GiB."* ]]
	[[ $output != *SBATCH* ]]
	run "$STINT" report --by rule --csv
	[[ ${lines[0]} == engine,kind,name,jobs,*,advised_cpus,advised_memory_bytes,advised_time_limit_s$'\r' ]]
	[[ ${lines[1]} == snakemake,rule,align,3,*,3,1006632960,1500$'\r' ]]
}

@test "no less is advised where the work of one job failed, though its script went on" {
	reports 3 'rule("align", f"S{i}")
r["findings"] = [{"code": "work-failed" if i == 1 else "tools-failed", "severity": "warning", "message": "x", "evidence": []}]'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output != *mem_mb* && $output != *runtime* ]]
	reports 3 'rule("align", f"S{i}")
r["findings"] = [{"code": "tools-failed", "severity": "info", "message": "x", "evidence": []}]'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *mem_mb=960,\ runtime=25* ]]
}

@test "the advice leaves the memory that steps of a job need to start, and says so" {
	reports 3 'rule("align", "S")
if i == 1: r["advice"] = [{"line": "#SBATCH --mem=8G", "memory_bytes": 8 * GIB, "reason": "x"}]'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *$'\n    resources: mem_mb=8192, runtime=25\n'* ]]
	[[ $(tr -s '# \n' ' ' <<<"$output") == *"Job 101 used 512.0 MiB of 32.0 GiB. With less than this, which srun --mem asks for, its steps would not start."* ]]
}

@test "memory is advised in the option that the jobs have, and fewer CPUs only where that leaves them their memory" {
	line='rule("align", "S"); r["requested"].update(memory_source="per cpu", tasks=1)
r["advice"] = [{"line": "#SBATCH --cpus-per-task=1", "cpus_per_task": 1, "reason": "x"}]'
	reports 3 "$line"
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *$'\n    threads: 1\n    resources: mem_mb=960, runtime=25\n'* ]]
	[[ $output == *"It replaces"* ]]
	# all of it was needed: one CPU alone would give a quarter of it
	reports 3 "$line"'
r["requested"]["memory_bytes"] = used'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *$'\n    resources: runtime=25\n'* ]]
	# several tasks may be packed differently next time
	reports 3 "$line"'
r["requested"]["tasks"] = 4'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *$'\n    resources: runtime=25\n'* ]]
	# nobody else can use the remainder of a whole node; but the job can get more than it asked for
	reports 3 'rule("align", "S"); r["allocated"]["exclusive"] = True'
	run "$STINT" report --by rule
	[[ $output == *$'\n    resources: runtime=25\n'* ]]
	reports 3 'rule("align", "S"); r["allocated"]["exclusive"] = True
if i == 2: r["advice"] = [{"line": "#SBATCH --mem=64G", "memory_bytes": 64 * GIB, "reason": "x"}]'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *$'\n    resources: mem_mb=65536, runtime=25\n'* ]]
	# memory that came with used CPUs belongs to them; one of the jobs did not use its CPUs, and could ask for less
	reports 3 'rule("align", "S"); r["requested"]["memory_by_default"] = True'
	run "$STINT" report --by rule
	[[ $output == *$'\n    resources: runtime=25\n'* ]]
	reports 3 'rule("align", "S"); r["requested"]["memory_by_default"] = True
if i == 0: r["advice"] = [{"line": "#SBATCH --mem=512M", "memory_bytes": GIB >> 1, "reason": "x"}]'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *$'\n    resources: mem_mb=960, runtime=25\n'* ]]
}

@test "fewer CPUs that need --ntasks=1 are no lines for a workflow, which has no place for it" {
	reports 3 'rule("align", f"S{i}")
r["advice"] = [{"line": "#SBATCH --ntasks=1 --cpus-per-task=1", "cpus_per_task": 1, "reason": "x"}]'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *$'\nrule align:\n    resources: mem_mb=960, runtime=25\n    # '* && $output != *threads:* ]]
}

@test "there is no advice to ask for less where a job of the rule did not complete" {
	reports 3 'rule("align", f"S{i}"); r["job"]["state"] = "CANCELLED" if i == 0 else "COMPLETED"'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output =~ "align"\ +3\ +1\  && $output != *Advice* ]]
}

@test "the page for browsers has a box plot for each rule, the advice to paste, and each job with its rule" {
	reports 6 'rule("a<b>" if i in (1, 3) else "align", f"S{i}")'
	"$STINT" report --html=page.html --by rule
	[ "$(grep -c '<tr><th scope="row">align</th><td class="n">4</td>' page.html)" -eq 4 ]
	[ "$(grep -c '<tr><th scope="row">a&lt;b&gt;</th><td class="n">2</td>' page.html)" -eq 4 ]
	grep -q '^    resources: mem_mb=' page.html
	grep -q '<th scope="col">Rule</th>' page.html
	[ "$(grep -c 'a<b>' page.html)" -eq 0 ]
	# the list is by job, not by rule
	[ "$(sed -n '/table class="list" id="jobs"/,$p' page.html | grep -o '>10[0-9]<' | tr -d '<>' | paste -sd ' ')" = "100 101 102 103 104 105" ]
	run "$STINT" report --html --by rule
	[ "$output" = "Wrote stint-rules.html, the page of 6 jobs" ]
	[ "$(echo ./*.html)" = "./page.html ./stint-rules.html" ]
}

@test "where the least time limit decides, the reason does not speak of the time that the jobs took" {
	reports 2 'rule("fetch", f"S{i}"); r["job"]["elapsed_s"] = 60'
	run "$STINT" report --by rule --width 100
	echo "$output"
	[[ $output == *"runtime=10"*"took 00:01:00 of 1-00:00:00. A shorter limit gains nothing."* ]]
}

@test "a process of Nextflow is selected by a pattern that its scoped name matches" {
	reports 2 'process("RNASEQ_ALIGN_STAR", f"S{i}")'
	run "$STINT" report --by process
	echo "$output"
	[[ $output =~ "Nextflow process"\ +Jobs ]]
	[[ $output == *$'\n'"withName: 'RNASEQ.ALIGN.STAR' { memory = '640 MB'; time = '15m' }"$'\n// '* ]]
}

@test "there is no advice on thin evidence, nor for a group" {
	reports 2 'rule("align", "S"); r["job"]["state"] = "FAILED"'
	run "$STINT" report --by rule
	[[ $output == *align* && $output != *Advice* ]]
	reports 2 'r["job"]["workflow"] = {"engine": "snakemake", "group": "prep"}'
	run "$STINT" report --by rule
	echo "$output"
	[[ $output == *"Snakemake group"*prep* && $output != *Advice* ]]
}

@test "a forged name reaches neither the terminal nor the clipboard" {
	reports 1 'rule("a\x1b[31m; rm", "S")'
	run "$STINT" report --by rule
	echo "$output" | cat -v
	[[ $output == *'a\x1b[31m; rm'* && $output != *"rule a"* ]]
	reports 3 'r["job"]["workflow"] = ({"rule": "a"}, {"engine": "other", "rule": "b"}, "align")[i]'
	run "$STINT" report --by rule
	[ "$status" -eq 0 ]
	[ "$output" = "Jobs: 3, 3 of no known process or rule" ]
}

@test "the table of jobs names each job's rule and wildcards" {
	reports 2 'rule("align", "=S") if i else None'
	run --separate-stderr bash -c '"$STINT" report --table --json | jq --compact-output "map([.workflow, .workflow_unit, .workflow_which])"'
	[ "$output" = '[[null,null,null],["snakemake","align","=S"]]' ]
	run "$STINT" report --table --width 100
	echo "$output"
	[[ ${lines[0]} =~ ^JobID\ +Workflow\ +State && ${lines[1]} =~ ^100\ +-\ +COMPLETED && ${lines[2]} =~ ^101\ +align\ =S\ +COMPLETED ]]
	run "$STINT" report --table --width 68
	echo "$output"
	[[ $output != *Workflow* && $output != *align* ]]
}

@test "timeline, trace and the page for browsers name the rule too" {
	reports 1 'rule("a<b>", "S1")
r["timeline"] = [{"tool": "sort", "node": "n", "step": "batch", "count": 1, "start": r["job"]["start"],
                  "end": "2026-11-20T10:05:00.000+00:00", "cpu_s": 1.5, "wall_s": 300, "failures": 0}]
r.update(steps=[], nodes=[], series=[], states={}, progress={}, mode="timeline")'
	run "$STINT" timeline stint-100.json
	echo "$output"
	[[ $output == *$'\n'"Workflow: Snakemake rule a<b>, S1"$'\n'* ]]
	"$STINT" timeline --trace=- stint-100.json | jq --exit-status '.otherData | ."job.workflow.rule" == "a<b>"'
	"$STINT" report --html=- stint-100.json >page.html
	grep -q 'Workflow</span> Snakemake rule a&lt;b&gt;, S1<' page.html
}

@test "options that make no sense with --by are refused" {
	run --separate-stderr "$STINT" report --by sample
	[ "$status" -eq 2 ] && [[ $stderr == *"'sample' is neither rule nor process"* ]]
	run --separate-stderr "$STINT" report --by rule --sort id
	[ "$status" -eq 2 ] && [[ $stderr == *"--sort"* ]]
}
