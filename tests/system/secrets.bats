#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a job has in its environment, on its command lines, in its files and in what it sends must appear nowhere.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load helper

setup_file() {
	testbed_begin || return 1
	[ -z "$NO_TESTBED" ] || return 0
	collector_gets 'files = on'
	tool worker
	run_the_job
}

teardown_file() {
	testbed_end
}

teardown() {
	[ -n "${BATS_TEST_COMPLETED:-}" ] || [ -n "${BATS_TEST_SKIPPED:-}" ] || tail -n 5 "$STINT_TESTBED/log/stintd.out"
}

# Prints a text that is nowhere else. The tests search for its end, because a buffer that is reused loses its beginning.
secret() { # NAME
	local text

	text=hush$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
	echo "${text: -12}" >>"$BATS_FILE_TMPDIR/secrets"
	printf -v "$1" %s "$text"
}

# The job has secrets in all possible places, fails, waits to be looked at, and runs out of memory.
run_the_job() {
	local directory id

	for name in IN_SBATCH EXPORTED IN_STEP SCRIPT ARGUMENT CODE OPTION STDIN FILE SOCKET HELD BEHIND POSITION LATE; do
		secret "$name"
	done
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/secrets.XXXXXX")
	echo "$directory" >"$BATS_FILE_TMPDIR/directory"
	printf '#!/bin/sh\nexit 3\n' >"$directory/open-secret.sh" # its name stays in the report, so that a search that finds nothing is noticed
	printf %s "$FILE" >"$directory/file"
	printf %s "$SOCKET" >"$directory/payload"
	printf %s "$STDIN" >"$directory/input"
	cat >"$directory/job.sh" <<-END
		#!/bin/bash
		# $SCRIPT
		export EXPORTED=$EXPORTED
		cat file >/dev/null
		cat >/dev/null <input
		$TOOLS/worker 3 $ARGUMENT
		bash -c 'true; : $CODE; true'
		sh -ec ': $CODE; exit 3' $POSITION
		bash -aaaaaaaaaaaaaaaaaaaaaaaaac ': $CODE'
		bash -s $POSITION </dev/null
		perl -e 'exit 3; # $CODE' $POSITION
		perl -lane 'print; # $CODE' file >/dev/null
		python3 -c 'import sys; sys.exit(3) # $CODE' $POSITION
		python3 -Wignore -c 'x = "$CODE"'
		python3 --password $OPTION
		python3 --password=$OPTION
		python3 - $POSITION </dev/null
		bash --password $OPTION
		bash --init-file $OPTION -c true
		env NAMED=$OPTION python3 -c 'pass'
		sh open-secret.sh $BEHIND
		python3 -c '
		import socket
		text = open("payload", "rb").read()
		for kind in socket.SOCK_STREAM, socket.SOCK_DGRAM:
		    a, b = socket.socketpair(socket.AF_UNIX, kind)
		    a.sendall(text)
		    b.recv(100)
		'
		IN_STEP=$IN_STEP srun --export=ALL,ALSO=$IN_STEP $TOOLS/worker 7 $ARGUMENT
		HELD=$HELD sleep 60 $LATE 2>/dev/null || HELD=$HELD perl -e 'sleep 1 until -e "go" # $CODE' &
		for cpu in \$(seq 0 \$((\$(nproc) - 1))); do
			taskset --cpu-list \$cpu bash --init-file $OPTION-$OPTION -c true 2>/dev/null
		done
		touch ready
		wait
		exec python3 -c 'x = ["$CODE"]
		while True: x.append("$CODE" * 1000000)'
	END
	chown -R "$TESTBED_USER:" "$directory"
	id=$("$TESTBED" exec sh -c "cd '$directory' && IN_SBATCH=$IN_SBATCH sbatch --parsable --mem=200M --export=ALL,TOLD=$IN_SBATCH job.sh")
	look_inside "$directory" >"$BATS_FILE_TMPDIR/maps" || return 1
	touch "$directory/go"
	soon test -e "$directory/stint-$id.json" || return 1
	echo "$directory/stint-$id.json" >"$BATS_FILE_TMPDIR/report"
}

