#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Which GPUs Slurm gave to a job. The GPUs are device files that do nothing, so this needs no card.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load helper

setup_file() {
	local i devices

	testbed_directory
	[ -z "$NO_TESTBED" ] || return 0
	devices=$(mktemp -d)
	chmod 755 "$devices"
	for i in 0 1 2 3 4; do
		mknod "$devices/nvidia$i" c 1 3 || { export NO_TESTBED="device files cannot be made here"; return 0; }
	done
	export DEVICES=$devices
	# nvidia2 comes last, so its index is not its minor number
	STINT_TESTBED_GRES=gpu:a100:3,gpu:v100:2,shard:10 \
		STINT_TESTBED_GRES_CONF="Name=gpu Type=a100 File=$devices/nvidia[0-1]
Name=gpu Type=a100 File=$devices/nvidia3
Name=gpu Type=v100 File=$devices/nvidia4
Name=gpu Type=v100 File=$devices/nvidia2
Name=shard Count=10" testbed_begin
}

teardown_file() {
	testbed_end
	rm -rf "${DEVICES:?}"
}

teardown() {
	testbed_evidence
}

# What slurmctld says while the job runs, as the job prints it: GRES=gpu:a100:2(IDX:0-1).
gres_of_slurm() {
	grep -o ' GRES=[^ ]*' <<<"$OUTPUT" | cut -d= -f2-
}

gpu_job() { # SBATCH-OPTION...
	install -m 755 /bin/sleep "$TOOLS/napping"
	job "$@" -- sh -c "scontrol --details show job \$SLURM_JOB_ID | tr '\n' ' '; $TOOLS/napping 1"
	[ "$STATUS" -eq 0 ]
	valid
}

# The report's only entry.
given() { # JSON
	value '.allocated.gpus_allocated' >&2
	holds --argjson given "$1" '.allocated.gpus_allocated == [$given | .node = $ENV.NODE]'
}

# GPU-hours are GPUs times the time, everywhere.
hours() { # GPUS
	local row

	holds --argjson gpus "$1" '.allocated.gpus == $gpus and (.allocated.gpu_hours - $gpus * .job.elapsed_s / 3600 | fabs) < 1e-6'
	row=$("$STINT" report --table --json "$REPORT")
	jq --exit-status --slurpfile report "$REPORT" '.[0].gpus == $report[0].allocated.gpus and .[0].gpu_hours == $report[0].allocated.gpu_hours' <<<"$row"
	"$STINT" report --csv "$REPORT" | python3 -c '
import csv, json, sys
row, = csv.DictReader(sys.stdin)
report = json.load(open(sys.argv[1]))["allocated"]
assert int(row["gpus"]) == report["gpus"] and float(row["gpu_hours"]) == report["gpu_hours"], row' "$REPORT"
}

@test "--gres names the type, and the report the indexes" {
	gpu_job --gres=gpu:a100:2
	[ "$(gres_of_slurm)" = "gpu:a100:2(IDX:0-1)" ]
	given '{"kind": "gpu", "type": "a100", "count": 2, "indexes": [0, 1]}'
	hours 2
	"$STINT" report "$REPORT" | grep -E '^GPUs allocated: +2 \(a100: 0, 1\)$'
}

@test "an index is Slurm's, not the number in the file's name" {
	gpu_job --gres=gpu:v100:2
	[ "$(gres_of_slurm)" = "gpu:v100:2(IDX:3-4)" ]
	given '{"kind": "gpu", "type": "v100", "count": 2, "indexes": [3, 4]}'
}

@test "--gpus and --gpus-per-node without a type" {
	local option count

	for option in --gpus=1 --gpus-per-node=2; do
		count=${option#*=}
		gpu_job "$option"
		[[ $(gres_of_slurm) == "gpu:a100:$count(IDX:0"* ]]
		holds --argjson count "$count" '.allocated.gpus == $count and .allocated.gpus_allocated ==
			[{node: $ENV.NODE, kind: "gpu", type: "a100", count: $count, indexes: [range($count)]}]'
	done
}

@test "while a job runs, Slurm's own list is shown" {
	meet
	(cd / && exec "$TESTBED" run --gres=gpu:a100:1,gpu:v100:1 -- sh -c "echo \$SLURM_JOB_ID >$MEET/job; $(tells_and_awaits begun go)") \
		>"$BATS_TEST_TMPDIR/report" 3>&- &
	told begun
	(cd / && "$STINT" report --json --config "$STINT_TESTBED/etc/stint.conf" "$(cat "$MEET/job")") >"$BATS_TEST_TMPDIR/running" || true
	tell go
	wait $!
	jq --exit-status '.allocated.gpus_allocated | sort_by(.type) == [{node: $ENV.NODE, kind: "gpu", type: "a100", count: 1, indexes: [0]},
		{node: $ENV.NODE, kind: "gpu", type: "v100", count: 1, indexes: [3]}]' "$BATS_TEST_TMPDIR/running"
	# at its end, only the indexes of all types together are known, so none is given to a type
	REPORT=$(cat "$BATS_TEST_TMPDIR/report")
	holds '.allocated.gpus_allocated | sort_by(.type) == [{kind: "gpu", type: "a100", count: 1}, {kind: "gpu", type: "v100", count: 1}]'
}

@test "shares of a GPU are not whole GPUs" {
	gpu_job --gres=shard:2
	[[ $(gres_of_slurm) == "shard:2("* ]]
	holds '.allocated | has("gpus") or has("gpu_hours") | not'
	holds '.allocated.gpus_allocated | length == 1 and .[0].kind == "shard" and .[0].count == 2 and (.[0].indexes | length) == 1'
	"$STINT" report "$REPORT" | grep -E '^GPUs allocated: +shares of GPUs \(shard: [0-4]\)$'
}

@test "a job without GPUs has none" {
	gpu_job
	[ -z "$(gres_of_slurm)" ]
	holds '.allocated | has("gpus") or has("gpus_allocated") or has("gpu_hours") | not'
	run ! grep GPU <("$STINT" report --all "$REPORT")
}
