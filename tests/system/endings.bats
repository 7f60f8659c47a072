#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# How runs end: a run that a process above it ended in good order is not a failure; all other bad ends are. Also what is counted for work
# that leaves no trace: bytes deleted before they are written, bytes taken by splice(), CPU time before an exec.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown() {
	testbed_evidence
	[ -z "${FROZEN:-}" ] || thaw "$FROZEN"
}

teardown_file() {
	testbed_end
}

# Sums over all runs of the user's tool NAME in batch or steps.
ended() { # NAME RUNS FAILURES SIGNALS DISMISSED
	holds --arg name "$1" --argjson told "[$2, $3, $4, $5]" \
		'[.tools[] | select(.name == $name and (.slurm | not))] |
		[([.[].runs] | add), ([.[].failures] | add), ([.[].signals] | add), ([.[].dismissed] | add)] == $told'
}

accuses() { # CODE
	holds --arg code "$1" '.findings | any(.code == $code)'
}

accuses_nobody() {
	holds '[.findings[].code] | any(. == "tools-killed" or . == "tools-failed") | not'
}

@test "the reader of a pipe that wants no more ends its writer: no failure, no finding" {
	cp /usr/bin/yes "$TOOLS/endless"
	script_job <<-END
		#!/bin/bash
		seq 1000000 | head -n 1
		$TOOLS/endless | head -n 1
		$TOOLS/endless | head -n 1
	END
	[ "$STATUS" -eq 0 ]
	valid
	ended endless 2 0 0 2
	ended seq 1 0 0 1
	holds '[.timeline[] | select(.tool == "endless") | .failures == 0 and .dismissed == true and .signal == 13] | length == 2 and all'
	accuses_nobody
}

@test "what its parent, or one above, ends by a signal has not failed; nor what then ends with an exit code of its own" {
	cat >"$TOOLS/graceful" <<-'END'
		#!/bin/bash
		trap 'exit 7' TERM
		mkfifo never
		exec 3<>never
		: >ready
		# without a process that would outlive it, and end with the step
		while :; do read -rt 0.1 -u 3; done
	END
	printf '#!/bin/sh\nkill -TERM "$1"\n' >"$TOOLS/stranger"
	chmod 755 "$TOOLS"/{graceful,stranger}
	script_job <<-END
		#!/bin/bash
		begin() { sleep 100 & p=\$!; until [ "\$(cat /proc/\$p/comm)" = sleep ]; do :; done; }
		begin; kill -TERM \$p; wait \$p
		begin; kill -KILL \$p; wait \$p
		$TOOLS/graceful & p=\$!; until [ -e ready ]; do :; done; kill -TERM \$p; wait \$p
		begin; $TOOLS/stranger \$p; wait \$p
		# the shell between them is killed too, by the same process
		set -m # else it would run with the signal ignored
		timeout --signal=INT 1000 sh -c 'trap : INT; sleep 100; exit 0' & t=\$!
		until p=\$(cat /proc/\$t/task/\$t/children) && p=\$(cat /proc/\${p% }/task/\${p% }/children) &&
			[ "\$(cat /proc/\${p% }/comm)" = sleep ]; do :; done
		kill -ALRM \$t # its time is over
		wait \$t
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	valid
	ended graceful 1 0 0 1
	holds '[.tools[] | select(.name == "sleep" and (.slurm | not))] | ([.[].dismissed] | add) == 3'
	# runs that a process next to them ends are failures
	holds '[.tools[] | select(.name == "sleep" and (.slurm | not))] | ([.[].signals] | add) == 1'
}

@test "what an ended program has left behind is cleared up when the step ends; what the script itself did not wait for is told" {
	cp /usr/bin/sleep "$TOOLS/orphan"
	cp /usr/bin/sleep "$TOOLS/watcher"
	cp /usr/bin/yes "$TOOLS/forgotten"
	script_job <<-END
		#!/bin/bash
		sh -c '$TOOLS/orphan 100 & exit 0'
		$TOOLS/watcher 100 &
		$TOOLS/forgotten >/dev/null &
		until pgrep -x orphan && pgrep -x watcher && pgrep -x forgotten; do sleep 0.05; done
		sleep 1 # its start is a small part of the watcher's life
	END
	[ "$STATUS" -eq 0 ]
	valid
	ended orphan 1 0 0 1
	ended watcher 1 1 1 0 # which is no finding
	ended forgotten 1 1 1 0
	accuses tools-killed
	holds '[.findings[] | select(.code == "tools-killed") | .text] ==
		["forgotten was killed once (signal 9 SIGKILL): it still ran when the job script ended"]'
}

@test "what computed on when its parent and the job script had ended is told; what its parent killed right before the script's end is not" {
	cp /usr/bin/yes "$TOOLS/solver"
	script_job <<-END
		#!/bin/bash
		sh -c '$TOOLS/solver >/dev/null & exit 0'
		until pgrep -x solver; do sleep 0.05; done
		sleep 1 # the end of its parent is at the begin of its life
	END
	[ "$STATUS" -eq 0 ]
	valid
	ended solver 1 0 0 1
	holds '[.findings[] | select(.code == "tools-killed") | .text] ==
		["solver was killed once (signal 9 SIGKILL): it still ran when the job script ended"]'
	script_job <<-END
		#!/bin/bash
		timeout -s KILL 1 $TOOLS/solver >/dev/null
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	ended solver 1 0 0 1
	holds '[.findings[] | select(.code == "tools-killed")] == []'
}

