# SPDX-License-Identifier: GPL-2.0-or-later
# Confirming failures. When all suites have ended, each failed test runs again, alone. If it fails again it has failed; if it passes twice
# it is flaky, unless it fails whenever its suite runs. Some failures cannot be taken back by a second run: they fail at once.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

FLAKY_MOST=5   # more flaky tests than these fail the run
RERUN_MOST=12  # with more failures than these a run has failed anyway; the others are not run again
RERUN_TIMEOUT=600

# What a log says if a program crashed, or if a sanitizer or a search for leaks found something.
CRASHED='Segmentation fault|core dumped|Bus error|stack smashing detected|double free|Assertion .* failed|failed with exception'
FOUND='(Address|Leak|UndefinedBehavior)Sanitizer|runtime error: |ERROR: libFuzzer'
# A comparison that a count of processes, bytes or failures must pass, in the form that bats prints on failure. (holds, of helper.bash, says
# by itself whether it was a count that was wrong.)
COUNT='(processes|runs|failures|failed|forks|signals?|bytes|exit_code|lost)'
COUNTED="\`([^h]|h[^o]).*${COUNT}['\") ]*(==|-eq|=) .*' failed"

# ---- what is never flaky ----

# Prints the part of a TAP log about one test: its line, and the lines up to the next test's.
log_of() { # TEST LOG
	awk -v test="$1" '
		/^(not )?ok / { inside = /^not ok / && substr($0, length($0) - length(test) + 1) == test }
		inside' "$2"
}

# Prints why a failure stands whatever a second run says; fails if it may be flaky.
never_flaky() { # TEST LOG
	local text

	[ "$1" != "$LEFTOVERS" ] || { echo "something was left behind"; return; }
	[ "$1" != "$CRASHES" ] || { echo "a crash"; return; }
	[ "$1" != "$REPORTED" ] || { echo "a sanitizer's report"; return; }
	text=$(log_of "$1" "$2")
	[ -n "$text" ] || text=$(tail -n 40 "$2") # a suite that ended early
	if [[ $1 =~ ^ended\ with\ status\ (13[2-6]|139) ]] || grep -qE "$CRASHED" <<<"$text"; then
		echo "a crash"
	elif grep -qE "$FOUND" <<<"$text"; then
		echo "a sanitizer's report"
	elif grep -q '^# left behind' <<<"$text"; then
		echo "something was left behind"
	elif grep -qE "^# wrong count|$COUNTED" <<<"$text"; then
		echo "a wrong count"
	else
		return 1
	fi
}

# ---- running one test again ----

# Prints a regular expression that matches only TEST, for bats.
only() { # TEST
	printf '^%s$' "$(sed 's/[][\.*^$+?(){}|/]/\\&/g' <<<"$1")"
}

run_bats() { # BUILD FILE [OPTION...]
	STINT_BUILD=$1 in_session timeout --kill-after=10 "$RERUN_TIMEOUT" bats --tap "${@:3}" "$SOURCE/tests/$2.bats" </dev/null 2>&1
}

stands_for_a_file() { # TEST
	[[ $1 == "ended with status "* || $1 == setup_file* || $1 == teardown_file* ]]
}

# What RERUN's first word names: how to run a test of that kind again. Each writes TAP. bats finds a test by its name in the file: if the
# name has a variable, bats does not find it, and the whole file runs again.
rerun_bats() { # TEST BUILD FILE
	local log status=0

	if stands_for_a_file "$1"; then
		run_bats "$2" "$3"
		return
	fi
	log=$(run_bats "$2" "$3" --filter "$(only "$1")") || status=$?
	if ! grep -qE '^(not )?ok ' <<<"$log"; then
		log=$(run_bats "$2" "$3") && grep -qE "ok [0-9]+ $(only "$1" | cut -c 2-)" <<<"$log"
		status=$?
	fi
	printf '%s\n' "$log"
	return "$status"
}

rerun_make() { # TEST BUILD PROGRAM
	in_session make -C "$2" check TESTS="$3" >/dev/null 2>&1
	cat "$2/$3.log"
	grep -q ':global-test-result: *PASS' "$2/$3.trs"
}

