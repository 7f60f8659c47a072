# SPDX-License-Identifier: GPL-2.0-or-later
# What happens when time is over (--until): parts that may not begin, and parts that are ended, are listed as skipped.
# shellcheck shell=bash disable=SC2034,SC2153

OVER=no  # whether SIGTERM has come
END_S=60 # for the parts that are ended; a row's root has half of that for its own commands

# Whether a part may not begin any more, which lists it as skipped. Otherwise it is noted as begun.
is_late() { # NAME
	if [ -n "$UNTIL" ] && [ "$SECONDS" -ge $((UNTIL * 60)) ]; then
		result_skipped "$1" "not begun: $((SECONDS / 60)) minutes were over, and nothing begins after $UNTIL"
	else
		echo "$1" >>"$WORK/begun"
		return 1
	fi
}

# The parts that have begun and have no result, and all that had not begun. (Rows of the matrix are skip_rows()'s.)
skip_begun() {
	local name

	while IFS= read -r name; do
		grep -qE "^${name}[[:blank:]]" "$LOGS/results" || result_skipped "$name" "ended after $((SECONDS / 60)) minutes, before it was over"
	done < <(sort -u "$WORK/begun" 2>/dev/null | grep -v '^matrix ')
	named matrix || [ "$SECONDS" -ge $((UNTIL * 60)) ] || result_skipped "all that had not begun" "ended after $((SECONDS / 60)) minutes"
}

# When the check is ended: finished parts count. The shells of the parts must not see their commands end: they would take that for a
# failure. Commands that such a shell has started itself may still write results, which nobody reads then.
end_by_time() {
	local pids row

	mapfile -t pids < <(jobs -p)
	[ ${#pids[@]} -eq 0 ] || kill -KILL "${pids[@]}" 2>/dev/null
	skip_rows
	skip_begun
	collect
	exec 7</dev/null
	OVER=yes
	end_sessions
	wait_for_sessions "$END_S"
	for row in "${MATRIX_ALL[@]}"; do
		matrix_clear "$row"
	done
	finish
}
