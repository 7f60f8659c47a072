#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/debian-root, with a root of only busybox: nobody else sees its mounts, and nothing is removed through a mount.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup() {
	need busybox unshare
	[ "$EUID" -eq 0 ] || skip "mounting wants root"
	export STINT_ROOTS=$BATS_TEST_TMPDIR/roots
	ROOT=$STINT_ROOTS/busybox
	mkdir -p "$ROOT"/{bin,dev,etc,proc,run,sys,tmp,var/tmp}
	cp "$(command -v busybox)" "$ROOT/bin/busybox"
	"$ROOT/bin/busybox" --install -s "$ROOT/bin"
	find "$ROOT/bin" -type l -exec ln -sf busybox {} \;
}

teardown() {
	"$SOURCE/contrib/debian-root" clear
}

debian_root() {
	"$SOURCE/contrib/debian-root" "$@"
}

nothing_is_left() {
	run ! grep -F "$STINT_ROOTS" /proc/self/mountinfo
	[ -z "$(compgen -G "$STINT_ROOTS/run.*")" ]
}

@test "a root stays as it is, its command's exit status is handed on, and no mount is left" {
	run -3 debian_root run "$ROOT" sh -c 'touch /new /bin/new /tmp/new && ls / && exit 3'
	[[ $output == *proc* ]]
	[ -z "$(find "$ROOT" -name new)" ]
	nothing_is_left
}

@test "a directory that is shared cannot be written, and one for /var/tmp stays" {
	mkdir "$BATS_TEST_TMPDIR/shared" "$BATS_TEST_TMPDIR/var-tmp"
	echo told >"$BATS_TEST_TMPDIR/shared/file"
	run debian_root run --share "$BATS_TEST_TMPDIR/shared" --var-tmp "$BATS_TEST_TMPDIR/var-tmp" "$ROOT" \
		sh -c "cat $BATS_TEST_TMPDIR/shared/file; rm -r $BATS_TEST_TMPDIR/shared/file; touch /var/tmp/new"
	[ "$status" -eq 0 ]
	[[ $output == *told* ]]
	[ -e "$BATS_TEST_TMPDIR/shared/file" ]
	[ -e "$BATS_TEST_TMPDIR/var-tmp/new" ]
	nothing_is_left
}

@test "what is written to a directory for a build stays, where it was shared, too" {
	mkdir -p "$BATS_TEST_TMPDIR/shared/build"
	debian_root run --share "$BATS_TEST_TMPDIR/shared" --build "$BATS_TEST_TMPDIR/shared/build" "$ROOT" \
		sh -c "echo new >$BATS_TEST_TMPDIR/shared/build/made; ! echo new >$BATS_TEST_TMPDIR/shared/made"
	[ "$(cat "$BATS_TEST_TMPDIR/shared/build/made")" = new ]
	[ ! -e "$BATS_TEST_TMPDIR/shared/made" ]
	nothing_is_left
}

ended() { # PID : whoever became its parent need not have waited for it yet
	[ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"
}

@test "what a killed run leaves is ended and removed by the next, and its mounts were never seen" {
	local runner process

	"$SOURCE/contrib/debian-root" run "$ROOT" sh -c 'mount -t tmpfs tmpfs /tmp; setsid sleep 600 & echo $! >/var/tmp/pid; sleep 600' 3>&- &
	runner=$!
	soon compgen -G "$STINT_ROOTS/run.*/vartmp/pid"
	process=$(cat "$STINT_ROOTS"/run.*/vartmp/pid)
	run ! grep -F "$STINT_ROOTS" /proc/self/mountinfo
	kill -KILL "$runner"
	wait "$runner" || true
	[ -e "/proc/$process" ]
	debian_root run "$ROOT" true
	soon ended "$process"
	nothing_is_left
	[ -x "$ROOT/bin/busybox" ]
}

@test "a command that is asked to end may clean up after itself" {
	local runner

	"$SOURCE/contrib/debian-root" run --var-tmp "$BATS_TEST_TMPDIR" "$ROOT" \
		sh -c 'trap "touch /var/tmp/cleaned; exit 0" TERM; touch /var/tmp/ready; while :; do sleep 0.1; done' 3>&- &
	runner=$!
	soon test -e "$BATS_TEST_TMPDIR/ready"
	kill -TERM "$runner"
	wait "$runner" || true
	[ -e "$BATS_TEST_TMPDIR/cleaned" ]
	nothing_is_left
}

@test "nothing is removed where something is mounted below it" {
	mkdir -p "$STINT_ROOTS/run.mounted/root" "$BATS_TEST_TMPDIR/kept"
	touch "$BATS_TEST_TMPDIR/kept/file"
	mount --bind "$BATS_TEST_TMPDIR/kept" "$STINT_ROOTS/run.mounted/root"
	run debian_root clear
	umount "$STINT_ROOTS/run.mounted/root"
	[ "$status" -ne 0 ]
	[[ $output == *"something is mounted below"* ]]
	[ -e "$BATS_TEST_TMPDIR/kept/file" ]
	debian_root clear
	nothing_is_left
}
