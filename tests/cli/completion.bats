#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What bash and zsh offer after stint: each existing verb and option, values, and jobs.

setup_file() {
	export SOURCE STINT STINT_LIBEXEC
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	STINT_LIBEXEC=$(dirname "$STINT") # stint-site explains its own options
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

# Prints what bash would offer for the last of the words, in a separate bash.
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
		[ "$verb" != ingest ] || [ -x "$STINT_LIBEXEC/stint-site" ] || continue
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

# Types the lines in a zsh, with the key for completion after each.
zsh_types() { # LINE...
	command -v zsh >/dev/null || skip "zsh is not installed"
	python3 "$SOURCE/tests/cli/zsh.py" "$SOURCE/reports/completion" "$@" >"$BATS_FILE_TMPDIR/typed"
	cat "$BATS_FILE_TMPDIR/typed"
}

# Prints what was typed and the result, from one typed line to the next.
typed() { # LINE
	line=$1 awk '/^TYPED /{ on = substr($0, 7) == ENVIRON["line"]; next } on' "$BATS_FILE_TMPDIR/typed"
}

# Prints what zsh offered at the end of the line.
zsh_offers() { # LINE
	typed "$1" | grep -v '^LINE ' | sed 's/=$//' | sort -u
}

# zsh has changed the line to this one.
zsh_makes() { # LINE WHAT
	[ "$(typed "$1" | sed -n 's/^LINE //p')" = "$2" ]
}

@test "zsh offers each verb that stint has, and each option that the verb has, and no other" {
	local verb verbs lines=('stint ' 'stint help ')

	verbs=$("$STINT" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
	for verb in $verbs; do
		lines+=("stint $verb --")
	done
	zsh_types "${lines[@]}"
	diff <(zsh_offers 'stint ' | grep -vx help) <(sort <<<"$verbs")
	diff <(zsh_offers 'stint help ') <(sort <<<"$verbs")
	for verb in $verbs; do
		diff <(zsh_offers "stint $verb --") <("$STINT" "$verb" --help | grep -oE '^ *(-.,)? *--[a-z0-9-]+' | grep -oE -e '--[a-z0-9-]+' | sort -u)
	done
}

@test "zsh completes the line, and offers the values of options" {
	: >page.html
	zsh_types 'stint tim' 'stint report --wat' 'stint list --state=failed,ti' 'stint list --since y' 'stint report --sort me' \
		'stint timeline --by=s' 'stint list --user roo' 'stint summary --mine --last 4' 'stint summary --by user,we' \
		'stint report --html=pag'
	zsh_makes 'stint tim' 'stint timeline '
	zsh_makes 'stint report --wat' 'stint report --watch '
	zsh_makes 'stint list --state=failed,ti' 'stint list --state=failed,timeout,' # the comma goes with the next key
	zsh_makes 'stint list --since y' 'stint list --since yesterday '
	zsh_makes 'stint report --sort me' 'stint report --sort memeff '
	zsh_makes 'stint timeline --by=s' 'stint timeline --by=step '
	zsh_makes 'stint list --user roo' 'stint list --user root '
	zsh_makes 'stint summary --mine --last 4' 'stint summary --mine --last 4w '
	zsh_makes 'stint summary --by user,we' 'stint summary --by user,week,'
	zsh_makes 'stint report --html=pag' 'stint report --html=page.html '
}

@test "zsh offers jobs: those that have a report here, those that run, and the last" {
	: >stint-12.json
	: >stint-77_3.json
	zsh_types 'stint report ' 'stint watch ' 'stint report 77' 'stint compare 12 77'
	diff <(zsh_offers 'stint report ') <(printf '%s\n' 12 4711 4712_3 77_3 last path stint-12.json stint-77_3.json | sort)
	diff <(zsh_offers 'stint watch ') <(printf '%s\n' 4711 4712_3 last | sort)
	zsh_makes 'stint report 77' 'stint report 77_3 '
	zsh_makes 'stint compare 12 77' 'stint compare 12 77_3 '
}
