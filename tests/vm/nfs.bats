#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Job directories in clusters' places: on NFS 4 and 3, behind links, on an automounted home, on xfs, ext4 with quotas, overlayfs and tmpfs.
# The NFS server is the machine's own kernel, in a network namespace: its link can be cut.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2317

load ../system/helper
load ../system/quota
load machine

SERVER=192.168.78.2 CLIENT=192.168.78.1
EXPORTED=/run/exported # on the server
NFS4=/net/nfs4 NFS3=/net/nfs3 SOFT=/net/soft HOMES=/net/homes
LOCAL=/run/local # where jobs and tests meet, whatever happens to the server
SOON_S=600
SOON_STEP_S=1 # each look costs this machine a good part of a second

# ---- the server and its mounts ----

no_nfs() {
	local missing

	[ -d "${STINT_NFS:-/nonexistent}/sbin" ] || { echo "STINT_NFS names no directory with the packages of NFS_PACKAGES"; return; }
	modprobe --all loop ext4 xfs veth autofs4 nfsd nfsv3 nfsv4 || { echo "this kernel has not all of the modules"; return; }
	# the machine's files are the host's, which has none of these programs
	tar -C "$STINT_NFS" --exclude=./archives -c . | tar -C / -x --keep-directory-symlink && ldconfig
	missing=$(ldd /usr/sbin/{exportfs,rpc.mountd,rpc.nfsd,automount} /sbin/{mount.nfs,rpcbind,mkfs.xfs} | grep 'not found')
	[ -z "$missing" ] || echo "libraries are missing: $missing"
}

# Runs a command where the server's network is.
at_the_server() { # COMMAND...
	nsenter --net=/run/netns/server "$@"
}

# Starts a daemon in the foreground, which ends with the suite: bats waits for any process that still has its output.
daemon() { # COMMAND...
	"$@" </dev/null >/dev/null 2>&1 3>&- 4>&- &
	echo $! >>"$BATS_FILE_TMPDIR/daemons"
}

daemons_end() {
	local pid

	while read -r pid; do
		kill "$pid" || true
	done <"$BATS_FILE_TMPDIR/daemons"
}

server_network() {
	ip netns add server
	ip link add name toserver type veth peer name toclient netns server
	ip address add "$CLIENT/30" dev toserver
	ip link set toserver up
	at_the_server ip link set lo up
	at_the_server ip address add "$SERVER/30" dev toclient
	at_the_server ip link set toclient up
}

server_cut() {
	at_the_server ip link set toclient down
}

server_back() {
	at_the_server ip link set toclient up
	soon ping_server
}

ping_server() {
	timeout 20 bash -c "exec 7<>/dev/tcp/$SERVER/2049"
}

export_all() {
	at_the_server exportfs -o rw,root_squash,sec=sys,no_subtree_check,fsid=0 "$CLIENT:$EXPORTED"
}

server_up() {
	id _rpc >/dev/null 2>&1 || echo '_rpc:x:64321:65534::/run/rpcbind:/usr/sbin/nologin' >>/etc/passwd
	mkdir -p /run/rpcbind /var/lib/nfs/{v4recovery,rpc_pipefs} && touch /var/lib/nfs/{etab,rmtab} /etc/exports
	server_network
	at_the_server mount -t nfsd nfsd /proc/fs/nfsd
	daemon at_the_server rpcbind -f
	soon at_the_server rpcinfo -p
	export_all
	daemon at_the_server rpc.mountd --foreground
	at_the_server rpc.nfsd --grace-time 10 2
	echo Y >/proc/fs/nfsd/v4_end_grace || true
}

image() { # NAME MIB MKFS... : sets up /run/NAME on a loop device
	truncate --size "$2M" "/run/$1.image" && "${@:3}" "/run/$1.image" && mkdir -p "/run/$1"
}

mount_all() {
	mkdir -p "$NFS4" "$NFS3" "$SOFT"
	mount -t nfs -o vers=4.2,hard,timeo=50,retrans=2 "$SERVER:/" "$NFS4"
	mount -t nfs -o vers=3,nolock,hard,timeo=50,retrans=2 "$SERVER:$EXPORTED" "$NFS3"
	mount -t nfs -o vers=4.2,soft,timeo=20,retrans=1,nosharecache "$SERVER:/" "$SOFT"
}

setup_file() {
	in_the_machine || return 0
	export WHY_NOT
	WHY_NOT=$(no_nfs)
	[ -z "$WHY_NOT" ] || return 0
	testbed_begin
	image local 64 mkfs.ext4 -q && mount -o loop /run/local.image "$LOCAL" && chmod 1777 "$LOCAL"
	image exported 128 mkfs.ext4 -q && mount -o loop /run/exported.image "$EXPORTED" && chmod 1777 "$EXPORTED"
	server_up
	mount_all
	tool own workload/workload
}

teardown_file() {
	[ -n "${OWN_TESTBED:-}" ] || return 0
	testbed_end
	daemons_end
}

setup() {
	in_the_machine || skip "only in the virtual machine: see tests/vm/run"
	[ -z "$WHY_NOT" ] || skip "$WHY_NOT"
	LOG=$STINT_TESTBED/log/stintd.out
	: >"$LOG"
}

