#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests what stint writes and opens: it overwrites only its own kind of output, root follows no link that another user has made, and no
# device or FIFO is opened.
# shellcheck disable=SC2154

setup_file() {
	export SOURCE STINT DATA
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	DATA=$SOURCE/tests/data/example
	export LC_ALL=C.UTF-8 TZ=UTC0
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
	cp "$DATA/stint-1.json" "$DATA/stint-6.json" .
}

fails() { # STATUS TEXT ARGUMENT... : with one line
	local expected=$1 text=$2
	shift 2
	run --separate-stderr timeout 20 "$STINT" "$@"
	echo "status $status, stdout: ${output:0:500}, stderr: $stderr"
	[ "$status" -eq "$expected" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[ -z "$output" ]
	[[ $stderr == *"$text"* ]]
}

works() { # OUTPUT ARGUMENT...
	local expected=$1
	shift
	run --separate-stderr timeout 20 "$STINT" "$@"
	echo "status $status, stdout: ${output:0:500}, stderr: $stderr"
	[ "$status" -eq 0 ]
	[ "$output" = "$expected" ]
	[ -z "$stderr" ]
}

is_page() {
	head -n 1 "$1" | grep -q '^<!DOCTYPE html>$'
	tail -n 1 "$1" | grep -q '^</html>$'
}

untouched() { # the reports are unchanged, and nothing is left behind
	cmp "$DATA/stint-1.json" stint-1.json
	cmp "$DATA/stint-6.json" stint-6.json
	[ -z "$(find . -name '*.tmp')" ]
}

@test "a report's name behind --html or --trace names the report, and is never overwritten" {
	works "Wrote stint-1.html, the page of job 1" report --html stint-1.json
	is_page stint-1.html
	works "Wrote stint-1.trace, the trace of job 1" timeline --trace stint-1.json
	python3 "$SOURCE/tests/cli/trace_check" stint-1.json stint-1.trace
	works "Wrote stint-6.html, the page of job 6" report --html 6
	untouched
	# the outputs next to the reports are no reports
	works "$("$STINT" report --table stint-1.json stint-6.json)" report --table
}

@test "no report, and nothing else but its own kind of output, is overwritten" {
	local name before

	"$STINT" report --html=page.html 1
	"$STINT" timeline --trace=t.trace 1
	cp stint-1.json .stint-1.1.n1.part
	: >empty
	printf '{"traceEvents":[{"name":"another tool"}]}' >others.trace
	printf '<!DOCTYPE html>\n<html><title>mine</title></html>\n' >mine.html
	mkdir directory
	for name in stint-1.json stint-6.json .stint-1.1.n1.part empty mine.html others.trace page.html t.trace; do
		before=$(stat -c '%i %Y %s' "$name"; cksum "$name")
		[ "$name" = page.html ] || fails 1 "$name exists and is not a page of stint's" report --html="$name" 1
		[ "$name" = t.trace ] || fails 1 "$name exists and is not a trace of stint's" timeline --trace="$name" 1
		[ "$(stat -c '%i %Y %s' "$name"; cksum "$name")" = "$before" ]
	done
	for name in directory /dev/null /dev/stdout; do
		fails 1 "$name: not a plain file; '-' is standard output" report --html="$name" 1
		fails 1 "$name: not a plain file; '-' is standard output" timeline --trace="$name" 1
	done
	fails 1 "new/: Is a directory" report --html=new/ 1
	fails 1 "no/such.html: No such file or directory" report --html=no/such.html 1
	fails 1 "mine.html/x: Not a directory" timeline --trace=mine.html/x 1
	ln -s round-b round-a; ln -s round-a round-b
	fails 1 "round-a: Too many levels of symbolic links" report --html=round-a 1
	untouched
	# also by its default name
	cp mine.html stint-1.html
	fails 1 "stint-1.html exists and is not a page of stint's" report --html 1
	cmp mine.html stint-1.html
}

@test "what is made of a report that others may not read is not for them either" {
	local mode

	for mode in 600 640 604; do
		rm -f page.html t.trace stint-jobs.html
		chmod "$mode" stint-1.json
		works "" report --html=page.html stint-1.json
		works "" timeline --trace=t.trace stint-1.json
		[ "$(stat -c %a page.html t.trace | sort -u)" = "$mode" ]
	done
	chmod 600 stint-1.json
	works "" report --html=many.html stint-1.json stint-6.json
	[ "$(stat -c %a many.html)" = 600 ]
	# another group's right is not that of the page's own group
	chmod 640 stint-1.json
	if [ "$EUID" -eq 0 ]; then
		chgrp 65534 stint-1.json
		works "" report --html=others.html stint-1.json
		[ "$(stat -c %a others.html)" = 600 ]
	fi
}

@test "its own output is replaced as a whole, keeps its permissions, and is reached through the user's own links" {
	"$STINT" report --html=page.html 6
	"$STINT" timeline --trace=t.trace 6
	chmod 640 page.html t.trace
	mkdir there
	ln -s ../page.html there/link
	ln -s there also
	works "" report --html=also/link 1
	works "" timeline --trace=t.trace 1
	cmp page.html <("$STINT" report --html=- 1)
	cmp t.trace <("$STINT" timeline --trace=- 1)
	[ "$(stat -c %a page.html t.trace | sort -u)" = 640 ]
	[ -L also ]
	[ -L there/link ]
	ln -s "$PWD/new.html" dangling
	works "" report --html=dangling 1
	is_page new.html
	untouched
}

@test "several jobs have a page each, and an error about one stops no other" {
	cp stint-6.json stint-6.attempt-1.json
	sed -i 's/"attempt": 1/"attempt": 2/' stint-6.json
	works "Wrote stint-1.html, the page of job 1
Wrote stint-6.attempt-1.html, the page of job 6
Wrote stint-6.html, the page of job 6
Wrote stint-jobs.html, the page of 3 jobs" report --html
	is_page stint-jobs.html
	rm ./*.html
	echo mine >stint-1.html
	run --separate-stderr "$STINT" report --html 1 6
	[ "$status" -eq 1 ]
	[ "$output" = "Wrote stint-6.html, the page of job 6
Wrote stint-jobs.html, the page of 2 jobs" ]
	[ "$stderr" = "stint report: stint-1.html exists and is not a page of stint's: stint leaves it as it is" ]
	[ "$(cat stint-1.html)" = mine ]
	works "" report --html=x.html 1 6
	is_page x.html
	# two clusters have the same job numbers
	mkdir other
	sed 's/"cluster": "[a-z]*"/"cluster": "elsewhere"/' stint-6.json >other/stint-6.json
	run --separate-stderr "$STINT" report --html stint-6.json other/stint-6.json
	[ "$status" -eq 1 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"the page of another job 6 would be in the same file stint-6.html: use --html=FILE" ]]
}

@test "for a file to write behind a blank, the error says how to write it" {
	"$STINT" report --html=there.html 1
	local name

	for name in there.html there.HTML new page - ./new.html; do
		fails 2 "--html $name: this is not a job or report; to name a file to write, use a '=': --html=$name" report --html "$name" 1
	done
	for name in 1.trace.json -; do
		fails 2 "--trace $name: this is not a job or report; to name a file to write, use a '=': --trace=$name" timeline --trace "$name" 1
	done
	fails 2 "only one JOB or FILE, and a FILE to write is --trace=FILE" timeline --trace stint-1.json 6
	fails 2 "--html=: which FILE?" report --html= 1
	fails 2 "--trace=: which FILE?" timeline --trace= 1
	[ "$(ls --ignore='separate-stderr-*')" = $'stint-1.json\nstint-6.json\nthere.html' ]
	works "Wrote stint-1.html, the page of job 1" report --html "stint-1.jso?"
	works "Wrote stint-1.html, the page of job 1" report 1 --html
	works "Wrote stint-1.html, the page of job 1" report --html --all 1
}

@test "as root, stint writes nothing where another user's link leads" {
	[ "$(id -u)" -eq 0 ] || skip "not root"
	mkdir -m 777 home sticky safe
	chmod 1777 sticky
	"$STINT" report --html=safe/page.html 1
	before=$(cksum safe/page.html)
	ln -s "$PWD/safe/page.html" home/page.html
	ln -s "$PWD/safe/new.html" home/new.html
	ln -s "$PWD/safe" home/out
	ln -s "$PWD/safe/page.html" sticky/page.html
	ln -s ../../safe/page.html home/stint-1.html
	ln -s ../../safe/t home/stint-1.trace
	chown -hR 65534:65534 home
	chown -h 65534:65534 sticky/page.html
	for name in home/page.html home/new.html sticky/page.html; do
		fails 1 "$name: ${name#*/} is another user's link (uid 65534), and is not followed" report --html=$name 1
	done
	fails 1 "home/out/x.html: out is another user's link (uid 65534), and is not followed" report --html=home/out/x.html 1
	cp stint-1.json home
	cd home
	fails 1 "stint-1.html is another user's link" report --html 1
	fails 1 "stint-1.trace is another user's link" timeline --trace 1
	cd ..
	[ "$(ls safe)" = page.html ]
	[ "$(cksum safe/page.html)" = "$before" ]
	# root's own link is followed
	ln -s safe mine
	works "" report --html=mine/other.html 1
	is_page safe/other.html
	# another user's output is replaced in its place, and never through a hard link
	cp safe/page.html home/own.html
	ln home/own.html kept.html
	chown 65534 home/own.html
	works "" report --html=home/own.html 6
	cmp kept.html safe/page.html
	is_page home/own.html
	# its permissions do not open root's output to everyone
	chown 65534 home/own.html
	chmod 666 home/own.html
	(umask 027 && works "" report --html=home/own.html 6)
	[ "$(stat -c %U:%a home/own.html)" = root:640 ]
}

