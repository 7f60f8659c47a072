#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests stint export --js1: it prints a summary that readers of jobstats' summaries accept, or none, and never a misleading one.

setup_file() {
	export SOURCE STINT EPILOG
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	EPILOG=${EPILOG:-$PWD/reports/stint-epilog}
	export LC_ALL=C.UTF-8 TZ=UTC0 STINT_LIBEXEC=$BATS_FILE_TMPDIR/libexec
	mkdir "$STINT_LIBEXEC"
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
	mkdir job
	: >empty.conf
}

# Fakes a Slurm that answers for each job with SLURM, and keeps comments in the file comments: cluster, job, text.
slurm() { # SLURM
	cat >"$STINT_LIBEXEC/stint-slurm-job" <<-END
		#!/bin/sh
		if [ "\$1" = --comment ]; then
			[ \$# = 1 ] || exit 1
			paste -s -d ' ' >>$PWD/comments
			echo true
		else
			sed "s#/home/juser/run#$PWD/job#; s/\"user_id\": *[0-9]*/\"user_id\": $(id -u)/" $1
		fi
	END
	chmod +x "$STINT_LIBEXEC/stint-slurm-job"
}

submitted() { # SLURM
	jq .submit_unix_s "$SOURCE/tests/data/$1"
}

epilog() { # RECORD
	sed -e "s#/home/juser/run\"#$PWD/job\"#" -e "s/\"uid\": 1000/\"uid\": $(id -u)/" \
		-e "s/\"gid\": 1000/\"gid\": $(id -g)/" "$SOURCE/tests/data/$1" >record.json
	chmod 755 "$PWD" job
	"$EPILOG" --config "${CONF:-empty.conf}" record.json
}

# Writes the report of RECORD... (the leading node's last) to job.json.
deliver() { # SLURM RECORD...
	slurm "$SOURCE/tests/data/$1"
	shift
	for record; do
		epilog "$record"
	done
	mv job/stint-*.json job.json
}

comes() { # FILE
	for ((i = 0; i < 1200; i++)); do # two minutes, like soon() of the system tests
		[ ! -s "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

change() { # PYTHON : statements on the report, "r"
	python3 -c "import json; r = json.load(open('job.json')); n = r['nodes']
$1
json.dump(r, open('job.json', 'w'))"
}

js1() { # [OPTION...]
	"$STINT" export --js1 "$@" job.json
}

none() { # WHY : the summary is JS1:None, and the plain one says why there is none
	[ "$(js1)" = JS1:None ]
	run --separate-stderr js1 --json
	echo "status $status, standard output: '$output', standard error: '$stderr'"
	[ "$status" -eq 1 ] && [ -z "$output" ] && [ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == "stint export: job 4160740 has no summary: "*"$1"* ]]
}

@test "a command line that makes no sense gives one line and status 2" {
	for arguments in "export" "export job" "export --js1" "export --js1 a b" "export --frob"; do
		run --separate-stderr "$STINT" $arguments
		[ "$status" -eq 2 ] && [ -z "$output" ] && [ "${#stderr_lines[@]}" -eq 1 ]
	done
	run --separate-stderr "$STINT" export --js1 nothing.json
	[ "$status" -eq 1 ] && [ "$stderr" = "stint export: nothing.json: No such file or directory" ]
}

@test "the summary of a job, decoded as its readers do, has the report's numbers" {
	deliver slurm-one.json record-one.json
	python3 "$SOURCE/tests/cli/js1.py" "$(js1)" job.json
}

@test "a job of two nodes has both in it" {
	deliver slurm-two.json record-two-n2.json record-two-n1.json
	[ "$(js1 --json | grep -c '"n[12]":')" -eq 2 ]
	python3 "$SOURCE/tests/cli/js1.py" "$(js1)" job.json
}

@test "the summary has the GPUs if all of them are known, and otherwise says that there are none" {
	local gpu='{"node": "n1", "vendor": "nvidia", "minor": 3, "busy_share": 0.9864, "busy_source": "counters",
		"busy_known_s": r["job"]["elapsed_s"], "busy_covered_s": r["job"]["elapsed_s"], "memory_total_bytes": 10200547328,
		"job_memory_peak_bytes": 124780544, "processes": [], "absent": []}' broken

	deliver slurm-one.json record-one.json
	cp job.json none.json
	change "r['allocated'].update(gpus=2, gpu_hours=1); one = $gpu; r['gpus'] = [one, dict(one, minor=0, busy_share=0.505)]"
	cp job.json whole.json
	python3 "$SOURCE/tests/cli/js1.py" "$(js1)" job.json
	[ "$(js1 --json | jq -c '[.gpus, .nodes.n1.gpu_utilization, .nodes.n1.gpu_used_memory["3"]]')" = '[2,{"3":98.6,"0":50.5},124780544]' ]
	for broken in 'r["gpus"].pop()' 'del r["gpus"][1]["busy_share"]' 'del r["gpus"][0]["job_memory_peak_bytes"]' 'r["gpus"][0]["slice"] = True' \
		'r["gpus"][1]["busy_covered_s"] /= 2' 'r["job"]["suspended_s"] = 1' 'r["gpus"][1]["minor"] = 3' 'r["gpus"][1]["node"] = "n2"' 'del r["allocated"]["gpus"]' \
		'r["allocated"]["gpus_allocated"] = [{"kind": "shard", "count": 2}]'; do
		cp whole.json job.json
		change "$broken"
		[ "$(js1 --json)" = "$("$STINT" export --js1 --json none.json)" ]
	done
}

@test "the same report always has the same summary" {
	deliver slurm-one.json record-one.json
	js1 >one
	sleep 1.1
	js1 >other
	cmp one other
}

@test "--json has the same, in readable form" {
	deliver slurm-one.json record-one.json
	python3 - "$(js1)" "$(js1 --json)" <<-'END'
		import base64, gzip, json, sys
		assert json.loads(gzip.decompress(base64.b64decode(sys.argv[1][4:]))) == json.loads(sys.argv[2])
	END
}

@test "all numbers that readers use are there, or the summary is None" {
	deliver slurm-one.json record-one.json
	cp job.json whole.json
	change 'del n[0]["used"]["cpu_s"]'
	none "the CPU time of node n1 is not known"
	cp whole.json job.json
	change 'del n[0]["used"]["memory_used_peak_bytes"]'
	none "the peak of used memory of node n1 is not known"
	cp whole.json job.json
	change 'n[0]["gaps"].append({"name": "used.memory_used_peak_bytes", "reason": "the collector was killed"})'
	none "the peak of used memory of node n1 is not known"
	cp whole.json job.json
	change 'del n[0]["allocated"]["cpus"]'
	none "the number of CPUs of node n1 is not known"
	cp whole.json job.json
	change 'del n[0]["allocated"]["memory_bytes"], n[0]["allocated"]["memory_limit_bytes"]'
	none "the memory that was given of node n1 is not known"
	cp whole.json job.json
	change 'del r["job"]["elapsed_s"]'
	none "elapsed time is not known"
}

@test "a job that took no time has the word that readers know for it" {
	deliver slurm-one.json record-one.json
	change 'r["job"]["elapsed_s"] = 0'
	[ "$(js1)" = JS1:Short ]
}

@test "a node that left no record does not appear as one that did nothing" {
	deliver slurm-two.json record-two-n2.json record-two-n1.json
	change 'del n[1]["used"], n[1]["allocated"]'
	js1 --json | grep -q '"n1"'
	! js1 --json | grep -q '"n2"'
}

@test "a node on which nothing ran is found by its CPU time of 0" {
	deliver slurm-two.json record-two-n2.json record-two-n1.json
	change 'n[1]["used"].update(processes=0, cpu_s=0.001); del n[1]["used"]["memory_used_peak_bytes"]'
	js1 --json | tr -d ' \n' | grep -q '"n2":{"total_memory":[0-9]*,"used_memory":0,"total_time":0,"cpus":2}'
}

@test "a busy job does not appear to use more than Slurm's whole seconds" {
	deliver slurm-one.json record-one.json
	change 'r["job"]["elapsed_s"] = 130.7; n[0]["used"]["cpu_s"] = 522.5'
	js1 --json | grep -q '"total_time":520,'
	js1 --json | grep -q '"total_time":130.7,'
	change 'n[0]["used"]["cpu_s"] = 600'
	js1 --json | grep -q '"total_time":600,'
}

@test "hostile names in a report do not change the summary" {
	deliver slurm-one.json record-one.json
	change 'n[0]["name"] = "n\x1b[31m\"},\"x\":{\n"'
	[[ $(js1) =~ ^JS1:[A-Za-z0-9+/]+=*$ ]]
	run js1 --json
	[[ $output != *$'\x1b'* ]]
}

@test "with admin_comment = js1 Slurm gets the summary, once, by array and task" {
	echo 'admin_comment = js1' >js1.conf
	CONF=js1.conf deliver slurm-one.json record-one.json 3>&-
	comes comments
	[ "$(cat comments)" = "foocluster 4160740 4160739_0 $(id -u) $(submitted slurm-one.json) $(js1)" ]
}

@test "without it Slurm gets nothing" {
	deliver slurm-one.json record-one.json
	sleep 0.3
	[ ! -e comments ]
}

# Summaries of other nodes need their credentials (tests/system/trust.bats): here there is no munge.
@test "Slurm gets a summary when the last node has come: JS1:None where nothing proves the others' parts" {
	printf 'admin_comment = js1\nmerge_wait_s = 20\nmunge_socket = /nowhere\n' >js1.conf
	slurm "$SOURCE/tests/data/slurm-two.json"
	export CONF=js1.conf
	epilog record-two-n1.json 3>&-
	[ ! -e comments ]
	epilog record-two-n2.json 3>&-
	comes comments
	mv job/stint-77.json job.json
	[ "$(cat comments)" = "foocluster 77 - $(id -u) $(submitted slurm-two.json) JS1:None" ]
	js1 --json | grep -q '"n2"'
}

@test "another program's comment, and one that is not known, are left alone, and the log says so" {
	echo 'admin_comment = js1' >js1.conf
	export CONF=js1.conf
	sed 's/^{/{"admin_comment": "ticket\\u001b 7",/' "$SOURCE/tests/data/slurm-one.json" >other.json
	slurm "$PWD/other.json"
	epilog record-one.json 2>said 3>&-
	comes said
	[[ $(cat said) == "stint-epilog: job 4160740 of "*": stint did not set its AdminComment: the job already has another comment" ]]
	slurm "$PWD/nothing.json"
	epilog record-one.json 2>said 3>&-
	comes said
	[[ $(cat said) == "stint-epilog: job 4160740 of "*": stint did not set its AdminComment: "* ]]
	[ ! -e comments ]
	sed 's/^{/{"admin_comment": "JS1:None",/' "$SOURCE/tests/data/slurm-one.json" >other.json
	slurm "$PWD/other.json"
	epilog record-one.json 3>&-
	comes comments
}

@test "stint doctor reports that nothing would keep the summary" {
	echo 'admin_comment = js1' >js1.conf
	echo 'AccountingStorageType=accounting_storage/none' >slurm.conf
	SLURM_CONF=$PWD/slurm.conf run "$STINT" doctor --config js1.conf
	[[ $output == *"admin_comment"*"no accounting that could keep it"* ]]
	echo 'AccountingStorageType=accounting_storage/slurmdbd' >slurm.conf
	SLURM_CONF=$PWD/slurm.conf run "$STINT" doctor --config js1.conf
	[[ $output == *"admin_comment"*"slurmdbd keeps it"* ]]
	SLURM_CONF=$PWD/slurm.conf run "$STINT" doctor --config empty.conf
	[[ $output != *admin_comment* ]]
}
