# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that the system tests share: one testbed for each file, jobs, and statements about their reports.
# shellcheck shell=bash

bats_require_minimum_version 1.5.0

# Uses Debian's own programs: others that come first in PATH may be closed to the users that the tests become.
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
TESTBED=$SOURCE/contrib/testbed
STINT=${STINT_BUILD:+$STINT_BUILD/reports/}stint
STINTD=${STINT_BUILD:+$STINT_BUILD/collector/}stintd
PROGRAMS=${STINT_BUILD:-$SOURCE}/tests/system # helper programs, built by "make check"
SLOWNESS=${STINT_TEST_SLOWNESS:-1} # how many times slower than a real one this machine is
export STINT_TESTBED_PATIENCE=${STINT_TESTBED_PATIENCE:-4} # it may do other work at the same time
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

# From here on, if this process is killed, the guard removes what is left of this suite: processes that have STINT_SUITE in their
# environment, DIRECTORY and directories of that name followed by "-". It also runs the commands given to undo_with.
guard_begin() { # DIRECTORY
	export STINT_SUITE=$1 GUARD
	[ -z "${STINT_CHECK:-}" ] || echo "$1" >>"$STINT_CHECK/directories" # contrib/check looks there for what is left
	# the guard is not a child of this process, which may wait for all of its children
	GUARD=$(
		env --unset=STINT_SUITE setsid "$SOURCE/tests/system/guard" $$ "$1" "$TESTBED" "$BATS_RUN_TMPDIR" \
			</dev/null >/dev/null 2>&1 3>&- &
		echo $!
	)
}

# The suite itself has undone what undo_with was told.
guard_end() {
	[ -z "${GUARD:-}" ] || kill "$GUARD" 2>/dev/null || true
	[ -z "${STINT_SUITE:-}" ] || rm -f "$STINT_SUITE-undo" "$STINT_SUITE-undo.functions"
	unset GUARD STINT_SUITE
}

# How to undo something that is elsewhere; truth_undo or the guard runs it.
undo_with() { # COMMAND...
	! declare -F "$1" >/dev/null || declare -f "$1" >>"$STINT_SUITE-undo.functions"
	printf '%q ' "$@" >>"$STINT_SUITE-undo"
	echo >>"$STINT_SUITE-undo"
}

# Sets NO_TESTBED, or STINT_TESTBED, a directory.
testbed_directory() {
	NO_TESTBED=$(no_testbed)
	export NO_TESTBED
	[ -z "$NO_TESTBED" ] || return 0
	STINT_TESTBED=$(mktemp -d /var/tmp/stint-test.XXXXXX)
	chmod 755 "$STINT_TESTBED"
	# under a name of its own: a variable from the environment belongs to another guard, which is not ours to end
	OWN_TESTBED=$STINT_TESTBED
	export STINT_TESTBED OWN_TESTBED
	guard_begin "$STINT_TESTBED"
}

testbed_begin() { # OPTION... : of testbed up
	# an empty one has been made for this
	[ -d "${OWN_TESTBED:-}" ] && [ -z "$(ls -A "$OWN_TESTBED")" ] || testbed_directory
	[ -z "$NO_TESTBED" ] || return 0
	eval "$("$TESTBED" up "$@")" || return 1
	[ -n "${SLURM_CONF:-}" ] || return 1
	export NODE TOOLS=$STINT_TESTBED/tools TESTBED_USER
	[ -z "${STINT_BUILD:-}" ] || export STINT_LIBEXEC=$STINT_TESTBED/libexec
	NODE=$(sinfo --noheader --Node --format %N | head -n 1)
	TESTBED_USER=$(stat -c %U "$STINT_TESTBED/home")
	mkdir "$TOOLS"
}

testbed_begin_accounting() { # OPTION... : of testbed up
	local program

	PATH=$PATH:/usr/sbin:/sbin
	for program in mariadbd slurmdbd; do
		command -v "$program" >/dev/null || { export NO_TESTBED="$program is not installed"; return 0; }
	done
	testbed_begin --accounting "$@" || accounting_cannot_be
}

