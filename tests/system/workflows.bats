#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Workflow engines: a real Snakemake that submits to the testbed's Slurm, and jobs in the forms in which the sources of Nextflow and of
# Snakemake's later executor submit them.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	# Debian's whole snakemake is 680 MB with its interfaces to others; what it needs to run is 1 MB, and is unpacked, not installed
	SNAKEMAKE=$STINT_TESTBED/snakemake
	NO_SNAKEMAKE=
	# shellcheck source=contrib/packages.sh
	. "$SOURCE/contrib/packages.sh"
	packages_unpack "$SNAKEMAKE" "${SNAKEMAKE_PACKAGES[@]}" >"$BATS_FILE_TMPDIR/unpack.log" 2>&1 ||
		NO_SNAKEMAKE="Debian's snakemake cannot be downloaded: $(tail -n 1 "$BATS_FILE_TMPDIR/unpack.log")"
	export SNAKEMAKE NO_SNAKEMAKE
}

teardown_file() {
	testbed_end
}

# Makes an empty directory of the user.
directory() {
	"$TESTBED" exec mktemp -d "$STINT_TESTBED/home/flow.XXXXXX"
}

# Runs Snakemake as the user, in the directory that has its Snakefile.
snakemake() { # DIRECTORY [OPTION...]
	local directory=$1

	shift
	(cd "$directory" && "$TESTBED" exec env HOME="$directory" CI=true PYTHONDONTWRITEBYTECODE=1 \
		PYTHONPATH="$SNAKEMAKE/usr/lib/python3/dist-packages" \
		/usr/bin/python3 -m snakemake --scheduler greedy --jobs 4 --max-status-checks-per-second 1 "$@") 2>&1
}

reports_in() { # DIRECTORY COUNT
	[ "$(find "$1" -maxdepth 1 -name 'stint-*.json' | wc -l)" -eq "$2" ]
}

# Submits as the user from DIRECTORY, and waits for the report: sets REPORT.
submit_in() { # DIRECTORY ARGUMENT...
	local directory=$1

	shift
	(cd "$directory" && "$TESTBED" exec sbatch --parsable "$@") >/dev/null
	report_in "$directory"
}

@test "each job that Snakemake itself submits is told by rule and wildcards" {
	local directory report rule

	[ -z "$NO_SNAKEMAKE" ] || skip "$NO_SNAKEMAKE"
	directory=$(directory)
	cat >"$directory/Snakefile" <<-'END'
		def comment(rule):  # what the executor of later releases says by itself
		    return lambda wildcards: f"--comment rule_{rule}_wildcards_{wildcards.sample}"
		rule all:
		    input: expand("{sample}.gz", sample=["S1", "S2"])
		rule draw:
		    output: "{sample}.txt"
		    resources: slurm_extra=comment("draw")
		    shell: "seq 200000 | shuf >{output}"
		rule order:
		    input: "{sample}.txt"
		    output: "{sample}.gz"
		    resources: slurm_extra=comment("order")
		    shell: "sort -n {input} | gzip >{output}"
	END
	run snakemake "$directory" --slurm --default-resources mem_mb=200 runtime=5
	echo "$output"
	[ "$status" -eq 0 ]
	soon reports_in "$directory" 4
	# the rule of each job, according to Snakemake itself: "rule:ID" from the place of its log
	for report in "$directory"/stint-*.json; do
		REPORT=$report
		valid
		rule=$(basename "$(dirname "$(find "$directory/.snakemake/slurm_logs" -name "$(value .job.id).log")")")
		holds --arg rule "${rule#rule_}" '.complete and .job.workflow.engine == "snakemake" and .job.workflow.rule == $rule'
		run "$STINT" report "$report"
		[[ $output == *"Workflow: Snakemake rule ${rule#rule_}, S"[12]$'\n'* ]]
	done
	run jq --slurp --compact-output '[.[].job.workflow | [.rule, .wildcards]] | sort' "$directory"/stint-*.json
	[ "$output" = '[["draw","S1"],["draw","S2"],["order","S1"],["order","S2"]]' ]
	run "$STINT" report --by rule "$directory"
	echo "$output"
	grep -qE '^  draw +2 +0 ' <<<"$output"
	grep -qE '^  order +2 +0 ' <<<"$output"
	# and the tools of each job are those of its rule
	run jq --slurp --compact-output '[.[] | .job.workflow.rule as $rule | .tools[].name |
		select(. == "shuf" or . == "gzip" or . == "sort") | [$rule, .]] | unique' "$directory"/stint-*.json
	[ "$output" = '[["draw","shuf"],["order","gzip"],["order","sort"]]' ]
}

@test "a job script that Snakemake hands to sbatch is told by rule" {
	local directory

	[ -z "$NO_SNAKEMAKE" ] || skip "$NO_SNAKEMAKE"
	directory=$(directory)
	cat >"$directory/Snakefile" <<-'END'
		rule one:
		    output: "one.txt"
		    shell: "seq 100000 | sort -r >{output}"
	END
	run snakemake "$directory" --cluster 'sbatch --job-name=mine --mem=200M'
	echo "$output"
	[ "$status" -eq 0 ]
	soon reports_in "$directory" 1
	report_in "$directory"
	valid
	holds '.job.name == "mine" and .job.workflow == {engine: "snakemake", rule: "one"}'
}

@test "a job as Snakemake's later executor submits it is told by rule and wildcards" {
	local directory logs

	directory=$(directory)
	logs=$directory/.snakemake/slurm_logs/rule_align/A_1
	"$TESTBED" exec mkdir -p "$logs"
	submit_in "$directory" --job-name 3f2b8c1e-9d4a-4b6f-8a21-0c5d7e9f1a2b --output "$logs/%j.log" --export=ALL \
		--comment rule_align_wildcards_A_1 --mem 200 --ntasks=1 --cpus-per-task=1 -D "$directory" --wrap="seq 1000 | sort -n"
	valid
	holds '.job.workflow == {engine: "snakemake", rule: "align", wildcards: "A_1"}'
}

@test "a job as Nextflow submits it is told by process and tag" {
	local directory work

	directory=$(directory)
	work=$directory/work/ab/cdef0123456789abcdef0123456789
	"$TESTBED" exec mkdir -p "$work"
	cat >"$work/.command.sh" <<-'END'
		#!/bin/bash -ue
		seq 1000 | sort -n >aligned.txt
	END
	cat >"$work/.command.run" <<-END
		#!/bin/bash
		#SBATCH -J nf-NFCORE_RNASEQ_RNASEQ_ALIGN_STAR_(SAMPLE1)
		#SBATCH -o $work/.command.log
		#SBATCH --no-requeue
		#SBATCH --signal B:USR2@30
		#SBATCH -t 00:05:00
		#SBATCH --mem 200M
		NXF_CHDIR=$work
		cd \$NXF_CHDIR
		/bin/bash -ue $work/.command.sh
	END
	submit_in "$work" .command.run
	valid
	holds '.job.workflow == {engine: "nextflow", process: "NFCORE_RNASEQ_RNASEQ_ALIGN_STAR", tag: "SAMPLE1"}'
	run "$STINT" report "$REPORT"
	echo "$output"
	[[ $output == *"Workflow: Nextflow process NFCORE_RNASEQ_RNASEQ_ALIGN_STAR, SAMPLE1"$'\n'* ]]
}

@test "a job of nobody's workflow has none, however it is called" {
	job --job-name='nf-ALIGN_(S1)' --comment=rule_align_wildcards_A -- true
	valid
	holds '.job.name == "nf-ALIGN_(S1)" and (.job | has("workflow") | not)'
}
