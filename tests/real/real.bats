#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that clusters run, as Debian packages them, as jobs: their reports are true, no healthy job has a warning, and with all
# that its report advises each job still works and takes no longer.
# REAL_HOW=alone, beside or cold runs only that part of each test; REAL_KEEP=DIRECTORY keeps reports and logs there.
# shellcheck shell=bash disable=SC2154,SC2317

load real

setup_file() {
	testbed_begin
	[ -n "${NO_TESTBED:-}" ] || collector_gets 'rule.advice_elapsed_s = 1' # the programs are short
	: >"$BATS_FILE_TMPDIR/table"
}

teardown_file() {
	testbed_end
}

need_namespaces() {
	"$TESTBED" exec unshare --user --mount --pid --fork true 2>/dev/null || skip "a user can make no namespaces here"
}

need_fuse() {
	"$TESTBED" exec test -r /dev/fuse -a -w /dev/fuse || skip "a user can mount nothing with FUSE here"
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

@test "R's own cluster: two processes" {
	real r-cluster
}

@test "Java on the heap that it makes itself" {
	real java-heap
}

@test "Node.js: a stream of lines" {
	real node
}

@test "a database mapped into memory, warm and cold" {
	real mapped-database
}

@test "two MPI ranks, one of them asleep" {
	real mpi-idle
}

@test "four MPI ranks, one of them asleep" {
	real mpi-idle-four
}

@test "GNU parallel: one task of six fails" {
	real parallel-fails
}

@test "Snakemake in a job: a rule fails for one sample" {
	real snakemake-fails
}

@test "a local image that squashfuse mounts" {
	need_fuse
	real squash-image
}

@test "a pool in Python: one worker is killed for memory" {
	real pool-killed
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
