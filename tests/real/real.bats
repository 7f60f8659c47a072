#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that clusters run, as Debian packages them, as jobs: their reports are true, and no healthy job has a warning.
# REAL_HOW=alone or beside runs only that half of each test; REAL_KEEP=DIRECTORY keeps reports and logs there.
# shellcheck shell=bash disable=SC2154,SC2317

load real

setup_file() {
	testbed_begin
	: >"$BATS_FILE_TMPDIR/table"
}

teardown_file() {
	testbed_end
}

need_namespaces() {
	"$TESTBED" exec unshare --user --mount --pid --fork true 2>/dev/null || skip "a user can make no namespaces here"
}

@test "GROMACS: water, by two threads" {
	real gromacs
}

@test "LAMMPS: a melt, by two processes of mpirun's" {
	real lammps-mpirun
}

@test "LAMMPS: a melt, by two tasks of srun's" {
	real lammps-srun
}

@test "NCBI BLAST+: proteins in a database, by two threads" {
	real blast
}

@test "bwa and samtools: reads aligned and sorted" {
	real align
}

@test "R with parallel: two forked workers" {
	real r-parallel
}

@test "Java: a pool of two threads" {
	real java-pool
}

@test "NumPy at work: two threads of its BLAS" {
	real numpy-busy
}

@test "NumPy that waits for its person" {
	real numpy-idle
}

@test "Octave: equations, on one CPU" {
	real octave
}

@test "Snakemake in a job: two rules at a time" {
	real snakemake
}

@test "make -j2: compilers" {
	real make
}

@test "tar of many small files" {
	real tar
}

@test "a program in namespaces of its own" {
	need_namespaces
	real namespaces
}

@test "a program in a container of Charliecloud's" {
	need_namespaces
	real charliecloud
}

@test "HPC Challenge: two processes of mpirun's" {
	real hpcc
}

@test "pigz and xz: two threads each" {
	real compress
}

# For all jobs above: a warning about a healthy job is false where it ran alone, and beside strangers where it blames
# the job itself.
@test "no healthy job was warned of" {
	local warnings

	[ -s "$BATS_FILE_TMPDIR/table" ] || skip "no program ran"
	sed 's/^/# /' "$BATS_FILE_TMPDIR/table" >&3
	warnings=$(sed -n 's/.*; false: //p' "$BATS_FILE_TMPDIR/table" | tr ' ' '\n' | sort | uniq -c | awk '{ print $2 " " $1 }')
	echo "# $(awk '{ n += $2 } END { print n + 0 }' <<<"$warnings") false warnings of $(wc -l <"$BATS_FILE_TMPDIR/table") jobs: ${warnings:-none}" |
		xargs echo >&3
	[ -z "$warnings" ]
}
