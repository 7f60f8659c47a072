# SPDX-License-Identifier: GPL-2.0-or-later
# Building, and the suites that are programs of the build: unit, dist, fuzz, sanitized.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

build() {
	make -C "$BUILD" -j "$(nproc)" all
}

# Those that the suites on Slurm need, and all of them if unit tests are named.
build_programs() {
	if named unit || [ "$SANITIZE" = yes ]; then
		make -C "$BUILD" -j "$(nproc)" check TESTS=
	else
		make -C "$BUILD" -j "$(nproc)" system-programs
	fi
}

configure() { # DIRECTORY OPTION...
	local directory=$1

	shift
	mkdir -p "$directory" && (cd "$directory" && "$SOURCE/configure" "$@")
}

# Makes configure and the like. Within one second autom4te does not see that aclocal.m4 is newer than its own notes; automake then leaves
# libtool's macros out of the tarball.
generate() {
	autoreconf -fi "$SOURCE" && rm -rf "$SOURCE/autom4te.cache" && (cd "$SOURCE" && automake)
}

# A step that all tests need. Ends the run if it fails.
need() { # WHAT COMMAND...
	local what=$1 log=$WORK/${1// /-}.log from used

	shift
	say "$what"
	from=$(date +%s.%N) used=$(children_cpu)
	"$@" >"$log" 2>&1 && { note_time "$what" "$from" "$used"; return; }
	echo "not ok - $what; the end of $log:"
	tail -n 30 "$log"
	FAILED=$((FAILED + 1))
	finish
}

# Programs built with sanitizers write their findings into files there, whichever user runs them.
sanitizer_reports() { # NAME
	local directory=$LOGS/reports/${1// /-}

	mkdir -p "$directory"
	chmod 1777 "$directory"
	export ASAN_OPTIONS=log_path=$directory/report UBSAN_OPTIONS=log_path=$directory/report:print_stacktrace=1
}

# Runs the tests of "make check", or TEST... of them. Builds what they need.
run_unit() { # BUILD WORD [TEST...]
	local build=$1 word=$2 tests=() log name program status failed start=$SECONDS

	! is_late "$word" || return 0
	shift 2
	[ $# -eq 0 ] || tests=(TESTS="$*")
	# each program's time is measured: the driver runs under "timed"
	politely make -C "$build" -j "$(nproc)" check-TESTS "${tests[@]}" check_PROGRAMS= check_LTLIBRARIES= LOG_DRIVER="$TIMED '$LOGS/times' \"$word \$\$tst\" env AM_TAP_AWK=awk sh $SOURCE/build-aux/tap-driver.sh" \
		>"$LOGS/$word.log" 2>&1
	status=$?
	mkdir -p "$LOGS/$word"
	for log in "$build"/tests/unit/*/*.log "$build"/tests/{cli,fuzz,tree}/*.log; do
		[ -e "${log%.log}.trs" ] || continue
		program=${log#"$build"/} program=${program%.log}
		name=${log#"$build"/tests/}
		name=${name#unit/}
		name=${name//\//-}
		cp "$log" "$LOGS/$word/$name"
		grep -q ':test-result: *\(FAIL\|ERROR\)' "${log%.log}.trs"
		failed=$((1 - $?))
		[ "$failed" -eq 0 ] || {
			status=0 # that line reports it
			failed=$(sed -n "s|^ERROR: $program.* exited with status \([0-9]*\).*|\1|p" "$LOGS/$word.log" | head -n 1)
		}
		name=${name%.log}
		result "$word ${name/-/ }" "$LOGS/$word/$name.log" $((SECONDS - start)) "${failed:-1}" "make $build $program"
	done
	[ "$status" -eq 0 ] || result_of_one "$word" "make check" "$LOGS/$word.log" $((SECONDS - start)) "$status"
}

# Prints the names of all installed gcc, except the one that everything is built with anyway.
other_gcc() {
	compgen -c | grep -xE 'gcc-[0-9]+' | sort --unique --version-sort | grep -vx "gcc-$(gcc -dumpversion)"
}

run_gcc() {
	local compiler start log compilers

	! is_late gcc || return 0
	mapfile -t compilers < <(other_gcc)
	[ ${#compilers[@]} -gt 0 ] || result_skipped gcc "no other gcc than $(gcc -dumpversion) is installed"
	for compiler in "${compilers[@]}"; do
		start=$SECONDS log=$LOGS/$compiler.log
		configure "$WORK/$compiler" --enable-werror CC="$compiler" >"$log" 2>&1 &&
			politely make -C "$WORK/$compiler" -j "$(nproc)" all >>"$log" 2>&1
		result_of_one "gcc $compiler" "$compiler builds all of stint without a warning" "$log" $((SECONDS - start)) $?
		rm -rf "${WORK:?}/$compiler"
	done
}

# Prints the files of the source tree that the tarball lacks, except those that only a clone needs.
missing_in_tarball() {
	comm -13 <(tar -tf "$BUILD"/stint-*.tar.gz | sed 's|^[^/]*/||' | LC_ALL=C sort) \
		<(cd "$SOURCE" && find . -type f ! -path './autom4te.cache/*' ! -name '*~' | sed 's|^\./||' | LC_ALL=C sort) |
		grep -vx -e .clang-format -e .gitignore
}

# The tests run once, in the tree's own build. Here, one of them runs, which installs everything; the others are not built. The tarball is
# checked each day: a new file is easily forgotten in a list.
run_dist() {
	local start=$SECONDS status what="make dist: makes the tarball"

	! is_late dist || return 0
	if skip_without_turn dist distcheck; then
		politely "$TIMED" "$LOGS/times" dist make -C "$BUILD" dist >"$LOGS/dist.log" 2>&1
	else
		what="make distcheck: builds out of tree, installs, uninstalls and cleans up"
		# quickly, and without -Werror: the optimizer gives false warnings, and "build" has seen all warnings
		politely "$TIMED" "$LOGS/times" dist make -C "$BUILD" -j "$(nproc)" distcheck DISTCHECK_CONFIGURE_FLAGS=CFLAGS=-O0 \
			TESTS=tests/tree/installation check_PROGRAMS= check_LTLIBRARIES= >"$LOGS/dist.log" 2>&1
	fi
	status=$?
	result_of_one dist "$what" "$LOGS/dist.log" $((SECONDS - start)) "$status"
	[ "$status" -eq 0 ] || return 0
	! missing_in_tarball >"$LOGS/dist-missing.log"
	result_of_one "dist tarball" "the tarball has each file of the tree" "$LOGS/dist-missing.log" 0 $?
}

run_fuzz() {
	local start=$SECONDS status

	! is_late fuzz || return 0
	if [ ! -e "$SANITIZED_BUILD/built" ] || [ -s "$SANITIZED_BUILD/no-fuzzers" ]; then
		result_skipped fuzz "$(cat "$SANITIZED_BUILD/no-fuzzers" 2>/dev/null || echo "the build with sanitizers failed")"
		return
	fi
	politely "$TIMED" "$LOGS/times" fuzz "$SOURCE/tests/fuzz/run" --seconds "${FUZZ_SECONDS:-2}" "$SANITIZED_BUILD/tests/fuzz" \
		>"$LOGS/fuzz.tap" 2>"$LOGS/fuzz.log"
	status=$?
	[ -s "$LOGS/fuzz.tap" ] || tail -n 20 "$LOGS/fuzz.log" >"$LOGS/fuzz.tap"
	result fuzz "$LOGS/fuzz.tap" $((SECONDS - start)) "$status" "fuzz $SANITIZED_BUILD"
}

# Builds with sanitizers, once, by clang: the same objects serve libFuzzer. If clang lacks that, uses the compiler of the plain build, and
# skips fuzz. SANITIZED_BUILD/built exists if the suites can run, SANITIZED_BUILD/failed if they cannot.
SANITIZED_BUILD=
configure_sanitized() {
	configure "$SANITIZED_BUILD" --enable-fuzzers --enable-werror CC="${CLANG:-clang}" CFLAGS="-O1 -g1" && return
	sed -n 's/^configure: error: //p' "$WORK/sanitized.log" >"$SANITIZED_BUILD/no-fuzzers"
	configure "$SANITIZED_BUILD" --enable-sanitizers
}

prepare_sanitized() {
	local start=$SECONDS log=$WORK/sanitized.log

	[ ! -e "$SANITIZED_BUILD/built" ] || return 0
	if is_late sanitized; then
		mkdir -p "$SANITIZED_BUILD" && : >"$SANITIZED_BUILD/failed"
	elif configure_sanitized >"$log" 2>&1 &&
		politely "$TIMED" "$LOGS/times" "sanitized, the build" make -C "$SANITIZED_BUILD" -j "$(nproc)" all >>"$log" 2>&1 &&
		politely "$TIMED" "$LOGS/times" "sanitized, the build of the tests" make -C "$SANITIZED_BUILD" -j "$(nproc)" unit-programs >>"$log" 2>&1; then
		: >"$SANITIZED_BUILD/built"
	else
		result_of_one sanitized "the build with sanitizers" "$log" $((SECONDS - start)) 1
		mkdir -p "$SANITIZED_BUILD" && : >"$SANITIZED_BUILD/failed"
	fi
}

# The tests of "make check" whose measurements of memory and time a sanitizer would spoil, and those of the tree itself, which run none of
# stint's code.
PLAIN_UNIT=(
	tests/cli/find
	tests/cli/list
	tests/cli/outputs
	tests/unit/common/memory_quick
	tests/unit/reports/attempts_memory
	tests/unit/reports/bounds
	tests/unit/reports/epilog_serve
	tests/unit/reports/wide
)
HTML_WITHOUT=tests/unit/reports/html_without # a program that tests/cli/html_page runs
TREE='tests/tree/'
# Prints the tests that take turns (turns.sh) and have none today. KIND sanitized: they take several times as long with sanitizers, while
# other tests also run most of their code. KIND tree: they test what rarely changes. Naming "sanitized" or "unit" runs all.
out_of_turn() { # KIND NAME DIRECTORY
	local part

	for part in "${!TURNS[@]}"; do
		[[ $part == "$1"-* ]] && ! named "$2" && ! has_turn "$part" || continue
		echo "$3/${part#"$1"-}"
	done
}

# Prints the tests of the build, one a line.
tests_of_build() { # BUILD
	make -s -C "$1" print-tests
}

run_plain_unit() {
	local tests=() slow rare name

	mapfile -t slow < <(out_of_turn sanitized sanitized tests/cli)
	mapfile -t rare < <(out_of_turn tree unit tests/tree)
	if [ -e "$SANITIZED_BUILD/built" ]; then
		mapfile -t tests < <(tests_of_build "$BUILD" | grep "^$TREE" | grep -vxFf <(printf '%s\n' "${rare[@]}"))
		for name in "${rare[@]}"; do
			name=${name#tests/}
			result_skipped "unit ${name//\// }" "nothing of it has changed since yesterday, and it runs every fourth day: contrib/check unit runs it"
		done
		mapfile -t -O ${#tests[@]} tests < <(printf '%s\n' "${PLAIN_UNIT[@]}" "${slow[@]}" | sort -u) # some are in both
		politely make -C "$BUILD" -j "$(nproc)" "${PLAIN_UNIT[@]}" "$HTML_WITHOUT" >"$WORK/build-unit.log" 2>&1
	else
		politely make -C "$BUILD" -j "$(nproc)" check TESTS= >"$WORK/build-unit.log" 2>&1
	fi
	run_unit "$BUILD" unit "${tests[@]}"
}

run_sanitized_unit() {
	local tests

	[ -e "$SANITIZED_BUILD/built" ] || return 0
	mapfile -t tests < <(tests_of_build "$SANITIZED_BUILD" | grep -v "^$TREE" | grep -vxFf <(out_of_turn sanitized sanitized tests/cli))
	sanitizer_reports sanitized-unit
	run_unit "$SANITIZED_BUILD" sanitized-unit "${tests[@]}"
	unset ASAN_OPTIONS UBSAN_OPTIONS
	# with this result, count_reports() counts the sanitizers' reports that no test saw
	! grep -q '^sanitized-unit ' "$LOGS/results" || result_of_one sanitized-unit "no sanitizer kept the unit tests from ending" /dev/null 0 0
}
