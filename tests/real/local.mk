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
	tests/real/java-pool \
	tests/real/lammps-mpirun \
	tests/real/lammps-srun \
	tests/real/make \
	tests/real/namespaces \
	tests/real/numpy-busy \
	tests/real/numpy-idle \
	tests/real/octave \
	tests/real/r-parallel \
	tests/real/real.bash \
	tests/real/real.bats \
	tests/real/snakemake \
	tests/real/tar \
	#
