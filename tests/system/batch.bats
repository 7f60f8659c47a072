#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Batch jobs, however they end.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

@test "a batch job leaves a complete report, valid by the schema, in its directory" {
	job --job-name=plain --cpus-per-task=1 --mem=200M --time=5 -- sleep 1
	[ "$STATUS" -eq 0 ]
	[ "$(basename "$REPORT")" = "stint-$(value .job.id).json" ]
	valid
	holds '.complete == true'
	holds '.job.name == "plain" and .job.state == "COMPLETED" and .job.exit_code == 0 and .job.attempt == 1'
	holds --arg user "$TESTBED_USER" '.job.user == $user'
	holds '.requested.cpus == 1 and .requested.nodes == 1 and .requested.time_limit_s == 300'
	holds '.requested.memory_bytes == 200 * 1024 * 1024'
	# Slurm's own calculation, in whole seconds, or, if a step took longer to end, that step's
	[[ $(scontrol --oneliner show job "$(value .job.id)") =~ RunTime=([0-9]+):([0-9]+):([0-9]+) ]]
	ran=$((10#${BASH_REMATCH[2]} * 60 + 10#${BASH_REMATCH[3]}))
	between 1 "$(value .job.elapsed_s)" "$(value "[$ran, .steps[].elapsed_s] | max + 1")"
	holds '[.steps[].id] | contains(["batch"])'
	holds '.nodes | length == 1'
}

@test "with --stint=output=/dev/null a job has no report, and no job of root's replaces a device" {
	local directory odd=$STINT_TESTBED/odd before id

	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/none.XXXXXX")
	mkdir "$odd" && mknod "$odd/full" c 1 7 # the test's own: a mistake would cost the machine its /dev/full
	before=$(stat -c %t:%T:%i /dev/null "$odd/full")
	"$TESTBED" exec sbatch --wait --chdir="$directory" --output=/dev/null --stint=output=/dev/null --wrap true
	sbatch --wait --chdir=/ --output=/dev/null --stint=output=/dev/null --wrap true
	id=$(sbatch --parsable --wait --chdir=/ --output=/dev/null --stint=output="$odd/full" --wrap true)
	soon grep -q "job $id\b.*full is a device, FIFO or socket" "$STINT_TESTBED/log/stintd.out"
	soon_looked jq --exit-status '.jobs.open == 0 and .jobs.closing == 0 and .spool.records == 0' "$STINT_TESTBED/run/status.json"
	[ "$(stat -c %t:%T:%i /dev/null "$odd/full")" = "$before" ]
	[ -z "$(ls -A "$directory")" ]
	rm -r "$odd"
}

@test "a report may be read by whoever may read the job's own output" {
	local mask

	for mask in 0077 0027 0022; do
		SLURM_UMASK=$mask job -- true
		[ "$(stat --format=%a "$(dirname "$REPORT")"/slurm-*.out "$REPORT" | sort -u | wc -l)" -eq 1 ]
		[ "$(stat --format=%a "$REPORT")" -eq "$(printf %o $((0666 & ~mask)))" ]
	done
	# without a batch script it is the first step's; a step's own umask does not affect the batch script's
	meet
	(cd "$MEET" && "$TESTBED" exec bash -c 'umask 0077; srun --output=step.out true')
	report_in "$MEET"
	[ "$(stat --format=%a "$MEET/step.out" "$REPORT" | sort -u)" = 600 ]
	SLURM_UMASK=0027 script_job <<-'END'
		#!/bin/bash
		SLURM_UMASK=0000 srun true
		umask 0
	END
	[ "$(stat --format=%a "$REPORT")" -eq 640 ]
	# unless the site says so
	echo "report_mode = 0640" >>"$STINT_TESTBED/etc/stint.conf"
	SLURM_UMASK=0077 job -- true
	sed -i '/^report_mode/d' "$STINT_TESTBED/etc/stint.conf"
	[ "$(stat --format=%a "$REPORT")" -eq 640 ]
}

@test "every name that readers rely on stands in the report, or in gaps with a reason" {
	local name

	job -- dd if=/dev/zero of=zeros bs=1M count=8 conv=fsync
	for name in schema complete gaps lost job.id job.name job.user job.state job.exit_code job.start job.end \
		job.elapsed_s job.attempt requested.cpus requested.memory_bytes requested.time_limit_s requested.nodes \
		used.cpu_s used.user_s used.system_s used.cpu_efficiency used.memory_used_peak_bytes \
		used.memory_charged_peak_bytes used.memory_efficiency used.read_bytes used.write_bytes used.processes \
		used.threads_peak tools timeline steps nodes; do
		holds --arg name "$name" \
			'getpath($name | split(".")) != null or (.gaps | any(.name == $name and (.reason | length > 0)))'
	done
	for name in name path runs failures cpu_s wall_s peak_bytes read_bytes write_bytes first_start last_end; do
		holds --arg name "$name" '.tools[] | select(.name == "dd") | has($name)'
	done
}

@test "the report belongs to the user, and no temporary file stays beside it" {
	job -- true
	[ "$(stat -c %U "$REPORT")" = "$TESTBED_USER" ]
	[ -z "$(find "$(dirname "$REPORT")" -mindepth 1 ! -name 'stint-*.json' ! -name 'slurm-*.out')" ]
}

@test "a failing job's report has its exit code" {
	script_job <<-'END'
		#!/bin/bash
		exit 7
	END
	[ "$STATUS" -eq 7 ]
	valid
	holds '.job.state == "FAILED" and .job.exit_code == 7'
}

@test "a job that ends by its own signal has the signal in its report" {
	script_job <<-'END'
		#!/bin/bash
		kill -USR1 $$
	END
	[ "$STATUS" -eq 138 ]
	valid
	holds '.job.state == "FAILED" and .job.signal == 10'
}

@test "a tool that fails in a job that does not is counted as failed" {
	job -- sh -c '/bin/false; /bin/false; /bin/true; exit 0'
	[ "$STATUS" -eq 0 ]
	holds '.job.state == "COMPLETED"'
	holds '.tools[] | select(.name == "false" or .name == "/bin/false") | .runs == 2 and .failures == 2'
	holds '.tools[] | select(.name == "true" or .name == "/bin/true") | .runs == 1 and .failures == 0'
}

@test "a job cancelled while it runs leaves a report that says so" {
	(
		soon pgrep --euid "$TESTBED_USER" --full '^sleep 100$'
		squeue --noheader --format %i | xargs scancel
	) 3>&- &
	job -- sleep 100
	wait
	[ "$STATUS" -eq 143 ]
	valid
	holds '.job.state == "CANCELLED" and .job.signal == 15'
	holds '.tools | any(.name == "sleep" and .runs == 1 and .failures == 1)'
}

@test "a job that runs out of memory says so" {
	tool glutton
	script_job --mem=100M <<-END
		#!/bin/bash
		$TOOLS/glutton hold 300
	END
	[ "$STATUS" -ne 0 ]
	valid
	holds '.job.state == "OUT_OF_MEMORY"'
	holds '.tools | any(.name == "glutton" and .failures == 1)'
	between 90000000 "$(value .used.memory_charged_peak_bytes)" 104857600
	holds '.job.exit_code == 137 and .job.signal == 0'
}

@test "a script that goes on after a kill for memory has its own exit code, where Slurm has a mark" {
	tool glutton
	script_job --mem=100M <<-END
		#!/bin/bash
		$TOOLS/glutton hold 300
		exit 0
	END
	scontrol --oneliner show job "$(value .job.id)" | grep -q ' ExitCode=0:125 '
	holds '.job.state == "OUT_OF_MEMORY" and .job.exit_code == 0 and .job.signal == 0'
	"$STINT" report "$REPORT" | grep -qx 'State: OUT_OF_MEMORY (exit code 0)'
}

@test "a link that stands in the report's place is replaced, and what it points to is left alone" {
	script_job <<-'END'
		#!/bin/bash
		echo precious >target
		ln -s target "stint-$SLURM_JOB_ID.json"
	END
	valid
	[ ! -L "$REPORT" ]
	[ "$(cat "$(dirname "$REPORT")/target")" = precious ]
}

@test "a report that cannot be written changes nothing for the job" {
	run "$TESTBED" exec sh -c '
		cd && mkdir closed && cd closed && chmod 555 . &&
		sbatch --wait --output=/dev/null --wrap "exit 4"'
	[ "$status" -eq 4 ]
	[ -z "$(ls "$STINT_TESTBED/home/closed")" ]
	job -- true
	holds '.complete == true'
}

@test "the report says which cores the job had, and how many of them it kept busy" {
	local name

	tool busy
	job --cpus-per-task=1 -- "$TOOLS/busy" burn 1000
	holds '.nodes[0].allocated.cores | length == 1'
	holds '.used.cores_bound == 1'
	for name in cores_busy cpu_efficiency; do
		between "$(value '.used.cpu_s / .job.elapsed_s * 0.99')" "$(value ".used.$name")" \
			"$(value '.used.cpu_s / .job.elapsed_s * 1.01')"
	done
}

@test "the report goes where --stint=output= says" {
	job --stint=output=%x-of-%u-%j.report --job-name=named -- true
	[ "$(basename "$REPORT")" = "named-of-$TESTBED_USER-$(value .job.id).report" ]
	valid
}

@test "a report that the script's #SBATCH --stint=output= moved is found by the job's number, and in the user's list" {
	local directory=$STINT_TESTBED/home/moved id path option

	"$TESTBED" exec mkdir "$directory"
	printf '#!/bin/sh\n#SBATCH --stint=output=%s\ntrue\n' 'kept/%x-%i.json' >"$directory/script"
	id=$("$TESTBED" exec sbatch --parsable --wait --chdir="$directory" --output=/dev/null --job-name=moved "$directory/script")
	soon test -L "$directory/.stint-$id.json"
	path=$directory/kept/moved-$id.json
	[ "$(readlink "$directory/.stint-$id.json")" = "kept/moved-$id.json" ]
	[ "$(stat --format=%U "$directory/.stint-$id.json" "$path" | sort --unique)" = "$TESTBED_USER" ]
	for option in "" --stint=output="$STINT_TESTBED/home/far-%i.json"; do
		[ -z "$option" ] || {
			id=$("$TESTBED" exec sbatch --parsable --wait --chdir="$directory" --output=/dev/null "$option" --wrap true)
			path=$STINT_TESTBED/home/far-$id.json
			soon test -L "$directory/.stint-$id.json"
		}
		(cd / && "$TESTBED" exec ${STINT_LIBEXEC:+env STINT_LIBEXEC="$STINT_LIBEXEC"} "$STINT" list --json \
			--config "$STINT_TESTBED/etc/stint.conf") >"$BATS_TEST_TMPDIR/list"
		jq --exit-status --argjson id "$id" --arg path "$path" 'any(.[]; .id == $id and .path == $path)' "$BATS_TEST_TMPDIR/list"
		(cd / && "$TESTBED" exec ${STINT_LIBEXEC:+env STINT_LIBEXEC="$STINT_LIBEXEC"} "$STINT" report "$id" \
			--config "$STINT_TESTBED/etc/stint.conf") | grep -q "^Job ID: $id$"
	done
}

@test "--stint=off leaves no report, --stint=summary one without a timeline" {
	job --stint=off -- true
	[ "$STATUS" -eq 0 ]
	[ -z "$REPORT" ]
	job --stint=summary -- true
	valid
	holds '.timeline | length == 0'
	holds '.tools | length > 0'
	job --stint=timeline -- true
	holds '.timeline | length > 0'
}

@test "sbatch, srun and salloc name --stint in their help, and refuse a bad value" {
	local command

	for command in sbatch srun salloc; do
		"$TESTBED" exec "$command" --help | grep -q -e '--stint='
	done
	run "$TESTBED" run --stint=sometimes -- true
	[ "$status" -ne 0 ]
	[[ $output == *"off, summary or timeline"* ]]
}

@test "a requeued job's report is of its last attempt, and that of the first stands beside it" {
	local id

	script_job <<-'END'
		#!/bin/bash
		if [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ]; then
			sleep 60 &
			until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.01; done
			scontrol requeue "$SLURM_JOB_ID"
			wait
		fi
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	valid
	holds '.job.attempt == 2 and .job.state == "COMPLETED"'
	id=$(value .job.id)
	run "$STINT" report "$id" # from elsewhere
	echo "$output"
	[[ ${lines[0]} == "Attempt 1: REQUEUED, after "* ]]
	[[ $output == *$'\n'"Job ID: $id"$'\n'* ]]
	"$STINT" report --json --attempt 1 "$id" | jq --exit-status '.job.attempt == 1'
	"$STINT" report --json "$id" | jq --exit-status '.job.attempt == 2'
	REPORT=${REPORT%.json}.attempt-1.json
	valid
	holds '.job.attempt == 1 and any(.tools[]; .name == "sleep")'
	[ "$("$STINT" report --json "$(dirname "$REPORT")" | jq --slurp --compact-output '[.[].job.attempt] | sort')" = "[1,2]" ]
}

# Prints the lines below a heading of the page "Next time", in the form that a user would select with the mouse.
below() { # HEAD PAGE
	sed -n "/^Next time: $1\$/,/^\$/{/^Next time: /d;/^\$/d;p}" <<<"$2"
}

@test "what the page advises, pasted into a script, is what Slurm starts the next job with" {
	local page top above

	tool solver workload/workload
	echo "rule.advice_elapsed_s = 1" >>"$STINT_TESTBED/etc/stint.conf"
	job --cpus-per-task=1 --mem=1G --time=05:00:00 -- "$TOOLS/solver" spin 4 4
	sed -i '/^rule.advice_elapsed_s/d' "$STINT_TESTBED/etc/stint.conf"
	page=$("$STINT" report "$REPORT")
	echo "$page"
	top=$(below "lines for the job script" "$page") above=$(below "above the command that does the work" "$page")
	[ "$(grep -c '^#SBATCH --' <<<"$top")" -eq 2 ]
	! grep -qv '^#SBATCH --' <<<"$top" || false
	# its threads do not come from an OpenMP runtime
	[ -z "$above" ]
	grep -q 'solver had [45] threads for 1 CPU: use its option for threads' <<<"$(tr -s ' \n' ' ' <<<"$page")" # the page wraps its lines
	# below the options are the script's own further options, which Slurm must still see
	script_job <<-END
		#!/bin/bash
		#SBATCH --mem=900M --time=04:00:00
		$top
		#SBATCH --job-name=pasted --cpus-per-task=1
		echo "pasted"
	END
	[ "$STATUS" -eq 0 ]
	[ "$OUTPUT" = "pasted" ]
	holds '.job.name == "pasted"'
	[ "$(value '.requested.memory_bytes / 1048576')" = "$(sed -n 's/.*--mem=\([0-9]*\)M$/\1/p' <<<"$top")" ]
	[ "$(value .requested.time_limit_s)" -eq 600 ]
	grep -qx '#SBATCH --time=00:10:00' <<<"$top"
}

@test "stint report finds the job's report by its number, and in its directory" {
	job --job-name=shown -- true
	cd "$(dirname "$REPORT")"
	"$STINT" report "$(value .job.id)" | grep -q shown
	"$STINT" report . | grep -q shown
	"$STINT" report "$REPORT" | grep -q shown
	"$STINT" report --json "$REPORT" | jq --exit-status '.job.name == "shown"'
	cd /
	"$STINT" report "$(value .job.id)" | grep -q shown
}
