#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests what a failed job's page shows of the job's own output: what a person would see at the end of that file, and never output of another
# job or another time.
# shellcheck disable=SC2016,SC2119,SC2120,SC2154,SC2164

setup_file() {
	export SOURCE STINT
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	export LC_ALL=C.UTF-8 TZ=UTC0
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
	report .
	printf 'line %s\n' 1 2 3 4 5 6 >slurm-38.out
	written '2026-11-23 08:19:56'
}

# A report of a job of this user that failed here, changed by FILTER.
report() { # FILTER
	jq --arg here "$PWD" --argjson uid "$(id -u)" \
		".job.work_dir = \$here | .job.std_out = \$here + \"/slurm-38.out\" | .job.uid = \$uid | $1" \
		"$SOURCE/tests/data/pictures/failure.json" >stint-38.json
}

written() { # TIME [FILE]
	touch --date="$1 UTC" "${2:-slurm-38.out}"
}

page() { # [OPTION...] : prints the lines of the output that the page has
	"$STINT" report --width=80 "$@" stint-38.json >page || return
	grep -q '^Job 38 ' page || return
	sed -n '/^The last line/,/^$/p' page
}

shows() { # EXPECTED [OPTION...]
	local expected=$1

	shift
	run page "$@"
	echo "$output"
	[ "$status" -eq 0 ] && [ "$output" = "$expected" ]
}

FIVE=$'The last lines of slurm-38.out:\n  line 2\n  line 3\n  line 4\n  line 5\n  line 6'

@test "the page of a failed job has its last five lines, below the first line" {
	shows "$FIVE"
	sed -n 4,5p page | grep -qx 'The last lines of slurm-38.out:'
	shows "$FIVE" --config=/dev/null
}

@test "the option and the site say how many; none at all is one of them" {
	shows $'The last lines of slurm-38.out:\n  line 5\n  line 6' --last-lines=2
	shows $'The last line of slurm-38.out:\n  line 6' --last-lines=1
	shows '' --last-lines=0
	echo 'last_lines = 0' >stint.conf
	shows '' --config=stint.conf
	shows $'The last line of slurm-38.out:\n  line 6' --config=stint.conf --last-lines=1
	run "$STINT" report --last-lines=many stint-38.json
	[ "$status" -eq 64 ] || [ "$status" -eq 2 ]
	[[ $output == *"'many' is not a number from 0 to 100"* ]]
}

@test "a job that ended well, was cancelled or runs has none; one out of time, or whose work failed, has them" {
	report '.job.state = "COMPLETED" | .findings = []'
	shows ''
	report '.job.state = "CANCELLED"'
	shows ''
	report '.job.state = "RUNNING"'
	shows ''
	report '.job.state = "TIMEOUT"'
	shows "$FIVE"
	report '.job.state = "COMPLETED" | .findings = [{"code": "work-failed", "severity": "warning", "message": "x", "evidence": []}]'
	shows "$FIVE"
}

@test "errors that went to a file of their own come first; an empty one does not" {
	report '.job.std_err = $here + "/errors"'
	echo 'no such file' >errors
	written '2026-11-23 08:19:56' errors
	shows $'The last line of errors:\n  no such file'
	: >errors
	shows "$FIVE"
	rm errors
	shows "$FIVE"
}

@test "a file of another time, of another user, a FIFO or a directory: nothing" {
	written '2026-11-23 08:19:34'
	shows ''
	written '2026-11-23 08:20:58'
	shows ''
	written '2026-11-23 08:20:56' # a file server's clock
	shows "$FIVE"
	report '.job.uid += 1'
	shows ''
	report .
	rm slurm-38.out
	shows ''
	mkfifo slurm-38.out
	shows ''
	rm slurm-38.out && mkdir slurm-38.out
	shows ''
	report '.job.std_out = "slurm-38.out"'
	shows ''
}

@test "what a terminal would show: no control characters, of a progress bar its end, of a long line its begin, blank lines left out" {
	printf 'begin\n 10%%\r 50%%\r100%%\r\n\n \t\n\033[31mred\033[0m\n%s\n\n' "$(printf '%0300d' 7)" >slurm-38.out
	written '2026-11-23 08:19:56'
	page >got
	cat -A got
	[ "$(wc -l <got)" -eq 6 ]
	[ "$(sed -n 2p got)" = '  begin' ]
	[ "$(sed -n 3p got)" = '  100%' ]
	run ! grep "$(printf '\033')" got
	grep -q 'red' got
	[ "$(wc --max-line-length <got)" -le 80 ]
	printf 'no newline at its end' >slurm-38.out
	written '2026-11-23 08:19:56'
	shows $'The last line of slurm-38.out:\n  no newline at its end'
	printf 'chr1\t100\tA\n' >slurm-38.out
	written '2026-11-23 08:19:56'
	shows $'The last line of slurm-38.out:\n  chr1 100 A'
}