# In a root of another release, slurmdbd may end by itself, whatever stint does: then the tests are skipped, and say so.
accounting_cannot_be() {
	[ -n "${STINT_MATRIX:-}" ] || return
	NO_TESTBED=$(sed -n 's/^.*fatal: /slurmdbd of this release ends by itself: /p' "$STINT_TESTBED/log/slurmdbd.log" | head -n 1)
	[ -n "$NO_TESTBED" ] && export NO_TESTBED
}

testbed_end() {
	local unexpected

	unexpected=$(grep -h "which does not expect it" "${OWN_TESTBED:-/nonexistent}/log/stintd.out" 2>/dev/null || true)
	# if none came up, only the directory is there
	[ -z "${OWN_TESTBED:-}" ] || rmdir "$OWN_TESTBED" 2>/dev/null || STINT_TESTBED=$OWN_TESTBED "$TESTBED" down || return
	unset OWN_TESTBED
	guard_end
	[ -z "$unexpected" ] || { echo "stintd: $unexpected" >&2; return 1; }
}

# Adds a second user to the testbed, VICTIM: the testbed's own user attacks this user's jobs. victim_end() is also testbed_end().
victim_begin() {
	VICTIM=${TESTBED_USER}-v
	undo_with userdel --force "$VICTIM"
	soon useradd --system --user-group --no-create-home --home-dir "$STINT_TESTBED/victim" --shell /bin/bash "$VICTIM"
	mkdir "$STINT_TESTBED/victim" && chown "$VICTIM:" "$STINT_TESTBED/victim"
	export VICTIM
}

victim_end() {
	testbed_end
	[ -z "${VICTIM:-}" ] || userdel --force "$VICTIM" || true
}

as_victim() { # COMMAND...
	(cd "$STINT_TESTBED/victim" && setpriv --reuid="$VICTIM" --regid="$VICTIM" --init-groups env HOME="$PWD" USER="$VICTIM" "$@")
}

# Prints what a person needs to see about a test that failed.
testbed_evidence() {
	[ -z "${BATS_TEST_COMPLETED:-}" ] && [ -z "${BATS_TEST_SKIPPED:-}" ] || return 0
	echo "--- the report ${REPORT:-}"
	[ ! -f "${REPORT:-}" ] || jq --compact-output '{complete, lost, job, requested, used}, .gaps[], .steps[],
		(.tools[] | {name, interpreter, path, slurm, runs, failures, signals, dismissed, cpu_s, wall_s, peak_bytes}),
		(.findings[] | {code, text}), (.timeline[:30][] | {tool, step, forked, pid, ppid, start, end: .end, wall_s, count, failures,
			dismissed, exit_code, signal})' "$REPORT" |
		head -n 90
	echo "--- stintd's log"
	tail -n 15 "${STINT_TESTBED:-/nonexistent}/log/stintd.out" || true
	echo "--- slurmctld's jobs, and its log"
	[ ! -d "${STINT_TESTBED:-/nonexistent}/state" ] || timeout 10 "$TESTBED" exec scontrol --oneliner show job 2>&1 | cut -c 1-700 | tail -n 3
	tail -n 15 "${STINT_TESTBED:-/nonexistent}/log/slurmctld.log" || true
	grep -hiE 'error|fail|unkill' "${STINT_TESTBED:-/nonexistent}"/log/slurmd.*.log 2>/dev/null | tail -n 15 || true
}

teardown() {
	testbed_evidence
}

# ---- jobs ----

# Sets RIGHTS, the beginning of a command with exactly the rights that stintd's unit gives it. Empty if this machine's setpriv does not know
# them all by name.
unit_rights() {
	local names name known

	known=$(setpriv --list-caps)
	names=$(sed -n 's/^CapabilityBoundingSet=//p' "$SOURCE/contrib/stintd.service.in" | tr 'A-Z ' 'a-z\n' | sed 's/^cap_//')
	grep -qx bpf <<<"$names" || return
	RIGHTS=()
	for name in $names; do
		grep -qx "$name" <<<"$known" || return 0
	done
	RIGHTS=(setpriv --no-new-privs --inh-caps=-all --bounding-set="-all,+${names//$'\n'/,+}")
}

