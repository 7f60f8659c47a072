# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a program as a job of the testbed: alone, and beside strangers that spin, and again with all that its report advises.
# Each program has a file of its name here. That is the job script; called with "inputs" it makes its inputs beforehand;
# and its head says in comments
#   Packages  which packages it needs
#   Verdict   which verdicts are right
#   CPUs      how many CPUs a machine must have for it
#   Cold      inputs that are not in memory when its job starts: it runs so a third time, and with advice only so
#   Status    the exit status of its job, where that is to fail
#   Culprit   an extended regular expression for what the first sentence of its page must name
#   Warnings  findings that are right about it
# shellcheck shell=bash disable=SC2015,SC2153,SC2154

load ../system/helper

STRANGERS=$((2 * $(nproc)))

# The words after "# KEY:" in the head of a program's file.
says() { # PROGRAM KEY
	sed -n "s/^# $2: *//p" "$BATS_TEST_DIRNAME/$1"
}

need_packages() { # PROGRAM
	local absent packages

	read -ra packages <<<"$(says "$1" Packages)"
	# shellcheck source=contrib/packages.sh
	. "$SOURCE/contrib/packages.sh"
	absent=$(packages_missing "${packages[@]}" | xargs)
	[ -z "$absent" ] || skip "not installed: $absent"
	[ "$(nproc)" -ge "$(says "$1" CPUs | grep . || echo 1)" ] || skip "this machine has only $(nproc) CPUs"
}

# Sets DIRECTORY, where the user made the inputs.
make_inputs() { # PROGRAM
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/$1.XXXXXX")
	install -m 755 "$BATS_TEST_DIRNAME/$1" "$DIRECTORY/$1"
	(cd "$DIRECTORY" && "$TESTBED" exec "./$1" inputs) >"$BATS_TEST_TMPDIR/inputs.log" 2>&1 || {
		echo "the inputs could not be made:"
		tail -n 30 "$BATS_TEST_TMPDIR/inputs.log"
		return 1
	}
	sync # pages written before, also by packages, must not become waits of the job
}

