#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A node with GPUs, by a vendor's library that is made up (tests/gpu): what a job's record has of them, and what a library that hangs costs.
# shellcheck shell=bash disable=SC2154,SC2164,SC2317

load helper

setup_file() {
	local lib

	testbed_directory
	[ -z "$NO_TESTBED" ] || return 0
	export GPUS=$STINT_TESTBED-gpus
	undo_with rm -rf "$GPUS"
	mkdir -p "$GPUS/dev" "$GPUS/lib"
	touch "$GPUS/dev/nvidiactl" "$GPUS/rounds"
	chmod 666 "$GPUS/rounds"
	lib=$(find "${STINT_BUILD:-$SOURCE}/tests/gpu" -name fake_nvml.so | head -n 1)
	cp "$lib" "$GPUS/lib/libnvidia-ml.so.1"
	scene
	# stintd, and so stint-gpu, gets these from the testbed
	export STINT_DEV=$GPUS/dev LD_LIBRARY_PATH=$GPUS/lib FAKE_GPU=$GPUS/scene FAKE_GPU_ROUNDS=$GPUS/rounds
	testbed_begin
	unset LD_LIBRARY_PATH
	mkdir "$STINT_TESTBED/records"
	mv "$STINT_TESTBED/libexec/stint-epilog" "$STINT_TESTBED/libexec/the-epilog"
	cat >"$STINT_TESTBED/libexec/stint-epilog" <<-END
		#!/bin/sh
		for record; do :; done
		[ "\$record" != --serve ] || exit # a serving one would not start this for each record
		cp "\$record" "$STINT_TESTBED/records/"
		exec "$STINT_TESTBED/libexec/the-epilog" "\$@"
	END
	chmod 755 "$STINT_TESTBED/libexec/stint-epilog"
	mkdir "$STINT_TESTBED/home/gpu"
	chown "$TESTBED_USER" "$STINT_TESTBED/home/gpu"
}

teardown_file() {
	testbed_end
	rm -rf "${GPUS:-/nonexistent}"
}

# Two GPUs, of which the first one has the process PID, and minor numbers unlike their order.
scene() { # [LINE...]
	printf '%s\n' 'gpus 2' 'busy 0 40' 'memory 0 3221225472' 'minor 0 1' 'minor 1 0' 'throttle 0 4' "$@" >"$GPUS/new"
	mv "$GPUS/new" "$GPUS/scene"
}

# The GPUs have been read this many times more.
read_again() { # TIMES
	[ "$(stat -c %s "$GPUS/rounds")" -ge $((BEFORE + $1)) ]
}

# Starts a job that waits for the file go; sets ID and PID, of its script.
begin_job() { # NAME
	cd "$STINT_TESTBED/home/gpu"
	rm -f go pid
	ID=$("$TESTBED" exec sbatch --parsable --mem=100 --job-name="$1" --output=/dev/null --chdir="$PWD" \
		--wrap='echo $$ >pid.new; mv pid.new pid; until [ -e go ]; do sleep 0.1; done')
	soon test -s pid
	read -r PID <pid
	BEFORE=$(stat -c %s "$GPUS/rounds")
}

