#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/check matrix without its rows: which of them begin, in which order, and what happens with their results.
# shellcheck shell=bash disable=SC2030,SC2034,SC2154,SC2317

load helper

setup() {
	local part

	LOGS=$BATS_TEST_TMPDIR WRITE=no UNTIL='' INSTALL=no SUITES=(matrix) ORIGIN=$BATS_TEST_TMPDIR
	for part in count confirm until matrix machines kernels; do
		# shellcheck source=/dev/null
		. "$SOURCE/contrib/check-lib/$part.sh"
	done
}

on_day() { # NUMBER COMMAND...
	local day=$1

	shift
	date() { if [ "$1" = +%j ]; then printf '%03d\n' "$day"; else command date "$@"; fi; }
	"$@"
}

suite_result() { # NAME LINE... : a line of results, whose log has these lines
	local name=$1

	shift
	printf '%s\n' "$@" >"$LOGS/$name.tap"
	result "vm $name" "$LOGS/$name.tap" 7 "$(grep -q '^1\.\.' "$LOGS/$name.tap" && echo 0 || echo 125)" "bats /build system/$name"
	cat "$LOGS/results" >>"$LOGS/row"
	: >"$LOGS/results"
}

@test "no row begins after its minute: each is named as skipped, with the reason, and that fails nothing" {
	local row

	run "$SOURCE/contrib/check" --no-install --until 0 matrix
	[ "$status" -eq 0 ]
	for row in "${MATRIX_ROWS[@]}"; do
		[[ $output == *"  skipped: matrix $row: not begun: "* ]]
	done
	[ "${lines[-1]}" = "0 passed, 0 failed, ${#MATRIX_ROWS[@]} skipped" ]
}

@test "a suite that may not begin any more is named as skipped; one that may is noted" {
	unset SECONDS # which continues by itself
	WORK=$LOGS SECONDS=1200 UNTIL=20
	: >"$LOGS/results"
	is_late "system batch"
	[ ! -e "$WORK/begun" ]
	UNTIL=21
	! is_late "system steps"
	[ "$(cat "$WORK/begun")" = "system steps" ]
	[ "$(counts | tail -n 1)" = "0 0 1" ]
	UNTIL=
	! is_late "system views"
}

@test "a check that is ended names what it had begun, and what it had not, as skipped" {
	local pid status=0

	. "$SOURCE/contrib/check-lib/environment.sh"
	copy_tree "$SOURCE" "$BATS_TEST_TMPDIR/tree"
	printf '#!/usr/bin/env bats\n@test "a" { true; }\n' >"$BATS_TEST_TMPDIR/tree/tests/system/batch.bats"
	printf '#!/usr/bin/env bats\n@test "b" { : >"%s/begun"; sleep 3600; }\n' "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/tree/tests/system/steps.bats"
	# nothing is built for them
	sed -i 's/^build() .*/build() { true; }; unused() {/; s/^build_programs() .*/build_programs() { true; }; idle() {/; s/^configure() .*/configure() { true; }; unneeded() {/' \
		"$BATS_TEST_TMPDIR/tree/contrib/check-lib/build.sh"
	timeout --preserve-status 3600 "$BATS_TEST_TMPDIR/tree/contrib/check" --no-install --until 60 batch steps >"$LOGS/said" 2>&1 3>&- &
	pid=$!
	soon test -e "$BATS_TEST_TMPDIR/begun"
	soon grep -q 'system batch: 1 passed' "$LOGS/said"
	kill -TERM "$pid"
	wait "$pid" || status=$?
	cat "$LOGS/said"
	[ "$status" -eq 0 ]
	[ "$(tail -n 1 "$LOGS/said")" = "1 passed, 0 failed, 2 skipped" ]
	grep -q '^  skipped: system steps: ended after ' "$LOGS/said"
	grep -q '^  skipped: all that had not begun: ended after ' "$LOGS/said"
}

