# SPDX-License-Identifier: GPL-2.0-or-later
# The matrix: stint built for, and run with, the Slurm of other Debian releases, each in its own root (contrib/debian-root).
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

# A row's suite of Debian, and its name in docs/supported.md.
declare -A MATRIX_RELEASES=([bookworm]="Debian 12" [trixie]="Debian 13" [testing]="Debian's next")
# Further gcc versions of a release: stint supports 12 and later.
declare -A MATRIX_COMPILERS=([bookworm]="" [trixie]="gcc-12 gcc-13" [testing]="gcc-14 gcc-15")
# The rows in the virtual machine are kernels.sh's. They alternate with the others, each of which needs another root.
MATRIX_ROWS=(bookworm linux-6.12 trixie testing-v2 testing linux-6.1 trixie-v2 linux-next)
# The suites that touch Slurm.
MATRIX_SUITES=(accounting batch contain doctor mail nodes shapes show steps)
MATRIX_TIMEOUT=2700
# The time of a row, its root included, if the matrix must end at some time (--until).
MATRIX_LIMITED=1500

is_row() { # NAME
	[[ " ${MATRIX_ROWS[*]} " == *" $1 "* ]]
}

# ---- what a row has ----

# What a release's root needs: no browsers, no compilers of other languages.
matrix_packages() { # RELEASE
	# shellcheck disable=SC2086
	printf '%s\n' "${BUILD_PACKAGES[@]}" "${TESTBED_PACKAGES[@]}" "${ACCOUNTING_PACKAGES[@]}" "${EXAMPLE_PACKAGES[@]}" \
		"${MATRIX_PACKAGES[@]}" ${MATRIX_COMPILERS[$1]}
}

# Prints the directory of a release's root. If it is not available, the last line of standard error says why.
row_root() { # RELEASE LIMIT_S
	local packages

	mapfile -t packages < <(matrix_packages "$1")
	in_session timeout --kill-after=60 "$2" "$SOURCE/contrib/debian-root" make "$1" "${packages[@]}"
}

# shellcheck disable=SC2016
MATRIX_FACTS='
	slurmctld -V | sed "s/^[^ ]* //"
	for gcc in gcc $STINT_GCC; do "$gcc" -dumpfullversion; done | paste -s -d " " | sed "s/ /, /g"
	clang --version | sed -n "s/.*clang version \([0-9.]*\).*/\1/p"
	pkg-config --modversion libbpf
	if [ "$(stat -f -c %T /sys/fs/cgroup)" = cgroup2fs ]; then echo v2; else echo v1; fi
	uname -r | sed "s/-.*//"'

# Prints the row's versions as a table's line in Markdown, without its result.
matrix_facts() { # ROW ROOT
	local about

	about=$("$SOURCE/contrib/debian-root" run "$2" env STINT_GCC="${MATRIX_COMPILERS[$1]}" \
		bash -c "$MATRIX_FACTS" </dev/null 2>/dev/null | tr '\n' '|') || return 1
	echo "| ${MATRIX_RELEASES[$1]} ($1) | ${about//|/ | }"
}

# ---- the results of a row ----

# A row whose suites did not run: it is skipped with status 77, and also if its own time was over, which keeps time for the others.
row_without() { # ROW STATUS LOG WHAT SECONDS
	if [ "$2" -eq 77 ]; then
		result_skipped "matrix $1" "$(tail -n 1 "$3")"
	elif is_cut "$2" "$5"; then
		result_skipped "matrix $1" "its $((MATRIX_LIMITED / 60)) minutes were over before this: $4"
	else
		result_of_one "matrix $1" "$4" "$3" "$5" 1
	fi
}

# Whether a row was ended because the time of the matrix was over, which says nothing about stint. By hand a row has time enough.
is_cut() { # STATUS SECONDS
	[ -n "$UNTIL" ] && [ "$1" -ne 0 ] && [ "$2" -ge "$MATRIX_LIMITED" ]
}

