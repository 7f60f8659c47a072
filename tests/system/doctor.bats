#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint doctor, on a node where all is well and on one where it is not.
# shellcheck shell=bash disable=SC2030,SC2031,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

@test "doctor finds nothing wrong on a node where stint works" {
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "doctor finds a dead stintd and says how to mend it" {
	collector_kill
	run unshare --mount sh -c 'mount -t tmpfs tmpfs /sys/fs && mkdir /sys/fs/selinux && echo 1 >/sys/fs/selinux/enforce && exec "$@"' sh \
		"$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	[[ $output == *"info  SELinux: SELinux is enforcing: "* ]]
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	echo "$output"
	[ "$status" -ne 0 ]
	[[ $output == *stintd* ]]
	[[ $output != *SELinux* ]] || [ "$(cat /sys/fs/selinux/enforce)" = 1 ]
}

setup() {
	testbed_or_skip
	AS=()
	PLUGSTACK=$STINT_TESTBED/etc/plugstack.conf
	PLUGIN=$STINT_TESTBED/lib/stint.so
	LINE="optional $PLUGIN run_dir=$STINT_TESTBED/run"
}

teardown() {
	[ -z "${PLUGSTACK:-}" ] || { echo "$LINE" >"$PLUGSTACK" && rm -f "$STINT_TESTBED/run/off"; }
	[ ! -e "${PLUGIN:-/nonexistent}.away" ] || mv "$PLUGIN.away" "$PLUGIN"
	[ -z "${server:-}" ] || kill -KILL "$server" 2>/dev/null || true
	testbed_evidence
}

# Sets status and output. Each failure says how to fix it, and nothing else is on standard error.
doctor() { # [OPTION...]
	run --separate-stderr "${AS[@]}" "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" "$@"
	echo "$output"
	[ -z "$stderr" ]
	[ -z "$(grep ^FAIL <<<"$output" | grep -v ' -> [a-z]')" ]
	[ "$(grep -c ^FAIL <<<"$output")" -gt 0 ] || [ "$status" -eq 0 ] || [[ $* == *--json* ]]
}

fails_with() { # PATTERN : one check fails, and says so
	doctor
	[ "$status" -eq 1 ]
	grep -q "^FAIL  stintd: does not answer: .*$1" <<<"$output"
	grep -q ' 1 failure$' <<<"$output"
}

@test "doctor tells a stintd that hangs, one of another version, and what is no stintd" {
	local socket=$STINT_TESTBED/run/stintd.sock manner

	kill -STOP "$(daemon_pid stintd)"
	fails_with 'no answer in time'
	collector_kill
	for manner in version close short; do
		rm -f "$BATS_TEST_TMPDIR/served"
		"$PROGRAMS/peer" "$socket" serve "$manner" >"$BATS_TEST_TMPDIR/served" 3>&- &
		server=$!
		soon grep serves "$BATS_TEST_TMPDIR/served"
		if [ "$manner" = close ]; then fails_with 'closed without an answer'; else fails_with 'another version'; fi
		kill -KILL "$server"
	done
	rm -f "$BATS_TEST_TMPDIR/served"
	"$PROGRAMS/peer" "$socket" serve version "$(id -u "$TESTBED_USER")" >"$BATS_TEST_TMPDIR/served" 3>&- &
	server=$!
	soon grep serves "$BATS_TEST_TMPDIR/served"
	fails_with 'the listener is not uid 0'
	kill -KILL "$server"
	rm "$socket"
	: >"$socket"
	fails_with 'Connection refused.* -> systemctl restart stintd, and read its log'
	rm "$socket"
	fails_with 'No such file or directory -> systemctl enable --now stintd'
	"$TESTBED" restart-collector
	doctor
	[ "$status" -eq 0 ]
}

@test "doctor says that the spool cannot be written, and what waits in it" {
	mount -t tmpfs -o size=4k,mode=0700 tmpfs "$STINT_TESTBED/spool"
	mount -o remount,ro "$STINT_TESTBED/spool"
	doctor
	mount -o remount,rw "$STINT_TESTBED/spool"
	head -c 4096 /dev/zero >"$STINT_TESTBED/spool/.full" || true
	[ "$status" -eq 0 ]
	grep -q '^warn  spool: .* is mounted read-only -> mount it writable. ' <<<"$output"
	doctor
	soon umount "$STINT_TESTBED/spool"
	grep -q '^warn  spool: .* is full' <<<"$output"
	doctor
	grep -q '^ok    records: none waits' <<<"$output"
	run ! grep -q '^warn  spool' <<<"$output"
	# a job whose directory is gone when its report comes
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/gone.XXXXXX")
	"$TESTBED" exec sbatch --wait --chdir="$directory" --output=/dev/null --wrap "rm -rf $directory; : >$STINT_TESTBED/home/file"
	soon_looked waits
	"$TESTBED" exec mkdir "$directory"
	soon_looked waits_no_more
}

waits_no_more() {
	doctor
	grep -q '^ok    records: none waits' <<<"$output"
}

waits() {
	doctor
	grep -q '^warn  records: 1 (.*) waits for its report, the oldest since .* (.*)' <<<"$output"
}

@test "doctor names the store's user that is not there, and does not want a directory to be given to it" {
	{ cat "$STINT_TESTBED/etc/stint.conf" && echo "store_user = no-such-user"; } >"$BATS_TEST_TMPDIR/stint.conf"
	run "$STINT" doctor --config "$BATS_TEST_TMPDIR/stint.conf"
	echo "$output"
	grep "^warn  store_dir: there is no user 'no-such-user' .*-> set store_user in stint.conf$" <<<"$output"
}

with_munge_socket() { # PATH : sets status and output
	{ grep -v '^munge_socket' "$STINT_TESTBED/etc/stint.conf" && echo "munge_socket = $1"; } >"$BATS_TEST_TMPDIR/stint.conf"
	run "$STINT" doctor --config "$BATS_TEST_TMPDIR/stint.conf"
	echo "$output"
}

@test "doctor says that nobody answers at munge_socket, and names the socket of Slurm's munge" {
	local socket=$STINT_TESTBED/munge/socket dead=$BATS_TEST_TMPDIR/dead

	doctor
	grep -Fqx "ok    munge_socket: munge answers at $socket" <<<"$output"
	python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$dead"
	for wrong in "$BATS_TEST_TMPDIR/none" "$dead" "$BATS_TEST_TMPDIR/stint.conf"; do
		with_munge_socket "$wrong"
		[ "$status" -eq 0 ]
		grep "^warn  munge_socket: munge: .*$wrong.*: nothing proves what the nodes of a job have counted -> set munge_socket = $socket in stint.conf, as slurm.conf's AuthInfo says$" <<<"$output"
		[ "$(grep -c munge_socket: <<<"$output")" -eq 1 ]
	done
	kill -STOP "$(daemon_pid munged)"
	with_munge_socket "$socket"
	kill -CONT "$(daemon_pid munged)"
	grep '^warn  munge_socket: munge: .* -> start munged, or set munge_socket in stint.conf to where it answers$' <<<"$output"
}

@test "doctor warns of reports that replace each other" {
	{ cat "$STINT_TESTBED/etc/stint.conf" && echo "output = %u-%a.json"; } >"$BATS_TEST_TMPDIR/stint.conf"
	run "$STINT" doctor --config "$BATS_TEST_TMPDIR/stint.conf"
	grep "^warn  output: '%u-%a.json' does not contain the job's number.* -> put %i into output = in stint.conf$" <<<"$output"
	sed -i 's/%u-%a/%A/' "$BATS_TEST_TMPDIR/stint.conf"
	run "$STINT" doctor --config "$BATS_TEST_TMPDIR/stint.conf"
	run ! grep '^warn  output:' <<<"$output"
}

# stintd writes its status again now and then.
tells_of_another_version() {
	sed -i 's/"version": *"[^"]*"/"version":"9.9"/' "$STINT_TESTBED/run/status.json"
	doctor
	grep -q '^warn  version: stintd is 9.9' <<<"$output"
}

@test "doctor tells that run_dir is not root's alone, and a status of another stint" {
	chmod 755 "$STINT_TESTBED/run"
	doctor
	chmod 700 "$STINT_TESTBED/run"
	[ "$status" -eq 1 ]
	grep -q "^FAIL  run_dir: .*mode 0755: not only root has access -> chmod 0700 $STINT_TESTBED/run, unless others use the directory" <<<"$output"
	soon tells_of_another_version
	[ "$status" -eq 0 ]
}

# ---- what Slurm would say about the plugin ----

fails_at() { # SUBJECT PATTERN : one check fails
	doctor
	[ "$status" -eq 1 ]
	grep -q "^FAIL  $1: .*$2" <<<"$output"
	grep -q ' 1 failure$' <<<"$output"
}

sbatch_refuses_and_fails_at() { # SUBJECT PATTERN : nor can users submit
	run "$TESTBED" exec sbatch --stint=off --output=/dev/null --wrap true
	[ "$status" -ne 0 ]
	fails_at "$1" "$2"
}

plugin_away() {
	mv "$PLUGIN" "$PLUGIN.away"
}

# Writes a plugin that says that it is of Slurm 99.11.
plugin_of_another_release() {
	python3 - "$PLUGIN.away" "$PLUGIN" <<-'END'
		import struct, subprocess, sys
		symbols = subprocess.run(["nm", "-D", sys.argv[1]], capture_output=True, text=True, check=True).stdout
		at = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" plugin_version"))
		plugin = bytearray(open(sys.argv[1], "rb").read())
		struct.pack_into("I", plugin, at, 99 << 16 | 11 << 8)
		open(sys.argv[2], "wb").write(plugin)
	END
}

