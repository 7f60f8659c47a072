# SPDX-License-Identifier: GPL-2.0-or-later
# What all commands of the testbed use: messages, checks, waiting, the user.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

PATIENCE=${STINT_TESTBED_PATIENCE:-1}
MARK=.stint-testbed # a file that marks a testbed's directory, so that nothing else is ever removed

say() {
	printf 'testbed: %s\n' "$*" >&2
}

die() {
	say "$@"
	exit 1
}

misuse() {
	say "$@"
	exit 2
}

no_arguments() { # VERB ARG...
	[ $# -eq 1 ] || misuse "$1: '$2' was not expected. See testbed --help"
}

need_root() {
	[ "$EUID" -eq 0 ] || die "this must run as root"
}

need_programs() { # PROGRAM:PACKAGE...
	local pair

	for pair; do
		command -v "${pair%%:*}" >/dev/null ||
			die "${pair%%:*} was not found: install the Debian package ${pair#*:}"
	done
}

# In a world-writable place another user may have made the directory. Its contents are trusted, and removed, only if root owns it.
is_testbed() {
	[ -d "$DIR" ] && [ ! -L "$DIR" ] && [ -f "$DIR/$MARK" ] && [ "$(stat -c %u "$DIR")" -eq 0 ]
}

need_testbed() {
	is_testbed && [ -f "$DIR/etc/testbed.env" ] || die "no testbed is up in $DIR: 'testbed up' starts one"
	# shellcheck source=/dev/null
	. "$DIR/etc/testbed.env"
	export SLURM_CONF=$DIR/etc/slurm.conf
}

wait_for() { # SECONDS COMMAND... : until the command succeeds
	local end=$((SECONDS + $1 * PATIENCE + 1))

	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

# Prints six hexadecimal digits that identify this testbed among the others on the host; nothing for the default one.
testbed_tag() {
	[ "$DIR" = "$DEFAULT_DIR" ] || printf '%s' "$DIR" | sha256sum | cut -c1-6
}

testbed_user_name() {
	local tag

	tag=$(testbed_tag)
	printf '%s' "${STINT_TESTBED_USER:-stint-testbed${tag:+-$tag}}"
}

user_create() {
	TESTBED_USER=$(testbed_user_name)
	if ! getent passwd "$TESTBED_USER" >/dev/null; then
		[ -z "${STINT_TESTBED_USER:-}" ] || { REASON="there is no user $TESTBED_USER"; return 1; }
		# another testbed may hold the lock on the user database for a moment
		wait_for 20 useradd --system --user-group --no-create-home --home-dir "$DIR/home" \
			--shell /bin/bash "$TESTBED_USER" ||
			{ REASON="useradd could not make the user $TESTBED_USER"; return 1; }
	fi
	mkdir -p "$DIR/home" && chown "$TESTBED_USER:" "$DIR/home" || return 1
	user_can_enter
}

user_can_enter() {
	as_user test -x "$DIR/home" ||
		{ REASON="the user $TESTBED_USER cannot enter $DIR: every directory above it must be open to all"; return 1; }
}

# Removes only the user that up made, whose home is the testbed's.
user_remove() {
	local name

	name=$(STINT_TESTBED_USER='' testbed_user_name)
	[ "$(getent passwd "$name" | cut -d: -f6)" = "$DIR/home" ] || return 0
	rm -rf "/tmp/hsperfdata_$name" # which Java leaves
	wait_for 20 userdel --force "$name" || say "the user $name could not be removed"
}

# Prints the user's PATH: root's, without directories in root's own home.
user_path() {
	local part path=''

	while read -r -d : part; do
		[[ $part = "${HOME:-/root}"/* ]] || path+=:$part
	done <<<"$PATH:"
	echo "${path#:}"
}

as_user() { # COMMAND... : as the testbed's user; as the caller when not root
	if [ "$EUID" -ne 0 ]; then
		env LC_ALL="$USER_LOCALE" "$@"
		return
	fi
	setpriv --reuid "$TESTBED_USER" --regid "$(id -g "$TESTBED_USER")" --init-groups \
		env LC_ALL="$USER_LOCALE" PATH="$(user_path)" HOME="$DIR/home" USER="$TESTBED_USER" LOGNAME="$TESTBED_USER" SHELL=/bin/bash "$@"
}
