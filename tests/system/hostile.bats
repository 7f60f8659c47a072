#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever names a user gives, the report is JSON and has these names, and neither it nor a log controls a terminal.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load helper

setup_file() {
	testbed_begin || return 1
	[ -z "$NO_TESTBED" ] || return 0
	collector_gets 'files = on'
	install -m 755 "$PROGRAMS/worker" "$TOOLS/worker"
	install -m 755 "$BATS_TEST_DIRNAME/hostile-job" "$TOOLS/hostile-job"
	for mode in names odd deep; do
		(
			cd / && "$TESTBED" run -- "$TOOLS/hostile-job" "$mode" "$TOOLS/worker" >"$BATS_FILE_TMPDIR/$mode"
		) 3>&- &
	done
	wait
}

teardown_file() {
	testbed_end
}

teardown() {
	[ -n "${BATS_TEST_COMPLETED:-}" ] || [ -n "${BATS_TEST_SKIPPED:-}" ] || cat -v "$STINT_TESTBED/log/stintd.out" | tail -n 5
}

of() { # MODE : sets REPORT of the job that ran before
	REPORT=$(cat "$BATS_FILE_TMPDIR/$1")
	OUTPUT=$(cat "$(dirname "$REPORT")"/slurm-*.out)
	[ -f "$REPORT" ]
}

# Has no control character but the newline, nothing invisible, nothing that is not UTF-8. The page on a terminal may have our own colours,
# each ended on the line where it begins, and no other sequence.
harmless() { # FILE [coloured]
	python3 - "$@" <<-'END'
		import re, sys, unicodedata
		text = open(sys.argv[1], "rb").read().decode("utf-8").replace("\r\n", "\n") # in a terminal driver's form
		if sys.argv[2:]:
		    text, count = re.subn("\033\\[(?:1|2|31|32|33|36|1;31)m([^\033\n]+)\033\\[0m", r"\1", text)
		    assert count > 5, "no colours"
		bad = [(i, hex(ord(c))) for i, c in enumerate(text) if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
		sys.exit(f"{sys.argv[1]}: {bad[:5]}" if bad or not text else 0)
	END
}

on_a_terminal() { # COMMAND... : prints what it writes to a terminal
	# script(1) gives the line to $SHELL or, without that, to /bin/sh, which does not know all of bash's quoting
	SHELL=/bin/bash TERM=xterm script --quiet --return --command "$(printf '%q ' "$@")" "$BATS_TEST_TMPDIR/typescript" >/dev/null </dev/null
	sed '1d;$d' "$BATS_TEST_TMPDIR/typescript"
}

page_is_harmless() {
	"$STINT" report --all "$REPORT" >"$BATS_TEST_TMPDIR/page"
	harmless "$BATS_TEST_TMPDIR/page"
	"$STINT" report --json "$REPORT" >"$BATS_TEST_TMPDIR/json"
	harmless "$BATS_TEST_TMPDIR/json"
	cmp <(jq . "$REPORT") <(jq . "$BATS_TEST_TMPDIR/json")
	on_a_terminal "$STINT" report "$REPORT" >"$BATS_TEST_TMPDIR/terminal"
	harmless "$BATS_TEST_TMPDIR/terminal" coloured
	on_a_terminal "$STINT" report --all "$REPORT" >"$BATS_TEST_TMPDIR/terminal"
	harmless "$BATS_TEST_TMPDIR/terminal" coloured
	on_a_terminal "$STINT" report --json "$REPORT" >"$BATS_TEST_TMPDIR/terminal"
	harmless "$BATS_TEST_TMPDIR/terminal"
	# on a terminal, 80 columns are as wide as they are for ASCII
	python3 - "$BATS_TEST_TMPDIR/page" <<-'END'
		import sys, unicodedata
		columns = lambda c: 0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
		wide = [line for line in open(sys.argv[1], encoding="utf-8") if sum(map(columns, line)) > 80 + 1] # and the newline
		sys.exit(f"wider than 80 columns: {wide[0]}" if wide else 0)
	END
}

@test "programs, scripts and files of the worst names are told by these, and the report is JSON" {
	of names
	valid
	holds --argjson names "$("$TOOLS/hostile-job" expect)" '. as $all | $names | length > 15 and all(. as $name |
		([$all.tools[] | select(.name == $name and .interpreter == null) | .runs] == [1]) and
		([$all.tools[] | select(.name == $name and .interpreter == "sh") | .runs] | add == 2) and
		([$all.tools[] | select(.name == $name) | .path | endswith("/" + $name)] | all))'
	holds --argjson names "$("$TOOLS/hostile-job" expect)" '[.files[] | select(.path != null and (.path | endswith("/data")))] |
		length == ($names | length) and all(.opens == 1 and .writes == 1 and .write_bytes == 1048576)'
	harmless "$REPORT"
}

@test "neither a pipe nor a terminal gets more than text from the page, or from the JSON" {
	of names
	page_is_harmless
	of odd
	page_is_harmless
	of deep
	page_is_harmless
}