rerun_fuzz() { # TEST BUILD
	in_session "$SOURCE/tests/fuzz/run" --seconds "${FUZZ_SECONDS:-2}" "$2/tests/fuzz" "${1%% *}" 2>&1
}

# A check in another root has already run it again, and says in FLAKY that it passed.
rerun_known() { # TEST FLAKY
	awk -F '\t' -v test="$1" '$2 == test { found = 1 } END { exit !found }' "$2" && echo "ok 1 - $1: it passed where it failed, when it ran again"
}

# Whether a test passes when it runs again alone. A test that is then skipped has not passed.
passes_again() { # LOG TEST KIND ARGUMENT...
	local log=$1 test=$2 kind=$3

	shift 3
	sanitizer_reports again
	"rerun_$kind" "$test" "$@" >"$log" && grep -q '^ok ' "$log" && ! grep -qE '^not ok |^ok .*# skip' "$log" && [ -z "$(find "$LOGS/reports/again" -type f)" ]
}

# Whether a test that passes alone fails again in its place in its suite: then the tests before it make it fail, not chance.
fails_in_its_suite() { # LOG TEST KIND [BUILD FILE]
	[ "$3" = bats ] && ! stands_for_a_file "$2" || return 1
	sanitizer_reports again
	run_bats "$4" "$5" >"$1"
	[ -n "$(log_of "$2" "$1")" ]
}

# Sets WHY to why a failure stands, or fails: then it is flaky. (It does not print it: if SIGTERM comes while it waits, finish() runs within
# it, and prints the results of the run.)
stands() { # TEST LOG AGAIN RERUN
	local try

	WHY=$(never_flaky "$1" "$2") && return
	WHY="there is no way to run it again"
	[ -n "$4" ] || return 0
	WHY="there was no time to run it again"
	[ "$OVER" = no ] || return 0
	for try in 1 2; do
		WHY="it failed again, by itself: $3.$try"
		# in the background, so that SIGTERM (--until) ends it
		# shellcheck disable=SC2086
		passes_again "$3.$try" "$1" $4 &
		wait $! || return 0
	done
	WHY="it passes by itself, and failed again after the tests before it: $3.suite"
	# shellcheck disable=SC2086
	fails_in_its_suite "$3.suite" "$1" $4 &
	wait $!
}

# ---- all of them ----

# Goes through the failures since the last call. Those that stand go to WORK/failed, the others to WORK/flaky. Each is removed from the list
# once it is decided: if SIGTERM comes in between, finish() finds the others.
confirm_failures() {
	local suite test log rerun WHY number=0

	while [ -s "$WORK/failures" ]; do
		IFS=$'\t' read -r suite test log rerun <"$WORK/failures"
		number=$((number + 1))
		[ "$number" -le "$RERUN_MOST" ] || rerun=
		if stands "$test" "$log" "$LOGS/again.$number" "$rerun"; then
			say "failed: $suite: $test ($WHY)"
			printf '%s\t%s\t%s\t%s\n' "$suite" "$test" "$log" "$WHY" >>"$WORK/failed"
		else
			say "flaky: $suite: $test"
			printf '%s\t%s\t%s\t%s\n' "$suite" "$test" "$log" "$LOGS/again.$number.1" >>"$WORK/flaky"
			FAILED=$((FAILED - 1)) PASSED=$((PASSED + 1)) FLAKY=$((FLAKY + 1))
		fi
		sed -i 1d "$WORK/failures"
	done
}

# The flaky tests, each with the log of its failure and with that of a run in which it passed.
list_flaky() {
	local suite test log again

	[ -e "$WORK/flaky" ] || return 0
	echo "flaky: these failed once, and passed twice when they ran by themselves:"
	while IFS=$'\t' read -r suite test log again; do
		echo "  $suite: $test"
		echo "    it failed in $log:"
		log_of "$test" "$log" | head -n 40 | cut -c 1-240 | sed 's/^/      /'
		echo "    it passed in $again:"
		tail -n 10 "$again" | cut -c 1-240 | sed 's/^/      /'
	done <"$WORK/flaky"
}

# Too many flaky tests fail the run.
bound_flaky() {
	[ "$FLAKY" -gt "$FLAKY_MOST" ] || return 0
	echo "not ok - $FLAKY tests are flaky; more than $FLAKY_MOST fail the run"
	FAILED=$((FAILED + 1))
}
