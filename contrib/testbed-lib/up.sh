# SPDX-License-Identifier: GPL-2.0-or-later
# testbed up, status
# shellcheck shell=bash disable=SC2015,SC2153

testbed_up() {
	local nodes=1 accounting=no
	FIRST=

	while [ $# -gt 0 ]; do
		case $1 in
		--nodes) nodes=${2:-}; shift ;;
		--nodes=*) nodes=${1#*=} ;;
		--accounting) accounting=yes ;;
		--first) FIRST=yes ;;
		*) misuse "up: unknown option '$1'. See testbed --help" ;;
		esac
		shift
	done
	[[ $nodes =~ ^[1-9][0-9]?$ ]] || misuse "up: --nodes wants a number from 1 to 99"
	need_root
	if is_up; then
		say "already up in $DIR with $NODES node(s)"
	else
		up_checks "$accounting"
		up_from_nothing "$nodes" "$accounting"
	fi
	echo "export SLURM_CONF=$(printf %q "$DIR/etc/slurm.conf")"
}

daemon_names() {
	local i

	echo munged slurmctld stintd
	[ "$ACCOUNTING" = no ] || echo mariadbd slurmdbd
	for ((i = 1; i <= NODES; i++)); do
		echo "slurmd.$NODE_PREFIX$i"
	done
}

is_up() {
	local name

	is_testbed && [ -f "$DIR/etc/testbed.env" ] || return 1
	need_testbed
	for name in $(daemon_names); do
		daemon_pid "$name" >/dev/null || return 1
	done
}

up_checks() { # ACCOUNTING
	[[ $DIR != *[[:space:]\'\"\\]* ]] || die "STINT_TESTBED must not have blanks, quotes or backslashes: '$DIR'"
	# slurmd's sockets below it must fit into the 108 bytes of a socket's address
	[ "${#DIR}" -le 56 ] || die "STINT_TESTBED is longer than 56 characters: '$DIR'"
	if [ -e "$DIR" ] && ! is_testbed; then
		[ -d "$DIR" ] && [ -O "$DIR" ] && [ -z "$(ls -A "$DIR")" ] ||
			die "$DIR exists but is not a testbed: remove it or set STINT_TESTBED"
	fi
	need_programs munged:munge slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client setpriv:util-linux perl:perl-base
	[ "$1" = no ] || need_programs mariadbd:mariadb-server slurmdbd:slurmdbd
	find_programs
}

# Prints one line for each step, with the time that it took.
step() { # WHAT FUNCTION ARG...
	local what=$1 from=${EPOCHREALTIME/./}

	shift
	STEP=$what REASON=''
	"$@" || return 1
	printf 'testbed: %-28s %5d ms\n' "$what" $(((${EPOCHREALTIME/./} - from) / 1000)) >&2
}

up_from_nothing() { # NODES ACCOUNTING
	teardown remove
	trap 'up_failed "interrupted"' INT TERM HUP
	up_steps "$@" || up_failed "${REASON:-see the log}"
	trap - INT TERM HUP
}

up_steps() { # NODES ACCOUNTING
	step "directories in $DIR" make_directories &&
		step "user" user_create &&
		step "configuration" configure_testbed "$@" &&
		step "munged" start_munge || return 1
	if [ "$2" = yes ]; then
		step "mariadbd" start_mariadb && step "slurmdbd" start_slurmdbd || return 1
	fi
	# stintd runs before the first node takes a job
	step "stintd" start_stintd && step "slurmctld" start_slurmctld && step "slurmd ($1)" start_slurmd
}

up_failed() { # REASON
	local logs

	trap '' INT TERM HUP
	logs=$(compgen -G "$DIR/log/${STEP%% *}*.*" | tr '\n' ' ')
	say "$STEP failed: $1${logs:+; its log: ${logs% }}"
	teardown keep-logs
	exit 1
}

make_directories() {
	mkdir -p "$DIR" && chmod 755 "$DIR" && : >"$DIR/$MARK" &&
		mkdir -p "$DIR"/{bpf,etc,lib,libexec,log,pid,slurmd,state} &&
		mount -t bpf -o mode=0700 bpf "$DIR/bpf" 2>>"$DIR/log/directories.out" &&
		prepare_cgroup_v2
}

configure_testbed() { # NODES ACCOUNTING
	write_env "$@" && write_config && export SLURM_CONF=$DIR/etc/slurm.conf
	[ -z "$FIRST" ] || { mkdir -p "$FIRST" && echo 262144 >"$FIRST/cpu.shares"; } # the maximum; 1024 is usual
}

# Without systemd the controllers must be handed down to the slice that slurmd uses.
prepare_cgroup_v2() {
	local controllers

	[ "$(cgroup_plugin)" = cgroup/v2 ] && [ ! -d /run/systemd/system ] || return 0
	mkdir -p /sys/fs/cgroup/system.slice
	for controllers in /sys/fs/cgroup /sys/fs/cgroup/system.slice; do
		echo "+cpu +cpuset +memory +io +pids" >"$controllers/cgroup.subtree_control" ||
			{ REASON="cgroup controllers cannot be turned on in $controllers"; return 1; }
	done
}

testbed_status() {
	local name pid all=0

	no_arguments status "$@"
	need_testbed
	for name in $(daemon_names); do
		pid=$(daemon_pid "$name") || { pid=dead; all=1; }
		printf '%-20s %s\n' "$name" "$pid"
	done
	echo "export SLURM_CONF=$SLURM_CONF"
	return $all
}