# Prints all contents of the kernel programs' maps while the job runs, as bytes: the pinned maps, and those that only programs hold.
look_inside() { # DIRECTORY
	soon test -e "$1/ready" >&2 || return 1
	cp -r "$STINT_TESTBED/run" "$BATS_FILE_TMPDIR/run" 2>/dev/null # jobs, live, notes, status
	"$BATS_TEST_DIRNAME/map-bytes" "$STINT_TESTBED/bpf/stint"
}

secrets_in() { # FILE... : prints each of them that holds one
	grep --recursive --text --files-with-matches --fixed-strings --file="$BATS_FILE_TMPDIR/secrets" -- "$@"
}

@test "the search finds what there is: the name of a script is in maps, record and report" {
	REPORT=$(cat "$BATS_FILE_TMPDIR/report")
	valid
	grep --text -q open-secret.sh "$BATS_FILE_TMPDIR/maps"
	holds '.tools[] | select(.name == "open-secret.sh") | .runs == 1 and .failures == 1'
	[ "$(wc -l <"$BATS_FILE_TMPDIR/secrets")" -eq 14 ]
	secrets_in "$(cat "$BATS_FILE_TMPDIR/directory")/job.sh"
}

@test "no secret is in the report of a job that failed and ran out of memory, nor in its page" {
	REPORT=$(cat "$BATS_FILE_TMPDIR/report")
	holds '.job.state == "OUT_OF_MEMORY" or .job.signal == 9'
	holds '.oom | length > 0'
	"$STINT" report --all "$REPORT" >"$BATS_TEST_TMPDIR/page"
	run secrets_in "$REPORT" "$BATS_TEST_TMPDIR/page"
	[ -z "$output" ]
}

@test "no secret is in what stintd keeps, in its log, or in slurmd's" {
	find "$BATS_FILE_TMPDIR/run" -name '*.*' | grep -q /jobs/
	run secrets_in "$BATS_FILE_TMPDIR/run" "$STINT_TESTBED/run" "$STINT_TESTBED/spool" "$STINT_TESTBED/log/stintd.out" \
		"$STINT_TESTBED/log/slurmd.$NODE.log"
	[ -z "$output" ]
	run find "$STINT_TESTBED" -name 'core*' -type f
	[ -z "$output" ]
}

@test "no secret is in the kernel programs' maps while the job runs" {
	[ "$(stat -c %s "$BATS_FILE_TMPDIR/maps")" -gt 10000 ]
	run secrets_in "$BATS_FILE_TMPDIR/maps"
	[ -z "$output" ]
}

@test "no source of ours looks into an environment or a command line, but for a script's name" {
	local sources=("$SOURCE"/bpf "$SOURCE"/common "$SOURCE"/collector "$SOURCE"/reports "$SOURCE"/spank)

	run ! grep -rnE '/environ|env_start|env_end|cmdline' --include='*.[ch]' "${sources[@]}"
	[ "$(grep -rlE 'arg_(start|end)' --include='*.[ch]' "${sources[@]}" | xargs -n1 basename | sort | xargs)" = "kernel.h script.h" ]
	# variables that are read by name: Slurm's own, systemd's, the reader's terminal and time zone, and the places of programs and slurm.conf
	[ "$(grep -rhoE 'getenv\((spank, )?"[A-Z_]+"|FILL\([a-z_]+, "[A-Z_]+"|number\("[A-Z_]+"' --include='*.c' "${sources[@]}" |
		grep -oE '"[A-Z_]+"' | tr -d '"' | grep -vE '^(SLURM|SLURMD)_[A-Z_]+$' | sort -u | xargs)" = \
		"COLUMNS JOURNAL_STREAM NOTIFY_SOCKET NO_COLOR PATH STINT_DEV STINT_LIBEXEC TERM TZ" ]
	[ "$(grep -rlE '"(COLUMNS|NO_COLOR|TERM)"' --include='*.c' "${sources[@]}" | xargs -n1 basename | sort | xargs)" = "screen.c terminal.c" ]
	[ "$(grep -rhoE 'spank_getenv\(spank, "[A-Z_]+"' --include='*.c' "${sources[@]}" | grep -oE '"[A-Z_]+"' | sort -u | xargs)" = \
		'SLURM_CLUSTER_NAME SLURM_JOB_NODELIST SLURM_JOB_PARTITION SLURM_SUBMIT_DIR' ]
}
