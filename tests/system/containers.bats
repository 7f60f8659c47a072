#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Containers are named, and only containers.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

# ROOT: a directory that can be the root of a container, in a directory of the user
make_root() {
	need busybox
	DIRECTORY=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/containers.XXXXXX")
	ROOT=$DIRECTORY/tree
	mkdir -p "$ROOT"/{bin,dev,etc,home,proc,root,run,sys,tmp,usr,var}
	cp "$(command -v busybox)" "$ROOT/bin/busybox"
	ln -s busybox "$ROOT/bin/sh"
	ln -s busybox "$ROOT/bin/sleep"
	ln -s busybox "$ROOT/bin/touch"
	touch "$ROOT"/etc/{passwd,group,hosts,resolv.conf}
	TYPE=$(findmnt --noheadings --output FSTYPE --target "$ROOT")
}

# BIN: a directory with the stand-ins of runtimes, which the user can execute
make_runtimes() {
	local name

	BIN=$DIRECTORY/bin
	mkdir "$BIN"
	for name in apptainer starter enroot-nsenter enroot-switchroot; do
		install -m 755 "$PROGRAMS/standin" "$BIN/$name"
	done
}

in_container() { # PLACE : names of the tools that ran there
	jq -r --argjson at "$1" '.tools[] | select(.container == $at) | .name' "$REPORT" | sort | tr '\n' ' '
}

user_namespaces_or_skip() {
	"$TESTBED" exec unshare -rm true 2>/dev/null || skip "users cannot make user namespaces here"
}

@test "a job without containers has none, whatever other namespaces it makes" {
	need bwrap
	user_namespaces_or_skip
	job -- sh -c 'true; unshare -rn true; unshare -rm true; unshare -rm sh -c "mount -t tmpfs none /tmp; sleep 0.1"
		bwrap --bind / / true; bwrap --dev-bind / / --tmpfs /tmp --unshare-net true'
	valid
	holds '.tools | any(.name == "bwrap" and .runtime)'
	holds 'has("containers") | not'
	holds '[.tools[], .timeline[]] | all(has("container") | not)'
}

@test "a bubblewrap with a root of its own is a container with begin, end and exit, and its tools are in it" {
	need bwrap
	user_namespaces_or_skip
	make_root
	job -- sh -c "bwrap --bind $ROOT / --dev /dev /bin/sh -c '/bin/sleep 0.5; exit 7'"
	[ "$STATUS" -eq 7 ]
	valid
	holds '.containers | length == 1'
	holds --arg type "$TYPE" '.containers[0] | .runtime == "bwrap" and .root == $type and .count == 1 and .exit_code == 7'
	holds '.containers[0] | has("image") | not'
	holds '.containers[0] as $c | .timeline | any(.pid == $c.pid and .container == 0 and .start == $c.start and .end == $c.end)'
	[ "$(in_container 0)" = "sh sleep " ]
	holds '.containers[0].failures == 1'
	holds '.containers[0].runs == ([.tools[] | select(.container == 0).runs] | add)'
	holds '([.tools[] | select(.container == 0).cpu_s] | add) - .containers[0].cpu_s | fabs < 0.000001'
	holds '.tools | any(.name == "sh" and (has("container") | not))'
}

@test "a PID namespace of its own is a container, and tools of two containers with one root are told apart" {
	need bwrap
	user_namespaces_or_skip
	job -- sh -c "unshare -rpf sh -c 'true; true'; bwrap --ro-bind / / --unshare-pid sh -c 'true; true; true'"
	valid
	holds '[.containers[].runtime] == ["unshare", "bwrap"]'
	holds '[.tools[] | select(.container == 0 and .name == "sh").runs] == [1]'
	holds '[.tools[] | select(.container == 1 and .name == "sh").runs] == [1]'
}

@test "Charliecloud is named with its image, and with no other argument" {
	need ch-run
	user_namespaces_or_skip
	make_root
	job -- ch-run --set-env=SECRET=sesame1 --unset-env 'sesame2*' -c /tmp "$ROOT" -- /bin/sh -c 'echo sesame3; exit 3'
	[ "$STATUS" -eq 3 ]
	valid
	holds --arg root "$ROOT" '.containers | length == 1 and .[0].runtime == "ch-run" and .[0].image == $root'
	holds '.containers[0] | .exit_code == 3 and .setup_s > 0 and .setup_s < 60'
	holds --arg root "$ROOT" '.tools | any(.name == "ch-run" and .image == $root and .runtime)'
	! grep -q sesame "$REPORT"
}

