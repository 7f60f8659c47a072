# SPDX-License-Identifier: GPL-2.0-or-later
# The time of each suite: a line "NAME <tab> wall seconds <tab> CPU seconds" in LOGS/times, by contrib/check-lib/timed or from here.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

TIMES=no
TIMES_LEAST=3 # seconds: suites that took less, by the clock and of processors, share one line

# Prints the CPU seconds of all children of this shell that have ended (proc(5): cutime and cstime).
children_cpu() {
	local stat

	read -r stat <"/proc/$$/stat"
	# shellcheck disable=SC2086
	set -- ${stat##*) }
	awk -v ticks=$((${14} + ${15})) -v hz="$(getconf CLK_TCK)" 'BEGIN { print ticks / hz }'
}

# Notes the time from FROM (date +%s.%N) and USED (children_cpu) until now.
note_time() { # NAME FROM USED
	awk -v name="$1" -v from="$2" -v used="$3" -v now="$(date +%s.%N)" -v cpu="$(children_cpu)" \
		'BEGIN { printf "%s\t%.1f\t%.1f\n", name, now - from, cpu - used }' >>"$LOGS/times"
}

# A line for each, the most CPU time first.
tell_times() {
	local directory

	for directory in "$WORK"/logs*; do
		[ -s "$directory/times" ] || continue
		echo "times${directory#"$WORK/logs"}:"
		sort -t $'\t' -k 3,3 -g -r "$directory/times" | awk -F '\t' -v least="$TIMES_LEAST" '
			{ cpu += $3; sub(/[^ ]*\/tests\//, "tests/", $1) }
			$2 < least && $3 < least { small++; small_wall += $2; small_cpu += $3; next }
			{ printf "  %-60s %7.1f s  CPU %7.1f s\n", $1, $2, $3 }
			END {
				printf "  %-60s %7.1f s  CPU %7.1f s\n", small + 0 " that took less", small_wall, small_cpu
				printf "  %-60s %9s  CPU %7.1f s\n", "all", "", cpu
			}'
	done
	say "all of it"
}
