# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the suites on a real Slurm on this machine, one more at a time than there are processors, each with its own testbed.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

# The longest suites begin first, so that the end does not wait for one of them: in the order that "--times" gave.
LONGEST=(attack-writers upgrade features compilers limits collector socket batch cluster store kill counting layouts site)
# Suites that do little but wait, for Slurm's own times: they take no slot, and begin first.
WAITING=(timelimit contain show accounting time)
# Suites that measure how long something takes, or what limited a job. Their testbeds have priority over everything else on the machine
# (testbed --first), so they run one at a time.
FIRST=(truth-process truth-io truth-network)
# Suites that have the machine for themselves. locks keeps others from a processor by real-time priority. The limits of a job (truth-cpu,
# truth-pressure, truth-waits) change if others want its processors.
ALONE=(truth-cpu truth-waits truth-pressure locks)
# The same, but next to each other: spank measures the promised times (a job's start and end) and mostly waits; truth-memory turns on swap,
# which jobs of other suites would use.
TOGETHER=(spank truth-memory)
SUITE_TIMEOUT=1200 # a single test cannot have a limit: bats would have a process in the background, for which "wait" waits
# The suites that run most of the code. --sanitize runs all suites; those that measure stint's own memory then fail.
SANITIZED=(nodes batch steps)
# The suites that "contrib/check quick" runs next to the unit tests: one for each promise.
QUICK=(batch steps nodes kill truth-cpu truth-memory truth-io truth-waits views store)

suite_names() { # all of tests/system
	(cd "$SOURCE/tests/system" && printf '%s\n' *.bats | sed 's/\.bats$//')
}

run_suite() { # WORD NAME [DIRECTORY]
	local name="$1 $2" tap=$LOGS/$1-$2.tap start=$SECONDS status

	! is_late "$name" || return 0
	sanitizer_reports "$name"
	# a suite that hangs has failed; its guard cleans up after it
	STINT_BUILD=$BUILD in_session "$TIMED" "$LOGS/times" "$name" timeout --kill-after=10 "$SUITE_TIMEOUT" bats --tap "$SOURCE/tests/${3:-system}/$2.bats" </dev/null >"$tap" 2>&1
	status=$?
	result "$name" "$tap" $((SECONDS - start)) "$status" "bats $BUILD ${3:-system}/$2"
}

RUNNING=() # pids of suites that have a slot
WAITERS=() # and of those that need none

# Waits until fewer than NUMBER of PID... run, and counts the results of those that have ended. Sets LEFT to those that run.
wait_for_fewer() { # NUMBER PID...
	local number=$1 pid

	shift
	while :; do
		LEFT=()
		for pid; do
			! kill -0 "$pid" 2>/dev/null || LEFT+=("$pid")
		done
		collect
		[ ${#LEFT[@]} -ge "$number" ] || return 0
		sleep 0.5
	done
}

wait_for_slot() { # NUMBER
	wait_for_fewer "$1" "${RUNNING[@]}"
	RUNNING=("${LEFT[@]}")
}

start_suite() { # like run_suite, when there is room
	wait_for_slot "$SLOTS"
	run_suite "$@" &
	RUNNING+=($!)
}

start_waiting() {
	local name

	for name in "${WAITING[@]}"; do
		wanted "$name" || continue
		run_suite system "$name" &
		WAITERS+=($!)
	done
}

wait_for_all() {
	wait_for_fewer 1 "${RUNNING[@]}" "${WAITERS[@]}"
	RUNNING=() WAITERS=()
}

run_first() {
	local name

	for name in "${FIRST[@]}"; do
		! wanted "$name" || run_suite system "$name"
	done
}

# Of the parts that take turns, some run each day.
choose_todays() {
	unset STINT_COMPILERS STINT_FEATURES
	STINT_COMPILERS=$(todays_compilers)
	export STINT_COMPILERS
	has_turn features || export STINT_FEATURES=$((TODAY % 4))/4
}

start_suites_of_system() {
	local name

	choose_todays
	start_waiting
	run_first &
	RUNNING+=($!)
	for name in "${LONGEST[@]}" $(suite_names); do
		[[ " ${ALONE[*]} ${TOGETHER[*]} ${FIRST[*]} ${WAITING[*]} " != *" $name "* ]] && wanted "$name" || continue
		[[ " $STARTED " != *" $name "* ]] || continue
		STARTED+=" $name"
		! skip_without_turn "$name" "system $name" || continue
		start_suite system "$name"
	done
}

start_sanitized_suites() {
	local name BUILD=$BUILD

	if [ "$SANITIZE" = no ]; then
		until [ -e "$SANITIZED_BUILD/built" ] || [ -e "$SANITIZED_BUILD/failed" ]; do
			sleep 1
			collect
		done
		[ -e "$SANITIZED_BUILD/built" ] || return 0
		BUILD=$SANITIZED_BUILD
		for name in "${SANITIZED[@]}"; do
			named sanitized || ! skip_without_turn "asan-$name" "sanitized $name" sanitized || continue
			start_suite sanitized "$name"
		done
	fi
	[ "$SANITIZE" = yes ] || named sanitized || ! skip_without_turn asan-leaks "sanitized leaks" sanitized || return 0
	start_suite sanitized leaks sanitized
}

run_system() {
	SLOTS=$(($(nproc) + 1)) STARTED='' # the suites of FIRST, one at a time, use one of these slots; each suite waits a third of its time
	start_suites_of_system
	! wanted sanitized || start_sanitized_suites
	wait_for_all
}

run_some() { # SLOTS SUITE... : so many of them at once
	local name

	SLOTS=$1
	shift
	for name; do
		wanted "$name" && ! skip_without_turn "$name" "system $name" || continue
		start_suite system "$name"
	done
	wait_for_all
}

run_alone() {
	run_some 1 "${ALONE[@]}"
	run_some ${#TOGETHER[@]} "${TOGETHER[@]}"
	! named real || run_real
}

# If a package cannot be installed, tries the others one by one: tests that lack one are skipped and say so.
install_each() { # PACKAGE...
	local package

	packages_install "$@" && return
	for package; do
		packages_install "$package"
	done
}

# The suite of real programs has the machine for itself.
run_real() {
	start_suite real real real
	wait_for_slot 1
	grep -E '^# ([a-z-]+ (alone|beside|cold)(-advised)?: |[0-9]+ false warnings)' "$LOGS/real-real.tap" # each program's verdict, and how many warnings were false
}
