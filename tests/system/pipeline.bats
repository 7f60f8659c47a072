#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A real bioinformatics pipeline: reads are made, aligned, sorted, indexed and counted.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

# Makes a genome of 2 million bases and 60,000 reads from it, the same each time.
make_genome() { # in the current directory
	python3 - <<-'END'
		import random
		random.seed(7)
		genome = "".join(random.choices("ACGT", k=2_000_000))
		with open("genome.fa", "w") as out:
		    print(">chr1", file=out)
		    for i in range(0, len(genome), 80):
		        print(genome[i:i + 80], file=out)
		with open("reads.fq", "w") as out:
		    for i in range(60_000):
		        at = random.randrange(len(genome) - 100)
		        read = list(genome[at:at + 100])
		        read[random.randrange(100)] = random.choice("ACGT")
		        print(f"@read{i}\n{''.join(read)}\n+\n{'I' * 100}", file=out)
	END
}

@test "a pipeline with bwa and samtools is reported tool by tool" {
	local directory tool

	need bwa samtools python3
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/genome.XXXXXX")
	(cd "$directory" && make_genome && chown "$TESTBED_USER:" ./*)
	script_job --chdir="$directory" --cpus-per-task="$(($(nproc) > 1 ? 2 : 1))" --mem=1G <<-'END'
		#!/bin/bash
		#SBATCH --job-name=align
		set -eu -o pipefail
		bwa index genome.fa
		bwa mem -t "$SLURM_CPUS_ON_NODE" genome.fa reads.fq | samtools sort -@ 1 -o aligned.bam -
		samtools index aligned.bam
		samtools flagstat aligned.bam >flagstat.txt
		samtools view -c -F 4 aligned.bam >mapped.txt
	END
	[ "$STATUS" -eq 0 ]
	[ "$(cat "$directory/mapped.txt")" -gt 59000 ]
	valid
	holds '.complete == true and .job.state == "COMPLETED"'
	holds '.tools[] | select(.name == "bwa") | .runs == 2 and .failures == 0 and .cpu_s > 1 and .peak_bytes > 5000000'
	holds '.tools[] | select(.name == "samtools") | .runs == 4 and .failures == 0'
	# the sum of the tools is the job's, less what Slurm itself and the shell used
	between "$(value '.used.cpu_s * 0.97 - '"$(slack 0.1)"'')" "$(value '[.tools[].cpu_s] | add')" "$(value '.used.cpu_s + '"$(slack 0.02)"'')"
	holds '.used.processes >= 7 and .used.threads_peak >= 3'
	"$STINT" report "$REPORT" | grep -q samtools
}

@test "a job and one that does twice the work: what differs, the timeline and the trace" {
	local one two line

	need python3
	tool solve workload/workload
	for times in 1 2; do
		script_job --cpus-per-task=1 --mem=256M <<-END
			#!/bin/bash
			#SBATCH --job-name=work
			for i in \$(seq $((15 * times))); do "$TOOLS/solve" brief 1 100; done
		END
		[ "$STATUS" -eq 0 ]
		whole
		one=${two:-} two=$REPORT
	done
	"$STINT" compare --json "$one" "$two" >"$BATS_TEST_TMPDIR/compare.json"
	jq '.sentence, (.quantities[] | select(.result != "same") | {name, result, a, b}), .tools' "$BATS_TEST_TMPDIR/compare.json"
	jq --exit-status '[.quantities[] | select(.name == "used.cpu_s") | .result == "worse" and (.relative > 0.8) and (.relative < 1.4)] | all' "$BATS_TEST_TMPDIR/compare.json"
	jq --exit-status '[.tools[] | select(.name == "solve")] | length == 1 and (.[0] | .a.runs == 15 and .b.runs == 30
		and (.changes | contains(["more-runs", "more-cpu"])))' "$BATS_TEST_TMPDIR/compare.json"
	jq --exit-status '[.tools[].changes[] | select(. == "new" or . == "gone")] == []' "$BATS_TEST_TMPDIR/compare.json" # not even the script
	jq --exit-status '[.quantities[] | select(.result == "unknown")] == []' "$BATS_TEST_TMPDIR/compare.json"
	"$STINT" compare "$one" "$one" | head -n 1 | grep -q "^No real difference: "
	for report in "$one" "$two"; do
		"$STINT" timeline --trace="$BATS_TEST_TMPDIR/trace.json" "$report"
		python3 "$SOURCE/tests/cli/trace_check" "$report" "$BATS_TEST_TMPDIR/trace.json"
	done
	line=$("$STINT" timeline "$two" | grep "^  solve ")
	[[ $line =~ \ 30\ +[0-9.]+\ s$ ]]
	# 30 runs one after the other: the row is full from the first to the last, and in ASCII one at once
	[[ $(LC_ALL=C "$STINT" timeline "$two" | grep "^  solve ") =~ \ 1{10,}\ +30\  ]]
}
