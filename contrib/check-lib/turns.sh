# SPDX-License-Identifier: GPL-2.0-or-later
# Parts that rarely break: each runs if one of its files has changed, if it is named, and otherwise in turn, day by day.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

TODAY=$((10#${DAY:-$(date +%j)}))
CHANGED=unknown # the files that have changed since yesterday, one a line; empty if git knows none
ALL_TURNS=no    # --all: every part runs

# Prints the files of ORIGIN that differ from the last commit that was a day old when the newest one was made. A release has no history:
# then all parts take turns.
changed_files() {
	local git=(git -c "safe.directory=*" -C "$ORIGIN") last base

	last=$("${git[@]}" log -1 --format=%ct 2>/dev/null) || return 0
	base=$("${git[@]}" rev-list -1 --before=$((last - 86400)) HEAD)
	"${git[@]}" diff --name-only "${base:-HEAD}" --
	"${git[@]}" ls-files --others --exclude-standard
}

has_changed() { # REGULAR-EXPRESSION : of files' paths in the tree
	turns_begin
	grep -qE "$1" <<<"$CHANGED"
}

# Asks git once: parts that run in a subshell would ask each time.
turns_begin() {
	[ "$CHANGED" != unknown ] || CHANGED=$(changed_files)
}

# Whether a part has its day, or was asked for. TURN is its position among PARTS, which take turns.
has_day() { # PART TURN PARTS
	[ "$ALL_TURNS" = yes ] || named "$1" || [ $((TODAY % $3)) -eq "$2" ]
}

# Whether it must run today.
is_due() { # PART TURN PARTS REGULAR-EXPRESSION
	has_day "$1" "$2" "$3" || has_changed "$4"
}

# The parts of contrib/check that take turns: position, and the files whose change makes one due. Its own test is always one of them. A name
# behind "sanitized-" is a test of tests/cli, which runs with sanitizers in its turn, and otherwise without. One behind "asan-" is a suite
# on Slurm that also runs with sanitizers. One behind "tree-" is a test of tests/tree. The CPU seconds that "--times" gave are spread evenly
# over the four days.
declare -A TURNS=(
	[dist]='0 4 ^Makefile\.am$|^configure\.ac$|^m4/|^contrib/(debian|rpm)/'
	[upgrade]='0 4 ^(bpf|collector)/|^tests/system/other'
	[counting]='0 4 ^(bpf|collector)/'
	[attack-writers]='0 4 ^(collector|spank)/|^reports/(deliver|files)/'
	[asan-batch]='0 4 ^(bpf|collector|spank)/'
	[sanitized-site]='0 4 ^reports/(facts|groups|site|store)/'
	[compilers]='1 4 ^bpf/|^m4/stint_bpf|^tests/system/(loads|object)'
	[limits]='1 4 ^(bpf|collector)/'
	[locks]='1 4 ^(bpf|collector)/'
	[socket]='1 4 ^collector/|^common/(control|frame|security)|^spank/'
	[attack-walks]='1 4 ^(bpf|collector)/'
	[attack-tables]='1 4 ^(bpf|collector)/'
	[sanitized-summary]='1 4 ^reports/(facts|groups|site)/'
	[sanitized-outputs]='1 4 ^reports/(files|read)/'
	[features]='2 4 ^bpf/|^collector/kernel/|^tests/system/(refuse|btf)'
	[programs]='2 4 ^(bpf|collector)/|^tests/system/refuse'
	[layouts]='2 4 ^(collector|spank)/|^contrib/testbed'
	[site]='2 4 ^(collector|spank)/|^contrib/testbed|^docs/admin'
	[start]='2 4 ^(bpf|collector)/'
	[asan-leaks]='2 4 ^(collector|spank)/'
	[asan-steps]='2 4 ^(bpf|collector|spank)/'
	[attack-notes]='2 4 ^(collector|spank)/'
	[sanitized-reconcile]='2 4 ^reports/(ingest|slurm)/'
	[sanitized-find]='2 4 ^reports/(files|read)/'
	[tree-check_confirm]='3 4 ^contrib/check'
	[rows]='3 4 ^contrib/(check|debian-root)'
	[testbed]='3 4 ^contrib/testbed'
	[collector]='3 4 ^(bpf|collector|spank)/'
	[truth-pressure]='3 4 ^(bpf|collector)/|^tests/system/pressure'
	[asan-nodes]='3 4 ^(bpf|collector|spank)/'
	[bench]='3 4 ^tests/bench/'
	[soak]='3 4 ^(bpf|collector)/'
	[sanitized-html_page]='3 4 ^reports/html/'
)

# Whether a suite may run whole today. If not, its result is a reason.
has_turn() { # PART
	local turn test=$1

	[ -n "${TURNS[$1]:-}" ] || return 0
	[[ ! $1 =~ ^(sanitized|asan|tree)-(.*) ]] || test=${BASH_REMATCH[2]}
	read -r -a turn <<<"${TURNS[$1]}"
	is_due "$1" "${turn[0]}" "${turn[1]}" "${turn[*]:2}|^tests/[a-z]+/$test(\.|\$)"
}

# Prints which compilers make the kernel programs today: all on their day; if these programs changed, the oldest, the newest and the one
# whose day it is; otherwise only that one.
todays_compilers() {
	local turn todays=${COMPILERS_PACKAGES[TODAY % ${#COMPILERS_PACKAGES[@]}]}

	read -r -a turn <<<"${TURNS[compilers]}"
	if has_day compilers "${turn[0]}" "${turn[1]}"; then
		echo "${COMPILERS_PACKAGES[*]}"
	elif has_turn compilers; then
		printf '%s\n' "${COMPILERS_PACKAGES[0]}" "${COMPILERS_PACKAGES[-1]}" "$todays" | sort --unique --version-sort | paste -sd ' '
	else
		echo "$todays"
	fi
}

# Like has_turn(); if it has none, lists the part as skipped. Of compilers and features, some run each day.
skip_without_turn() { # PART RESULT-NAME [SUITE-THAT-RUNS-IT]
	[[ $1 != compilers && $1 != features ]] && ! has_turn "$1" || return 1
	result_skipped "$2" "nothing of it has changed since yesterday, and it runs every fourth day: contrib/check ${3:-$1} runs it"
}
