# SPDX-License-Identifier: GPL-2.0-or-later
# What the system tests share: a testbed a file, jobs, and statements about their reports.
# shellcheck shell=bash

bats_require_minimum_version 1.5.0

SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
TESTBED=$SOURCE/contrib/testbed
STINT=${STINT_BUILD:+$STINT_BUILD/reports/}stint
STINTD=${STINT_BUILD:+$STINT_BUILD/collector/}stintd
PROGRAMS=${STINT_BUILD:-$SOURCE}/tests/system # helper programs, built by "make check"
SLOWNESS=${STINT_TEST_SLOWNESS:-1} # how many times slower than a real one this machine is
SCHEMA=$SOURCE/reports/report.schema.json

# ---- the testbed of a file ----

need() { # PROGRAM... : skips where one is absent
	local program

	for program; do
		command -v "$program" >/dev/null || skip "$program is not installed"
	done
}

# Why there can be no testbed here. setup_file cannot skip (bats 1.8 takes that for a failure): each test does.
no_testbed() {
	local program

	[ "$EUID" -eq 0 ] || { echo "a testbed wants root"; return; }
	for program in munged slurmctld slurmd sbatch jq; do
		command -v "$program" >/dev/null || { echo "$program is not installed"; return; }
	done
}

testbed_or_skip() {
	[ -z "${NO_TESTBED:-}" ] || skip "$NO_TESTBED"
}

setup() {
	testbed_or_skip
}

testbed_begin() { # OPTION... : of testbed up
	PATH=$PATH:/usr/sbin:/sbin
	NO_TESTBED=$(no_testbed)
	export NO_TESTBED
	[ -z "$NO_TESTBED" ] || return 0
	STINT_TESTBED=$(mktemp -d /var/tmp/stint-test.XXXXXX)
	chmod 755 "$STINT_TESTBED"
	# by a name of its own: one that stands in the environment is somebody's, and not ours to end
	OWN_TESTBED=$STINT_TESTBED
	export STINT_TESTBED OWN_TESTBED
	eval "$("$TESTBED" up "$@")" || return 1
	[ -n "${SLURM_CONF:-}" ] || return 1
	export NODE TOOLS=$STINT_TESTBED/tools TESTBED_USER
	[ -z "${STINT_BUILD:-}" ] || export STINT_LIBEXEC=$STINT_TESTBED/libexec
	NODE=$(sinfo --noheader --Node --format %N | head -n 1)
	TESTBED_USER=$(stat -c %U "$STINT_TESTBED/home")
	mkdir "$TOOLS"
}

testbed_end() {
	[ -z "${OWN_TESTBED:-}" ] || STINT_TESTBED=$OWN_TESTBED "$TESTBED" down
}

# What a person wants to see of a test that failed.
testbed_evidence() {
	[ -z "${BATS_TEST_COMPLETED:-}" ] && [ -z "${BATS_TEST_SKIPPED:-}" ] || return 0
	echo "--- the report ${REPORT:-}"
	[ ! -f "${REPORT:-}" ] || jq --compact-output '{complete, lost, job, requested, used}, .gaps[], .steps[],
		(.tools[] | {name, interpreter, path, slurm, runs, failures, signals, cpu_s, wall_s, peak_bytes})' "$REPORT" |
		head -n 60
	echo "--- stintd's log"
	tail -n 15 "${STINT_TESTBED:-/nonexistent}/log/stintd.out" || true
}

teardown() {
	testbed_evidence
}

# ---- jobs ----

# A program of the jobs': a copy of one of ours under a name of its own, where the user can read it.
tool() { # NAME [PROGRAM]
	install -m 755 "$PROGRAMS/${2:-worker}" "$TOOLS/$1"
}

# Runs a job to its end. Sets STATUS, REPORT (of an array: a line each) and OUTPUT (what the job printed).
job() { # ARGUMENT... : of testbed run
	STATUS=0
	REPORT=$(cd / && "$TESTBED" run "$@") || STATUS=$?
	[ "$STATUS" -ne 125 ] || return 1
	OUTPUT=$(cat "$(dirname "${REPORT%%$'\n'*}")"/slurm-*.out 2>/dev/null || true)
}

# The same for a script given on standard input.
script_job() { # [sbatch option...]
	local script

	script=$(mktemp "$BATS_TEST_TMPDIR/job.XXXXXX")
	cat >"$script"
	job "$@" "$script"
}

# ---- statements ----

holds() { # [jq option...] EXPRESSION : is true of the report; $slowness is what a machine that is slower adds to small times
	jq --exit-status --argjson slowness "$SLOWNESS" "$@" "$REPORT" >/dev/null || {
		echo "not true of the report: ${*: -1}"
		return 1
	}
}

# The report is complete, and nothing is missing but what the site has not asked for or this kernel cannot tell of libaio.
whole() {
	holds '.complete and ([.gaps[] | select(.name != "files" and .name != "used.async_read_bytes")] == [])'
}

value() { # EXPRESSION : prints it
	jq --raw-output "$1" "$REPORT"
}

between() { # LOW VALUE HIGH : numbers
	awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(low + 0 <= value + 0 && value + 0 <= high + 0) }' || {
		echo "$2 is not between $1 and $3"
		return 1
	}
}

# What is missed between two events, where a real machine misses SECONDS.
slack() { # SECONDS
	awk "BEGIN { print $1 * $SLOWNESS }"
}

valid() { # [FILE] : follows the schema
	python3 - "$SCHEMA" "${1:-$REPORT}" <<-'END'
		import json, jsonschema, sys
		schema, report = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
		jsonschema.validators.validator_for(schema)(schema).validate(report)
	END
}

soon() { # COMMAND... : succeeds within half a minute
	local end=$((SECONDS + 30))

	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || { echo "not within half a minute: $*"; return 1; }
		sleep 0.05
	done
}

report_in() { # DIRECTORY : of a job that is gone, within half a minute; sets REPORT
	local i

	for ((i = 0; i < 300; i++)); do
		REPORT=$(find "$1" -maxdepth 1 -name 'stint-*.json' ! -name '*.attempt-*')
		[ -z "$REPORT" ] || return 0
		sleep 0.1
	done
	echo "no report in $1"
	return 1
}

# A failing command says one clear line on standard error, and nothing else.
fails_with_one_line() { # COMMAND...
	run --separate-stderr "$@"
	echo "status $status, standard output: '$output', standard error: '$stderr'"
	[ "$status" -ne 0 ] && [ "$status" -lt 126 ]
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

daemon_pid() { # NAME
	cut -d' ' -f1 "$STINT_TESTBED/pid/$1"
}