@test "where not all may have time another row is first each day, and all come in turn; by hand the order stays" {
	local day first=()

	UNTIL=55
	for ((day = 8; day < 8 + ${#MATRIX_ROWS[@]}; day++)); do
		mapfile -t order < <(on_day "$day" rows_in_order)
		first+=("${order[0]}")
		[ "$(printf '%s\n' "${order[@]}" | sort)" = "$(printf '%s\n' "${MATRIX_ROWS[@]}" | sort)" ]
	done
	[ "$(printf '%s\n' "${first[@]}" | sort)" = "$(printf '%s\n' "${MATRIX_ROWS[@]}" | sort)" ]
	UNTIL=
	[ "$(on_day 9 rows_in_order)" = "$(printf '%s\n' "${MATRIX_ROWS[@]}")" ]
}

@test "what the time of a row cut short is skipped; by hand, or with a test that failed before, it has failed" {
	suite_result whole 1..1 'ok 1 this'
	suite_result short 'ok 1 this'
	suite_result bad 'not ok 1 that'
	UNTIL=55 ROW_SECONDS=$MATRIX_LIMITED
	row_results linux-6.1 "$LOGS/row" ''
	[ "$(counts | tail -n 1)" = "1 1 1" ]
	UNTIL=
	row_results linux-6.1 "$LOGS/row" ''
	[ "$(counts | tail -n 1)" = "2 2 0" ]
}

@test "what a row's own check found flaky is flaky, and what failed there again has failed" {
	local place=$BATS_TEST_TMPDIR/matrix-testing/stint-check.a

	mkdir -p "$place/logs" && printf '%s\n' 1..2 'not ok 1 once' 'not ok 2 twice' >"$place/logs/steps.tap"
	printf 'system steps\t/var/tmp/stint-check.a/logs/steps.tap\t3\t1\tbats /build system/steps\n' >"$place/logs/results"
	printf 'system steps\tonce\t/var/tmp/a\t/var/tmp/b\n' >"$place/flaky"
	printf '%s\n' '0 passed, 2 failed, 0 skipped' >"$LOGS/log"
	WORK=$LOGS OVER=no PASSED=0 FAILED=0 FLAKY=0 ROW_SECONDS=61
	sanitizer_reports() { mkdir -p "$LOGS/reports/again"; }
	matrix_results testing "$LOGS/log" 1
	exec 7<"$LOGS/results"
	collect || true
	confirm_failures
	[ "$PASSED $FAILED $FLAKY" = "1 1 1" ]
	grep -q $'^matrix testing system steps\ttwice\t.*there is\|failed again' "$LOGS/failed"
	grep -q $'^matrix testing system steps\tonce\t' "$LOGS/flaky"
}

# Prints the result of a boot if tests/vm/run ends in this way.
boot_ends_with() { # STATUS LIMIT_S
	local code=$1

	: >"$LOGS/results" && : >"$LOGS/vm-console"
	in_session() { return "$code"; }
	machine_comes_up "$2" || true
	counts | tail -n 1
}

@test "a boot that had less time than it may take is skipped where it was ended; another that does not end has failed" {
	WORK=$LOGS
	[ "$(boot_ends_with 124 40)" = "0 0 1" ]
	[ "$(boot_ends_with 124 2700)" = "0 1 0" ]
	[ "$(boot_ends_with 125 40)" = "0 1 0" ]
	[ "$(boot_ends_with 0 40)" = "1 0 0" ]
}

@test "what apt may take for a kernel is never more than its row has left" {
	unset SECONDS # which continues by itself
	SECONDS=1600
	[ "$(kernel_patience 1500 1600)" -eq 300 ]
	[ "$(kernel_patience 1500 200)" -eq 100 ]
	[ "$(kernel_patience 1500 0)" -eq 1 ]
}

# A copy of this tree in which a row's first check ends, and any other's hangs after a suite.
tree_with_rows() { # DIRECTORY
	. "$SOURCE/contrib/check-lib/environment.sh"
	copy_tree "$SOURCE" "$1"
	cat >"$1/contrib/debian-root" <<-END
		#!/bin/bash
		[ "\$1" != make ] || { echo /nonexistent; exit; }
		[[ " \$* " == *" --var-tmp "* ]] || exit 0
		mkdir -p "\$5/stint-check.a/logs" && cd "\$5/stint-check.a/logs" && printf '%s\n' 1..1 'ok 1 - this' >steps.tap
		printf 'system steps\t/var/tmp/stint-check.a/logs/steps.tap\t3\t0\n' >results
		[ -e "$BATS_TEST_TMPDIR/first" ] || { : >"$BATS_TEST_TMPDIR/first"; echo "1 passed, 0 failed, 0 skipped"; exit; }
		trap 'sleep 2; echo "after the end" >late; : >"$BATS_TEST_TMPDIR/ended"; exit 143' TERM
		pwd >"$BATS_TEST_TMPDIR/place"
		echo \$\$ >"$BATS_TEST_TMPDIR/second" && sleep 3600
	END
}

@test "a matrix that is ended says what it came to: rows that have ended count, the others are skipped, and that fails nothing" {
	local pid status=0

	tree_with_rows "$BATS_TEST_TMPDIR/tree"
	# ended like .ci/run: timeout passes the signal on
	timeout --preserve-status 3600 "$BATS_TEST_TMPDIR/tree/contrib/check" --no-install --until 60 matrix bookworm trixie testing \
		>"$LOGS/said" 2>&1 3>&- &
	pid=$!
	soon test -s "$BATS_TEST_TMPDIR/second"
	kill -TERM "$pid"
	wait "$pid" || status=$?
	cat "$LOGS/said"
	[ "$status" -eq 0 ]
	[ "$(tail -n 1 "$LOGS/said")" = "2 passed, 0 failed, 2 skipped" ]
	[ "$(grep -cE '^  skipped: matrix (bookworm|trixie|testing): ended after ' "$LOGS/said")" -eq 2 ]
	# the end waits for what it ends, so that nothing is left
	[ -e "$BATS_TEST_TMPDIR/ended" ]
	[ ! -e "/proc/$(cat "$BATS_TEST_TMPDIR/second")" ]
	[ ! -e "$(cat "$BATS_TEST_TMPDIR/place")" ]
}

@test "a row whose root took all of its time is ended at once, and not never" {
	unset SECONDS # which continues by itself
	SECONDS=1600
	[ "$(row_left 1500 200)" -eq 100 ]
	[ "$(row_left 1500 100)" -eq 1 ]
	[ "$(row_left 1500 0)" -eq 1 ]
	run -124 timeout "$(row_left 1500 100)" sleep 60
}

# Counts the contents of LOGS/results like contrib/check, empties it, and prints how many passed, failed and were skipped.
counts() {
	(
		set +e
		WORK=$LOGS PASSED=0 FAILED=0 SKIPPED=0
		exec 7<"$LOGS/results"
		collect
		echo "$PASSED $FAILED $SKIPPED"
	)
	: >"$LOGS/results"
}

@test "a row that cannot be had is skipped with its reason, one that fails to build has failed" {
	echo "apt knows no kernel 6.12 on this machine" >"$LOGS/log"
	row_without linux-6.12 77 "$LOGS/log" "the kernel is found" 3
	row_without trixie 1 "$LOGS/log" "a root is made" 3
	run counts
	[[ $output == *"skipped: matrix linux-6.12: apt knows no kernel 6.12 on this machine"* ]]
	[[ $output == *"matrix trixie: 0 passed, 1 failed, 0 skipped"* ]]
}

@test "a row in which no suite ran has failed, though its own check counted nothing" {
	mkdir -p "$LOGS/matrix-testing/stint-check.abc/logs" && : >"$LOGS/matrix-testing/stint-check.abc/logs/results"
	printf '%s\n' 'cc1: error' '0 passed, 1 failed, 0 skipped' >"$LOGS/log"
	ROW_SECONDS=61
	matrix_results testing "$LOGS/log" 1
	run counts
	[[ $output == *"matrix testing: 0 passed, 1 failed, 0 skipped"* ]]
}

@test "the table has a line for each row, and keeps those of rows that did not run" {
	mkdir "$ORIGIN/docs"
	printf '%s\n' before '<!-- matrix -->' old '| D (trixie) | 1 | old |' '| D (testing) | 2 | old |' '' '<!-- end of matrix -->' after \
		>"$ORIGIN/docs/supported.md"
	WRITE=yes ROW_SECONDS=61
	row_line "| D (trixie) | 3 | " "5 passed, 0 failed, 0 skipped"
	run matrix_table
	[[ $output != *testing* ]]
	run cat "$ORIGIN/docs/supported.md"
	[ "${lines[0]}" = before ]
	[[ $output == *"| D (trixie) | 3 | $(date +%F) | 5 passed, 0 failed, 0 skipped | 1 min |"$'\n'"| D (testing) | 2 | old |"$'\n\n'* ]]
	[[ $output == *$'\n'"after" ]]
	[[ $output != *"| 1 | old"* ]]
}

@test "the newest plain kernel of a version is taken" {
	apt-cache() {
		printf '%s\n' 'linux-image-6.12.9+deb12-amd64 - a' 'linux-image-6.12.117+deb12-amd64 - b' \
			'linux-image-6.12.118+deb12-rt-amd64 - c' 'linux-image-6.12.118+deb12-cloud-amd64 - d'
	}
	[ "$(kernel_of_apt 6.12)" = linux-image-6.12.117+deb12-amd64 ]
	apt-cache() { :; }
	run -1 kernel_of_apt 6.13
}
