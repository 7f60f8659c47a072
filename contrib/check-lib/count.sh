# SPDX-License-Identifier: GPL-2.0-or-later
# Counting results: TAP logs, and the tests that failed in them. confirm.sh decides about these.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

PASSED=0
FAILED=0
SKIPPED=0
FLAKY=0
REPORTED="a sanitizer's report"       # stands for a test if no test saw the report
LEFTOVERS="no suite leaves anything behind"
CRASHES="no program crashes"

say() { printf '%4ds  %s\n' "$SECONDS" "$*"; }

# Every suite writes a line for each TAP log here, for the shell that counts. (A line is one write(), so lines are never torn.)
# RERUN says how one of its tests runs again (confirm.sh): bats BUILD FILE, make BUILD PROGRAM, fuzz BUILD, known FLAKY. Without it none does.
result() { # NAME LOG SECONDS STATUS [RERUN]
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:-}" >>"$LOGS/results"
}

# Makes one TAP test from a command that speaks no TAP: it failed if STATUS is not 0, and the end of OUTPUT says why.
result_of_one() { # NAME DESCRIPTION OUTPUT SECONDS STATUS
	local tap=$LOGS/${1// /-}.tap

	{
		echo 1..1
		[ "$5" -eq 0 ] || echo -n "not "
		echo "ok 1 $2"
		[ "$5" -eq 0 ] || tail -n 30 "$3" | sed 's/^/# /'
	} >"$tap"
	result "$1" "$tap" "$4" "$5"
}

# A suite that is skipped as a whole.
result_skipped() { # NAME WHY
	local tap=$LOGS/${1// /-}.tap

	echo "1..0 # SKIP $2" >"$tap"
	result "$1" "$tap" 0 0
}

begin_results() { # DIRECTORY
	LOGS=$1
	mkdir -p "$LOGS" && : >"$LOGS/results" && exec 7<"$LOGS/results"
}

# Counts the new results since the last call.
collect() {
	local name log seconds status rerun

	while IFS=$'\t' read -r -u 7 name log seconds status rerun; do
		count_tap "$name" "$log" "$seconds" "$status" "$rerun"
		count_reports "$name"
	done
}

# Adds up one TAP log. Shows failing tests with their output, and skipped ones with their reasons.
count_tap() { # NAME LOG SECONDS STATUS [RERUN]
	local passed failed skipped planned line

	skipped=$(grep -ciE '^ok .*# skip' "$2")
	passed=$(($(grep -c '^ok ' "$2") - skipped))
	failed=$(grep -c '^not ok ' "$2")
	planned=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$2" | head -n 1)
	if grep -q '^1\.\.0' "$2"; then
		sed -n "s/^1\.\.0 *# *[Ss][Kk][Ii][Pp]/  skipped: $1:/p" "$2"
		SKIPPED=$((SKIPPED + 1))
		return
	fi
	sed -n 's/^not ok [0-9]* *-* *//p' "$2" | while IFS= read -r line; do failure "$1" "$line" "$2" "${5:-}"; done
	# A suite that stops early, or says nothing, has failed.
	if [ "$failed" -eq 0 ] && { [ "$4" -ne 0 ] || [ "${planned:-0}" -ne $((passed + skipped)) ]; }; then
		failed=1
		failure "$1" "ended with status $4 after $((passed + skipped)) of ${planned:-no} tests" "$2" "${5:-}"
		echo "not ok - $1 ended with status $4 after $((passed + skipped)) of ${planned:-no} tests; the end of $2:"
		tail -n 20 "$2"
	fi
	[ "$4" -ne 0 ] && sed -n '/^not ok /,/^\(ok\|not ok\) /{/^ok /!p}' "$2"
	grep -iE '^ok .*# skip' "$2" | sed "s/^ok [0-9]* /  skipped: /"
	say "$1: $passed passed, $failed failed, $skipped skipped ($3 s)"
	PASSED=$((PASSED + passed))
	FAILED=$((FAILED + failed))
	SKIPPED=$((SKIPPED + skipped))
}

# Root kills a writer once it has answered. If that comes in the middle of its leak check, the report has only this.
killed_while_checked() { # REPORT
	[ -s "$1" ] && ! grep -qv '^==[0-9]*==Unable to get registers from thread [0-9]*\.$' "$1"
}

# A sanitizer's report fails the suite during which it was written, even if no test saw it.
count_reports() { # NAME
	local report

	for report in "$LOGS/reports/${1// /-}"/*; do
		[ -e "$report" ] && ! killed_while_checked "$report" || continue
		echo "not ok - $1: $report:"
		head -n 30 "$report"
		failure "$1" "$REPORTED" "$report"
		FAILED=$((FAILED + 1))
	done
}

failure() { # SUITE TEST LOG [RERUN]
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${4:-}" >>"$WORK/failures"
}

# ---- at the end ----

# A line for each test that failed in any of the rounds: in how many, and where its logs are.
tell_rounds() { # ROUNDS
	[ -e "$WORK/failed" ] || [ -e "$WORK/flaky" ] || return 0
	cat "$WORK"/{failed,flaky} 2>/dev/null | awk -F '\t' -v rounds="$1" '
		{ test = $1 ": " $2; times[test]++; logs[test] = logs[test] "\n    " $3 }
		END {
			for (test in times)
				printf "failed in %d of %d rounds: %s%s\n", times[test], rounds, test, logs[test]
		}'
}

# Repeats the failures in short at the end, for readers who have only the end of a long log.
list_failures() {
	local suite test log why

	[ -e "$WORK/failed" ] || return 0
	echo "what failed:"
	while IFS=$'\t' read -r suite test log why; do
		echo "  $suite: $test ($why)"
		evidence "$test" "$log" | cut -c 1-240 | sed 's/^#* */    /'
	done <"$WORK/failed"
}

# The most useful lines of a test's log: where it failed, its last lines there, and the first ones that name a difference.
evidence() { # TEST LOG
	awk -v test="$1" '
		/^(not )?ok / { inside = /^not ok / && index($0, test) > 0; after = 0; next }
		!inside { next }
		match($0, /(function .[^ ]*|file) [^,]*, line [0-9]+/) && ++from <= 4 { gsub(/\/[^ ]*\//, ""); print; next }
		/failed$|failed with/ && ++where <= 2 { print; after = 3; next }
		after > 0 { after--; print; next }
		/DIFFERS|NOT TOLD|not true|is not|is no |and not|was lost|no report|not within|_check: |Error: / && ++what <= 4
	' "$2"
}

finish() {
	collect
	confirm_failures
	bound_flaky
	[ "$TIMES" = no ] || tell_times
	[ "$REPEAT" -eq 1 ] || tell_rounds "$REPEAT"
	list_flaky
	list_failures
	if [ "$FAILED" -ne 0 ] || [ "$FLAKY" -ne 0 ] || [ "$KEEP" = yes ]; then
		echo "the logs are in $WORK"
	else
		rm -rf "$WORK"
	fi
	echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"
	# with --until there may have been time for nothing
	[ "$FAILED" -eq 0 ] && { [ "$PASSED" -gt 0 ] || [ -n "$UNTIL" ]; }
	exit
}
