#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A job on several nodes.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_directory
	# a requeued job begins again when its first credential has expired, 15 s later otherwise
	STINT_TESTBED_SLURM="AuthInfo=socket=${STINT_TESTBED:-}/munge/socket,cred_expire=8" testbed_begin --nodes 2
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

# How often slurmctld was asked: about single jobs, or about its federation, for which libslurm asks first unless it is told not to.
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

# Slurm gives each step the number of the first attempt.
@test "a requeued job on two nodes has a report of each attempt, with both nodes" {
	local id here attempt

	here=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/again.XXXXXX")
	id=$("$TESTBED" exec sbatch --parsable --requeue --nodes=2 --ntasks-per-node=1 --chdir="$here" --output=/dev/null --wrap "
		attempt=1
		while [ -e '$here/began'.\$attempt ]; do attempt=\$((attempt + 1)); done
		for i in \$(seq \$attempt); do srun date; done
		touch '$here/began'.\$attempt
		[ \$attempt = 3 ] || sleep 600
		exit 7")
	for attempt in 1 2; do
		soon test -e "$here/began.$attempt"
		scontrol requeue "$id"
	done
	for attempt in 1 2; do
		REPORT=$here/stint-$id.attempt-$attempt.json
		soon test -e "$REPORT"
		valid
		holds --argjson attempt "$attempt" '.job.attempt == $attempt and .job.state == "REQUEUED" and .complete == true and
			(.nodes | length == 2) and (.tools | any(.name == "date" and .runs == 2 * $attempt))'
	done
	REPORT=$here/stint-$id.json
	soon holds '.job.attempt == 3 and .complete == true and (.nodes | length == 2) and .job.exit_code == 7 and (.tools | any(.name == "date" and .runs == 6))'
	valid
	soon eval '[ -z "$(find "$here" -name ".stint-*")" ]'
}

# Slurm before 25.05.1 may drain the node that a job gives back. slurmctld sends slurmstepd two requests to end the extern step. If both come at
# once, slurmstepd waits for its own timer until UnkillableStepTimeout (src/slurmd/slurmstepd/step_terminate_monitor.c, mended by Slurm's commit
# a9685cd277). The node's epilog runs after that.
resume_drained() {
	local node

	for node in $(sinfo --noheader --Node --states=drain --format %N); do
		echo "# Slurm drained $node: $(sinfo --noheader --nodes "$node" --format %E)" >&3
		[ "$(sinfo --noheader --nodes "$node" --format %E)" = "Kill task failed" ]
		scontrol update NodeName="$node" State=RESUME
	done
}

@test "a job that gives back a node while it runs has in its report what that node did, or says that it is missing" {
	local directory

	tool early
	tool late
	meet
	directory=$MEET
	# with --ntasks-per-node, Slurm 24.11 lets no running job give back a node
	"$TESTBED" exec sbatch --nodes=2 --mem=50M --chdir="$directory" --output=out --wrap "
		srun $TOOLS/early burn 200
		scontrol update JobId=\$SLURM_JOB_ID NumNodes=1
		. ./slurm_job_\${SLURM_JOB_ID}_resize.sh
		$(tells_and_awaits shrunk end)
		srun --nodes=1 --ntasks=1 $TOOLS/late burn 100"
	told shrunk
	soon eval 'ls "$directory"/.stint-*.part'
	tell end
	report_in "$directory"
	valid
	holds '.complete and (.nodes | length == 2) and ([.nodes[].used.cpu_s] | all(. > 0.19))'
	holds '(.tools | any(.name == "early" and .runs == 2)) and (.tools | any(.name == "late" and .runs == 1))'
	holds '.allocated.nodes == 2 and .used.cpu_efficiency == null'
	[ -z "$(find "$directory" -name '.stint-*')" ]
	resume_drained
	soon node_is_idle

	meet
	directory=$MEET
	# with --ntasks-per-node, Slurm 24.11 lets no running job give back a node
	"$TESTBED" exec sbatch --nodes=2 --mem=50M --chdir="$directory" --output=out --wrap "
		srun $TOOLS/early burn 200
		scontrol update JobId=\$SLURM_JOB_ID NumNodes=1
		$(tells_and_awaits shrunk end)"
	told shrunk
	soon eval 'rm "$directory"/.stint-*.part'
	tell end
	report_in "$directory"
	valid
	holds '.complete == false and (.nodes | length == 1)'
	holds '.gaps | any(.name == "nodes" and (.reason | contains("began on 2 nodes")))'
}