@test "doctor fails on a plugin of another release, as Slurm does" {
	need nm python3
	plugin_away
	plugin_of_another_release
	sbatch_refuses_and_fails_at plugin "built for Slurm 99.11, and Slurm [0-9.]* will not load it"
}

another_plugin() {
	printf '#include <slurm/spank.h>\nSPANK_PLUGIN(other, 1)\n' | gcc -shared -fPIC -x c -o "$PLUGIN" -
}

@test "doctor fails on what is no plugin: a text, one that is cut, another library, another plugin, nothing" {
	need gcc
	plugin_away
	echo "this is no plugin" >"$PLUGIN"
	fails_at plugin "Slurm will not load it: .*not a shared object"
	head -c 5000 "$PLUGIN.away" >"$PLUGIN"
	fails_at plugin "cut off"
	cp "$(ldd /bin/bash | awk '/libc\.so/ { print $3 }')" "$PLUGIN"
	fails_at plugin "not a plugin of Slurm"
	another_plugin
	fails_at plugin "is another plugin: spank/other"
	rm "$PLUGIN"
	fails_at plugin "No such file"
	rm "$PLUGSTACK"
	fails_at plugstack "No such file or directory -> make it, with the line: optional /.*/stint.so run_dir=$STINT_TESTBED/run"
	echo "optional /usr/lib/other.so" >"$PLUGSTACK"
	fails_at plugstack "no line for stint.so -> add to it: optional /.*/stint.so run_dir=$STINT_TESTBED/run"
}

