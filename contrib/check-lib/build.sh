# SPDX-License-Identifier: GPL-2.0-or-later
# Building, and the suites that are programs of the build: unit, dist, fuzz, sanitized.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

build() { # [DIRECTORY]
	make -C "${1:-$BUILD}" -j "$(nproc)" all && make -C "${1:-$BUILD}" -j "$(nproc)" check TESTS=
}

configure() { # DIRECTORY OPTION...
	local directory=$1

	shift
	mkdir -p "$directory" && (cd "$directory" && "$SOURCE/configure" "$@")
}

# Makes configure and its like. Within one second autom4te does not see that aclocal.m4 is newer than what it has noted of it; automake
# then leaves libtool's macros out of the tarball.
generate() {
	autoreconf -fi "$SOURCE" && rm -rf "$SOURCE/autom4te.cache" && (cd "$SOURCE" && automake)
}

# A step that all tests need. Ends the run when it fails.
need() { # WHAT COMMAND...
	local what=$1 log=$WORK/${1// /-}.log

	shift
	say "$what"
	"$@" >"$log" 2>&1 && return
	echo "not ok - $what; the end of $log:"
	tail -n 30 "$log"
	FAILED=$((FAILED + 1))
	finish
}

# Programs that are built with sanitizers write their findings into files there, whichever user runs them.
sanitizer_reports() { # NAME
	local directory=$LOGS/reports/${1// /-}

	mkdir -p "$directory"
	chmod 1777 "$directory"
	export ASAN_OPTIONS=log_path=$directory/report UBSAN_OPTIONS=log_path=$directory/report:print_stacktrace=1
}

run_unit() { # [BUILD [WORD]]
	local build=${1:-$BUILD} word=${2:-unit} log name status failed start=$SECONDS

	! is_late "$word" || return 0
	politely make -C "$build" -j "$(nproc)" check >"$LOGS/$word.log" 2>&1
	status=$?
	mkdir -p "$LOGS/$word"
	for log in "$build"/tests/unit/*/*.log "$build"/tests/{cli,fuzz,tree}/*.log; do
		[ -e "${log%.log}.trs" ] || continue
		name=${log#"$build"/tests/}
		name=${name#unit/}
		name=${name//\//-}
		cp "$log" "$LOGS/$word/$name"
		grep -q ':test-result: *\(FAIL\|ERROR\)' "${log%.log}.trs"
		failed=$((1 - $?))
		[ "$failed" -eq 0 ] || status=0 # that line reports it
		name=${name%.log}
		result "$word ${name/-/ }" "$LOGS/$word/$name.log" $((SECONDS - start)) "$failed"
	done
	[ "$status" -eq 0 ] || result_of_one "$word" "make check" "$LOGS/$word.log" $((SECONDS - start)) "$status"
}

# Prints the names of all gcc that are installed, but for the one that everything is built with anyway.
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

# Prints the files of the source tree that the tarball lacks, but for those that only a clone needs.
missing_in_tarball() {
	comm -13 <(tar -tf "$BUILD"/stint-*.tar.gz | sed 's|^[^/]*/||' | LC_ALL=C sort) \
		<(cd "$SOURCE" && find . -type f ! -path './autom4te.cache/*' ! -name '*~' | sed 's|^\./||' | LC_ALL=C sort) |
		grep -vx -e .clang-format -e .gitignore
}

# The tests run once, in the tree's own build; here it is one of them, which installs all of it.
run_dist() {
	local start=$SECONDS status

	! is_late dist || return 0
	politely make -C "$BUILD" -j "$(nproc)" distcheck DISTCHECK_CONFIGURE_FLAGS=--enable-werror \
		TESTS=tests/tree/installation >"$LOGS/dist.log" 2>&1
	status=$?
	result_of_one dist "make distcheck: builds out of tree, installs, uninstalls and cleans up" "$LOGS/dist.log" \
		$((SECONDS - start)) "$status"
	[ "$status" -eq 0 ] || return 0
	! missing_in_tarball >"$LOGS/dist-missing.log"
	result_of_one "dist tarball" "the tarball has each file of the tree" "$LOGS/dist-missing.log" 0 $?
}

run_fuzz() {
	local build=$WORK/fuzz start=$SECONDS status

	! is_late fuzz || return 0
	if ! configure "$build" --enable-fuzzers CC="${CLANG:-clang}" >"$LOGS/fuzz.log" 2>&1; then
		result_skipped fuzz "$(sed -n 's/^configure: error: //p' "$LOGS/fuzz.log")"
		return
	fi
	politely make -C "$build" -j "$(nproc)" fuzzers >>"$LOGS/fuzz.log" 2>&1 &&
		politely "$SOURCE/tests/fuzz/run" --seconds "${FUZZ_SECONDS:-4}" "$build/tests/fuzz" >"$LOGS/fuzz.tap" 2>>"$LOGS/fuzz.log"
	status=$?
	[ -e "$LOGS/fuzz.tap" ] || tail -n 20 "$LOGS/fuzz.log" >"$LOGS/fuzz.tap"
	result fuzz "$LOGS/fuzz.tap" $((SECONDS - start)) "$status"
}

# Builds with sanitizers, once. SANITIZED_BUILD/built is there when the suites can run, SANITIZED_BUILD/failed when they cannot.
SANITIZED_BUILD=
prepare_sanitized() {
	local start=$SECONDS log=$WORK/sanitized.log

	[ ! -e "$SANITIZED_BUILD/built" ] || return 0
	if is_late sanitized; then
		mkdir -p "$SANITIZED_BUILD" && : >"$SANITIZED_BUILD/failed"
	elif configure "$SANITIZED_BUILD" --enable-sanitizers >"$log" 2>&1 &&
		politely make -C "$SANITIZED_BUILD" -j "$(nproc)" all >>"$log" 2>&1 &&
		politely make -C "$SANITIZED_BUILD" -j "$(nproc)" check TESTS= >>"$log" 2>&1; then
		: >"$SANITIZED_BUILD/built"
	else
		result_of_one sanitized "the build with sanitizers" "$log" $((SECONDS - start)) 1
		mkdir -p "$SANITIZED_BUILD" && : >"$SANITIZED_BUILD/failed"
	fi
}

run_sanitized_unit() {
	sanitizer_reports sanitized-unit
	run_unit "$SANITIZED_BUILD" sanitized-unit
	unset ASAN_OPTIONS UBSAN_OPTIONS
	# this result makes count_reports() count the sanitizers' reports that no test saw
	! grep -q '^sanitized-unit ' "$LOGS/results" || result_of_one sanitized-unit "no sanitizer kept the unit tests from ending" /dev/null 0 0
}