# Starts slurmd again, which reads its configuration and plugstack.conf now. COMMAND is how to do it, if not like the testbed.
restart_slurmd() { # [COMMAND...]
	local pid before

	[ $# -gt 0 ] || set -- slurmd -D -N "$NODE"
	before=$(slurmd_began)
	pid=$(daemon_pid "slurmd.$NODE")
	kill -TERM "$pid"
	soon has_ended "$pid"
	soon second_is_over "$before"
	(cd / && exec setsid "$@") </dev/null >>"$STINT_TESTBED/log/slurmd.$NODE.out" 2>&1 3>&- &
	pid=$!
	echo "$pid $(sed 's/.*) //' "/proc/$pid/stat" | cut -d' ' -f20)" >"$STINT_TESTBED/pid/slurmd.$NODE"
	soon began_after "$before"
}

slurmd_began() { # prints when, according to slurmctld
	scontrol show node "$NODE" | sed -n 's/.*SlurmdStartTime=\([^ ]*\).*/\1/p'
}

second_is_over() { # TIME
	[ "$(date +%FT%T)" != "$1" ]
}

began_after() { # TIME
	[ "$(slurmd_began)" != "$1" ] && node_is_idle
}

# Starts stintd again with more lines in stint.conf.
collector_gets() { # LINE...
	printf '%s\n' "$@" >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
}

# Makes a program for jobs: a copy of one of ours under another name, where the user can read it.
tool() { # NAME [PROGRAM]
	install -m 755 "$PROGRAMS/${2:-worker}" "$TOOLS/$1"
}

# Runs a job to its end. Sets STATUS, REPORT (for an array: a line each) and OUTPUT (what the job printed).
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

# ---- a job and a test that wait for each other ----

# Sets MEET, the directory in which test and job announce how far they are.
meet() {
	MEET=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/meet.XXXXXX")
}

# Prints commands for a job's script: it announces WHAT, and continues when the test has announced NEXT.
tells_and_awaits() { # WHAT NEXT
	echo "touch $MEET/$1; until [ -e $MEET/$2 ]; do sleep 0.05; done"
}

told() { # WHAT : waits until the job has announced it
	soon test -e "$MEET/$1"
}

tell() { # WHAT
	"$TESTBED" exec touch "$MEET/$1"
}

# Whether stintd knows of the job that runs.
is_followed() { # JOB
	(cd / && "$STINT" report --json --config "$STINT_TESTBED/etc/stint.conf" "$1" >/dev/null)
}

node_is_idle() {
	[ "$(sinfo --noheader --Node --format %t | sort -u)" = idle ]
}

# ---- a job that times itself ----

# Runs a job that computes, writes, sleeps and waits at a pipe, and measures itself: burn's CPU time by wait4, in microseconds, sleep's time
# by bash's clock around it. cat reads before sleep begins, so it waits for as long.
clocked_job() { # MILLISECONDS
	tool small
	tool stopwatch
	script_job <<-END
		#!/bin/bash
		$TOOLS/stopwatch timed $TOOLS/small burn $1 >cpu
		dd if=/dev/zero of=data bs=1000 count=300 2>/dev/null
		coproc cat
		until read -r stat </proc/\$COPROC_PID/stat && [[ \$stat == *"(cat) S "* ]]; do :; done
		before=\$EPOCHREALTIME
		sleep 0.2
		echo "\$before \$EPOCHREALTIME" >wall
		eval "exec \${COPROC[1]}>&-"
		wait
	END
	valid
}

# The report of clocked_job's job says what the job has measured.
by_its_clocks() {
	local cpu wall

	cpu=$(awk '{ print $1 / 1e6 }' "$(dirname "$REPORT")/cpu")
	wall=$(awk '{ print $2 - $1 }' "$(dirname "$REPORT")/wall")
	echo "burn: $cpu s of CPU, sleep: $wall s"
	# the time of fork and exec before the image of burn began is in the stopwatch's count of it, and in that of the tool stopwatch
	holds --argjson cpu "$cpu" '(.tools[] | select(.name == "stopwatch") | .cpu_s) as $before | .tools[] | select(.name == "small") |
		.runs == 1 and .cpu_s <= $cpu + 0.001 and .cpu_s >= $cpu - 0.001 - $before'
	holds '.tools[] | select(.name == "dd") | .runs == 1 and .syscall_write_bytes >= 300000 and .syscall_write_bytes < 310000'
	holds --argjson wall "$wall" '.tools[] | select(.name == "sleep" and (.slurm | not)) | .runs == 1 and .wall_s >= 0.2 and .wall_s <= $wall'
	holds '.states.sleep_s >= 0.199 and .states.pipe_s >= 0.199'
}

# ---- statements ----

holds() { # [jq option...] EXPRESSION : is true for the report; $slowness is what a slower machine adds to small times
	jq --exit-status --argjson slowness "$SLOWNESS" "$@" "$REPORT" >/dev/null || {
		echo "not true of the report: ${*: -1}"
		wrong_counts "$@"
		return 1
	}
}

# For an expression that does not hold, "PREFIX | A and B": says which of A and B is a wrong count. No second run excuses it.
wrong_counts() { # [jq option...] EXPRESSION
	local prefix='' expression=${*: -1} part

	[[ $expression != *' | '* ]] || { prefix=${expression% | *}' | ' expression=${expression##* | }; }
	while IFS= read -r part; do
		[[ $part =~ (processes|runs|failures|forks|signals|_bytes|exit_code|lost)[^=]*==\ *[0-9[] ]] || continue
		# 1: it is false; more: such a part is no expression
		jq --exit-status --argjson slowness "$SLOWNESS" "${@:1:$#-1}" "$prefix$part" "$REPORT" >/dev/null 2>&1 ||
			[ $? -ne 1 ] || echo "wrong count: $part"
	done <<<"${expression// and /$'\n'}"
}

# The report is complete, and lacks only what the site has not asked for, what this kernel hides about libaio, or how the CPU time is
# divided of a job that no tick of the clock met. (On an emulated machine slurmctld may be too slow to answer.)
whole() {
	holds '.complete and ([.gaps[] | select(.name != "files" and .name != "used.async_read_bytes" and
		(.reason | startswith("no tick of the kernel") | not) and
		($slowness == 1 or (.reason | startswith("Slurm could not be asked") | not)))] == [])'
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

# Prints how much may be missed between two events, if a real machine misses SECONDS.
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

# How long a test waits for an event: this says nothing about how fast it comes, and a machine may do other work meanwhile.
SOON_S=$((120 * SLOWNESS))

# It looks often at first, and then less: long waits leave the processors to the work that is waited for.
SOON_FIRST_MS=20 SOON_MOST_MS=150

soon() { # COMMAND... : succeeds sooner or later
	local end=$((SECONDS + ${SOON_S:-120})) ms=$SOON_FIRST_MS step

	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || { echo "not within $SOON_S s: $*"; return 1; }
		printf -v step '0.%03d' "$ms"
		sleep "${SOON_STEP_S:-$step}"
		ms=$((ms * 5 / 4 < SOON_MOST_MS ? ms * 5 / 4 : SOON_MOST_MS))
	done
}

report_is_in() { # DIRECTORY
	REPORT=$(find "$1" -maxdepth 1 -name 'stint-*.json' ! -name '*.attempt-*')
	[ -n "$REPORT" ]
}

report_in() { # DIRECTORY : of a job that is gone; sets REPORT
	soon report_is_in "$1"
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

# Whether a process has released everything that it had. Its memory, and with it /proc/PID/exe, goes before its sockets.
has_ended() { # PID
	! grep -qs $'^State:\t[^ZX]' "/proc/$1/status"
}

# Makes stintd look at everything that it looks at now and then: the tables, the spool, the store, its status file.
collector_looks() {
	local before

	before=$(stat -c %i-%y "$STINT_TESTBED/run/status.json")
	kill -USR1 "$(daemon_pid stintd)"
	SOON_STEP_S=0.01 soon eval "[ \"\$(stat -c %i-%y '$STINT_TESTBED/run/status.json')\" != '$before' ]"
}

# Like soon, for results of a look of stintd's.
soon_looked() { # COMMAND... : succeeds sooner or later
	soon collector_looks_and "$@"
}

collector_looks_and() { # COMMAND...
	collector_looks && "$@"
}

collector_kill() {
	kill -KILL "$(daemon_pid stintd)"
	soon has_ended "$(daemon_pid stintd)"
}