@test "a step that the script did not wait for is told at once, and its program with the hint to wait" {
	cp /usr/bin/yes "$TOOLS/forgotten"
	script_job <<-END
		#!/bin/bash
		srun $TOOLS/forgotten >/dev/null &
		until pgrep -x forgotten; do sleep 0.05; done
		sleep 1
	END
	[ "$STATUS" -eq 0 ]
	valid
	accuses tools-killed
	holds '.verdict.outcome | endswith(", but step 0 still ran when the job script ended, and Slurm ended it")'
	holds '[.findings[] | select(.code == "tools-killed") | .hint | contains("(wait)")] == [true]'
}

@test "whoever ends by a signal of another kind, of its own or of a stranger has failed" {
	cat >"$TOOLS/crash.py" <<-'END'
		#!/usr/bin/python3 -SE
		import os, signal
		os.kill(os.getpid(), signal.SIGSEGV)
	END
	cat >"$TOOLS/mistaken.py" <<-'END'
		#!/usr/bin/python3 -SE
		import os, signal, time
		signal.signal(signal.SIGUSR1, lambda *_: os.abort())
		open("ready", "w").close()
		time.sleep(100)
	END
	chmod 755 "$TOOLS"/*.py
	script_job <<-END
		#!/bin/bash
		$TOOLS/crash.py
		$TOOLS/mistaken.py & until [ -e ready ]; do sleep 0.05; done; kill -USR1 \$!; wait \$!
		/bin/false
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	valid
	ended crash.py 1 1 1 0
	ended mistaken.py 1 1 1 0
	ended false 1 1 0 0
	accuses tools-killed
	accuses tools-failed
	# each end is reported once: two were killed, one failed
	holds '[.findings[] | select(.code == "tools-failed") | .evidence[] | select(.name == "failures") | .value] == [1]'
}

@test "the first line of a failed job names the process that took the job with it" {
	printf '#!/usr/bin/python3 -SE\nraise SystemExit(3)\n' >"$TOOLS/train.py"
	chmod 755 "$TOOLS/train.py"
	script_job <<-END
		#!/bin/bash
		set -e
		/bin/true
		$TOOLS/train.py
		echo never
	END
	[ "$STATUS" -eq 3 ]
	valid
	ended train.py 1 1 0 0
	holds '.verdict.outcome | test("^FAILED: train.py [(]pid [0-9]+[)] ended with exit code 3 at [0-9:]+, and the job script (with it|ended [0-9.]+ s later)[.] Its output: slurm-[0-9]+[.]out$")'
	holds '[.findings[] | select(.code == "tools-failed") | .evidence[] | select(.name == "tools") | .value] == [1]' # and not the script
}

@test "of tasks that srun ended since one had failed, that one is named" {
	[ "$(nproc)" -ge 2 ] || skip "one CPU only"
	printf '#!/usr/bin/python3 -SE\nimport time\ntime.sleep(1)\nraise SystemExit(3)\n' >"$TOOLS/rank1.py"
	chmod 755 "$TOOLS/rank1.py"
	# sleep, as Slurm's own that ends by a signal, too
	script_job -n 2 <<-END
		#!/bin/bash
		srun -K bash -c '[ \$SLURM_PROCID = 1 ] && exec $TOOLS/rank1.py; exec sleep 100'
	END
	[ "$STATUS" -ne 0 ]
	valid
	value '.verdict.outcome, (.timeline[] | [.tool, .step, .pid, .ppid, .start, .end, .exit_code, .signal, .dismissed, .living] | tostring)'
	holds '.verdict.outcome | test("^FAILED: rank1.py [(]pid [0-9]+[)] ended with exit code 3 at [0-9:]+, and the job script (with it|ended [0-9.]+ s later)[.]")'
	holds '[.findings[].code] | any(. == "tools-killed") | not' # nobody but srun ended the other one
}

@test "a worker that the program had forked is named behind it; a child that found no program is not" {
	cat >"$TOOLS/pool.py" <<-'END'
		#!/usr/bin/python3 -SE
		import os, subprocess, sys, time
		if not os.fork():
		    time.sleep(1.3)
		    os._exit(3)
		status = os.wait()[1]
		try:
		    subprocess.run(["/nonexistent"])
		except FileNotFoundError:
		    sys.exit(1)
	END
	chmod 755 "$TOOLS/pool.py"
	script_job <<<"#!/bin/bash
$TOOLS/pool.py"
	[ "$STATUS" -eq 1 ]
	valid
	value '.verdict.outcome'
	holds '.verdict.outcome | test("^FAILED: pool.py [(]pid [0-9]+[)] ended with exit code 1 at .*; a process that it had forked [(]pid [0-9]+[)] had ended with exit code 3 at [0-9:]+[.]")'
}

@test "below xargs, the last command of its shell is named if it failed; a run that failed in the background is told to be one" {
	install -m 755 /usr/bin/sort "$TOOLS/sorter"
	script_job <<-END
		#!/bin/bash
		seq 2 | xargs -I{} bash -c 'sleep 0.5; $TOOLS/sorter /etc/passwd /nonexistent{} >out{} || exit 3'
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	valid
	value '.verdict.outcome'
	holds '.verdict.outcome | test("^COMPLETED in .* on 1 node, but sorter failed in 2 of 2 runs [(]exit code 2[)]")'
	printf '#!/usr/bin/python3 -SE\nimport sys, time\ntime.sleep(1)\nsys.exit(int(sys.argv[1]))\n' >"$TOOLS/late.py"
	chmod 755 "$TOOLS/late.py"
	script_job <<-END
		#!/bin/bash
		set -e
		$TOOLS/late.py 2 &
		$TOOLS/late.py 0 &
		wait
	END
	[ "$STATUS" -eq 0 ]
	valid
	holds '[.findings[] | select(.code == "tools-failed") | .text] ==
		["late.py failed in 1 of 2 runs (exit code 2), in a pipe or in the background, which set -e does not see"]'
}

@test "a script that goes on and ends with 0 although its work failed: the first line says so" {
	install -m 755 /usr/bin/sort "$TOOLS/sorter"
	script_job <<-END
		#!/bin/bash
		for i in 1 2 3; do ( $TOOLS/sorter /nonexistent >\$i.out ); done
		grep nothing /etc/passwd
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	valid
	ended sorter 3 3 0 0
	accuses work-failed
	holds '.verdict.outcome | test("^COMPLETED in .* on 1 node, but sorter failed in all 3 runs [(]exit code 2[)][.] Its output: slurm-[0-9]+[.]out$")'
	holds '[.timeline[] | select(.tool == "sorter" and .exit_code == 2) | .by_shell] == [true, true, true]'
	holds '[.findings[] | select(.code == "tools-failed") | .text | startswith("grep failed once")] == [true]'
}

@test "what a script asks, tries again, or leaves to a program that handles it is no failed work" {
	install -m 755 /usr/bin/sort "$TOOLS/again"
	install -m 755 /usr/bin/sort "$TOOLS/handled"
	script_job <<-END
		#!/bin/bash
		grep nothing /etc/passwd
		/usr/bin/test -e /nonexistent
		diff -q /etc/passwd /etc/group
		ls /nonexistent
		$TOOLS/again /nonexistent || $TOOLS/again /etc/passwd >out
		python3 -SEc 'import os; os.spawnv(os.P_WAIT, "$TOOLS/handled", ["handled", "/nonexistent"])'
		n=0; until srun --quiet bash -c "exit \$((n++ < 2))"; do :; done
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	valid
	ended again 2 1 0 0
	ended handled 1 1 0 0
	holds '[.findings[].code] | any(. == "work-failed") | not'
	holds '[.steps[] | select(.id | test("^[0-9]")) | .exit_code] == [1, 1, 0]'
}

@test "a command that the script did not find, or could not run, is told; the script went on and ended with 0" {
	local shell commands

	: >"$TOOLS/no-program" && chmod 644 "$TOOLS/no-program"
	for shell in bash dash; do
		[ "$shell" = bash ] && commands=3 || commands=2
		script_job <<-END
			#!/bin/$shell
			$([ "$shell" = dash ] || echo "samtoolz view") # dash needs no child to see that it is in no directory of PATH
			./samtoolz view
			echo "\$(./not-there)" | cat
			$TOOLS/no-program
			sh -c 'exit 127'
			command -v not-there-either
			true
		END
		[ "$STATUS" -eq 0 ]
		valid
		holds --argjson commands "$commands" '[.findings[] | select(.code == "commands-not-found") | .evidence[] | select(.name == "commands").value] == [$commands]'
		"$STINT" report --config /dev/null "$REPORT" | tr -s ' \n' '  ' | grep "$commands commands of the script could not be found or run"
	done
	script_job <<-END
		#!/bin/bash
		! grep -q x /dev/null
		sh -c 'not-there; true'
	END
	valid
	holds '[.findings[] | select(.code == "commands-not-found")] == []'
}

@test "of six steps two failed, and the job ended with 0: the first line says so" {
	install -m 755 /usr/bin/sort "$TOOLS/sample"
	script_job <<-END
		#!/bin/bash
		for input in passwd none group none passwd group; do srun --quiet $TOOLS/sample /etc/\$input >out; done
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	valid
	holds '.verdict.outcome | test(", but 2 of 6 steps failed: in step 1, sample failed [(]exit code 2[)][.] Its output: ")'
	accuses work-failed
}

@test "a step whose program is a shell has failed by the shell's own exit code; one that asked grep has not" {
	script_job <<-'END'
		#!/bin/bash
		srun --quiet true
		srun --quiet bash -c 'exit 7'
		for i in 1 2 3 4 5; do srun --quiet grep -q nothing /etc/passwd; done
		srun --quiet bash -c 'cd /; grep -q nothing /etc/passwd; exit $?'
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	valid
	holds '[.steps[] | select(.id | test("^[0-9]")) | .exit_code] == [0, 7, 1, 1, 1, 1, 1, 1]'
	holds '.verdict.outcome | test(", but 1 of 8 steps failed: in step 1, bash failed [(]exit code 7[)][.] Its output: ")'
	holds '[.findings[] | select(.code == "tools-failed") | .text | startswith("grep failed in 6 of 6 runs (exit code 1)")] == [true]' # not srun
}

@test "whatever failed before, or more often: what took the job with it is named" {
	install -m 755 /usr/bin/sort "$TOOLS/solve"
	script_job <<-END
		#!/bin/bash
		for i in 1 2 3 4 5; do /bin/false || true; done
		for tool in 'grep x /dev/null' 'ls /no' 'cat /no' 'cmp /etc/passwd /etc/group' 'stat /no' 'rmdir /no' 'readlink /no' 'expr 0' 'find /no'; do
			\$tool
		done
		for i in 1 2 3 4; do no-such-command; done
		$TOOLS/solve /nonexistent || $TOOLS/solve /nonexistent || $TOOLS/solve /nonexistent || $TOOLS/solve /nonexistent
		sleep 0.2
		$TOOLS/solve /nonexistent & echo \$! >last
		wait \$! || exit 2
	END
	[ "$STATUS" -eq 2 ]
	valid
	holds --arg pid "$(cat "$(dirname "$REPORT")/last")" '.verdict.outcome | startswith("FAILED: solve (pid " + $pid + ") ended with exit code 2 at ")'
	holds '[.findings[] | select(.code == "tools-failed") | .text | startswith("solve failed in 5 of 5 runs (exit code 2); ")] == [true]'
	holds '[.findings[] | select(.code == "commands-not-found") | .text] == ["4 commands of the script could not be found or run"]'
}

@test "a producer that lost its reader fails the job after 'set -o pipefail', and only then is that said" {
	cp /usr/bin/yes "$TOOLS/endless"
	script_job <<-END
		#!/bin/bash
		set -eo pipefail
		$TOOLS/endless | head -n 1
	END
	[ "$STATUS" -eq 141 ]
	valid
	ended endless 1 0 0 1
	holds '.verdict.outcome | test("^FAILED: endless [(]pid [0-9]+[)] was killed by signal 13 SIGPIPE at [0-9:]+ [(]nothing read its output any more[)], and the job script .*[(]\u0027set -o pipefail\u0027[)]")'
	script_job <<-END
		#!/bin/bash
		$TOOLS/endless | head -n 1
		exit 3
	END
	[ "$STATUS" -eq 3 ]
	holds '.verdict.outcome | startswith("FAILED: the job script ended with exit code 3 at ")'
	script_job <<-END
		#!/bin/bash
		set -e
		$TOOLS/endless > >(head -n 1)
	END
	[ "$STATUS" -eq 141 ]
	holds '.verdict.outcome | startswith("FAILED: endless (pid ") and (contains("pipefail") | not)'
}

@test "what timeout ended is named, and timeout is not said to be killed" {
	for options in '' '-s KILL'; do
		script_job <<-END
			#!/bin/bash
			set -e
			timeout $options 1 yes >/dev/null
		END
		[ "$STATUS" -ne 0 ]
		valid
		holds '.verdict.outcome | test("^FAILED: yes [(]pid [0-9]+[)] was ended by timeout at [0-9:]+ [(]its time was up: exit code (124|137)[)], and the job script ")'
		holds '[.findings[] | select(.code == "tools-killed")] == []'
	done
	# it ended with 0 when it was asked to
	script_job <<-'END'
		#!/bin/bash
		set -e
		timeout 1 sh -c 'trap "exit 0" TERM; while :; do sleep 0.1; done'
	END
	[ "$STATUS" -eq 124 ]
	holds '.verdict.outcome | startswith("FAILED: sh (pid ") and contains(" was ended by timeout at ")'
}

@test "Python, whose reader wanted no more, has not failed; what fails in a pipe that is read to its end has" {
	cat >"$TOOLS/lines.py" <<-'END'
		#!/usr/bin/python3 -SE
		import time
		time.sleep(0.3) # the reader waits at the pipe for most of its life
		print(1, flush=True)
		time.sleep(0.3)
		print(2)
	END
	printf '#!/usr/bin/python3 -SE\nprint(1)\nraise SystemExit(3)\n' >"$TOOLS/broken.py"
	chmod 755 "$TOOLS"/{lines,broken}.py
	script_job <<-END
		#!/bin/bash
		$TOOLS/lines.py | head -n 1
		$TOOLS/lines.py | awk '{ exit }'
	END
	[ "$STATUS" -eq 0 ]
	valid
	holds '[.timeline[] | select(.tool == "lines.py") | .unread and .exit_code > 0] == [true, true]'
	holds '.verdict.outcome | test(", but ") | not'
	accuses_nobody
	script_job <<-END
		#!/bin/bash
		for i in 1 2 3; do $TOOLS/broken.py | cat; done
	END
	holds '.verdict.outcome | contains(", but broken.py failed in all 3 runs (exit code 3)")'
	script_job <<-END
		#!/bin/bash
		set -eo pipefail
		$TOOLS/lines.py | head -n 1
	END
	[ "$STATUS" -ne 0 ]
	holds '.verdict.outcome | test("^FAILED: lines.py .* [(]what read its output had ended before[)], and the job script .*[(]\u0027set -o pipefail\u0027[)]")'
}

@test "a step that something killed is told, though its script went on; one whose srun the script ended is not" {
	script_job <<-'END'
		#!/bin/bash
		srun --quiet bash -c 'kill -KILL $$'
		srun --quiet true
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	valid
	holds '.verdict.outcome | test(", but 1 of 2 steps failed: in step 0, bash was killed [(]signal 9 SIGKILL[)]")'
	script_job <<-'END'
		#!/bin/bash
		srun --quiet sleep 100 &
		until pgrep -x sleep -u "$(id -u)"; do sleep 0.1; done
		kill -KILL $!
		wait
		exit 0
	END
	[ "$STATUS" -eq 0 ]
	holds '[.findings[] | select(.code == "work-failed")] == []'
}

@test "below mpirun the rank that failed is named" {
	command -v mpirun || skip "no mpirun is installed"
	printf '#!/usr/bin/python3 -SE\nimport time\ntime.sleep(0.5)\nraise SystemExit(7)\n' >"$TOOLS/rank.py"
	chmod 755 "$TOOLS/rank.py"
	script_job <<-END
		#!/bin/bash
		export OMPI_MCA_rmaps_base_oversubscribe=1
		mpirun -n 2 sh -c 'if [ "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" = 1 ]; then exec $TOOLS/rank.py; fi; exec sleep 10'
	END
	[ "$STATUS" -eq 7 ]
	valid
	holds '.verdict.outcome | test("^FAILED: rank.py [(]pid [0-9]+[)] ended with exit code 7 at ")'
}

@test "a worker that crashed while its program went on to end with 0 is told; one that its program ended is not" {
	cat >"$TOOLS/fork.py" <<-'END'
		#!/usr/bin/python3 -SE
		import os, signal, sys, time
		worker = os.fork()
		if not worker:
		    time.sleep(0.2)
		    if sys.argv[1] == "crash":
		        os.kill(os.getpid(), signal.SIGSEGV)
		    time.sleep(100)
		if sys.argv[1] != "crash":
		    os.kill(worker, signal.SIGKILL)
		os.wait()
	END
	chmod 755 "$TOOLS/fork.py"
	script_job <<-END
		#!/bin/bash
		$TOOLS/fork.py end
		( exit 3 )
		( grep -q nothing /etc/passwd )
	END
	holds '[.findings[] | select(.code == "work-failed")] == []'
	script_job <<-END
		#!/bin/bash
		$TOOLS/fork.py crash
		echo done
	END
	[ "$STATUS" -eq 0 ]
	valid
	holds '.verdict.outcome | test(", but a process that fork.py had forked [(]pid [0-9]+[)] was killed by signal 11 SIGSEGV at [0-9:]+ [(]it crashed: a bug or bad input[)][.] Its output: ")'
	accuses work-failed
}

@test "a pool of workers, of which the kernel killed one for memory: one of its processes failed, and the script ended with 0" {
	cat >"$TOOLS/pool.py" <<-'END'
		#!/usr/bin/python3 -SE
		import os
		for worker in range(3):
		    if os.fork() == 0:
		        block = b"x" * (1 << 20) * (200 if worker == 1 else 1)
		        os._exit(0)
		for worker in range(3):
		    os.wait()
	END
	chmod 755 "$TOOLS/pool.py"
	script_job --mem=100M <<-END
		#!/bin/bash
		$TOOLS/pool.py
	END
	valid
	holds '.oom | length == 1 and .[0].tool == "pool.py"'
	holds '[.tools[] | select(.name == "pool.py") | .runs, .forks, .failures, .signals] == [1, 3, 1, 1]'
	holds '.verdict.outcome | test("1 of 4 processes of pool.py was killed at the limit of 100.0 MiB at [0-9:]+")'
	holds '.verdict.outcome | startswith("COMPLETED") or contains("; the job script still ended with 0")'
}

@test "an engine that failed since one of its tasks did: the task comes first" {
	[ -x /usr/bin/make ] || skip "make is not installed"
	install -m 755 /usr/bin/sort "$TOOLS/target"
	script_job <<-END
		#!/bin/bash
		printf 'all:\n\t$TOOLS/target /nonexistent || exit 7\n' >makefile
		make
	END
	[ "$STATUS" -eq 2 ]
	valid
	holds '.verdict.outcome | test("^FAILED: (sh|target) [(]pid [0-9]+[)] ended with exit code [27] at [0-9:]+; make failed because of it, and the job script ")'
	holds '[.findings[] | select(.code == "tools-failed") | .evidence[] | select(.name == "tool").value] | . == ["sh"] or . == ["target"]'
}

@test "a job that Slurm could not start, as its output has no directory, says so" {
	job -o "$STINT_TESTBED/no/such/out" -- /bin/true
	[ "$STATUS" -ne 0 ]
	valid
	holds '.verdict.outcome | startswith("FAILED: Slurm could not start it: see whether the directory of its output exists")'
}

@test "a job script whose interpreter is not there, or is no program, was not started; one that exits with 2 was" {
	script_job <<-END
		#!/no/such/interpreter
	END
	[ "$STATUS" -eq 2 ]
	valid
	holds '.verdict.outcome | test("^FAILED: Slurm could not start the job script: no such file [(]exit code 2[)]: see the interpreter in its first line[.] Its output: slurm-[0-9]+[.]out$")'
	holds '.job.exit_code == 2 and .job.signal == 0 and .progress.steps_without_processes == ["batch"]'
	script_job <<-END
		#!/etc/passwd
	END
	[ "$STATUS" -eq 13 ]
	holds '.verdict.outcome | startswith("FAILED: Slurm could not start the job script: permission denied (exit code 13)")'
	script_job <<-END
		#!/bin/sh
		exit 2
	END
	[ "$STATUS" -eq 2 ]
	holds '.verdict.outcome | startswith("FAILED: the job script ended with exit code 2 at ")'
}

@test "the out-of-memory killer excuses nobody, though it is the parent that wants memory" {
	cat >"$TOOLS/family.py" <<-'END'
		#!/usr/bin/python3 -SE
		import os, time
		child = os.fork()
		if child == 0:
		    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-SE", "-c",
		        "open('/proc/self/oom_score_adj', 'w').write('1000')\nblock = bytearray(60 << 20)\nimport time; open('big', 'w'); time.sleep(100)"])
		while not os.path.exists("big"):
		    time.sleep(0.02)
		blocks = []
		while os.waitpid(child, os.WNOHANG) == (0, 0):
		    blocks.append(bytearray(1 << 20))
	END
	chmod 755 "$TOOLS/family.py"
	job --mem=100M -- "$TOOLS/family.py"
	valid
	holds '.used.oom_kills == 1'
	holds '[.tools[] | select(.slurm | not) | .signals] | add == 1'
	holds '[.tools[] | select(.slurm | not) | .dismissed] | add == 0'
	accuses oom-kill
}

@test "bytes that are written and deleted by somebody else are written bytes, and what was cancelled is told apart" {
	local cancelled

	script_job <<-'END'
		#!/bin/bash
		/usr/bin/python3 -SE -c '
		import os
		file = os.open("kept", os.O_CREAT | os.O_WRONLY)
		os.write(file, bytes(50 << 20)); os.fsync(file)
		os.write(os.open("gone", os.O_CREAT | os.O_WRONLY), bytes(30 << 20))'
		srun --overlap /usr/bin/python3 -SE -c '
		import os
		os.unlink("gone")
		open("cancelled", "w").write(open("/proc/self/io").read().split("cancelled_write_bytes: ")[1])'
	END
	[ "$STATUS" -eq 0 ]
	valid
	holds '.used.write_bytes | . >= 80 * 1048576 and . < 84 * 1048576'
	# the kernel writes some back before they are deleted, if it has the time: the deleting process learns how many remain
	cancelled=$(cat "$(dirname "$REPORT")/cancelled")
	[ "$cancelled" -gt 0 ]
	between "$cancelled" "$(value .used.cancelled_write_bytes)" $((cancelled + 65536))
	holds '([.steps[].write_bytes] | add) as $sum | .used.write_bytes == $sum'
	holds '([.steps[].cancelled_write_bytes] | add) as $sum | .used.cancelled_write_bytes == $sum'
	holds '. as $report | .steps[] | select(.id == "0") |
		.write_bytes < 1048576 and .cancelled_write_bytes == $report.used.cancelled_write_bytes'
}

@test "what splice() takes from a socket is counted, or a gap says that it is not" {
	tool spliced spliced
	job -- "$TOOLS/spliced"
	[ "$STATUS" -eq 0 ]
	valid
	if holds '.gaps | any(.name == "used.socket_rx_bytes")' >/dev/null; then
		holds '.gaps[] | select(.name == "used.socket_rx_bytes") | .reason | contains("splice")'
	else
		holds '.used.socket_rx_bytes == 2 * 8388608'
		holds '.used.network | .tcp.rx_bytes == 8388608 and .unix.rx_bytes == 8388608'
	fi
	holds '.used.socket_tx_bytes == 2 * 8388608'
}

@test "a job without splice() has no such gap" {
	job -- true
	holds '[.gaps[] | select(.name == "used.socket_rx_bytes")] == []'
}

@test "CPU time between fork and exec is in the timeline as in the tool: the parent's, before the child's own" {
	cat >"$TOOLS/before.py" <<-'END'
		#!/usr/bin/python3 -SE
		import os, time
		if os.fork() == 0:
		    end = time.process_time() + 0.3
		    while time.process_time() < end:
		        pass
		    os.execv("/bin/true", ["true"])
		os.wait()
		end = time.process_time() + 0.3
		while time.process_time() < end:
		    pass
	END
	chmod 755 "$TOOLS/before.py"
	job -- "$TOOLS/before.py"
	[ "$STATUS" -eq 0 ]
	valid
	holds '.tools[] | select(.name == "before.py") | .cpu_s > 0.6 and .runs == 1'
	holds '(.tools[] | select(.name == "before.py") | .cpu_s) as $cpu |
		([.timeline[] | select(.tool == "before.py") | .cpu_s] | add) as $told | $told > $cpu - 0.002 and $told < $cpu + 0.002'
	holds '[.timeline[] | select(.tool == "before.py" and .forked)] | length == 1 and .[0].cpu_s > 0.3 and .[0].failures == 0'
}

# Acts like a network file system that hangs: the process stays, whatever signals it gets. Sets FROZEN, its cgroup.
freeze() { # PID
	FROZEN=/sys/fs/cgroup/freezer$(sed -n 's/^[0-9]*:freezer://p' "/proc/$1/cgroup")/stays
	undo_with thaw "$FROZEN"
	mkdir "$FROZEN"
	echo "$1" >"$FROZEN/cgroup.procs"
	echo FROZEN >"$FROZEN/freezer.state"
	soon grep -qx FROZEN "$FROZEN/freezer.state"
	kill -KILL "$1"
}

thaw() { # CGROUP
	local i

	[ -d "$1" ] || return 0
	xargs --no-run-if-empty kill -KILL <"$1/cgroup.procs"
	echo THAWED >"$1/freezer.state"
	for ((i = 0; i < 200; i++)); do
		! rmdir "$1" 2>/dev/null || return 0
		sleep 0.05
	done
}

@test "a process that cannot be killed outlives its job: the report comes, and says that what it used is not counted" {
	grep -q ' /sys/fs/cgroup/freezer ' /proc/mounts || skip "the freezer of cgroup v2 lets processes be killed"
	tool stuck
	meet
	(cd / && "$TESTBED" run --mem=200M -- sh -c "$TOOLS/stuck burn 300; echo \$\$ >$MEET/pid.new; mv $MEET/pid.new $MEET/pid
		exec $TOOLS/stuck burn 600000" >"$BATS_TEST_TMPDIR/report") 3>&- &
	soon test -e "$MEET/pid"
	soon grep -q stuck "/proc/$(cat "$MEET/pid")/comm"
	freeze "$(cat "$MEET/pid")"
	"$TESTBED" exec scancel --user="$TESTBED_USER"
	wait || true
	REPORT=$(cat "$BATS_TEST_TMPDIR/report")
	valid
	holds '.complete == false and .job.state == "CANCELLED"'
	holds '[.gaps[] | select(.name == "used") | .reason] == ["1 thread of the job had not ended when it was closed: what it used is not counted"]'
	holds '.tools[] | select(.name == "stuck") | .runs >= 1 and .cpu_s >= 0.3'
}

@test "the page of a failed job has the last lines of its errors, or of its output" {
	local page

	script_job --error=errors.txt <<-END
		#!/bin/bash
		echo result
		for i in {1..7}; do echo "complaint \$i" >&2; done
		exit 3
	END
	[ "$STATUS" -ne 0 ]
	valid
	holds '.job.std_err == .job.work_dir + "/errors.txt" and (.job.std_out | endswith(".out"))'
	page=$("$TESTBED" exec "$STINT" report --config "$STINT_TESTBED/etc/stint.conf" "$REPORT")
	echo "$page"
	[ "$(sed -n '/^The last lines of errors.txt:$/,/^$/p' <<<"$page" | sed '1d;$d')" = "$(printf '  complaint %s\n' 3 4 5 6 7)" ]
	script_job <<-END
		#!/bin/bash
		echo result
		exit 3
	END
	valid
	holds '.job | has("std_err") | not'
	page=$("$TESTBED" exec "$STINT" report --config "$STINT_TESTBED/etc/stint.conf" "$REPORT")
	grep -A 1 '^The last line of slurm-[0-9]*.out:$' <<<"$page" | grep -qx '  result'
}

@test "a file that is mapped and in use is told beside the memory, as the kernel counts it" {
	local resident

	head -c 209715200 /dev/urandom >"$STINT_TESTBED/mapped"
	chmod 644 "$STINT_TESTBED/mapped"
	job --mem=1G -- python3 -c "import mmap, os, re
file = open('$STINT_TESTBED/mapped', 'rb')
pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
for at in range(0, len(pages), 4096):
    pages[at]
print(re.search(r'RssFile:\s*(\d+)', open('/proc/self/status').read()).group(1), flush=True)
os._exit(0)" # with the file mapped: memory that is unmapped between two samples is not seen
	resident=$((OUTPUT * 1024))
	valid
	rm "$STINT_TESTBED/mapped"
	echo "the kernel counts $resident, the report has $(value .used.memory_mapped_peak_bytes)"
	[ "$resident" -ge 209715200 ]
	# printing takes a few more pages
	between $((resident - (4 << 20))) "$(value .used.memory_mapped_peak_bytes)" $((resident + (1 << 20)))
	holds '.used.memory_used_peak_bytes < 60e6'
	"$STINT" report --config /dev/null "$REPORT" | grep -x 'Mapped files in use: 2[01][0-9].[0-9] MiB at least'
}

@test "huge pages are not counted: the report says so, and asks for no less memory; a few of them are no matter" {
	local had pages=40 many few

	had=$(cat /proc/sys/vm/nr_hugepages 2>/dev/null) || skip "this kernel has no huge pages"
	[ "$(awk '$1 == "Hugepagesize:" { print $2 }' /proc/meminfo)" = 2048 ] || skip "a huge page has another size than 2 MiB here"
	undo_with eval "echo $had >/proc/sys/vm/nr_hugepages"
	echo $((had + pages)) >/proc/sys/vm/nr_hugepages
	if [ "$(awk '$1 == "HugePages_Free:" { print $2 }' /proc/meminfo)" -lt "$pages" ]; then
		echo "$had" >/proc/sys/vm/nr_hugepages
		skip "this machine has no 40 huge pages left"
	fi
	cat >"$TOOLS/huge.py" <<-'END'
		#!/usr/bin/python3 -SE
		import mmap, sys, time
		pages = mmap.mmap(-1, int(sys.argv[1]) << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)
		for at in range(0, len(pages), 2 << 20):
		    pages[at] = 1
		while time.thread_time() < 1.1:
		    pass
	END
	chmod 755 "$TOOLS/huge.py"
	two_jobs() { job --mem=1G -- "$TOOLS/huge.py" 64 && many=$REPORT && job --mem=1G -- "$TOOLS/huge.py" 62 && few=$REPORT; }
	two_jobs || many=
	echo "$had" >/proc/sys/vm/nr_hugepages
	[ -n "$many" ]

	REPORT=$many
	valid
	holds '.used | has("memory_used_peak_bytes") or has("memory_used_peak_upper_bytes") or has("memory_wasted_gib_hours") | not'
	holds '[.gaps[] | select(.reason | test("huge pages")) | .name] == ["used.memory_used_peak_bytes", "tools.peak_bytes"]'
	holds '[.advice[] | select(has("memory_bytes"))] == []'
	holds '[.findings[] | select(.code == "memory-over-asked")] == []'
	holds '.complete'
	"$STINT" report --config /dev/null --all "$REPORT" | tr -s ' \n' '  ' | grep 'used.memory_used_peak_bytes, tools.peak_bytes: huge pages (hugetlbfs) were in use, and stint does not count them'
	REPORT=$few
	valid
	holds '.used | has("memory_used_peak_bytes")'
	holds '[.gaps[] | select(.reason | test("huge pages"))] == []'
}

@test "the kernel's own memory for a job is named where it filled the limit: page tables, and names of files" {
	cat >"$TOOLS/tables.py" <<-'END'
		#!/usr/bin/python3 -SE
		import mmap
		HUGE = 2 << 20 # one page table of 4 KiB covers this much
		space = mmap.mmap(-1, 60000 * HUGE, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
		space.madvise(mmap.MADV_NOHUGEPAGE)
		for at in range(0, len(space), HUGE):
		    space[at]
	END
	cat >"$TOOLS/names.py" <<-'END'
		#!/usr/bin/python3 -SE
		import os, sys
		for number in range(600000):
		    os.mkdir(f"{sys.argv[1]}/{number}")
	END
	chmod 755 "$TOOLS/tables.py" "$TOOLS/names.py"
	job --mem=100M -- "$TOOLS/tables.py"
	valid
	holds '.oom[0] | .kernel_bytes > 90e6 and .kernel_bytes <= .limit_bytes and .page_table_bytes > 90e6 and .used_bytes < 20e6'
	holds '.verdict.outcome | contains(": the kernel'"'"'s memory for it (page tables) reached the limit. Next time: #SBATCH --mem=256M or more")'

	mkdir "$STINT_TESTBED/names"
	mount -t tmpfs -o nr_inodes=0,mode=1777 names "$STINT_TESTBED/names"
	job --mem=100M -- "$TOOLS/names.py" "$STINT_TESTBED/names"
	umount "$STINT_TESTBED/names"
	valid
	holds '.oom[0] | .kernel_bytes > 60e6 and .slab_bytes > 60e6 and .slab_bytes <= .kernel_bytes and .names_bytes > 10e6'
	holds '.verdict.outcome | contains(": the kernel'"'"'s memory for it (names and inodes of files) reached the limit. Next time: #SBATCH --mem=256M or more")'

	job --mem=100M -- python3 -SE -c 'b"x" * (200 << 20)'
	valid
	holds '.oom[0] | .kernel_bytes < 10e6 and .page_table_bytes < 10e6 and .used_bytes > 90e6'
	holds '.verdict.outcome | test("killed at the limit of 100.0 MiB at [0-9:]+[.] Next time: #SBATCH --mem=256M or more$")'
}

@test "a process killed at a limit above the job's is not told that the job needs more" {
	local node=/sys/fs/cgroup/memory/slurm_$NODE

	[ -w "$node/memory.limit_in_bytes" ] || skip "the node has no memory cgroup of v1"
	undo_with eval "echo -1 >$node/memory.limit_in_bytes"
	echo $((80 << 20)) >"$node/memory.limit_in_bytes"
	job --mem=1G -- python3 -SE -c 'b"x" * (200 << 20)' || STATUS=125
	echo -1 >"$node/memory.limit_in_bytes"
	[ "$STATUS" -ne 125 ]
	valid
	holds '.oom | length == 1 and .[0].node_ran_out and .[0].limit_bytes == 1073741824'
	holds '.verdict.outcome | test(" killed because the node ran out of memory at [0-9:]+$")'
	holds '.advice == [] and (.verdict.no_advice | startswith("The node ran out of memory"))'
}

@test "a process killed at a limit above the job's is told so, too, where the job ran out at its own before" {
	local node=/sys/fs/cgroup/memory/slurm_$NODE

	[ -w "$node/memory.limit_in_bytes" ] || skip "the node has no memory cgroup of v1"
	undo_with eval "echo -1 >$node/memory.limit_in_bytes"
	meet
	"$TESTBED" exec sbatch --chdir="$MEET" --output=/dev/null --mem=160M --wrap "
		python3 -SE -c 'b\"x\" * (300 << 20)'
		$(tells_and_awaits own above)
		python3 -SE -c 'b\"x\" * (110 << 20)'; true"
	told own
	echo $((80 << 20)) >"$node/memory.limit_in_bytes"
	tell above
	report_in "$MEET" || REPORT=
	echo -1 >"$node/memory.limit_in_bytes"
	valid
	holds '.oom | length == 2 and (.[0] | .limit_bytes == 160 * 1048576 and (has("node_ran_out") | not)) and .[1].node_ran_out'
}