@test "doctor reads the arguments as the plugin does" {
	echo "$LINE rundir=/run/stint" >"$PLUGSTACK"
	fails_at "plugin's arguments" "unknown argument 'rundir=/run/stint'.*; no job is counted"
	echo "optional $PLUGIN run_dir=/run/elsewhere/" >"$PLUGSTACK"
	fails_at "plugin's run_dir" "the plugin connects to /run/elsewhere,"
	echo "$LINE mode=off off_users=1,2 off_partitions=debug" >"$PLUGSTACK"
	: >"$STINT_TESTBED/run/off"
	doctor
	[ "$status" -eq 0 ]
	[ "$(grep -c '^info  off: ' <<<"$output")" -eq 4 ]
}

rights_back() {
	chmod 755 "$STINT_TESTBED/lib" "$PLUGIN"
	chmod 644 "$PLUGSTACK" "$STINT_TESTBED/etc/stint.conf"
	chown root:root "$STINT_TESTBED/lib" "$PLUGIN" "$PLUGSTACK"
}

@test "doctor fails where users cannot read what sbatch reads, and its mend is the right one" {
	local file

	for file in "$STINT_TESTBED/lib" "$PLUGIN" "$PLUGSTACK"; do
		chmod 600 "$file"
		sbatch_refuses_and_fails_at "plug[a-z]*" "$file: mode 0600: each user must read it, .* -> chmod o+[rx] $file$"
		sh -c "$(sed -n 's/^FAIL.* -> //p' <<<"$output")"
		"$TESTBED" exec sbatch --stint=off --output=/dev/null --wrap true
		doctor
		rights_back
		[ "$status" -eq 0 ]
	done
	chmod 640 "$PLUGIN"
	doctor
	[ "$status" -eq 0 ]
	grep "^info  plugin: .*: mode 0640: " <<<"$output"
	rights_back
}

