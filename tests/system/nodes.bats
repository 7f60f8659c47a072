#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A job on several nodes.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin --nodes 2
}

teardown_file() {
	testbed_end
}

@test "a job on two nodes leaves one report with both nodes in it" {
	tool spread
	job --nodes=2 --ntasks-per-node=1 -- srun "$TOOLS/spread" burn 300
	[ "$STATUS" -eq 0 ]
	[ "$(wc -l <<<"$REPORT")" -eq 1 ]
	valid
	holds '.complete == true'
	holds '.requested.nodes == 2 and (.nodes | length == 2)'
	holds '[.nodes[].name] | unique | length == 2'
	holds '.tools | any(.name == "spread" and .runs == 2 and .cpu_s > 0.59 and .cpu_s < 0.6 + 0.2 * $slowness)'
	holds '[.nodes[].used.cpu_s] | all(. > 0.29)'
}

@test "a job on the second node alone is reported as of that node" {
	local second

	second=$(sinfo --noheader --Node --format %N | tail -n 1)
	job --nodelist="$second" -- true
	valid
	holds --arg node "$second" '[.nodes[].name] == [$node]'
}

# How often slurmctld was asked: about single jobs, or about its federation, which libslurm does before where nobody keeps it from it.
questions() { # REQUEST_JOB_INFO_SINGLE|REQUEST_FED_INFO
	sdiag | awk -F 'count:' "/$1/"' { print $2 + 0; found = 1 } END { if (!found) print 0 }'
}

@test "slurmctld is asked once for a job, whatever its nodes" {
	local before federation id

	job --nodes=2 -- srun true # the helper that asks Slurm has been started
	before=$(questions REQUEST_JOB_INFO_SINGLE)
	federation=$(questions REQUEST_FED_INFO)
	meet
	id=$("$TESTBED" exec sbatch --parsable --nodes=2 --chdir="$MEET" --output=/dev/null --wrap 'srun true')
	report_in "$MEET"
	valid
	soon holds --argjson id "$id" '.job.id == $id and .complete == true and .job.name == "wrap" and (.nodes | length == 2)'
	[ "$(questions REQUEST_FED_INFO)" -eq "$federation" ]
	soon node_is_idle
	echo "asked $before times before, $(questions REQUEST_JOB_INFO_SINGLE) now"
	[ "$(questions REQUEST_JOB_INFO_SINGLE)" -eq $((before + 1)) ]
}