end_job() {
	touch go
	REPORT=$PWD/stint-$ID.json
	soon test -e "$REPORT"
	RECORD=$(grep -l "\"job_id\":$ID," "$STINT_TESTBED"/records/*)
}

# JQ-CONDITION is true for the record. A record's first line is its frame's.
recorded() {
	grep -a '^{' "$RECORD" | sed 's/^[^{]*//' | jq --exit-status "$1" >/dev/null || { grep -a '^{' "$RECORD" | jq -c '{gpus, gpus_shared, gpu_samples_missing}'; return 1; }
}

no_sampler() {
	! pgrep -f "$STINT_TESTBED/libexec/stint-gpu" >/dev/null
}

@test "a job's record has the GPU that its process used, with known numbers, and the process's tool" {
	testbed_or_skip
	begin_job used
	scene "process 0 $PID 1073741824"
	soon read_again 5
	scene "process 0 $PID 1073741824" 'xid 0 31'
	BEFORE=$(stat -c %s "$GPUS/rounds")
	soon read_again 3
	end_job
	recorded '.gpus[0] | .used and .vendor == "nvidia" and .model == "NVIDIA H100" and .minor == 1 and .pci == "00000000:10:00.0"'
	recorded '.gpus[0] | .uuid == "GPU-00000000-0000-0000-0000-000000000001"'
	recorded '.gpus[0].busy | (.busy_ns / .known_ns * 100 | round) == 40 and .covered_ns == .known_ns and .counted_ns == .known_ns'
	recorded '.gpus[0].tensor | (.busy_ns / .known_ns * 100 | round) == 20'
	recorded '.gpus[0] | .memory_peak_bytes == 3221225472 and .job_memory_peak_bytes == 1073741824 and .memory_total_bytes == 85899345920'
	recorded '.gpus[0] | .energy_mj == (.readings - 1) * 1000 and .energy_known_ns > 0'
	recorded '.gpus[0] | .xid_errors == 1 and .xids == [{"xid": 31, "count": 1}]'
	recorded '.gpus[0] | .throttled_power_ns == .throttled_known_ns and .throttled_heat_ns == 0 and .absent == []'
	recorded '.gpus[0].processes | length == 1 and .[0].pid == '"$PID"' and .[0].memory_peak_bytes == 1073741824'
	recorded '.tools[.gpus[0].processes[0].tool].name | test("slurm_script|sh")'
	recorded '.gpus[1] | (has("used") | not) and .minor == 0 and .job_memory_peak_bytes == 0'
	recorded '(has("gpus_shared") or has("gpu_samples_missing")) | not'
}

@test "the report has the GPU that the job used, and the page a line for it" {
	testbed_or_skip
	REPORT=$(ls -t "$STINT_TESTBED"/home/gpu/stint-*.json | head -n 1)
	valid
	holds '.gpus | length == 1'
	holds '.gpus[0] | .busy_share == 0.4 and .busy_source == "counters" and .sm_share == 0.4 and .tensor_share == 0.2 and .bandwidth_share == 0.1'
	holds '.gpus[0] | .busy_known_s > 0 and .busy_covered_s == .busy_known_s and .energy_j > 0 and .absent == []'
	holds '.gpus[0] | .memory_peak_bytes == 3221225472 and .job_memory_peak_bytes == 1073741824 and .minor == 1'
	holds '.gpus[0] | .xid_errors == 1 and .xids == [{"xid": 31, "count": 1}] and .throttled_heat_s == 0 and .throttled_power_s > 0'
	holds '.gpus[0].processes[0] | .memory_peak_bytes == 1073741824 and (.tool | length > 0)'
	holds '[.gaps[] | select(.name == "gpus")] == []'
	"$STINT" report "$REPORT" >"$BATS_TEST_TMPDIR/page"
	grep -Eq '^ *NVIDIA H100 +1 +40[.]0% +40[.]0% +1[.]0G +80G +[0-9]+ J +1$' "$BATS_TEST_TMPDIR/page" || { cat "$BATS_TEST_TMPDIR/page"; false; }
}

@test "stint-gpu ends with the last job" {
	testbed_or_skip
	soon no_sampler
}

@test "a library that does not answer delays neither the job's end nor its report, and the record says so" {
	testbed_or_skip
	scene 'hang DeviceGetUUID'
	begin_job hangs
	soon pgrep -f "$STINT_TESTBED/libexec/stint-gpu"
	end_job
	recorded '.gpus == [] and .gpu_samples_missing == "the job ended before the GPUs were read"'
	scene
}

@test "a number that the driver refuses is absent with its reason, and not 0" {
	testbed_or_skip
	soon no_sampler
	scene 'answer DeviceGetTotalEnergyConsumption 3' 'answer DeviceGetComputeRunningProcesses_v3 4' 'answer GpmMetricsGet 999'
	begin_job refused
	soon read_again 3
	end_job
	recorded '.gpus[0] | has("energy_mj") or has("busy") or has("job_memory_peak_bytes") | not'
	holds '.gpus == []' # nobody knows whose GPUs they are
	recorded '.gpus[0].absent | map({(.name): .reason}) | add | .energy_mj == "the GPU does not have it" and .job_memory_peak_bytes == "the driver does not allow it"'
	scene
}

@test "a GPU with a process that is no job's is not in the record" {
	testbed_or_skip
	soon no_sampler
	begin_job alone
	scene "process 0 $PID 1000" "process 1 $BASHPID 2000"
	soon read_again 4
	end_job
	recorded '(has("gpus_shared") | not) and (.gpus | length == 1) and .gpus[0].minor == 1'
	scene
}

@test "a GPU of another job is not in the record" {
	testbed_or_skip
	local first first_pid

	soon no_sampler
	begin_job first
	first=$ID first_pid=$PID
	begin_job second
	scene "process 0 $first_pid 1000" "process 1 $PID 2000"
	soon read_again 4
	end_job
	recorded '.gpus_shared and (.gpus | length == 1) and .gpus[0].minor == 0 and .gpus[0].job_memory_peak_bytes == 2000'
	ID=$first
	end_job
	recorded '.gpus_shared and (.gpus | length == 1) and .gpus[0].minor == 1 and .gpus[0].job_memory_peak_bytes == 1000'
}

@test "after a restart of stintd the record says that earlier readings are lost" {
	testbed_or_skip
	soon no_sampler
	begin_job restarted
	scene "process 0 $PID 1000"
	soon read_again 7 # 5 s of the job are over
	LD_LIBRARY_PATH=$GPUS/lib "$TESTBED" restart-collector
	BEFORE=$(stat -c %s "$GPUS/rounds")
	soon read_again 3
	end_job
	recorded '.gpu_samples_missing == "stintd was restarted, or the driver was loaded later; what was read before is lost"'
	recorded '.gpus[0].used and .gpus[0].job_memory_peak_bytes == 1000'
	scene
}

# stintd has looked at the job so many times.
has_samples() { # COUNT
	"$STINT" report --json "$ID" | jq --exit-status --argjson count "$1" '.series[0].columns.threads | length >= $count'
}

@test "with gpus = off no stint-gpu runs, and the record says so" {
	testbed_or_skip
	soon no_sampler
	LD_LIBRARY_PATH=$GPUS/lib collector_gets 'gpus = off'
	begin_job off
	soon has_samples 3
	no_sampler
	end_job
	recorded '.gpu_samples_missing == "gpus = off in stint.conf" and (has("gpus") | not)'
	[ "$(stat -c %s "$GPUS/rounds")" -eq "$BEFORE" ]
}