@test "rootless podman is named with its root, and with no other argument; conmon and crun are part of it" {
	local podman

	need podman crun
	user_namespaces_or_skip
	make_root
	podman=(env HOME="$DIRECTORY" XDG_RUNTIME_DIR="$DIRECTORY" podman --root "$DIRECTORY/store" --runroot "$DIRECTORY/run"
		--cgroup-manager cgroupfs --events-backend file --storage-driver vfs run --rm --cgroups=disabled --network host
		--log-driver k8s-file -e A=sesame --rootfs "$ROOT" /bin/sh -c)
	chown -R "$TESTBED_USER:" "$ROOT"
	"$TESTBED" exec "${podman[@]}" true || skip "podman cannot run containers of users here"
	job -- "${podman[@]}" 'sleep 0.1; exit 0'
	valid
	holds --arg root "$ROOT" '.containers | any(.runtime == "podman" and .image == $root and .exit_code == 0)'
	holds '[.tools[] | select(.name == "conmon" or .name == "crun")] | length >= 2 and all(.runtime)'
	! grep -q sesame "$REPORT"
}

@test "apptainer's way: its image is known to apptainer alone, and squashfuse serves the root" {
	need squashfuse mksquashfs
	user_namespaces_or_skip
	make_root
	make_runtimes
	mksquashfs "$ROOT" "$DIRECTORY/image.sqfs" -quiet >/dev/null
	mkdir -m 777 "$DIRECTORY/session"
	job -- env STANDIN_ROOT="$DIRECTORY/session" STANDIN_TREE="$ROOT" "$BIN/apptainer" --quiet exec -eC -B /data:/sesame1 --env A=sesame2 --nv \
		"$DIRECTORY/image.sqfs" 'sleep 0.2'
	valid
	holds --arg image "$DIRECTORY/image.sqfs" \
		'.containers | length == 1 and .[0].runtime == "apptainer" and .[0].image == $image and .[0].exit_code == 0'
	if "$TESTBED" exec test -w /dev/fuse; then
		holds '.containers[0].root | startswith("fuse")'
		holds '.tools | any(.name == "squashfuse" and .runtime and (has("container") | not) and .cpu_s > 0)'
	else
		holds --arg type "$TYPE" '.containers[0].root == $type'
	fi
	holds '.tools | any(.name == "starter" and .runtime)'
	[ "$(in_container 0)" = "sh " ] || [ "$(in_container 0)" = "sh sleep " ]
	! grep -q sesame "$REPORT"
	"$STINT" report --width 100 "$REPORT" >"$BATS_TEST_TMPDIR/page"
	grep -q "apptainer image.sqfs" "$BATS_TEST_TMPDIR/page"
	grep -q "Making and serving containers took" "$BATS_TEST_TMPDIR/page"
	"$STINT" timeline --by=container "$REPORT" | grep -q "apptainer image.sqfs"
	"$STINT" report --html=- "$REPORT" | grep -q "image.sqfs"
}

@test "an image whose place an unknown option hides is not guessed" {
	need squashfuse mksquashfs
	user_namespaces_or_skip
	make_root
	make_runtimes
	mksquashfs "$ROOT" "$DIRECTORY/image.sqfs" -quiet >/dev/null
	mkdir -m 777 "$DIRECTORY/session"
	job -- env STANDIN_ROOT="$DIRECTORY/session" STANDIN_TREE="$ROOT" "$BIN/apptainer" exec --password sesame "$DIRECTORY/image.sqfs" true
	valid
	holds '.containers | length == 1 and (.[0] | has("image") | not)'
	! grep -q sesame "$REPORT"
}

@test "an image's address is named without user, password and query" {
	user_namespaces_or_skip
	make_root
	make_runtimes
	job -- env STANDIN_TREE="$ROOT" "$BIN/apptainer" run "docker://user:sesame@host.example:5000/team/image.sqfs?token=sesame" true
	valid
	holds '.containers[0].image == "docker://host.example:5000/team/image.sqfs"'
	job -- env STANDIN_TREE="$ROOT" "$BIN/apptainer" run "docker://host.example/team/image.sqfs@sha256:0123" true
	holds '.containers[0].image == "docker://host.example/team/image.sqfs@sha256:0123"'
	! grep -q sesame "$REPORT"
	job -- env STANDIN_TREE="$ROOT" "$BIN/apptainer" run "https://host.example/image.sqfs?key=$(printf '%0600d' 0)/sesame" true
	holds '.containers[0].image == "https://host.example/image.sqfs"'
	! grep -q sesame "$REPORT"
}

