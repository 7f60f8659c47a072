#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of any shape, as stint report shows them: arrays, heterogeneous, on several nodes, never started.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin --nodes 2
	[ -z "$NO_TESTBED" ] || return 0
	# The records of both nodes are kept, so that the test can look at them.
	mkdir "$STINT_TESTBED/records"
	chmod 755 "$STINT_TESTBED/records"
	mv "$STINT_TESTBED/libexec/stint-epilog" "$STINT_TESTBED/libexec/the-epilog"
	cat >"$STINT_TESTBED/libexec/stint-epilog" <<-END
		#!/bin/sh
		for record; do :; done
		[ "\$record" != --serve ] || exit # a serving one would not start this for each record
		cp "\$record" "$STINT_TESTBED/records/\$\$"
		exec "$STINT_TESTBED/libexec/the-epilog" "\$@"
	END
	chmod 755 "$STINT_TESTBED/libexec/stint-epilog"
	mkdir "$STINT_TESTBED/home/shapes"
	chown "$TESTBED_USER" "$STINT_TESTBED/home/shapes"
	cd "$STINT_TESTBED/home/shapes"
	batch --array=0-2 --wrap='sleep 0.$((5 * SLURM_ARRAY_TASK_ID)); exit $((SLURM_ARRAY_TASK_ID / 2))' &
	batch --wrap='srun --het-group=0,1 sleep 0.2' --ntasks=1 : --ntasks=1 &
	batch --nodes=2 --ntasks-per-node=1 --wrap='srun sleep 0.3' &
	batch --ntasks-per-node=1 --nodes=2 --wrap='sleep 0.2' &
	batch --exclusive --wrap='sleep 0.2' &
	batch --mem=0 --wrap='sleep 0.2' &
	wait
}

teardown_file() {
	testbed_end
}

# Submits, waits for the end, and writes the job's id into a file named for the first option.
batch() { # sbatch-option...
	local id

	id=$("$TESTBED" exec sbatch --parsable --wait --mem=100 --output=/dev/null "$@") || true
	echo "$id" >"$STINT_TESTBED/id$1"
}

submitted() { # FIRST-OPTION : sets ID, and REPORT when there is a report of that name
	read -r ID <"$STINT_TESTBED/id$1"
	cd "$STINT_TESTBED/home/shapes"
}

# A table must say the same about a job as its report.
rows_agree() { # WORD
	"$STINT" report --table --json "$1" | jq --exit-status 'length > 0' >/dev/null || return 1
	diff <("$STINT" report --table --json "$1" | jq -c '.[] | [.id, .state, .elapsed_s, .cpu_s, .memory_used_peak_bytes,
			.bound]' | sort) \
		<("$STINT" report --json "$1" | jq -c '[.job.id, .job.state, .job.elapsed_s, .used.cpu_s,
			.used.memory_used_peak_bytes, .verdict.bound]' | sort)
}

@test "an array's page, each task by its number, and all of it from elsewhere" {
	local id

	submitted --array=0-2
	for task in 0 1 2; do soon test -e "stint-${ID}_$task.json"; done
	run "$STINT" report "$ID"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == "Array $ID "*": 1 of 3 tasks failed" ]]
	[ "${lines[1]}" = "Array Job ID: $ID" ]
	[[ $output == *"Tasks with a report: 3"*"State: 2 COMPLETED, 1 FAILED"* ]]
	[[ $output == *"Not completed: 1"$'\n'"  ${ID}_2  FAILED: the job script ended with exit code 1"* ]]
	rows_agree "$ID"
	cd /
	"$STINT" report "$ID" | grep -q 'Tasks with a report: 3'
	"$STINT" report "${ID}_1" | grep -qx "Array Job ID: ${ID}_1"
	id=$(jq .job.id "$STINT_TESTBED/home/shapes/stint-${ID}_1.json") # that task's own
	"$STINT" report "$id" | grep -qx "Array Job ID: ${ID}_1"
}

@test "a heterogeneous job's components, together and alone" {
	submitted "--wrap=srun --het-group=0,1 sleep 0.2"
	REPORT=stint-$ID.json
	soon test -e "$REPORT"
	valid
	holds --argjson id "$ID" '.job.het_job_id == $id and .job.het_job_offset == 0'
	soon "$STINT" report "$ID+1"
	run "$STINT" report "$ID"
	echo "$output"
	[[ ${lines[0]} == "Heterogeneous job $ID "*": all "*" components completed" ]]
	[ "${lines[1]}" = "Heterogeneous Job ID: $ID" ]
	[[ $output == *"Components with a report: 2"* ]]
	rows_agree "$ID"
	cd /
	"$STINT" report "$ID+1" | grep -qx "Job ID: $((ID + 1))"
}

@test "the parts of a job on two nodes make the report that its nodes made themselves" {
	local counted made record

	submitted --nodes=2
	soon jq --exit-status '.complete and (.nodes | length == 2)' "stint-$ID.json"
	# efficiencies also depend on Slurm's answer, which a record does not have
	counted='[.complete, (.used | {cpu_s, processes, memory_used_peak_bytes, memory_charged_peak_bytes, syscall_read_bytes}),
		[.nodes[] | {name, used}], [.steps[] | {id, cpu_s, tasks}]]'
	made=$(jq -c "$counted" "stint-$ID.json")
	[ -z "$(find . -name '.stint-*')" ]
	[ "$("$STINT" report "stint-$ID.json" | grep -cE "^ +${NODE%?}[12] ")" -ge 2 ]
	mkdir parts
	for record in "$STINT_TESTBED/records/"*; do
		tail --bytes=+33 "$record" >parts/record # behind its frame's header
		[ "$(jq .identity.job_id parts/record)" -ne "$ID" ] ||
			cp parts/record "parts/.stint-$ID.1.$(jq -r .identity.node parts/record).part"
	done
	rm parts/record
	chown -R "$TESTBED_USER" parts
	cd parts
	run "$STINT" report "$ID"
	[[ ${lines[0]} == "Built just now from the records of the job's nodes"* ]]
	[ "$("$STINT" report --json "$ID" | jq -c "$counted")" = "$made" ]
	rm ".stint-$ID.1.$NODE.part"
	"$STINT" report --json "$ID" | jq --exit-status '.complete == false and ([.nodes[] | has("used")] | sort == [false, true])'
}

