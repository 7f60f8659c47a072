#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What Slurm and its other plugins do before the first task of a step begins, such as importing a container image, and after its last
# process has ended.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -n "$NO_TESTBED" ] || ! command -v gcc >/dev/null || preparing_plugin
}

setup() {
	testbed_or_skip
	need gcc
}

teardown() {
	testbed_evidence
}

teardown_file() {
	testbed_end
}

# Adds a plugin that runs, as the user, the script that the job's variable PREPARE names, before the tasks of a step begin. When the last of
# them has ended, it sleeps for as many seconds as the variable LINGER says.
preparing_plugin() {
	gcc -shared -fPIC -x c -o "$STINT_TESTBED/lib/prepare.so" - <<-'END'
		#include <slurm/spank.h>
		#include <stdlib.h>
		#include <sys/wait.h>
		#include <unistd.h>

		SPANK_PLUGIN(prepare, 1)

		int slurm_spank_user_init(spank_t spank, int count, char *arguments[])
		{
			unsigned int step = 0xfffffffcu;
			char script[4096];
			pid_t child;

			(void)count;
			(void)arguments;
			spank_get_item(spank, S_JOB_STEPID, &step);
			if (step == 0xfffffffcu || spank_getenv(spank, "PREPARE", script, sizeof(script)) != ESPANK_SUCCESS)
				return 0;
			child = fork();
			if (child == 0) {
				execl("/bin/sh", "sh", script, (char *)NULL);
				_exit(127);
			}
			waitpid(child, NULL, 0);
			return 0;
		}

		int slurm_spank_task_exit(spank_t spank, int count, char *arguments[])
		{
			char seconds[16];

			(void)count;
			(void)arguments;
			if (spank_getenv(spank, "LINGER", seconds, sizeof(seconds)) == ESPANK_SUCCESS)
				sleep((unsigned int)strtoul(seconds, NULL, 10));
			return 0;
		}
	END
	echo "optional $STINT_TESTBED/lib/prepare.so" >>"$STINT_TESTBED/etc/plugstack.conf"
	collector_gets 'rule.launch_min_s = 0.3' 'rule.launch_share = 0'
}

# Starts a job that runs COMMAND in the plugin, once stintd follows it, and true in the job script. Sets REPORT.
prepared_job() { # COMMAND [sbatch option...]
	local command=$1 id

	shift
	meet
	cat >"$MEET/prepare.sh" <<-END
		date +%s.%N >$MEET/from
		$(tells_and_awaits preparing followed)
		$command
		echo \$? >$MEET/status
		date +%s.%N >$MEET/to
	END
	id=$("$TESTBED" exec env "PREPARE=$MEET/prepare.sh" sbatch --parsable --chdir="$MEET" --output=/dev/null "$@" --wrap true)
	told preparing
	soon is_followed "$id"
	tell followed
	report_in "$MEET"
	valid
}

stamped() { # FILE : the time that the script wrote there
	cat "$MEET/$1"
}

@test "what a plugin does before the first task has its time, CPU time and memory, by name, and is no work of the user" {
	tool unpack
	prepared_job "$TOOLS/unpack hold 50 $TOOLS/unpack burn 400"
	whole
	holds '.job.state == "COMPLETED"'
	holds --argjson from "$(stamped from)" --argjson to "$(stamped to)" '.steps[] | select(.id == "batch") |
		.launch_s >= $to - $from and .launch_s <= .elapsed_s + $to - $from + 3 * $slowness'
	holds '.tools[] | select(.name == "unpack") | .slurm and .runs == 2 and .failures == 0 and .cpu_s >= 0.4 and
		.cpu_s < 0.4 + 0.2 * $slowness and .peak_bytes >= 50 * 1048576 and .peak_bytes < 60 * 1048576'
	holds '.used.memory_charged_peak_bytes >= 50 * 1048576'
	# the job script, and its true, are the user's; they used almost nothing
	holds '[.tools[] | select(.slurm | not) | .name] | index("unpack") | not'
	holds '.used.processes <= 2'
	holds '.findings[] | select(.code == "slow-launch") | .text | test("^Slurm and its plugins took [0-9.]+ s until the first task of " +
		"step batch began.*: they ran unpack, with 0[.][4-9][0-9]* s of CPU time and 5[0-9][.][0-9] MiB of memory$")'
	(cd / && "$STINT" report "$REPORT" | tr -s ' \n' ' ' | grep -q 'Slurm and its plugins took .* they ran unpack')
}

@test "a step of srun has its own time before its first task, and a step that Slurm starts at once has no finding" {
	meet
	script_job <<-END
		#!/bin/sh
		echo 'date +%s.%N >$MEET/from; sleep 0.4; date +%s.%N >$MEET/to' >prepare.sh
		srun true
		PREPARE=\$PWD/prepare.sh srun true
	END
	valid
	holds --argjson from "$(stamped from)" --argjson to "$(stamped to)" '.steps[] | select(.id == "1") | .launch_s >= $to - $from'
	holds '[.steps[] | select(.id != "extern") | .launch_s] | length == 3 and all(. > 0)'
	# on a busy machine, the step that took longest may be another
	holds '([.steps[] | select(.id != "extern")] | max_by(.launch_s)) as $longest | .findings[] | select(.code == "slow-launch") |
		.evidence[] | select(.name == "step") | .value == $longest.id'
	job -- true
	holds '([.steps[] | select(.id == "batch" and .launch_s >= 0.3)] | length > 0) == (.findings | any(.code == "slow-launch"))'
}

@test "a plugin's program that is killed for memory before the first task is the job's kill, by name" {
	tool image
	prepared_job "$TOOLS/image hold 200" --mem=100M
	[ "$(stamped status)" -eq 137 ]
	holds '.used.oom_kills == 1 and (.oom | length == 1)'
	holds '.oom[0] | .tool == "image" and .slurm and .limit_bytes == 100 * 1048576 and (has("node_ran_out") | not)'
	holds '.tools[] | select(.name == "image") | .slurm and .runs == 1 and .signals == 1'
	holds '.verdict.outcome | test("image \\(which Slurm or a plugin of it ran\\) was killed at the limit of 100.0 MiB")'
}

@test "a step ends with its last process, whatever its step daemon does then" {
	meet
	script_job --export=ALL,LINGER=3 <<-END
		#!/bin/bash
		date +%s.%N >$MEET/from
		srun sh -c 'date +%s.%N >$MEET/step-from; (sleep 0.3; date +%s.%N >$MEET/step-to) & wait'
		date +%s.%N >$MEET/to
	END
	valid
	whole
	for step in batch 0; do
		[ "$step" = 0 ] && stamp=step- || stamp=
		holds --arg step "$step" --argjson from "$(stamped "${stamp}from")" --argjson to "$(stamped "${stamp}to")" '
			.steps[] | select(.id == $step) | .elapsed_s - ($to - $from) | . >= 0 and . < 1.5 * $slowness'
	done
}