@test "other users follow no such link either, where anybody may write" {
	[ "$(id -u)" -eq 0 ] || skip "not root"
	local base

	base=$(mktemp -d /tmp/stint-outputs.XXXXXX)
	chmod 755 "$base"
	mkdir -m 1777 "$base/sticky"
	mkdir "$base/victim"
	cp stint-1.json "$base"
	chown 65533 "$base/victim"
	ln -s "$base/victim/page.html" "$base/sticky/page.html"
	chown -h 65534 "$base/sticky/page.html"
	run --separate-stderr setpriv --reuid=65533 --clear-groups "$STINT" report --html="$base/sticky/page.html" "$base/stint-1.json"
	echo "$output $stderr"
	[ "$status" -eq 1 ]
	[[ $stderr == *"is another user's link (uid 65534)"* ]]
	[ -z "$(ls "$base/victim")" ]
	rm -r "$base"
}

@test "a FIFO is refused and never opened; so are devices and files that the kernel makes" {
	local file verb

	mkfifo fifo
	(: >fifo; : >opened) & # continues as soon as anybody opens the other end
	for verb in report "report --json" "report --table" "report --seff" "report --html" timeline "timeline --trace" \
		"export --js1" "compare stint-1.json" "report --by=rule"; do
		for file in fifo /dev/tty /dev/zero /proc/self/status /sys/kernel/mm/transparent_hugepage/enabled; do
			[ -e "$file" ] || continue
			# shellcheck disable=SC2086
			run --separate-stderr timeout 20 "$STINT" $verb "$file"
			echo "$verb $file: status $status, stderr: $stderr"
			[ "$status" -eq 1 ]
			[ "${#stderr_lines[@]}" -eq 1 ]
			[[ $stderr == *"$file: not a plain file" ]]
		done
	done
	fails 1 "fifo: not a plain file" report --config=fifo 1
	fails 1 "fifo: not a plain file" doctor --config=fifo
	fails 1 "fifo: not a plain file" report --html=fifo 1
	[ ! -e opened ]
	: <fifo # the writer goes
	wait
	[ -e opened ]
}

