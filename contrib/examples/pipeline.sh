#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A small real pipeline: readings are made, sorted, packed, checked and summarised.
# Usage: sbatch pipeline.sh [DIRECTORY-OF-summarise.py]
#SBATCH --job-name=pipeline
#SBATCH --time=10
set -eu
tools=${1:-.}

# one step keeps a single core busy
awk 'BEGIN {
	srand(20)
	for (i = 0; i < 1500000; i++)
		printf "station-%04d %.4f %d\n", rand() * 5000, rand() * 40 - 10, i
}' >readings.txt

# this one uses all cores, and memory
sort --parallel="$(nproc)" --buffer-size=400M --key=1,1 readings.txt >sorted.txt

# two packers side by side
gzip --keep --fast sorted.txt &
xz --keep -1 sorted.txt &
wait

# many short processes
split --lines=50000 sorted.txt part.
for part in part.*; do
	sha256sum "$part"
done >checksums.txt
rm part.*

# and a script, which the report names by its own name
python3 "$tools/summarise.py" sorted.txt >summary.tsv

# a tool that fails now and then belongs to every pipeline
grep --quiet station-9999 sorted.txt || echo "station-9999 sent nothing"