# Takes the inputs that the program's head names out of the page cache.
make_cold() { # PROGRAM
	local files

	read -ra files <<<"$(says "$1" Cold)"
	(cd "$DIRECTORY" && python3 -c 'import os, sys
for path in sys.argv[1:]:
    os.posix_fadvise(os.open(path, os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED)' "${files[@]}")
}

# ---- strangers ----

strangers_begin() {
	local i

	tool stranger workload/workload
	for ((i = 0; i < STRANGERS; i++)); do
		setsid "$TOOLS/stranger" spin 1 600 >/dev/null 3>&- & # each in its own session, like others' jobs
		STRANGER_PIDS+=("$!")
	done
}

strangers_end() {
	[ ${#STRANGER_PIDS[@]} -gt 0 ] || return 0
	kill "${STRANGER_PIDS[@]}"
	wait "${STRANGER_PIDS[@]}" || true
	STRANGER_PIDS=()
}

# ---- one job ----

# What all CPUs of the machine have done so far, in seconds.
machine_cpu_s() {
	awk -v hz="$(getconf CLK_TCK)" '$1 == "cpu" { print ($2 + $3 + $4 + $7 + $8) / hz }' /proc/stat
}

# Runs the job, and keeps what the test measured from outside: $BATS_TEST_TMPDIR/HOW.json.
run_real() { # PROGRAM HOW STATUS
	local before start

	"$SOURCE/tests/system/poll-cpu" "$NODE" >"$BATS_TEST_TMPDIR/cgroup" 3>&- &
	start=$EPOCHREALTIME before=$(machine_cpu_s)
	job --job-name="$1" --chdir="$DIRECTORY" --output="$2.out" "$DIRECTORY/$1"
	jq --null-input --argjson before "$before" --argjson after "$(machine_cpu_s)" \
		--argjson wall "$(awk "BEGIN { print $EPOCHREALTIME - $start }")" '{cpu_s: ($after - $before), wall_s: $wall}' \
		>"$BATS_TEST_TMPDIR/machine"
	wait $! # poll-cpu ends with the job's cgroup
	jq --null-input --slurpfile machine "$BATS_TEST_TMPDIR/machine" --argjson cgroup "$(cat "$BATS_TEST_TMPDIR/cgroup")" \
		'$machine[0] + {cgroup_cpu_s: $cgroup, others_cpus: (($machine[0].cpu_s - $cgroup) / $machine[0].wall_s)}' \
		>"$BATS_TEST_TMPDIR/$2.json"
	cp "$REPORT" "$BATS_TEST_TMPDIR/$2.report.json"
	[ "$STATUS" -eq "$3" ] || {
		echo "$1 $2 ended with $STATUS and not with $3:"
		tail -n 20 "$DIRECTORY/$2.out"
		return 1
	}
	[ -z "${REAL_KEEP:-}" ] || {
		cp "$REPORT" "$REAL_KEEP/$1.$2.json"
		cp "$STINT_TESTBED/log/slurmd.$NODE.log" "$REAL_KEEP/$1.$2.slurmd.log"
	}
}

# Checks what must hold for every job. Prints everything that does not hold, and one line about the job for the table.
held() { # PROGRAM HOW
	local directory=$BATS_TEST_TMPDIR/views

	valid
	mkdir -p "$directory"
	"$STINT" report --all --width=200 "$REPORT" >"$directory/report"
	"$STINT" report --json "$REPORT" >"$directory/json"
	"$STINT" report --table --json "$REPORT" >"$directory/table"
	"$STINT" timeline --all --width=200 "$REPORT" >"$directory/timeline"
	python3 "$BATS_TEST_DIRNAME/held" "$REPORT" "$BATS_TEST_TMPDIR/$2.json" "$directory" "$1" "$2" \
		"$(says "$1" Verdict)" "$BATS_FILE_TMPDIR/table" "$(says "$1" Warnings)"
}

# The first sentence of the page names what failed first.
names_culprit() { # PROGRAM
	local culprit first

	culprit=$(says "$1" Culprit)
	[ -n "$culprit" ] || return 0
	first=$("$STINT" report --width=1000 "$REPORT" | head -n 1)
	grep -qE "$culprit" <<<"$first" || {
		echo "$1: the page does not begin with what failed, $culprit: $first"
		return 1
	}
}

# Runs the program once without judging it: a job that really waits for the disk while its program is read for the first time gets another
# verdict.
read_program() { # PROGRAM
	make_inputs "$1"
	job --job-name="$1" --chdir="$DIRECTORY" --output=first.out "$DIRECTORY/$1"
}

# Runs a program once.
measure() { # PROGRAM HOW STATUS
	local failed=0

	case $2 in
	cold*) make_cold "$1" ;;
	beside*) strangers_begin ;;
	esac
	run_real "$@" || failed=1
	strangers_end
	[ "$failed" -eq 0 ]
}

# Runs a program once, and checks its report.
judge() { # PROGRAM HOW STATUS
	measure "$@" && held "$1" "$2"
}

# ---- advice ----

# Pastes the lines into the job script like its user would: below its own #SBATCH lines, because sbatch takes the last of equal options.
paste_advice() { # PROGRAM LINES
	local number

	number=$(grep -n '^#SBATCH' "$DIRECTORY/$1" | tail -n 1 | cut -d: -f1)
	! grep -vE '^(#SBATCH --|export )' <<<"$2" || {
		echo "$1: the test does not know where to paste such a line"
		return 1
	}
	sed -i "${number}r /dev/stdin" "$DIRECTORY/$1" <<<"$2"
}

# Runs the program again with each line of advice that it got, as HOW: it must succeed, and take no longer than before.
advised() { # PROGRAM HOW LINES
	local how=$2-advised

	make_inputs "$1"
	paste_advice "$1" "$3" || return 1
	judge "$1" "$how" 0 && no_slower "$1" "$2" "$3" && return
	echo "with this advice:"
	echo "$3"
	return 1
}

# How long the job had a thread, and its CPU time, in seconds.
times_of() { # HOW
	jq --raw-output '.states.active_s + ([.states.bound[]] | add // 0), .used.cpu_s' "$BATS_TEST_TMPDIR/$1.report.json" | xargs
}

# Prints the least of the two pairs of times, each by itself.
least() { # WALL CPU WALL CPU
	awk -v "a=$1" -v "b=$2" -v "c=$3" -v "d=$4" 'BEGIN { print (a < c ? a : c), (b < d ? b : d) }'
}

# A machine may be slower for a while than before. So if the program took longer, both run twice more in turns, and the least times of each
# count.
no_slower() { # PROGRAM HOW LINES
	local before after try

	[ -z "$(says "$1" Culprit)" ] || return 0 # what failed then works now
	before=$(times_of "$2")
	after=$(times_of "$2-advised")
	for try in 1 2 3; do
		# shellcheck disable=SC2086
		python3 "$BATS_TEST_DIRNAME/no-slower" "$1" "$2-advised" "$BATS_TEST_TMPDIR/$2-advised.json" $before $after && return
		[ "$try" -lt 3 ] || return 1
		make_inputs "$1"
		measure "$1" "$2" 0 || return 1
		make_inputs "$1"
		paste_advice "$1" "$3" && measure "$1" "$2-advised" 0 || return 1
		# shellcheck disable=SC2086,SC2046
		before=$(least $before $(times_of "$2")) after=$(least $after $(times_of "$2-advised"))
	done
}

# ---- one program ----

# Runs a program alone and next to busy processes, and with the advice of each report. If inputs may be cold, it first runs so, and with all
# advice so: a job that found them in memory must not be told that it needs no memory for them. Checks all before any fails. Lines that the
# program has proved are not tried again.
real() { # PROGRAM
	local how again lines proved=none failed=0 ways='alone beside' status

	need_packages "$1"
	status=$(says "$1" Status)
	[ -z "$(says "$1" Cold)" ] || ways='cold alone beside' again=cold
	read_program "$1"
	for how in ${REAL_HOW:-$ways}; do
		make_inputs "$1" # again: the files of an earlier run must not be there for this one
		judge "$1" "$how" "${status:-0}" && names_culprit "$1" || { failed=1; continue; }
		lines=$(value '.advice[].line')
		if [ -n "$lines" ] && [ "$lines" != "$proved" ]; then
			advised "$1" "${again:-$how}" "$lines" || failed=1
			proved=$lines
		fi
	done
	[ "$failed" -eq 0 ]
}

teardown() {
	strangers_end
	testbed_evidence
}
