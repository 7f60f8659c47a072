#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint_contain.so: no epilog of stint's runs, and a job is over when its extern step is.
# shellcheck shell=bash disable=SC2046,SC2154,SC2317

load helper

setup_file() {
	export STINT_TESTBED_PLUGIN=stint_contain.so
	testbed_directory
	# A requeued job waits until its first credential has expired: before that its node mistakes it for a job that it already has, and
	# starts no extern step. A cancelled job that obeys is not killed before the test lets it end.
	[ -n "$NO_TESTBED" ] ||
		STINT_TESTBED_SLURM="AuthInfo=socket=$STINT_TESTBED/munge/socket,cred_expire=8"$'\nKillWait=120' testbed_begin --nodes 2
}

teardown_file() {
	testbed_end
}

teardown() {
	testbed_evidence
	rm -f "${STINT_TESTBED:-/nonexistent}"/*.late
	scancel --user "$TESTBED_USER" 2>/dev/null || true
}

# slurmd runs no process of stint's for the job, so its log names no plugin's epilog.
@test "a job has a whole report, with its names and how it ended, and Slurm runs no epilog for it" {
	job -- sh -c 'exit 3'
	[ "$STATUS" -eq 3 ]
	valid
	holds --arg user "$TESTBED_USER" '.complete == true and .job.exit_code == 3 and .job.user == $user and .job.cluster == "testbed"'
	holds '([.steps[].id] | sort) == ["batch", "extern"] and .used.processes > 0'
	soon_looked jq --exit-status '.jobs | .closed == 1 and .closed_without_epilog == 0 and .open == 0' "$STINT_TESTBED/run/status.json"
	run ! grep 'no epilog came' "$STINT_TESTBED/log/stintd.out"
}

@test "a job on two nodes has both in its report, one of them without a step" {
	local other

	other=$(sinfo --noheader --Node --format %N | tail -n 1)
	job --nodes=2 --ntasks-per-node=1 -- true
	valid
	soon holds --arg node "$other" '.complete == true and (.nodes | length == 2 and any(.name == $node))'
}

node_state() { # NODE STATE : as sinfo has it
	[ "$(sinfo --noheader --Node --nodes="$1" --format %t)" = "$2" ]
}

# While a job completes, slurmctld names only those of its nodes that have not finished.
@test "a job has all its nodes, whichever of them has a long epilog of the site's" {
	local node other

	printf '#!/bin/sh\nwhile [ -e %s/"$SLURMD_NODENAME.late" ]; do sleep 0.1; done\nexit 0\n' "$STINT_TESTBED" >"$STINT_TESTBED/epilog"
	chmod 755 "$STINT_TESTBED/epilog"
	sed -i.kept "\$ a Epilog=$STINT_TESTBED/epilog" "$SLURM_CONF"
	scontrol reconfigure
	for node in $(sinfo --noheader --Node --format %N); do
		other=$(sinfo --noheader --Node --format %N | grep -vxF "$node")
		touch "$STINT_TESTBED/$node.late"
		meet
		"$TESTBED" exec sbatch --chdir="$MEET" --output=/dev/null --nodes=2 --ntasks-per-node=1 --wrap true
		report_in "$MEET"
		soon node_state "$node" comp
		soon node_state "$other" idle
		rm "$STINT_TESTBED/$node.late"
		soon node_state "$node" idle
		valid
		holds '.requested.nodes == 2'
		soon holds '.complete == true and (.nodes | length == 2) and .allocated.nodes == 2'
	done
	mv "$SLURM_CONF.kept" "$SLURM_CONF"
	scontrol reconfigure
}

@test "the attempts of a requeued job on two nodes are told apart, with both nodes in the last" {
	local id

	meet
	id=$("$TESTBED" exec sbatch --parsable --requeue --nodes=2 --ntasks-per-node=1 --chdir="$MEET" --output=/dev/null \
		--wrap "[ -n \"\$SLURM_RESTART_COUNT\" ] || { $(tells_and_awaits began never); }; /bin/true")
	told began
	soon is_followed "$id"
	scontrol requeue "$id"
	soon eval '[ -f "$MEET/stint-$id.attempt-1.json" ] && REPORT=$MEET/stint-$id.json && [ -f "$REPORT" ]'
	soon holds '.job.attempt == 2 and .complete == true and (.nodes | length == 2)'
	jq --exit-status '.job.attempt == 1' "$MEET/stint-$id.attempt-1.json"
}

@test "a job that Slurm could not start has a report where --stint says, and none with --stint=off" {
	local id

	meet
	# Slurm 24.11 makes missing directories on the way to an output.
	"$TESTBED" exec sbatch --parsable --stint=off --chdir="$MEET" --output=/dev/null/out --wrap true
	id=$("$TESTBED" exec sbatch --parsable --stint=output=mine.json --chdir="$MEET" --output=/dev/null/out --wrap true)
	REPORT=$MEET/mine.json
	soon test -f "$REPORT"
	valid
	holds --argjson id "$id" '.job.id == $id and .complete and .job.state == "FAILED" and (.verdict.outcome | test("could not start it")) and
		.used.processes == 0 and (.steps | map(.exit_code) == [0, null])'
	[ "$(ls -A "$MEET" | grep -vx '\.stint-[0-9]*\.json')" = mine.json ] # beside the link to it
	[ -z "$(find "$STINT_TESTBED/spool/store" -path "*/lines/$((id - 1)).*")" ]
	run ! grep "job $id: one of its steps is not counted" "$STINT_TESTBED/log/stintd.out"
}

