# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that clusters run, as jobs: contrib/check real runs them.
EXTRA_DIST += \
	tests/real/align \
	tests/real/blast \
	tests/real/charliecloud \
	tests/real/compress \
	tests/real/gromacs \
	tests/real/held \
	tests/real/hpcc \
	tests/real/java-heap \
	tests/real/java-pool \
	tests/real/lammps-mpirun \
	tests/real/lammps-srun \
	tests/real/make \
	tests/real/mapped-database \
	tests/real/mpi-idle \
	tests/real/mpi-idle-four \
	tests/real/namespaces \
	tests/real/no-slower \
	tests/real/node \
	tests/real/numpy-busy \
	tests/real/numpy-idle \
	tests/real/octave \
	tests/real/parallel-fails \
	tests/real/pool-killed \
	tests/real/r-cluster \
	tests/real/r-parallel \
	tests/real/real.bash \
	tests/real/real.bats \
	tests/real/snakemake \
	tests/real/snakemake-fails \
	tests/real/squash-image \
	tests/real/tar \
	#