@test "reading cannot use up the memory: two GiB at most, or less where the caller's limit is lower" {
	! grep -q __asan_init "$STINT" || skip "a sanitizer takes more addresses than memory"
	mkdir libexec
	# it has its caller's limits
	printf '#!/bin/sh\nulimit -v >"%s/limit"\nexit 1\n' "$PWD" >libexec/stint-slurm-job
	chmod +x libexec/stint-slurm-job
	STINT_LIBEXEC=$PWD/libexec run "$STINT" report 99
	[ "$(cat limit)" = 2097152 ]
	ulimit -v 300000
	STINT_LIBEXEC=$PWD/libexec run "$STINT" report 99
	[ "$(cat limit)" = 300000 ]
	python3 -c "
text = open('stint-1.json').read()
at = text.index('\"gaps\": [') + 9
open('objects.json', 'w').write(text[:at] + '{},' * 12000000 + '{}' + (',' if text[at:].lstrip()[0] != ']' else '') + text[at:])"
	for verb in "report" timeline "export --js1" "report --html"; do
		# shellcheck disable=SC2086
		fails 1 "objects.json: out of memory" $verb objects.json
	done
	[ ! -e stint-1.html ]
}

@test "a forged report of very many gaps and nodes is shown in time that grows with their number" {
	python3 - "$STINT" <<-'END'
		import json, os, subprocess, sys
		def make(count):
		    report = json.load(open("stint-1.json"))
		    report["gaps"] = [{"name": f"x{i}", "reason": f"n{i % (count // 10)}: why{i}"} for i in range(count)]
		    report["nodes"] = [dict(report["nodes"][0], name=f"n{i}") for i in range(count // 10)]
		    open("many.json", "w").write(json.dumps(report))
		def show(option, last):
		    with open("out", "w") as out:
		        process = subprocess.Popen([sys.argv[1], "report", *option, "many.json"], stdout=out)
		        _, status, used = os.wait4(process.pid, 0)
		    text = open("out").read()
		    assert status == 0 and last in text, (status, text[-300:])
		    return used.ru_utime + used.ru_stime
		taken = []
		for count in 6000, 48000:
		    make(count)
		    taken.append([show([], f"Not known: x0, x1, x2, x3 and {count - 4} more."),
		                  show(["--all"], f"x{count - 1}: why{count - 1} (n{(count - 1) % (count // 10)})")])
		# CPU time: eight times as many take eight times as long; comparing each with each they would take 64 times as long
		for few, many in zip(*taken):
		    print(f"{few:.3f} s, {many:.3f} s")
		    assert many < 24 * few, taken
	END
}