@test "a job of srun alone, which has no batch step, has its report where it was submitted" {
	meet
	(cd "$MEET" && "$TESTBED" exec sh -c "cd $MEET && srun --nodes=2 true")
	report_in "$MEET"
	valid
	soon holds '.complete == true and .job.cluster == "testbed" and ([.steps[].id] | sort) == ["0", "extern"] and (.nodes | length == 2)'
}

has_record() { # JOB
	ls "$STINT_TESTBED/spool" | grep "[.]$1[.].*[.]record\$"
}

# Its record has no cluster, because only a batch step has that.
@test "a job of srun alone whose report cannot be written when it ends has it later" {
	local id

	meet
	"$TESTBED" exec sh -c "cd $MEET && srun --nodes=1 --ntasks=1 sh -c 'echo \$SLURM_JOB_ID >id; chmod 500 .'"
	id=$(cat "$MEET/id")
	soon has_record "$id"
	chmod 700 "$MEET"
	soon_looked report_is_in "$MEET"
	valid
	holds '.complete == true and .job.cluster == "testbed" and (.tools | any(.name == "chmod"))'
	soon eval "! has_record $id"
}

@test "a job that is requeued to its node while stintd is away has a report of each attempt" {
	local id

	meet
	id=$("$TESTBED" exec sbatch --parsable --requeue --nodelist="$NODE" --chdir="$MEET" --output=/dev/null \
		--wrap "[ -n \"\$SLURM_RESTART_COUNT\" ] || { $(tells_and_awaits began never); }; /bin/true")
	told began
	soon is_followed "$id"
	collector_kill
	scontrol requeue "$id"
	soon eval '[ -z "$(squeue --noheader --jobs "$id")" ]'
	"$TESTBED" restart-collector
	soon eval '[ -f "$MEET/stint-$id.attempt-1.json" ] && REPORT=$MEET/stint-$id.json && [ -f "$REPORT" ]'
	# stintd was away while the second one ran: the report says so
	soon holds '.job.attempt == 2 and .complete == false and ([.steps[].id] | sort) == ["batch", "extern"]'
	jq --exit-status '.job.attempt == 1 and (.steps | length == 2)' "$MEET/stint-$id.attempt-1.json"
	soon_looked jq --exit-status '.jobs.open == 0' "$STINT_TESTBED/run/status.json"
	[ -z "$(ls "$STINT_TESTBED/run/jobs")" ]
}

@test "a cancelled job whose script ends some seconds after the extern step is counted to its end" {
	local id

	meet
	id=$("$TESTBED" exec sbatch --parsable --chdir="$MEET" --output=/dev/null \
		--wrap "trap '$(tells_and_awaits asked last); uname; exit 5' TERM; $(tells_and_awaits began never) & wait")
	told began
	"$TESTBED" exec scancel --full "$id"
	told asked
	soon extern_step_is_over "$id"
	collector_looks
	run ! report_is_in "$MEET"
	tell last
	report_in "$MEET"
	valid
	holds '.complete == true and (.steps | any(.id == "batch")) and (.tools | any(.name == "uname"))'
}

@test "a stintd that is killed while the job runs, or away when it ends, loses nothing" {
	local id

	meet
	id=$("$TESTBED" exec sbatch --parsable --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began end); /bin/true")
	told began
	soon is_followed "$id"
	collector_kill
	tell end
	soon node_is_idle
	"$TESTBED" restart-collector
	report_in "$MEET"
	valid
	holds '.complete == true and (.tools | any(.name == "true"))'
}

# Whether no node's series continues after the last step, though stintd kept looking. Times are compared by whole seconds.
series_end_with_the_steps() {
	holds 'def seconds: .[0:19] + "Z" | fromdateiso8601; ([.steps[].end | seconds] | max) as $last |
		(.series | length > 0) and all(.series[]; (.start | seconds) + .end_offsets_s[-1] < $last + 2)'
}