teardown() {
	testbed_evidence
	[ -n "${BATS_TEST_COMPLETED:-}${BATS_TEST_SKIPPED:-}" ] || { server_back; dmesg | tail -n 5; }
}

# ---- jobs in a directory that root may not enter ----

as_user() { # COMMAND... : as "testbed exec", which takes seconds here
	(cd / && setpriv --reuid="$TESTBED_USER" --regid="$(id -g "$TESTBED_USER")" --clear-groups "$@")
}

# Makes a directory that only the user may enter.
directory() { # BELOW
	as_user mktemp -d "$1/job.XXXXXX"
}

# Submits the script on standard input: prints the job's number.
submit_in() { # DIRECTORY [sbatch option...]
	as_user sbatch --parsable --chdir="$1" --mem=200M "${@:2}"
}

# A job that waits in DIRECTORY for the test, and accesses nothing there when it ends. Sets JOB.
waiting_job() { # DIRECTORY NAME
	JOB=$(submit_in "$1" --output=/dev/null <<-END
		#!/bin/bash
		cd "$1" && echo begun >begun && touch $LOCAL/$2.began
		until [ -e $LOCAL/$2.go ]; do sleep 0.3; done
	END
	)
	soon test -e "$LOCAL/$2.began"
}

# The user's own report of a job is in DIRECTORY, and no other file of ours. Sets REPORT, a copy.
report_of() { # JOB DIRECTORY
	soon as_user test -e "$2/stint-$1.json"
	[ "$(as_user stat --format='%F %U %a' "$2/stint-$1.json")" = "regular file $TESTBED_USER 644" ]
	[ -z "$(as_user find "$2" -name '.stint-*')" ]
	REPORT=$BATS_TEST_TMPDIR/stint-$1.json
	as_user cat "$2/stint-$1.json" >"$REPORT"
	OUTPUT=$(as_user cat "$2/slurm-$1.out" 2>/dev/null || true)
	whole
}

records_are() { # COUNT : in the spool
	[ "$(find "$STINT_TESTBED"/{spool,run/spool} -name '*.record' | wc -l)" -eq "$1" ]
}

own() { # EXPRESSION : of the report, with $own, the job's own count
	holds --argjson own "$(grep '^{' <<<"$OUTPUT" | jq --slurp .)" "def own(\$what): \$own[] | select(.what == \$what); $1"
}

# A job reads a file past the cache, and asks for names that the client does not know.
reading_job() { # DIRECTORY : sets JOB
	JOB=$(submit_in "$1" <<-END
		#!/bin/bash
		dd if=/dev/zero of=data bs=64k count=32 conv=fsync status=none
		$TOOLS/own read direct data 16384
		$TOOLS/own stat . 200
	END
	)
}

# The job's waits for the server, as far as it measured them itself, are reported as waits for this file system. (dd and bash wait for it,
# too. A thread's own clock also counts its waits for a CPU.)
waits_are_for() { # TYPE
	valid
	echo "$OUTPUT"
	value '[.states.file_io_s, (.used.file_systems[] | {type, class, wait_s, waits})] | tostring'
	holds --arg type "$1" '[.used.file_systems[] | select(.type == $type)] | length == 1 and .[0].class == "network" and .[0].waits > 200'
	own '([.tools[] | select(.name == "own") | .states.runnable_s] | add) as $runnable | ([own("read", "stat").waited_ns / 1e9] | add) as $waited |
		[.used.file_systems[] | select(.class == "network") | .wait_s] | add > $waited * 0.98 - $runnable'
	holds '([.used.file_systems[].wait_s] | add) - .states.file_io_s | fabs < 0.001'
}

@test "NFS 4 with root_squash: the user's report in a directory that root may not enter, waits are for nfs4" {
	local place

	place=$(directory "$NFS4")
	run ! ls "$place"
	reading_job "$place"
	report_of "$JOB" "$place"
	waits_are_for nfs4
}

@test "NFS 3: the same" {
	local place

	place=$(directory "$NFS3")
	run ! ls "$place"
	reading_job "$place"
	report_of "$JOB" "$place"
	waits_are_for nfs
}

@test "the server does not answer while jobs end: the node goes on, others have their reports, and these when it is back" {
	local hard soft other hard_job soft_job

	hard=$(directory "$NFS4") soft=$(directory "$SOFT")
	waiting_job "$hard" hard && hard_job=$JOB
	waiting_job "$soft" soft && soft_job=$JOB
	server_cut
	touch "$LOCAL/hard.go" "$LOCAL/soft.go"
	soon node_is_idle # both epilogs have had their answer
	records_are 2
	other=$LOCAL/other && mkdir "$other" && chown 65534:65534 "$other"
	(cd "$other" && setpriv --reuid=65534 --regid=65534 --clear-groups sbatch --output=/dev/null --mem=100M --wrap true)
	report_in "$other"
	soon grep "job $hard_job of .*: the job's directory does not answer; its record stays" "$LOG"
	soon grep "job $soft_job of .*; its record stays" "$LOG"
	cat "$LOG"
	server_back
	"$TESTBED" restart-collector
	report_of "$hard_job" "$hard"
	report_of "$soft_job" "$soft"
	soon records_are 0
	soon eval '! pgrep -u "$TESTBED_USER"' # no writer is blocked any longer
}