@test "doctor finds what users cannot read among all that plugstack.conf includes, before and behind stint's line" {
	local directory=$STINT_TESTBED/etc/plugstack.conf.d name

	mkdir "$directory"
	echo 'include plugstack.conf.d/*.conf' >"$PLUGSTACK"
	echo "$LINE" >"$directory/50-stint.conf"
	: >"$directory/10-first.conf"
	: >"$directory/90-last.conf"
	doctor
	[ "$status" -eq 0 ]
	for name in 10-first.conf 50-stint.conf 90-last.conf; do
		chmod 600 "$directory/$name"
		sbatch_refuses_and_fails_at plugstack \
			"$directory/$name: mode 0600: each user must read it, .* -> chmod o+r $directory/$name$"
		chmod 644 "$directory/$name"
	done
	# a pattern finds nothing in a directory that may be entered but not listed
	chmod 711 "$directory"
	sbatch_refuses_and_fails_at plugstack "$directory: mode 0711: each user must list it, .* -> chmod o+rx $directory$"
	rm -r "$directory"
}

@test "doctor warns where users cannot run the program that asks Slurm" {
	local helper=$STINT_TESTBED/libexec/stint-slurm-job was

	[ -x "$helper" ]
	AS=(env STINT_LIBEXEC="$STINT_TESTBED/libexec")
	helper=$(readlink -f "$helper")
	was=$(stat --format=%a "$helper")
	doctor
	run ! grep "  helper: " <<<"$output"
	chmod o-x "$helper"
	doctor
	chmod "$was" "$helper"
	grep "^\(warn\|info\)  helper: $helper: mode 0..[0-7]: each user must run it, .* -> chmod o+rx $helper$" <<<"$output"
}

@test "doctor warns where others than root can change what root reads" {
	local file

	for file in "$STINT_TESTBED/lib" "$PLUGIN" "$PLUGSTACK"; do
		chown "$TESTBED_USER" "$file"
		doctor
		grep "^warn  plug[a-z]*: $file: owner $(id -u "$TESTBED_USER"), .*: users other than root can change .* -> chown root $file$" <<<"$output"
		sh -c "$(sed -n "s,^warn  plug.*$file.* -> ,,p" <<<"$output")"
		chmod go+w "$file"
		doctor
		rights_back
		grep "^warn  plug[a-z]*: $file: owner 0, .*: users other than root can change .* -> " <<<"$output"
	done
	doctor
	rights_back
	run ! grep "users other than root can" <<<"$output"
}