@test "a long line is broken between its words, keeps its indent, and is shortened in its middle" {
	printf '    %s: line 2: samtools: command not found\n' /var/spool/slurmd/job00038/slurm_script/and/more >slurm-38.out
	written '2026-11-23 08:19:56'
	shows $'The last line of slurm-38.out:\n      /var/spool/slurmd/job00038/slurm_script/and/more: line 2: samtools:\n        command not found'
	{ echo -n 'begin '; for i in {1..2000}; do echo -n 'w\u00f6rd '; done | sed 's/\\u00f6/ö/g'; echo 'the end'; } >slurm-38.out
	written '2026-11-23 08:19:56'
	page >got
	cat got
	grep -q '^  begin wörd' got && grep -q ' \.\.\. ' got && grep -q 'the end$' got
	[ "$(wc -l <got)" -le 10 ]
	iconv --from-code=utf-8 got >/dev/null
}

@test "of a huge file only the end is read, and a line that is cut is no line" {
	{ head -c 3000000 /dev/zero | tr '\0' 'x' && printf '\nlast but one\nlast\n'; } >slurm-38.out
	written '2026-11-23 08:19:56'
	shows $'The last lines of slurm-38.out:\n  last but one\n  last'
	head -c 3000000 /dev/zero >slurm-38.out
	written '2026-11-23 08:19:56'
	run page
	[ "$status" -eq 0 ]
}

@test "what time wrote does not take the place of what its program said" {
	printf 'one\ntwo\nsolve: bad input\n\nreal\t0m7.724s\nuser\t0m1.993s\nsys\t0m0.021s\nstatus 2\n' >slurm-38.out
	written '2026-11-23 08:19:56'
	shows $'The last lines of slurm-38.out:\n  one\n  two\n  solve: bad input\n  status 2'
	printf 'solve: bad input\nreal 7.72\nuser 1.99\nsys 0.02\n' >slurm-38.out # -p
	written '2026-11-23 08:19:56'
	shows $'The last line of slurm-38.out:\n  solve: bad input'
	printf 'solve: bad input\nCommand exited with non-zero status 2\n\tCommand being timed: "solve"\n\tUser time (seconds): 1.99\n' >slurm-38.out
	printf '\tMaximum resident set size (kbytes): 1204\n\tExit status: 2\n\tthe end\n' >>slurm-38.out
	written '2026-11-23 08:19:56'
	shows $'The last lines of slurm-38.out:\n  solve: bad input\n  Command exited with non-zero status 2\n   the end'
	# words that are not time's, and only time's
	printf 'real\t0m7.724s\nuser\tsmith\nsys\t0m0.021s\nuser 12\n' >slurm-38.out
	written '2026-11-23 08:19:56'
	shows $'The last lines of slurm-38.out:\n  real 0m7.724s\n  user smith\n  sys 0m0.021s\n  user 12'
	printf 'real\t0m7.724s\nuser\t0m1.993s\nsys\t0m0.021s\n' >slurm-38.out
	written '2026-11-23 08:19:56'
	shows $'The last lines of slurm-38.out:\n  real 0m7.724s\n  user 0m1.993s\n  sys 0m0.021s'
}

@test "an empty file is not named as the output, on either page, and any other is" {
	local html
	named() { # 0 or 1 : how many of both pages name it
		"$STINT" report --width=120 stint-38.json >page
		html=$("$STINT" report --html=- stint-38.json)
		echo "$html" | grep '<p class="outcome">'
		[ "$(tr -s ' \n' ' ' <page | grep -c 'Its output: slurm-38.out')" -eq "$1" ]
		[ "$(grep -c '<p class="outcome">.* Its output: slurm-38.out' <<<"$html")" -eq "$1" ]
		grep -q '^Job 38 .*FAILED: ' page
	}
	report '.verdict.outcome |= sub("[.] Its output: .*"; "") + ". Its output: slurm-38.out"'
	named 1
	: >slurm-38.out
	written '2026-11-23 08:19:56'
	named 0
	! grep -q 'Its output' page
	# not the job's any more
	written '2026-11-24 08:19:56'
	named 1
	rm slurm-38.out
	named 1
	# its file is not what the sentence names
	: >slurm-38.out
	written '2026-11-23 08:19:56'
	report '.verdict.outcome |= sub("[.] Its output: .*"; "") + ". Its output: other-38.out"'
	"$STINT" report --width=120 stint-38.json | tr -s ' \n' ' ' | grep -q 'Its output: other-38.out'
}