@test "a directory that is exported no longer, or another one by the same name: the report comes" {
	local gone replaced gone_job replaced_job

	gone=$(directory "$NFS4") replaced=$(directory "$NFS3")
	waiting_job "$replaced" replaced && replaced_job=$JOB
	waiting_job "$gone" gone && gone_job=$JOB
	rm -r "${EXPORTED:?}/$(basename "$replaced")"
	install -d -o "$TESTBED_USER" -m 700 "$EXPORTED/$(basename "$replaced")"
	touch "$LOCAL/replaced.go"
	report_of "$replaced_job" "$replaced"
	at_the_server exportfs -u "$CLIENT:$EXPORTED"
	at_the_server exportfs -f
	touch "$LOCAL/gone.go"
	soon grep "job $gone_job of .*; its record stays" "$LOG"
	cat "$LOG"
	export_all
	"$TESTBED" restart-collector
	report_of "$gone_job" "$gone"
	soon records_are 0
}

@test "a job directory that is a chain of links, on a local disk and on NFS" {
	local far near far_job near_job

	far=$(directory "$NFS3") near=$(directory "$LOCAL")
	as_user mkdir "$far/work" "$near/work"
	as_user ln -s "$far/work" "$near/three" && as_user ln -s three "$near/two" && as_user ln -s "$near/./two" "$near/one"
	as_user ln -s ../work "$near/work/up" && as_user ln -s work/up/up "$near/home"
	far_job=$(submit_in "$near/one" --output=/dev/null --wrap true)
	near_job=$(submit_in "$near/home" --output=/dev/null --wrap true)
	report_of "$far_job" "$far/work"
	report_of "$near_job" "$near/work"
}

@test "xfs, overlayfs and tmpfs" {
	local type jobs=()

	command -v mkfs.xfs
	image xfs 300 mkfs.xfs -q && mount -o loop /run/xfs.image /run/xfs
	mkdir -p /run/tmpfs /run/overlay /run/xfs/{lower,upper,work}
	mount -t tmpfs tmpfs /run/tmpfs
	mount -t overlay -o lowerdir=/run/xfs/lower,upperdir=/run/xfs/upper,workdir=/run/xfs/work overlay /run/overlay
	for type in xfs overlay tmpfs; do
		chmod 1777 "/run/$type"
		directory "/run/$type" >"$BATS_TEST_TMPDIR/$type"
		jobs+=("$(submit_in "$(cat "$BATS_TEST_TMPDIR/$type")" <<-END
			#!/bin/bash
			dd if=/dev/zero of=data bs=64k count=32 conv=fsync status=none
			$TOOLS/own read dropped data 16384
		END
		)")
	done
	for type in xfs overlay tmpfs; do
		report_of "${jobs[0]}" "$(cat "$BATS_TEST_TMPDIR/$type")"
		jobs=("${jobs[@]:1}")
		echo "$type: $(value '.used.file_systems | tostring')"
	done
}

@test "a user over quota on ext4: the record waits, and the report is written when there is room" {
	local device place job

	image quota 16 mkfs.ext4 -q -O quota -E quotatype=usrquota && mount -o loop,usrquota /run/quota.image /run/quota
	chmod 1777 /run/quota
	device=$(findmnt --noheadings --output SOURCE /run/quota)
	quota_set "$device" "$(id -u "$TESTBED_USER")" 64
	place=$(directory /run/quota)
	job=$(submit_in "$place" --output=/dev/null --wrap 'cat /dev/zero >fills; true')
	soon grep "job $job of .*Disk quota exceeded; its record stays" "$LOG"
	[ "$(as_user ls -A "$place")" = fills ]
	quota_set "$device" "$(id -u "$TESTBED_USER")" 0
	"$TESTBED" restart-collector
	report_of "$job" "$place"
	soon records_are 0
}

@test "an automounted home: it is mounted for the job, and for its report" {
	local home job elsewhere

	printf '%s /etc/auto.homes\n' "$HOMES" >/etc/auto.master
	printf '* -fstype=nfs4,vers=4.2,hard %s:/&\n' "$SERVER" >/etc/auto.homes
	touch /etc/autofs.conf
	daemon setsid automount --foreground --timeout 600
	soon grep " $HOMES autofs" /proc/mounts
	install -d -o "$TESTBED_USER" -m 700 "$EXPORTED"/{home,elsewhere}
	job=$(submit_in "$HOMES/home" --stint="output=$HOMES/elsewhere/stint-%j.json" --output=/dev/null --wrap 'grep " $PWD nfs4" /proc/mounts >mounted')
	report_of "$job" "$HOMES/elsewhere"
	as_user grep nfs4 "$HOMES/home/mounted"
	run ! as_user ls "$HOMES/nobody"
	umount "$HOMES/home" "$HOMES/elsewhere"
}