@test "doctor looks at the way as it is written, too: at each link, and at the directory that a link lies in" {
	local jo=$STINT_TESTBED/lib/jo

	mkdir "$jo"
	ln -s "$PLUGIN" "$jo/stint.so"
	ln -s jo/stint.so "$STINT_TESTBED/lib/first.so"
	mkdir "$STINT_TESTBED/lib/site" && ln -s ../first.so "$STINT_TESTBED/lib/site/stint.so"
	echo "optional $STINT_TESTBED/lib/site/stint.so run_dir=$STINT_TESTBED/run" >"$PLUGSTACK"
	doctor
	run ! grep "users other than root can" <<<"$output"
	chown "$TESTBED_USER" "$jo"
	doctor
	grep "^warn  plugin: .*/jo: owner $(id -u "$TESTBED_USER"), .*: users other than root can change .* -> chown root .*/jo$" <<<"$output"
	[ "$(grep -c "users other than root can" <<<"$output")" -eq 1 ]
	# if users cannot enter it, doctor also says that
	chmod 750 "$jo"
	doctor
	grep "^info  plugin: .*/jo: mode 0750: " <<<"$output"
	grep "^warn  plugin: .*/jo: owner $(id -u "$TESTBED_USER"), " <<<"$output"
	chmod 755 "$jo"
	chown root "$jo"
	chown --no-dereference "$TESTBED_USER" "$jo/stint.so"
	doctor
	grep "^warn  plugin: .*/jo/stint.so: owner $(id -u "$TESTBED_USER"), .* -> chown --no-dereference root .*/jo/stint.so$" <<<"$output"
	rm -r "$jo" "$STINT_TESTBED/lib/site" "$STINT_TESTBED/lib/first.so"
}

@test "doctor names the included file that cannot be read, and not the one that includes it" {
	local included=$STINT_TESTBED/etc/included.conf

	echo "include included.conf" >"$PLUGSTACK"
	echo "$LINE" >"$included"
	chmod 600 "$included"
	AS=(setpriv --reuid="$TESTBED_USER" --clear-groups)
	doctor --role=submit
	AS=()
	[ "$status" -eq 1 ]
	grep "^FAIL  plugstack: $included: Permission denied -> chmod o+r $included$" <<<"$output"
	rm "$included" && ln -s nowhere "$included"
	fails_at plugstack "$included: No such file or directory -> fix $included, or the line that includes it"
	rm "$included"
}

# With the site's own stint.conf, which nobody but root can read.
closed_conf() { # COMMAND...
	unshare --mount sh -c 'mkdir -p "$0" && mount -t tmpfs tmpfs "$0" && mkdir "$0/stint" && echo mode=timeline >"$0/stint/stint.conf" &&
		chmod 600 "$0/stint/stint.conf" && exec "$@"' \
		"$("$STINT" doctor --help | sed -n 's,.* \(/[^ ]*\)/stint/stint\.conf.*,\1,p')" "$@"
}

@test "a stint.conf that users cannot read takes no report from them, and doctor says so" {
	job -- true
	run --separate-stderr closed_conf setpriv --reuid="$TESTBED_USER" --clear-groups "$STINT" report "$REPORT"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"Job ID: "* ]]
	[[ $stderr == "stint report: "*"/stint/stint.conf: Permission denied: the defaults apply"* ]]
	run closed_conf "$STINT" doctor --role=submit
	grep "^warn  stint.conf: .*/stint/stint.conf: mode 0600: each user must read it, .* -> chmod o+r /.*/stint/stint.conf$" <<<"$output"
	run closed_conf setpriv --reuid="$TESTBED_USER" --clear-groups "$STINT" doctor --role=submit
	grep "^warn  stint.conf: .*/stint/stint.conf: Permission denied.* -> let each user read it: chmod o+r /.*/stint/stint.conf$" <<<"$output"
}

