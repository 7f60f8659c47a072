# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a program as a job of the testbed: alone, and beside strangers that spin. Each program has a file
# of its name here. That is the job script; called with "inputs" it makes its inputs beforehand; and it says in
# comments which packages it needs and which verdicts are right.
# shellcheck shell=bash disable=SC2154

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
}

# Where the user made the inputs: sets DIRECTORY.
make_inputs() { # PROGRAM
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/$1.XXXXXX")
	install -m 755 "$BATS_TEST_DIRNAME/$1" "$DIRECTORY/$1"
	(cd "$DIRECTORY" && "$TESTBED" exec "./$1" inputs) >"$BATS_TEST_TMPDIR/inputs.log" 2>&1 || {
		echo "the inputs could not be made:"
		tail -n 30 "$BATS_TEST_TMPDIR/inputs.log"
		return 1
	}
}

# ---- strangers ----

strangers_begin() {
	local i

	tool stranger workload/workload
	for ((i = 0; i < STRANGERS; i++)); do
		setsid "$TOOLS/stranger" spin 1 600 >/dev/null 3>&- & # each of a session of its own, as others' jobs are
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
run_real() { # PROGRAM alone|beside
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
	[ "$STATUS" -eq 0 ] || {
		echo "$1 ended with $STATUS:"
		tail -n 20 "$DIRECTORY/$2.out"
		return 1
	}
	[ -z "${REAL_KEEP:-}" ] || {
		cp "$REPORT" "$REAL_KEEP/$1.$2.json"
		cp "$STINT_TESTBED/log/slurmd.$NODE.log" "$REAL_KEEP/$1.$2.slurmd.log"
	}
}

# Checks what must hold for every job. Prints all that does not hold, and one line about the job for the table.
held() { # PROGRAM alone|beside
	local directory=$BATS_TEST_TMPDIR/views

	valid
	mkdir -p "$directory"
	"$STINT" report --all --width=200 "$REPORT" >"$directory/report"
	"$STINT" report --json "$REPORT" >"$directory/json"
	"$STINT" report --table --json "$REPORT" >"$directory/table"
	"$STINT" timeline --all --width=200 "$REPORT" >"$directory/timeline"
	python3 "$BATS_TEST_DIRNAME/held" "$REPORT" "$BATS_TEST_TMPDIR/$2.json" "$directory" "$1" "$2" \
		"$(says "$1" Verdict)" "$BATS_FILE_TMPDIR/table"
}

# Runs the program once, unjudged: a job that waits for the disk while its program is read for the first time does
# so truly, and its verdict is another.
read_program() { # PROGRAM
	make_inputs "$1"
	job --job-name="$1" --chdir="$DIRECTORY" --output=first.out "$DIRECTORY/$1"
}

# Runs a program alone and beside strangers, and checks both before either fails.
real() { # PROGRAM
	local how failed=0

	need_packages "$1"
	read_program "$1"
	for how in ${REAL_HOW:-alone beside}; do
		make_inputs "$1" # anew: what one has made is not there for the other
		sync # what was written before, packages too, is no wait of the job's
		[ "$how" = alone ] || strangers_begin
		run_real "$1" "$how"
		strangers_end
		held "$1" "$how" || failed=1
	done
	[ "$failed" -eq 0 ]
}

teardown() {
	strangers_end
	testbed_evidence
}
