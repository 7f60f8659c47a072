#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Which programs OMP_NUM_THREADS affects: those that have an OpenMP runtime or a BLAS library mapped. The programs themselves ask the kernel
# what is mapped.
# shellcheck shell=bash disable=SC2016,SC2153,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	[ -z "$NO_TESTBED" ] || return 0
	printf '%s\n' 'rule.finding_elapsed_s = 1' 'rule.advice_elapsed_s = 1' >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	command -v gcc >/dev/null || return 0
	(
		cd "$BATS_TEST_DIRNAME/runtimes" || exit
		gcc -O2 -fopenmp -o "$TOOLS/solve" spin.c
		gcc -O2 -o "$TOOLS/own" spin.c -lpthread
		gcc -O2 -o "$TOOLS/mapped" mapped.c -lpthread -ldl
	)
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	need gcc
}

# Runs a script on one CPU, and sets PAGE.
crowd() { # LINE...
	script_job --cpus-per-task=1 < <(printf '%s\n' '#!/bin/bash' "$@")
	[ "$STATUS" -eq 0 ]
	valid
	holds '[.gaps[] | select(.name == "tools.peak_bytes")] == []' || skip "on this kernel nothing sees a process' memory at its end"
	PAGE=$("$STINT" report "$REPORT")
	echo "$PAGE"
}

is_crowded() {
	holds '[.findings[] | select(.code == "oversubscribed")] | length == 1'
}

threads_lines() {
	jq --raw-output '.advice[].line | select(contains("OMP_NUM_THREADS"))' "$REPORT"
}

@test "too many threads of OpenMP's: the line that the page shows makes them as many as there are CPUs" {
	local line

	[ -x "$TOOLS/solve" ]
	crowd 'export OMP_NUM_THREADS=4' "$TOOLS/solve 4 4"
	is_crowded
	holds '.tools[] | select(.name == "solve") | .threads_peak == 4 and .openmp_processes == 1 and (has("blas_processes") | not)'
	line=$(threads_lines)
	[ "$line" = 'export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}' ]
	grep -qF "$line" <<<"$PAGE"
	crowd 'export OMP_NUM_THREADS=4' "$line" "$TOOLS/solve 4 4"
	holds '[.findings[] | select(.code == "oversubscribed")] == []'
	holds '.tools[] | select(.name == "solve") | .threads_peak == 1'
	[ -z "$(threads_lines)" ]
}

@test "as many threads that a program starts itself: no line, since it would reach none of them" {
	crowd 'export OMP_NUM_THREADS=4' "$TOOLS/own 4 4"
	is_crowded
	holds '.tools[] | select(.name == "own") | .threads_peak == 4 and (has("openmp_processes") or has("blas_processes") | not)'
	[ -z "$(threads_lines)" ]
	holds '.findings[] | select(.code == "oversubscribed") |
		.hint == "own had 4 threads for 1 CPU: use its option for threads to start fewer."'
}

# ---- what is mapped ----

# Makes libraries that do nothing, by these names.
libraries() { # NAME...
	local name

	for name; do
		echo "int stint_test_nothing;" | gcc -shared -fPIC -x c -o "$TOOLS/$name" -
	done
}

# Prints the line of a script that runs "mapped HOW LIBRARY..." as a tool called NAME.
maps() { # NAME HOW LIBRARY...
	cp "$TOOLS/mapped" "$TOOLS/$1"
	echo "$TOOLS/$1 $2 ${*:3}"
}

# The report says of the tool: processes with OpenMP, and with BLAS.
counts() { # TOOL OPENMP BLAS
	holds --arg tool "$1" --argjson openmp "$2" --argjson blas "$3" \
		'.tools[] | select(.name == $tool) | .openmp_processes == $openmp and .blas_processes == $blas'
}

@test "a runtime is known by the name of the file that is mapped, whatever it was called by" {
	local openmp=(libgomp.so.1.0.0 libgomp-a34b3233.so.1.0.0 libomp.so.5 libomp-d41d8cd9.so libiomp5.so libnvomp.so)
	local blas=(libopenblasp-r0.3.21.so libscipy_openblas64_-6bb31eeb.so libmkl_rt.so.2 libblis.so.4)
	local others=(libompitrace.so.40 libgom.so liblapack.so.3 openblas.so) name lines=()

	libraries "${openmp[@]}" "${blas[@]}" "${others[@]}"
	ln -s libopenblasp-r0.3.21.so "$TOOLS/libcblas.so.3"
	for name in "${openmp[@]}" "${blas[@]}" "${others[@]}" libcblas.so.3; do
		lines+=("$(maps "with-$name" threads "$TOOLS/$name")")
	done
	crowd "${lines[@]}"
	for name in "${openmp[@]}" "${blas[@]}" "${others[@]}"; do
		grep -qxF "$name" <<<"$OUTPUT"
	done
	for name in "${openmp[@]}"; do
		counts "with-$name" 1 null
	done
	for name in "${blas[@]}" libcblas.so.3; do
		counts "with-$name" null 1
	done
	for name in "${others[@]}"; do
		counts "with-$name" null null
	done
}

@test "it is counted when the image ends, by exit, signal or exec, of each process with several threads" {
	local at=$TOOLS/libgomp.so.1.0.0 blis=$TOOLS/libblis.so.4

	libraries libgomp.so.1.0.0 libblis.so.4
	gcc -O2 -static -o "$TOOLS/static" "$BATS_TEST_DIRNAME/runtimes/spin.c" -lpthread
	crowd "$(maps alone alone "$at")" "$(maps both threads "$at" "$blis")" "$(maps execs exec "$at")" "$(maps forks fork "$at")" \
		"$(maps often threads "$at")" "$TOOLS/often kill $at" "$TOOLS/often alone" "$TOOLS/often threads" "$TOOLS/static 2 0.1"
	counts alone null null
	counts both 1 1
	counts execs 1 null
	counts true null null
	counts forks 2 null
	counts often 2 null
	counts static null null
}

@test "whatever a program makes of its own list of libraries, it ends, and all of it is counted" {
	local at=$TOOLS/libgomp.so.1.0.0

	libraries libgomp.so.1.0.0
	crowd "$(maps cycles cycle "$at")" "$(maps wild wild "$at")" "$(maps healthy threads "$at")"
	whole
	counts cycles null null
	counts wild null null
	counts healthy 1 null
	holds '[.tools[] | select(.name == "cycles" or .name == "wild") | .runs] == [1, 1]'
}
