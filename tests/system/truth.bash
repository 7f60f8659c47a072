# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that the suites of known truth share. Their jobs count themselves (workload/), or programs unrelated to stint count them. The
# report is compared with that, within known bounds.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154

load helper

# Expressions of both sides use these names: the report is ".", and what the job printed is $own, an array.
TRUTH_JQ='
def users: .tools[] | select(.slurm | not);
def tool($name): .tools[] | select(.name == $name);
def step($id): .steps[] | select(.id == $id);
def own($what): $own[] | select(.what? == $what);
def fio: $own[] | select(has("fio version")?) | .jobs[0];
def state_names: ["on_cpu_s", "runnable_s", "memory_stall_s", "fault_io_s", "file_io_s", "gpu_s", "network_s", "pipe_s",
	"lock_s", "condition_s", "child_s", "event_s", "sleep_s", "other_s"];
def states_sum: . as $states | [state_names[] | $states[.] // 0] | add;
def MiB: 1048576;
'

# ---- jobs side by side ----

# A copy of the workload under its own name, where the user can read it.
workload() { # NAME...
	local name

	for name; do
		tool "$name" workload/workload
	done
}

# Submits a job that runs next to others. After jobs_end has waited for it, "of NAME" sets what is known about it.
beside() { # NAME [--OPTION[=VALUE] of sbatch...] SCRIPT | -- COMMAND...
	local name=$1 options=()

	shift
	rm -f "$BATS_FILE_TMPDIR/$name".{valid,report,status}
	while [[ $1 == --?* ]]; do
		options+=("$1")
		shift
	done
	if [ "$1" = -- ]; then
		printf '#!/bin/bash\n%s\n' "$(printf '%q ' "${@:2}")"
	else
		cat "$1"
	fi | "$TESTBED" exec sh -c 'cd "$(mktemp -d "$0/run.XXXXXX")" && sbatch --parsable "$@" && pwd' "$STINT_TESTBED/home" \
		--job-name="$name" "${options[@]}" >"$BATS_FILE_TMPDIR/$name.job" || return
	BESIDE+=("$name")
}

# The same for a script given on standard input.
beside_script() { # NAME [sbatch option...]
	local script=$BATS_FILE_TMPDIR/$1.sh

	cat >"$script"
	beside "$@" "$script"
}

job_is_over() { # JOB : sets RECORD, scontrol's line about it
	RECORD=$(scontrol --oneliner show job "$1")
	[[ $RECORD =~ JobState=(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL|OUT_OF_MEMORY)" " ]]
}

# Waits for the jobs' reports, which costs less than asking slurmctld all the time, and notes how they ended.
jobs_end() {
	local name id directory

	for name in "${BESIDE[@]}"; do
		{ read -r id && read -r directory; } <"$BATS_FILE_TMPDIR/$name.job"
		: >"$BATS_FILE_TMPDIR/$name.report"
		soon test -f "$directory/stint-$id.json" && soon job_is_over "$id" || continue
		echo "$directory/stint-$id.json" >"$BATS_FILE_TMPDIR/$name.report"
		[[ $RECORD =~ ExitCode=([0-9]+):([0-9]+) ]]
		if [ "${BASH_REMATCH[2]}" -ne 0 ]; then
			echo $((128 + BASH_REMATCH[2]))
		elif [ "${BASH_REMATCH[1]}" -eq 0 ] && [[ $RECORD != *JobState=COMPLETED* ]]; then
			echo 1
		else
			echo "${BASH_REMATCH[1]}"
		fi >"$BATS_FILE_TMPDIR/$name.status"
	done
	note_valid "${BESIDE[@]}"
	BESIDE=()
}

# Notes which reports follow the schema: all at once, because most of a check is the start of the checker.
note_valid() { # JOB...
	python3 - "$SCHEMA" "$BATS_FILE_TMPDIR" "$@" <<-'END' || true
		import json, jsonschema, pathlib, sys
		schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
		validator = jsonschema.validators.validator_for(schema)(schema)
		for job in sys.argv[3:]:
		    report = pathlib.Path(sys.argv[2], job + ".report").read_text().strip()
		    if report and validator.is_valid(json.loads(pathlib.Path(report).read_text())):
		        pathlib.Path(sys.argv[2], job + ".valid").touch()
	END
}

# Waits until stintd has seen this much of a running job: it looks once a second, and when it is asked.
seen() { # NAME EXPRESSION
	soon seen_so_far "$(head -n 1 "$BATS_FILE_TMPDIR/$1.job")" "$2"
}

seen_so_far() { # JOB EXPRESSION
	(cd / && "$STINT" report --json --config "$STINT_TESTBED/etc/stint.conf" "$1") | jq --exit-status "$2"
}

of() { # NAME [STATUS] : sets REPORT and OUTPUT of a job that ended so
	of_any "$1"
	[ "$STATUS" -eq "${2:-0}" ] || { echo "job $1 ended with $STATUS: $OUTPUT"; return 1; }
	[ -e "$BATS_FILE_TMPDIR/$1.valid" ] || valid
	holds '.complete == true'
}

of_any() { # NAME : sets STATUS, REPORT and OUTPUT of a job, however it ended
	REPORT=$(cat "$BATS_FILE_TMPDIR/$1.report")
	[ -f "$REPORT" ] || { echo "job $1 has no report"; return 1; }
	STATUS=$(cat "$BATS_FILE_TMPDIR/$1.status")
	OUTPUT=$(cat "$(dirname "$REPORT")"/slurm-*.out)
}

# Like in helper.bash, for one job.
job() { # as beside, without a name
	BESIDE=()
	beside "test-$BATS_TEST_NUMBER" "$@"
	jobs_end
	of_any "test-$BATS_TEST_NUMBER"
}

# ---- statements ----

# Prints a value from the report, from what the job said about itself, or from both.
both() { # EXPRESSION
	jq --raw-output --argjson own "$(grep -vE '^(slurmstepd|srun: )' <<<"$OUTPUT" | jq --slurp .)" "$TRUTH_JQ $1" "$REPORT"
}

# Prints both numbers, and fails if they differ by more than RELATIVE of the true one plus ABSOLUTE. On an emulated machine begins and ends
# take longer, which no job sees itself: TRUTH_SLACK is added to every ABSOLUTE.
agree() { # REPORT'S TRUE RELATIVE ABSOLUTE : expressions
	local line

	line=$(both "[($1)] as \$told | [($2)] as \$true | \$told[0] as \$is | \$true[0] as \$should |
		(\$should * ($3) + ($4) + ${TRUTH_SLACK:-0}) as \$bound |
		if (\$told | length) != 1 or (\$true | length) != 1 or (\$is | type) != \"number\" or (\$should | type) != \"number\"
		then \"NOT TOLD: \(\$told) for \(\$true)\"
		elif (\$is - \$should | fabs) <= \$bound then \"agrees: \(\$is) is \(\$should) within \(\$bound)\"
		else \"DIFFERS: \(\$is) is not \(\$should) within \(\$bound)\" end") || return 1
	echo "$line: $1"
	[[ $line == agrees* ]]
}

# The reported number is at least the true one, and at most MORE above it.
over() { # REPORT'S TRUE MORE : expressions
	agree "($1) - ($2)" "($3) / 2" 0 "($3) / 2"
}

# EXPRESSION must be true for the report and the job's own count.
true_of_both() { # EXPRESSION
	[ "$(both "$1")" = true ] || {
		echo "not true: $1"
		return 1
	}
	echo "true: $1"
}

# A wait's state is what the threads measured, within 1 % and 10 us for each wait. On a busy machine it is less by the time on the run queue
# after it, which a clock around the call also sees.
waited() { # TOOL STATE TRUE-NS WAITS : the last two are expressions
	agree "tool(\"$1\").states.$2" "($3) / 1e9" 0.01 "($4) * 1e-5 + tool(\"$1\").states.runnable_s"
}

# The states exclude each other and are all of the threads' lifetime.
closed() { # THREADS : of the job, at most
	agree '.states | states_sum' '.states.lifetime_s' 0.001 "$1 * 0.001"
}

# The proportions of a job's waits and work differ on a machine on which everything but the clock is slower.
time_or_skip() {
	[ "$SLOWNESS" -eq 1 ] || skip "what came before holds; the rest is about shares of time, and this machine is emulated"
}

bound_by() { # WORD
	time_or_skip
	echo "verdict: $(value '.verdict | "\(.bound) \(.share): \(.text)"')"
	[ "$(value .verdict.bound)" = "$1" ]
}

found() { # CODE
	holds --arg code "$1" '.findings | any(.code == $code)'
}

not_found() { # CODE
	holds --arg code "$1" '.findings | all(.code != $code)'
}

no_uring() {
	[ "$(cat /proc/sys/kernel/io_uring_disabled 2>/dev/null)" = 2 ]
}

# ---- file systems of the tests' own ----

# Runs the commands given to undo_with, the last first, whichever fail.
truth_undo() {
	local command

	[ -e "${STINT_SUITE:-/nonexistent}-undo" ] || return 0
	tac "$STINT_SUITE-undo" | while read -r command; do
		eval "$command" || echo "could not be undone: $command"
	done
	rm -f "$STINT_SUITE-undo" "$STINT_SUITE-undo.functions"
}

# Prints why there can be no slow file system here.
no_slowfs() {
	[ -x "$PROGRAMS/slowfs" ] || { echo "slowfs was not built: libfuse3 is not here"; return; }
	[ -e /dev/fuse ] || { echo "this kernel has no FUSE"; return; }
	command -v fusermount3 >/dev/null || { echo "fusermount3 is not installed"; return; }
	losetup --find >/dev/null 2>&1 || echo "there is no loop device"
}

# Mounts the files of DIRECTORY at MOUNTPOINT, slowly. Its requests are in $BATS_FILE_TMPDIR/NAME.slowfs afterwards.
slowfs_mount() { # NAME DIRECTORY MOUNTPOINT NAME_MS READ_MS WRITE_MS
	mkdir -p "$3"
	"$PROGRAMS/slowfs" "${@:2}" >"$BATS_FILE_TMPDIR/$1.slowfs" 2>"$BATS_FILE_TMPDIR/$1.slowfs.log" 3>&- &
	undo_with slowfs_unmount "$3" $!
	soon mountpoint -q "$3" || {
		cat "$BATS_FILE_TMPDIR/$1.slowfs.log"
		return 1
	}
}

slowfs_unmount() { # MOUNTPOINT PID
	! mountpoint -q "$1" || umount "$1" || umount --lazy "$1"
	while [ -e "/proc/$2/exe" ]; do sleep 0.05; done
}

# Mounts an ext4 of MIB with the files of SEED at MOUNTPOINT, on a loop device over the file IMAGE.
ext4_image() { # IMAGE MIB SEED
	truncate --size "$2M" "$1" && mke2fs -q -t ext4 -m 0 -E lazy_itable_init=0,lazy_journal_init=0 -d "$3" "$1"
}

ext4_mount() { # IMAGE MOUNTPOINT
	mkdir -p "$2" && mount -o loop,noatime "$1" "$2" || return 1
	undo_with umount "$2"
	chmod 1777 "$2"
}

# ---- evidence ----

truth_evidence() {
	[ -z "${BATS_TEST_COMPLETED:-}" ] && [ -z "${BATS_TEST_SKIPPED:-}" ] && [ -f "${REPORT:-}" ] || return 0
	echo "--- what the job said"
	head -c 4000 <<<"${OUTPUT:-}"
	echo "--- $REPORT"
	jq --compact-output '{complete, lost, verdict: [.verdict.bound, .verdict.text], gaps: [.gaps[].name]},
		.states, .used, .oom, (.tools[] | select(.slurm | not) | {name, runs, cpu_s, peak_bytes} + .states |
		with_entries(select(.value != 0)))' "$REPORT"
	tail -n 5 "${STINT_TESTBED:-/nonexistent}/log/stintd.out" || true
}

teardown() {
	truth_evidence
}
