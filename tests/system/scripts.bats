#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tools are named for what they are.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

make_scripts() { # in the current directory
	printf '#!/usr/bin/python3\nprint("aligned")\n' >align.py
	printf '#!/bin/bash\necho ran\n' >run.sh
	chmod 755 align.py run.sh
}

scripts_directory() {
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/scripts.XXXXXX")
	(cd "$DIRECTORY" && make_scripts && chown "$TESTBED_USER:" ./*)
}

@test "a python script is named by its own name, with python3 beside it, however it is started" {
	scripts_directory
	job --chdir="$DIRECTORY" -- sh -c './align.py; python3 align.py; python3 -u ./align.py; /usr/bin/env python3 align.py'
	valid
	holds '[.tools[] | select(.name == "align.py") | .runs] | add == 4'
	holds '[.tools[] | select(.name == "align.py")] | all(.interpreter | startswith("python3"))'
	holds --arg path "$DIRECTORY/align.py" '[.tools[] | select(.name == "align.py")] | all(.path == $path)'
}

@test "a shell script is named by its own name, with bash beside it" {
	scripts_directory
	job --chdir="$DIRECTORY" -- sh -c './run.sh; bash run.sh; bash -e run.sh'
	valid
	holds '[.tools[] | select(.name == "run.sh") | .runs] | add == 3'
	holds '[.tools[] | select(.name == "run.sh")] | all(.interpreter == "bash")'
}

@test "an interpreter with a command on its line, and no script, keeps its own name" {
	job -- sh -c "python3 -c 'print(1)'; bash -c 'echo 1; exit 0'"
	holds '.tools | any(.name | startswith("python3"))'
	holds '.tools | any(.name == "bash")'
}

@test "a Java archive is named by its own name, with java beside it" {
	need java javac jar
	scripts_directory
	(
		cd "$BATS_TEST_TMPDIR"
		echo 'public class Main { public static void main(String[] a) { System.out.println("picked"); } }' >Main.java
		javac Main.java && jar --create --file picard.jar --main-class Main Main.class
		install -m 644 -o "$TESTBED_USER" picard.jar "$DIRECTORY"
	)
	job --chdir="$DIRECTORY" -- sh -c 'java -jar picard.jar; java -Xmx64m -jar ./picard.jar MarkDuplicates'
	valid
	holds '[.tools[] | select(.name == "picard.jar") | .runs] | add == 2'
	holds '[.tools[] | select(.name == "picard.jar")] | all(.interpreter == "java")'
}

@test "hostile names of files and jobs come out as what they are, and never as control characters" {
	local name=$'a\nb\e[31m"\\c'

	scripts_directory
	install -m 755 "$PROGRAMS/worker" "$DIRECTORY/$name"
	job --chdir="$DIRECTORY" -- "./$name" burn 50
	[ "$STATUS" -eq 0 ]
	valid
	holds '.tools | any(.runs == 1 and .cpu_s > 0.049 and (.name | test("31m")))'
	run "$STINT" report "$REPORT"
	[ "$status" -eq 0 ]
	[[ $output != *$'\e'* ]]
}

@test "a program that is in no directory has its own name" {
	job -- python3 -c 'import os
fd = os.memfd_create("ghost", 0)
with open("/bin/true", "rb") as f: os.write(fd, f.read())
os.execve(fd, ["true"], {})'
	valid
	holds '.tools[] | select(.name == "memfd:ghost") | .runs == 1 and .failures == 0 and .path == "/memfd:ghost"'
}

@test "a path that is too long to be kept is left out, and the report says so" {
	local deep=$TOOLS i

	for i in 1 2 3; do deep=$deep/$(printf 'd%.0s' {1..200}); done
	mkdir -p "$deep"
	cp "$PROGRAMS/worker" "$deep/abyss"
	printf '#!/bin/sh\nexit 0\n' | tee "$deep/trench.sh" >"$deep/vent.sh"
	chmod -R a+rX,u+x "$TOOLS"
	chmod 755 "$deep"/*
	job -- sh -c "$deep/abyss burn 1; $deep/trench.sh; sh $deep/vent.sh"
	valid
	holds '.complete == true'
	holds '.tools[] | select(.name == "abyss") | .runs == 1 and (has("path") | not)'
	holds '.tools[] | select(.name == "trench.sh") | .runs == 1 and .interpreter == "sh" and (has("path") | not)'
	holds '.tools[] | select(.name == "vent.sh") | .runs == 1 and .interpreter == "sh" and (has("path") | not)'
	holds '.gaps | any(.name == "tools.path")'
}
