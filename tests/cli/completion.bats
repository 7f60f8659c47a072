#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What bash offers behind stint: each verb and option that there is, values, and jobs.

setup_file() {
	export SOURCE STINT
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	export LC_ALL=C.UTF-8
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR"
	mkdir path
	printf '#!/bin/sh\necho 4711\necho 4712_3\necho "4713_[1-9]"\n' >path/squeue
	chmod +x path/squeue
	PATH=$PWD/path:$PATH
}

# Prints what bash would offer for the last of the words, in a bash of its own.
offered() { # WORD...
	bash --norc -c '
		compopt() { :; }
		. "$1"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_stint
		printf "%s\n" "${COMPREPLY[@]}"' bash "$SOURCE/reports/completion/stint" "$@"
}

@test "bash offers each verb that stint has, and each option that the verb has, and no other" {
	local verb verbs

	verbs=$("$STINT" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
	[ "$(offered stint '' | grep -vx help | sort)" = "$(sort <<<"$verbs")" ]
	[ "$(offered stint help '' | sort)" = "$(sort <<<"$verbs")" ]
	for verb in $verbs; do
		echo "$verb"
		diff <(offered stint "$verb" -- | sort) <("$STINT" "$verb" --help | grep -oE '^ *(-.,)? *--[a-z0-9-]+' | grep -oE -e '--[a-z0-9-]+' | sort -u)
	done
}

@test "bash offers the values of options" {
	[ "$(offered stint list --state f)" = failed ]
	[ "$(offered stint list --state failed,ti)" = failed,timeout ]
	[ "$(offered stint list --since = y)" = yesterday ]
	[ "$(offered stint report --sort me)" = memeff ]
	[ "$(offered stint timeline --by = s)" = step ]
	[ "$(offered stint list --user roo)" = root ]
	[ -z "$(offered stint list --name x)" ]
}

@test "bash offers jobs: those that have a report here, those that run, and the last" {
	: >stint-12.json
	: >stint-77_3.json
	[ "$(offered stint report '' | sort | tr '\n' ' ')" = "12 4711 4712_3 77_3 last path stint-12.json stint-77_3.json " ]
	[ "$(offered stint watch '' | sort | tr '\n' ' ')" = "4711 4712_3 last " ]
	[ "$(offered stint report 77)" = 77_3 ]
	printf '#!/bin/sh\nexec sleep 600\n' >path/squeue
	[ "$(offered stint watch '')" = last ]
}