@test "no arguments at all, 2 MB of them or of environment, a program from nowhere or gone: each is one run" {
	of odd
	echo "$OUTPUT"
	valid
	holds '.complete'
	[[ $OUTPUT != *execve* ]]
	holds '.tools[] | select(.name == "noargs") | .runs == 2 and .failures == 1'
	holds '.tools[] | select(.name == "emptyname") | .runs == 1 and .failures == 0'
	holds '.tools[] | select(.name == "bigargs") | .runs == 1 and .failures == 1'
	holds '.tools[] | select(.name == "bigenv") | .runs == 1 and .failures == 0'
	holds '.tools[] | select(.name == "gone") | .runs == 1 and .failures == 0 and .cpu_s >= 0.2'
	holds '.tools[] | select(.name == "memfd:memfd\u001b[2J\n/with/slashes") | .runs == 1 and .failures == 0'
	holds '.tools[] | select(.name == "memfd:" + "\ufffd" * 200) | .runs == 1 and .failures == 0'
}

# Slurm keeps the arguments of a job's script, some 350 KB of them, and each control character is six bytes of JSON.
@test "no arguments of a job's script keep stint from learning of Slurm how the job ended" {
	printf '#!/bin/bash\n%s\n' 'exit 3' >"$TOOLS/failing"
	printf '#!/bin/bash\n%s\n' 'a=$(printf "\\001%.0s" {1..80000})' 'exec sbatch --wait --chdir="$1" --output=out "$2" "$a" "$a" "$a" "$a"' >"$TOOLS/submit"
	chmod 755 "$TOOLS/failing" "$TOOLS/submit"
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/arguments.XXXXXX")
	run -3 "$TESTBED" exec "$TOOLS/submit" "$directory" "$TOOLS/failing"
	soon report_is_in "$directory"
	valid
	whole
	holds '.job.state == "FAILED" and .job.exit_code == 3 and .requested.cpus == 1'
	holds '.tools | any(.name == "failing")'
}

@test "below a path of more than 4096 bytes programs and scripts are told by name, and that the path is missing" {
	of deep
	valid
	holds '.complete'
	holds '.tools[] | select(.name == "abyss") | .runs == 1 and .failures == 0 and (has("path") | not)'
	holds '[.tools[] | select(.name == "trench.sh") | .runs] | add == 2'
	holds '[.tools[] | select(.name == "trench.sh") | has("path") | not] | all'
	holds '.gaps | any(.name == "tools.path")'
}

report_in() { # DIRECTORY NAME : sets REPORT when it is there
	REPORT=$1/$2
	soon test -f "$REPORT"
}

@test "a job of the worst name in a directory that is no UTF-8 has its report there, by a pattern that is none either" {
	local name=$'job\e[31m\xff\xc2\x9b\xe2\x80\xae' directory=$STINT_TESTBED/home/$'Gr\xf6\xdfe\n\e[2J' id

	"$TESTBED" exec mkdir "$directory"
	id=$("$TESTBED" exec sh -c 'cd "$1" && sbatch --parsable --job-name="$2" --wrap true' sh "$directory" "$name")
	report_in "$directory" "stint-$id.json"
	valid
	holds '.job.name == "job\u001b[31m\ufffd\u009b\u202e"'
	holds '.job.work_dir | endswith("/Gr\ufffd\ufffde\n\u001b[2J")'
	harmless "$REPORT"
	page_is_harmless
	id=$("$TESTBED" exec sh -c 'cd "$1" && sbatch --parsable --stint=output="$2" --wrap true' sh "$directory" $'r\xe9sum\xe9-%j.json')
	report_in "$directory" $'r\xe9sum\xe9-'"$id.json"
	valid
}

@test "no log takes a line or a control character from a user's option" {
	local id

	id=$("$TESTBED" exec env "_SLURM_SPANK_OPTION_stint_stint="$'sometimes\nforged: stint\e[2J\xff' \
		sh -c 'cd && sbatch --parsable --wait --output=/dev/null --wrap true')
	[ -n "$id" ]
	grep -q -- 'stint: --stint=sometimes\\x0aforged' "$STINT_TESTBED/log/slurmd.$NODE.log"
	run ! grep -q '^forged' "$STINT_TESTBED/log/slurmd.$NODE.log"
	grep 'stint' "$STINT_TESTBED/log/slurmd.$NODE.log" >"$BATS_TEST_TMPDIR/slurmd"
	harmless "$BATS_TEST_TMPDIR/slurmd"
	harmless "$STINT_TESTBED/log/stintd.out"
}

@test "a process that calls itself by rubbish, was found late and is killed for its memory is told in whole characters" {
	local running directory

	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/comm.XXXXXX")
	collector_kill
	rm -rf "${STINT_TESTBED:?}/bpf/stint"
	(cd / && "$TESTBED" run --mem=100M -- "$TOOLS/hostile-job" comm "$directory/began" "$directory/go" >"$BATS_TEST_TMPDIR/comm") 3>&- &
	running=$!
	soon test -e "$directory/began"
	"$TESTBED" restart-collector
	soon is_followed "$(squeue --noheader --states=R --format %i)"
	touch "$directory/go"
	wait "$running" || true
	REPORT=$(cat "$BATS_TEST_TMPDIR/comm")
	valid
	# the last of 16 bytes is half a character
	holds '.oom[0].comm == "\ufffd\u001b[31m\u00e9\u00e9\u00e9\u00e9" or .oom[0].tool == "\ufffd\u001b[31m\u00e9\u00e9\u00e9\u00e9"'
	holds '.tools | any(.name == "\ufffd\u001b[31m\u00e9\u00e9\u00e9\u00e9")'
	harmless "$REPORT"
	page_is_harmless
}