# ---- what the place needs ----

says_nothing_of() { # SUBJECT...
	local subject

	for subject; do
		[ -z "$(grep "^[a-zA-Z]*  *$subject: " <<<"$output")" ]
	done
}

slurm_conf_with() { # SED-SCRIPT
	sed "$1" "$STINT_TESTBED/etc/slurm.conf" >"$BATS_TEST_TMPDIR/slurm.conf"
	export SLURM_CONF=$BATS_TEST_TMPDIR/slurm.conf
}

# Makes the user nobody run a program with root's rights under the name of a Slurm daemon, in a namespace if no other daemon runs. Prints
# what doctor takes this host for.
role_beside() { # NAME PROGRAM
	ln -s "$2" "$TOOLS/$1"
	unshare --pid --fork --mount-proc bash -c '
		setpriv --reuid=65534 --regid=65534 --clear-groups python3 -c "import pty, sys; pty.spawn(sys.argv[1:])" "$1" \
			</dev/null >/dev/null 2>&1 &
		for ((i = 0; i < $4 * 10; i++)); do
			[ -z "$(ps --no-headers -C "${1##*/}" -o euser,ruser | grep "root *nobody")" ] || break
			sleep 0.1
		done
		[ "$i" -lt $(($4 * 10)) ] || echo "the program was not started"
		"$2" doctor --config "$3" | grep " role: "' bash "$TOOLS/$1" "$(command -v "$STINT")" "$STINT_TESTBED/etc/stint.conf" "$SOON_S"
}

@test "a user's process of a daemon's name is none, even where it runs a program of root's rights" {
	[ -u /usr/bin/passwd ] || skip "there is no passwd here that runs as root"
	run role_beside slurmdbd /usr/bin/passwd
	echo "$output"
	[[ $output == *" role: "* && $output != *"runs here"* && $output != *"not started"* ]]
}

@test "doctor checks what each place needs, and guesses which it is" {
	doctor
	# another testbed on this machine may have a slurmdbd
	grep -q '^ok    role: node, controller[:,]' <<<"$output"
	collector_kill
	doctor --role=submit
	[ "$status" -eq 0 ]
	says_nothing_of kernel bpffs run_dir stintd ProctrackType
	grep -q '^ok    plugin: ' <<<"$output"
	slurm_conf_with 's/^ProctrackType=.*/ProctrackType=proctrack\/linuxproc/; s/^TaskPlugin=.*//; s/^MailProg=.*/MailProg=\/nonexistent\/stint-mail/'
	doctor --role=controller
	[ "$status" -eq 1 ]
	grep -q "^FAIL  ProctrackType: 'proctrack/linuxproc': jobs have no cgroup" <<<"$output"
	grep -q '^FAIL  MailProg: /nonexistent/stint-mail: .*: no mail is sent' <<<"$output"
	says_nothing_of kernel plugin stintd
	doctor --role=database
	[ "$status" -eq 0 ]
	says_nothing_of kernel plugin stintd ProctrackType
	AS=(env PATH=/nonexistent)
	doctor --role=submit
	AS=()
	[ "$status" -eq 1 ]
	grep -q '^FAIL  Slurm: .* -> set PATH to ' <<<"$output"
	says_nothing_of plugin
	run "$STINT" doctor --role=nowhere
	[ "$status" -eq 2 ]
	"$TESTBED" restart-collector
}

@test "doctor fails where accounting is to keep a summary, and there is none" {
	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_TEST_TMPDIR"
	echo 'admin_comment = js1' >>"$BATS_TEST_TMPDIR/stint.conf"
	slurm_conf_with 's,^AccountingStorageType=.*,,'
	doctor --config "$BATS_TEST_TMPDIR/stint.conf"
	[ "$status" -eq 1 ]
	grep -q '^FAIL  admin_comment: Slurm has no accounting that could keep it -> set AccountingStorageType=' <<<"$output"
	echo AccountingStorageType=accounting_storage/slurmdbd >>"$SLURM_CONF"
	doctor --config "$BATS_TEST_TMPDIR/stint.conf"
	[ "$status" -eq 0 ]
}

@test "doctor finds the configuration of a configless node" {
	mkdir "$BATS_TEST_TMPDIR/conf"
	sed "/^PlugStackConfig=/d" "$STINT_TESTBED/etc/slurm.conf" >"$BATS_TEST_TMPDIR/conf/slurm.conf"
	cp "$PLUGSTACK" "$BATS_TEST_TMPDIR/conf"
	AS=(unshare --mount env --unset=SLURM_CONF sh -c 'mount -t tmpfs tmpfs /run && mkdir -p /run/slurm/conf &&
		cp "$0"/* /run/slurm/conf/ && { [ ! -d /etc/slurm ] || mount -t tmpfs tmpfs /etc/slurm; } && exec "$@"' "$BATS_TEST_TMPDIR/conf")
	doctor
	[ "$status" -eq 0 ]
	grep -q '^ok    slurm.conf: /run/slurm/conf/slurm.conf, from slurmctld (configless)' <<<"$output"
	grep -q '^ok    plugstack: /run/slurm/conf/plugstack.conf:1' <<<"$output"
}

@test "doctor fails where root has not the rights, or the kernel has not what is needed" {
	AS=(setpriv --bounding-set=-bpf,-setuid)
	fails_at rights 'root lacks CAP_BPF CAP_SETUID'
	AS=(unshare --mount sh -c 'mount -t tmpfs tmpfs /sys/kernel/btf && exec "$@"' sh)
	fails_at kernel 'has no /sys/kernel/btf'
	AS=(unshare --mount sh -c 'awk "\$3 ~ /^cgroup/ { print \$2 }" /proc/self/mounts | tac | while read -r at; do umount -l "$at"; done; exec "$@"' sh)
	fails_at cgroups 'none is mounted'
}

# ---- for monitoring ----

# This machine's kernel may lack a feature, which nobody can fix.
of_the_site() {
	grep -v '^warn  kernel feature: \|^warn  program [a-z_]*: loaded, but reports have only a part of what it counts' || true
}

@test "with --quiet a healthy node says nothing, and another only what is wrong" {
	doctor --quiet
	[ "$status" -eq 0 ]
	[ -z "$(of_the_site <<<"$output")" ]
	echo "$LINE rundir=x" >"$PLUGSTACK"
	doctor -q
	[ "$status" -eq 1 ]
	[ "$(of_the_site <<<"$output" | grep -c .)" -eq 1 ]
	[[ $output == *"FAIL  plugin's arguments: "* ]]
}

@test "--json has the same checks, for programs" {
	local count

	doctor
	count=$(grep -c '^[a-zA-Z]*  *[^:]*: ' <<<"$output")
	doctor --json
	[ "$status" -eq 0 ]
	jq --exit-status --argjson count "$count" '.stint_doctor == 1 and .failures == 0 and (.roles | contains(["node", "controller"])) and
		(.version | type) == "string" and (.host | length) > 0 and (.checks | length) == $count and
		all(.checks[]; (.level | IN("ok", "info", "warn")) and (.subject | length) > 0 and (.found | length) > 0)' <<<"$output"
	echo "$LINE rundir=x" >"$PLUGSTACK"
	doctor --json --quiet
	[ "$status" -eq 1 ]
	jq --exit-status '.failures == 1 and ([.checks[] | select(.level == "FAIL")] | length == 1 and (.[0].mend | length) > 0) and
		([.checks[] | select(.level == "ok" or .level == "info")] == [])' <<<"$output"
}