# scancel takes a step's number, so a user can end the extern step of their own job. What runs after that has a record of its own.
@test "steps after an extern step that its user has ended leave no job open, and are in the report with those before" {
	local allocation

	meet
	collector_gets 'epilog_wait_s = 4'
	"$TESTBED" exec sh -c "cd $MEET && salloc --nodes=1 --ntasks=1 sh -c 'echo \$SLURM_JOB_ID >id; srun true
		scancel --signal=KILL \$SLURM_JOB_ID.4294967292; $(tells_and_awaits ended gone); srun date; $(tells_and_awaits dated closed); srun true'" &
	allocation=$!
	told ended
	soon extern_step_is_over "$(cat "$MEET/id")"
	tell gone
	told dated
	soon_looked jq --exit-status '.jobs.open == 0' "$STINT_TESTBED/run/status.json" # what there is has a record
	tell closed
	wait "$allocation"
	report_in "$MEET"
	soon holds '.complete == true and all(.gaps[]; .name != "job" and .name != "nodes") and (([.steps[].id] | sort) == ["0", "1", "2", "extern"])'
	valid
	holds '(.nodes | length == 1) and ([.tools[] | select(.name == "true" or .name == "date")] | map([.name, .runs]) | sort) == [["date", 1], ["true", 2]]'
	# Of one node, no sum of parts is larger than the whole, and none is lost.
	holds '([.steps[].used.cpu_s] | add) as $steps | .used.cpu_s >= $steps and .used.cpu_s < $steps + 0.5'
	series_end_with_the_steps
	soon_looked jq --exit-status '.jobs.open == 0 and .spool.records == 0' "$STINT_TESTBED/run/status.json"
	run ! grep 'no epilog came' "$STINT_TESTBED/log/stintd.out"
}

# The second node has no batch step. Its part of the first attempt is in two records, and the next attempt comes before the second is closed.
@test "a job that goes on without its extern step, and is requeued then, has both attempts apart and whole" {
	local id

	meet
	collector_gets 'epilog_wait_s = 120'
	cat >"$MEET/script" <<-'END'
		#!/bin/bash
		srun -Q -N2 -n2 true
		[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || exit 0
		scancel --signal=KILL $SLURM_JOB_ID.4294967292
		touch ended
		until [ -e gone ]; do sleep 0.05; done
		srun -Q -N2 -n2 date
		touch began
		until [ -e never ]; do sleep 0.05; done
	END
	chmod 755 "$MEET/script"
	id=$("$TESTBED" exec sbatch --parsable --nodes=2 --ntasks=2 --requeue --chdir="$MEET" --output=/dev/null "$MEET/script")
	told ended
	soon extern_step_is_over "$id"
	tell gone
	told began
	"$TESTBED" exec scontrol requeue "$id"
	REPORT=$MEET/stint-$id.attempt-1.json
	soon test -e "$REPORT"
	soon holds '.job.attempt == 1 and .complete == true and ([.tools[] | select(.name == "true" or .name == "date")] | map([.name, .runs]) | sort) == [["date", 2], ["true", 2]]'
	REPORT=$MEET/stint-$id.json
	soon holds '.job.attempt == 2 and .complete == true and (.nodes | length == 2) and ([.tools[] | select(.name == "true")][0].runs == 2) and all(.tools[]; .name != "date")'
	soon_looked jq --exit-status '.jobs.open == 0 and .spool.records == 0' "$STINT_TESTBED/run/status.json"
}

# Slurm also sends such a signal to the extern step, which ends by it. The second node has no batch step.
@test "a job that goes on after a signal to all of its steps is counted on all of its nodes" {
	local id step

	meet
	step="trap 'exit 0' USR1; $(tells_and_awaits 'began.$SLURM_PROCID' never)"
	collector_gets 'epilog_wait_s = 4'
	printf '#!/bin/bash\nsrun -Q -n2 -N2 sh -c %q\nsrun -Q -n2 -N2 /bin/true\n' "$step" >"$MEET/script"
	chmod 755 "$MEET/script"
	id=$("$TESTBED" exec sbatch --parsable --nodes=2 --ntasks=2 --chdir="$MEET" --output=/dev/null "$MEET/script")
	told began.0
	told began.1
	"$TESTBED" exec scancel --signal=USR1 "$id"
	report_in "$MEET"
	valid
	soon holds '.complete == true and (.nodes | length == 2) and ([.tools[] | select(.name == "true")][0].runs == 2)'
	series_end_with_the_steps
	soon_looked jq --exit-status '.jobs.open == 0' "$STINT_TESTBED/run/status.json"
	run ! grep "ended without a message" "$STINT_TESTBED/log/stintd.out"
}

extern_step_is_over() { # JOB : on all of its nodes
	[ -z "$(extern_daemon "$1")" ]
}

# Prints the pid of the slurmstepd of a job's extern step, of each node: it has this testbed's log open.
extern_daemon() { # JOB
	local pid

	for pid in $(pgrep --full "^slurmstepd: \\[$1.extern\\]"); do
		! find "/proc/$pid/fd" -lname "$STINT_TESTBED/*" | grep -q . || echo "$pid"
	done
}

@test "a job whose extern step's daemon is killed has a report that says so, and doctor does not ask for an epilog" {
	local id daemon

	meet
	collector_gets 'epilog_wait_s = 2'
	id=$("$TESTBED" exec sbatch --parsable --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began end); /bin/true")
	told began
	soon is_followed "$id"
	daemon=$(extern_daemon "$id")
	kill -KILL "$daemon" $(pgrep --parent "$daemon")
	tell end
	report_in "$MEET"
	valid
	soon holds '.complete == false and any(.gaps[]; .name == "job" and (.reason | test("without a message"))) and any(.tools[]; .name == "true")'
	soon_looked jq --exit-status '.jobs | .open == 0 and .closed_without_epilog == 0' "$STINT_TESTBED/run/status.json"
	grep -q "job $id: its extern step ended without a message" "$STINT_TESTBED/log/stintd.out"
}

# A stintd that was stopped (SIGSTOP) reads the end of the extern step from its socket and those of the others from notes.
@test "a stintd that is stopped while a job begins and ends knows its steps' ends, and closes it once" {
	local i meets=()

	kill -STOP "$(daemon_pid stintd)"
	for i in 1 2 3; do
		meet
		meets+=("$MEET")
		"$TESTBED" exec sbatch --chdir="$MEET" --output=/dev/null --wrap "sleep 0.$i; touch done"
	done
	for MEET in "${meets[@]}"; do told done; done
	soon node_is_idle
	kill -CONT "$(daemon_pid stintd)"
	for MEET in "${meets[@]}"; do
		report_in "$MEET"
		holds '[.steps[] | select(.id == "batch")][0].end != null'
	done
	soon_looked jq --exit-status '.jobs.open == 0' "$STINT_TESTBED/run/status.json"
	[ -z "$(ls "$STINT_TESTBED/run/jobs")" ]
}

@test "a job that ends while its node is off leaves nothing" {
	meet
	"$TESTBED" exec sbatch --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began end)"
	told began
	soon_looked jq --exit-status '.jobs.open == 1' "$STINT_TESTBED/run/status.json"
	touch "$STINT_TESTBED/run/off"
	tell end
	soon eval '[ -z "$(ls "$STINT_TESTBED/run/jobs")" ]'
	rm "$STINT_TESTBED/run/off"
	[ -z "$(find "$MEET" -name '*stint*')" ]
}