@test "two images of one name in two directories are two images" {
	local version

	user_namespaces_or_skip
	make_root
	make_runtimes
	mkdir "$DIRECTORY"/v{1,2}
	for version in 1 2; do
		: >"$DIRECTORY/v$version/app.sqfs"
	done
	job -- env STANDIN_TREE="$ROOT" sh -c "$BIN/apptainer run $DIRECTORY/v1/app.sqfs true; $BIN/apptainer run $DIRECTORY/v2/app.sqfs true"
	valid
	holds --arg in "$DIRECTORY" '[.containers[].image] == [$in + "/v1/app.sqfs", $in + "/v2/app.sqfs"]'
	holds --arg in "$DIRECTORY" '[.tools[] | select(.name == "apptainer").image] | sort == [$in + "/v1/app.sqfs", $in + "/v2/app.sqfs"]'
}

@test "enroot's way: a script, whose shell runs code between the namespaces and the new root" {
	user_namespaces_or_skip
	make_root
	make_runtimes
	cat >"$BIN/enroot" <<-'EOT'
		#!/usr/bin/env bash
		[ "$1" = start ] || exit 125
		shift
		while [ "${1#-}" != "$1" ]; do shift 2; done
		exec "$ENROOT/enroot-nsenter" bash -c 'true; exec "$ENROOT/enroot-switchroot" "$@"' - "$ROOT_OF/$1" "${@:2}"
	EOT
	chmod 755 "$BIN/enroot"
	job -- env ENROOT="$BIN" ROOT_OF="$DIRECTORY" "$BIN/enroot" start --env A=sesame tree /bin/sh -c 'sleep 0.1; sleep 0.1'
	valid
	holds '.containers | length == 1 and .[0].runtime == "enroot" and .[0].image == "tree"'
	! grep -q sesame "$REPORT"
}

@test "many containers of one image are one line, and each process knows its line" {
	need bwrap
	user_namespaces_or_skip
	make_root
	job -- sh -c "for i in \$(seq 300); do bwrap --bind $ROOT / /bin/sh -c :; done"
	valid
	holds '.containers | length == 1 and .[0].count == 300 and .[0].runs == 300'
	holds '[.tools[] | select(.container == 0).runs] | add == 300'
}

@test "many containers that share no place are counted once each, whatever runs in them, and keep their runtime" {
	need bwrap
	user_namespaces_or_skip
	make_root
	job -- sh -c "for i in \$(seq 300); do bwrap --unshare-pid --bind $ROOT / /bin/sh -c '/bin/sleep 0; :'; done"
	valid
	holds '[.containers[].count] | add == 300'
	holds '.containers | all(.runtime == "bwrap")'
	holds '[.containers[].runs] | add == 600'
}

@test "an unknown runtime makes a container without a name" {
	user_namespaces_or_skip
	make_root
	job -- unshare -rm chroot "$ROOT" /bin/sh -c :
	valid
	holds '.containers | length == 1 and (.[0] | has("runtime") | not)'
	"$STINT" report --width 100 "$REPORT" | grep -q "^ *container 1"
}

@test "a running job shows its containers, too" {
	need bwrap
	user_namespaces_or_skip
	make_root
	meet
	(cd "$MEET" && "$TESTBED" exec sbatch --parsable --output=/dev/null --wrap "bwrap --bind $ROOT / --bind $MEET /tmp /bin/sh -c \
		'touch /tmp/up; while [ ! -e /tmp/down ]; do sleep 0.1; done'") >"$BATS_TEST_TMPDIR/id"
	told up
	REPORT=$BATS_TEST_TMPDIR/so-far.json
	(cd / && "$STINT" report --json --config "$STINT_TESTBED/etc/stint.conf" "$(cat "$BATS_TEST_TMPDIR/id")") >"$REPORT"
	tell down
	valid
	holds '.containers | length == 1 and (.[0] | has("end") | not)'
	holds '.timeline | any(.living and .container == 0)'
}