# Prints the remaining time of a row, for timeout, for which 0 would mean no limit.
row_left() { # LIMIT_S START
	local left=$(($1 - (SECONDS - $2)))

	echo $((left > 0 ? left : 1))
}

# Takes over the results of RESULTS, whose logs are below DIRECTORY where it says /var/tmp. A row's own check has already run its failures
# again, so they do not run again here: the flaky ones are known (confirm.sh).
row_results() { # ROW RESULTS DIRECTORY
	local name tap seconds status known=

	[ ! -e "${2%/logs/results}/flaky" ] || known="known ${2%/logs/results}/flaky"
	while IFS=$'\t' read -r name tap seconds status _; do
		[[ $tap != /var/tmp/* ]] || [ -z "$3" ] || tap=$3${tap#/var/tmp}
		# a suite that was cut short has not failed, as long as none of its tests has
		if is_cut "$status" "$ROW_SECONDS" && ! grep -q '^not ok ' "$tap"; then
			result_skipped "matrix $1 $name" "its $((MATRIX_LIMITED / 60)) minutes were over"
		else
			result "matrix $1 $name" "$tap" "$seconds" "$status" "$known"
		fi
	done <"$2"
}

# The suites' own logs, as if they had run here. A row that ended without them has failed as a whole.
matrix_results() { # ROW LOG STATUS
	local row=$1 log=$2 status=$3 results

	results=$(compgen -G "$LOGS/matrix-$row/stint-check.*/logs/results")
	if [ -n "$results" ] && [ -s "$results" ]; then # it is empty if stint was not built
		row_results "$row" "$results" "$LOGS/matrix-$row"
		[ "$status" -ne 0 ] && ! tail -n 1 "$log" | grep -qE ', [1-9][0-9]* failed,' || return 0
	fi
	row_without "$row" "$status" "$log" "stint is built and its suites run with the Slurm of Debian $row" "$ROW_SECONDS"
}

# A killed row leaves testbeds: their cgroups are this machine's.
matrix_clear() { # ROW
	local mark

	for mark in "$LOGS/matrix-$1"/*/.stint-testbed; do
		[ ! -e "$mark" ] || STINT_TESTBED=${mark%/*} "$SOURCE/contrib/testbed" down >>"$LOGS/matrix-$1.log" 2>&1
	done
}

# ---- when time is over for all ----

MATRIX_ALL=() # the rows of this run

# The results of a row before it was ended.
row_so_far() { # ROW
	local results=$LOGS/matrix-$1/results directory=

	is_machine_row "$1" || { results=$(compgen -G "$LOGS/matrix-$1/stint-check.*/logs/results") && directory=$LOGS/matrix-$1; }
	ROW_SECONDS=0
	[ ! -s "$results" ] || row_results "$1" "$results" "$directory"
}

# Ended rows count; the others are listed as skipped.
skip_rows() {
	local row

	! named matrix || [ ${#MATRIX_ALL[@]} -gt 0 ] || result_skipped matrix "ended after $((SECONDS / 60)) minutes, before its first row"
	for row in "${MATRIX_ALL[@]}"; do
		! grep -q "^matrix ${row}[[:blank:]]" "$LOGS/results" || continue
		row_so_far "$row"
		result_skipped "matrix $row" "ended after $((SECONDS / 60)) minutes, before this row was over"
	done
}

# ---- the rows ----

run_release_row() { # ROW LIMIT_S
	local row=$1 log=$LOGS/matrix-$1.log root facts start=$SECONDS status

	root=$(row_root "$row" "$2" 2>"$log") ||
		{ row_without "$row" $? "$log" "a root of Debian $row is made" $((SECONDS - start)); return; }
	facts=$(matrix_facts "$row" "$root")
	mkdir -p "$LOGS/matrix-$row"
	in_session timeout --kill-after=60 "$(row_left "$2" "$start")" "$SOURCE/contrib/debian-root" run --share "$SOURCE" \
		--var-tmp "$LOGS/matrix-$row" "$root" env STINT_MATRIX="$row" "$SOURCE/contrib/check" --no-install --keep \
		gcc "${MATRIX_SUITES[@]}" </dev/null >"$log" 2>&1
	status=$?
	ROW_SECONDS=$((SECONDS - start))
	matrix_clear "$row"
	matrix_results "$row" "$log" "$status"
	row_line "$facts" "$(tail -n 1 "$log" | grep -xE '[0-9]+ passed.*')"
}

run_row() { # ROW
	local limit=$MATRIX_TIMEOUT

	[ -z "$UNTIL" ] || limit=$MATRIX_LIMITED
	if is_machine_row "$1"; then
		run_machine_row "$1" "$limit"
	else
		run_release_row "$1" "$limit"
	fi
}

# Prints the rows in their order. If not all may have time, each day begins with another one, so that all get their turn.
rows_in_order() {
	local first=0 i

	[ -z "$UNTIL" ] || first=$((10#$(date +%j) % ${#MATRIX_ROWS[@]}))
	for ((i = 0; i < ${#MATRIX_ROWS[@]}; i++)); do
		echo "${MATRIX_ROWS[(first + i) % ${#MATRIX_ROWS[@]}]}"
	done
}

# All rows, or the named ones. One at a time: a row uses all processors.
run_matrix() {
	local row rows=() all

	mapfile -t all < <(rows_in_order)
	for row in "${all[@]}"; do
		! named "$row" || rows+=("$row")
	done
	[ ${#rows[@]} -gt 0 ] || rows=("${all[@]}")
	MATRIX_ALL=("${rows[@]}")
	[ "$INSTALL" = no ] || packages_install debootstrap "${VM_PACKAGES[@]}" >"$LOGS/matrix.log" 2>&1
	for row in "${rows[@]}"; do
		! is_late "matrix $row" || continue
		run_row "$row" &
		wait_for_fewer 1 $!
	done
	collect
	matrix_table
}

# ---- the table ----

# One line of it. ROW_SECONDS says how long the row took.
row_line() { # FACTS RESULT
	local cut=

	! is_cut 1 "$ROW_SECONDS" || cut=" (cut short)"
	echo "$1$(date +%F) | ${2:-no result}$cut | $(((ROW_SECONDS + 30) / 60)) min |" >>"$LOGS/matrix-table"
}

# Prints the table of this run; with --write also into docs/supported.md of the tree.
matrix_table() {
	[ -e "$LOGS/matrix-table" ] || return 0
	matrix_lines "$LOGS/matrix-table"
	[ "$WRITE" = no ] || matrix_write "$ORIGIN/docs/supported.md"
}

# Prints the table with the last line that FILE has for each row.
matrix_lines() { # FILE
	local row

	echo "| | Slurm | gcc | clang | libbpf | cgroup | kernel | last run | result | took |"
	echo "|---|---|---|---|---|---|---|---|---|---|"
	for row in "${MATRIX_ROWS[@]}"; do
		grep -F "($row) |" "$1" | tail -n 1
	done
}

# Replaces the lines of this run's rows between the table's marks. Those of other rows stay.
matrix_write() { # FILE
	local new

	sed -n '/^<!-- matrix -->/,/^<!-- end of matrix -->/p' "$1" | cat - "$LOGS/matrix-table" >"$LOGS/matrix-lines"
	matrix_lines "$LOGS/matrix-lines" >"$LOGS/matrix.md"
	new=$(mktemp "$1.XXXXXX") && awk -v table="$LOGS/matrix.md" '
		/^<!-- end of matrix -->/ { inside = 0 }
		!inside { print }
		/^<!-- matrix -->/ {
			inside = 1
			while ((getline line <table) > 0)
				print line
			print ""
		}' "$1" >"$new" && chmod 644 "$new" && mv "$new" "$1"
}