@test "a node on which a job on two did nothing is named" {
	local idle

	submitted --ntasks-per-node=1
	REPORT=stint-$ID.json
	soon jq --exit-status .complete "$REPORT"
	idle=$(value '.nodes[] | select(.used.processes == 0) | .name')
	[ "$(wc -w <<<"$idle")" -eq 1 ]
	"$STINT" report "$ID" | grep -x "Did nothing: $idle: no process of the job's ran there"
}

# The job's report, and scontrol's words about the job.
asked() {
	REPORT=stint-$ID.json
	soon test -e "$REPORT"
	valid
	SAID=$(scontrol --oneliner show job "$ID")
	echo "$SAID"
}

@test "whether a job had its node for itself, or all of its memory, and how it asked for memory" {
	submitted --exclusive
	asked
	[[ $SAID == *" OverSubscribe=NO "* ]]
	holds '.allocated.exclusive and .requested.memory_source == "per node" and .requested.memory_bytes == 100 * 1048576'
	submitted --mem=0
	asked
	[[ $SAID == *" MinMemoryNode=0 "* ]]
	holds '.allocated.exclusive == null and .requested.memory_source == "all of the node"'
	holds '.requested.memory_bytes == .allocated.memory_bytes'
	ID=$("$TESTBED" exec sbatch --parsable --wait --mem-per-cpu=300 --ntasks=2 --output=/dev/null --wrap=true)
	asked
	[[ $SAID == *" MinMemoryCPU=300M "* ]]
	holds '.requested | .memory_source == "per cpu" and .memory_per_cpu_bytes == 300 * 1048576'
}

@test "memory that the site grants for each CPU is told, and not held against a job that used its CPUs" {
	cat >>"$STINT_TESTBED/etc/stint.conf" <<-'END'
		rule.finding_elapsed_s = 1
		rule.advice_elapsed_s = 1
	END
	"$TESTBED" restart-collector
	job --cpus-per-task=1 -- sh -c 'timeout 11 sh -c "while :; do :; done"; true'
	holds '.requested | .memory_source == "per cpu" and .memory_by_default'
	holds '[.findings[], .advice[] | select(.code == "memory-over-asked" or .memory_bytes)] == []'
	job --cpus-per-task=1 -- sleep 11
	holds '.requested.memory_by_default'
	job --cpus-per-task=1 --mem-per-cpu=3G -- sh -c 'timeout 11 sh -c "while :; do :; done"; true'
	holds '.requested | .memory_source == "per cpu" and .memory_by_default == null'
	holds '[.findings[] | select(.code == "memory-over-asked")] | length == 1'
	holds '[.advice[] | select(.memory_bytes)] | length == 1'
}

@test "a job that waits, and is cancelled before its start, has no report, and that is said" {
	local id

	cd "$STINT_TESTBED/home/shapes"
	id=$("$TESTBED" exec sbatch --parsable --hold --wrap=true)
	fails_with_one_line "$STINT" report "$id"
	[[ $stderr == *"job $id: it has not started yet, so there is no report: PENDING, JobHeldUser" ]]
	"$TESTBED" exec scancel "$id"
	fails_with_one_line "$STINT" report "$id"
	[[ $stderr == *"job $id: it never started, so there is no report: CANCELLED"* ]]
	id=$("$TESTBED" exec sbatch --parsable --hold --array=1-3 --wrap=true)
	fails_with_one_line "$STINT" report "${id}_2"
	[[ $stderr == *"has not started yet"* ]]
	"$TESTBED" exec scancel "$id"
	id=$("$TESTBED" exec sbatch --parsable --output=/dev/null --wrap='sleep 60')
	soon running "$id"
	fails_with_one_line "$STINT" report "$id"
	[[ $stderr == *"job $id: it is running on "* ]]
	"$TESTBED" exec scancel "$id"
}

running() { # JOB
	[ "$(squeue --noheader --format %T --jobs "$1")" = RUNNING ]
}

@test "a job that slurmctld has forgotten is found where accounting says that it ran" {
	submitted --array=0-2
	cd /
	mkdir "$BATS_TEST_TMPDIR/path"
	printf '#!/bin/sh\necho "%s_1|%s|COMPLETED|%s|%s"\n' "$ID" "$(id -u "$TESTBED_USER")" "$NODE" "$STINT_TESTBED/home/shapes" \
		>"$BATS_TEST_TMPDIR/path/sacct"
	chmod +x "$BATS_TEST_TMPDIR/path/sacct"
	printf '#!/bin/sh\necho "stint-slurm-job: $1: Invalid job id specified" >&2\nexit 1\n' \
		>"$BATS_TEST_TMPDIR/path/stint-slurm-job"
	chmod +x "$BATS_TEST_TMPDIR/path/stint-slurm-job"
	STINT_LIBEXEC=$BATS_TEST_TMPDIR/path PATH=$BATS_TEST_TMPDIR/path:$PATH "$STINT" report "${ID}_1" |
		grep -qx "Array Job ID: ${ID}_1"
}
