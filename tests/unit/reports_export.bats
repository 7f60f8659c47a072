#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint export --js1: a summary that the readers of jobstats' take, or none, and never one that misleads them.

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

# Leaves the report of RECORD... (the leading node's last) as job.json.
deliver() { # SLURM RECORD...
	printf '#!/bin/sh\nexec sed "s#/home/juser/run#%s#" %s\n' "$PWD/job" "$SOURCE/tests/unit/data/$1" \
		>"$STINT_LIBEXEC/stint-slurm-job"
	chmod +x "$STINT_LIBEXEC/stint-slurm-job"
	shift
	for record; do
		sed -e "s#/home/juser/run\"#$PWD/job\"#" -e "s/\"uid\": 1000/\"uid\": $(id -u)/" \
			-e "s/\"gid\": 1000/\"gid\": $(id -g)/" "$SOURCE/tests/unit/data/$record" >record.json
		chmod 755 "$PWD" job
		"$EPILOG" --config empty.conf record.json
	done
	mv job/stint-*.json job.json
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

@test "a command line that makes no sense is one line and status 2" {
	for arguments in "export" "export job" "export --js1" "export --js1 a b" "export --frob"; do
		run --separate-stderr "$STINT" $arguments
		[ "$status" -eq 2 ] && [ -z "$output" ] && [ "${#stderr_lines[@]}" -eq 1 ]
	done
	run --separate-stderr "$STINT" export --js1 nothing.json
	[ "$status" -eq 1 ] && [ "$stderr" = "stint export: nothing.json: No such file or directory" ]
}

@test "the summary of a job decodes as its readers decode, to the report's numbers" {
	deliver slurm-one.json record-one.json
	python3 "$SOURCE/tests/unit/js1.py" "$(js1)" job.json
}

@test "a job of two nodes has both in it" {
	deliver slurm-two.json record-two-n2.json record-two-n1.json
	[ "$(js1 --json | grep -c '"n[12]":')" -eq 2 ]
	python3 "$SOURCE/tests/unit/js1.py" "$(js1)" job.json
}

@test "the same report has the same summary, whenever it is asked for" {
	deliver slurm-one.json record-one.json
	js1 >one
	sleep 1.1
	js1 >other
	cmp one other
}

@test "--json is the same, to be read" {
	deliver slurm-one.json record-one.json
	python3 - "$(js1)" "$(js1 --json)" <<-'END'
		import base64, gzip, json, sys
		assert json.loads(gzip.decompress(base64.b64decode(sys.argv[1][4:]))) == json.loads(sys.argv[2])
	END
}

@test "what readers divide by and what they read is there, or nothing is" {
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

@test "a job that took no time has the word for it, which its readers know" {
	deliver slurm-one.json record-one.json
	change 'r["job"]["elapsed_s"] = 0'
	[ "$(js1)" = JS1:Short ]
}

@test "a node that left no record is not told as one that did nothing" {
	deliver slurm-two.json record-two-n2.json record-two-n1.json
	change 'del n[1]["used"], n[1]["allocated"]'
	js1 --json | grep -q '"n1"'
	! js1 --json | grep -q '"n2"'
}

@test "a busy job used no more than all of Slurm's whole seconds" {
	deliver slurm-one.json record-one.json
	change 'r["job"]["elapsed_s"] = 130.7; n[0]["used"]["cpu_s"] = 522.5'
	js1 --json | grep -q '"total_time":520,'
	js1 --json | grep -q '"total_time":130.7,'
	change 'n[0]["used"]["cpu_s"] = 600'
	js1 --json | grep -q '"total_time":600,'
}

@test "hostile names in a report make no other summary" {
	deliver slurm-one.json record-one.json
	change 'n[0]["name"] = "n\x1b[31m\"},\"x\":{\n"'
	[[ $(js1) =~ ^JS1:[A-Za-z0-9+/]+=*$ ]]
	run js1 --json
	[[ $output != *$'\x1b'* ]]
}