@test "a job during which its node is turned on is closed when it ends" {
	meet
	touch "$STINT_TESTBED/run/off"
	"$TESTBED" exec sbatch --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began on); srun /bin/true"
	told began
	rm "$STINT_TESTBED/run/off"
	tell on
	report_in "$MEET"
	valid
	holds 'any(.tools[]; .name == "true")'
	soon_looked jq --exit-status '.jobs.open == 0' "$STINT_TESTBED/run/status.json"
}

@test "where a partition is off, the jobs of others are closed all the same" {
	sed -i 's/$/ off_partitions=nothere/' "$STINT_TESTBED/etc/plugstack.conf"
	job -- true
	valid
	holds '.complete == true and (.steps | any(.id == "batch"))'
	sed -i 's/ off_partitions=nothere//' "$STINT_TESTBED/etc/plugstack.conf"
}

# The record of the node without a step stays in the spool for merge_wait_s: no later test needs an empty spool.
@test "--stint=off leaves nothing, of a node without a step either" {
	local id

	meet
	id=$("$TESTBED" exec sbatch --parsable --wait --nodes=2 --stint=off --chdir="$MEET" --output=/dev/null --wrap true)
	soon eval '[ -n "$(grep "has written no report to which this node" "$STINT_TESTBED/log/stintd.out")" ]'
	[ -z "$(ls -A "$MEET")" ]
	[ -z "$(find "$STINT_TESTBED/spool/store" -path "*/lines/$id.*")" ]
}

@test "doctor says that the plugin has what it needs, and what it lacks without the extern step" {
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	echo "$output"
	[ "$status" -eq 0 ]
	grep -q '^ok.*PrologFlags: Contain' <<<"$output"
	sed -i.kept '/^PrologFlags/d' "$SLURM_CONF"
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	mv "$SLURM_CONF.kept" "$SLURM_CONF"
	[ "$status" -eq 1 ]
	grep -q '^FAIL.*PrologFlags: .* -> set PrologFlags=Contain' <<<"$output"
}
