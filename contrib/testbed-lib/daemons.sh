# SPDX-License-Identifier: GPL-2.0-or-later
# Daemons: each runs in the foreground of its own session, and is identified by pid and start time.
# shellcheck shell=bash disable=SC2015,SC2153

# The pid alone may belong to another process by now.
process_start_time() { # PID
	local stat

	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
	stat=${stat##*) } # the program's name may hold anything
	# shellcheck disable=SC2086
	set -- $stat
	[ "$1" != Z ] && echo "${20}"
}

daemon_pid() { # NAME : prints the pid if it lives
	local pid started

	{ read -r pid started <"$DIR/pid/$1"; } 2>/dev/null || return 1
	[ -n "$started" ] && [ "$(process_start_time "$pid")" = "$started" ] && echo "$pid"
}

# The daemon gets no descriptor of the caller: if a daemon kept a pipe open, the pipe's reader would wait.
daemon_start() { # NAME COMMAND...
	local name=$1 fd

	shift
	(
		for fd in /proc/self/fd/*; do
			fd=${fd##*/}
			[ "$fd" -le 2 ] || eval "exec $fd>&-"
		done
		[ ! -d "${FIRST:-/nonexistent}" ] || echo $BASHPID >"$FIRST/cgroup.procs"
		cd / && exec setsid "$@"
	) </dev/null >>"$DIR/log/$name.out" 2>&1 &
	echo "$! $(process_start_time $!)" >"$DIR/pid/$name"
}

# Starts a daemon and waits until it answers. Sets REASON if it does not.
daemon_up() { # NAME SECONDS READY-FUNCTION COMMAND...
	local name=$1 seconds=$2 ready=$3

	shift 3
	STEP=$name
	daemon_start "$name" "$@"
	daemon_wait "$name" "$seconds" "$ready"
}

daemon_wait() { # NAME SECONDS READY-FUNCTION
	local end=$((SECONDS + $2 * PATIENCE + 1))

	until "$3" >/dev/null 2>&1; do
		daemon_pid "$1" >/dev/null || { REASON="it ended at once: $(last_words "$1")"; return 1; }
		[ "$SECONDS" -lt "$end" ] || { REASON="it does not answer after $(($2 * PATIENCE)) seconds"; return 1; }
		sleep 0.1
	done
}

last_words() { # NAME
	local log

	for log in "$DIR/log/$1.log" "$DIR/log/$1.out"; do
		[ ! -s "$log" ] || { tail -n 1 "$log"; return; }
	done
	echo "it said nothing"
}

daemon_stop() { # NAME... : all at once, each TERM, and KILL after ten seconds
	local name pid end=$((SECONDS + 11))

	for name; do
		pid=$(daemon_pid "$name") || continue
		kill -TERM "$pid"
		kill -CONT "$pid"
	done
	for name; do
		while pid=$(daemon_pid "$name"); do
			[ "$SECONDS" -lt "$end" ] || kill -KILL "$pid"
			sleep 0.05
		done
		rm -f "$DIR/pid/$name"
	done
}

munge_answers() { munge --socket "$DIR/munge/socket" --no-input; }

start_munge() {
	mkdir -p "$DIR/munge" &&
		(umask 077 && head -c 128 /dev/urandom >"$DIR/munge/key") &&
		daemon_up munged 10 munge_answers munged --foreground --socket "$DIR/munge/socket" \
			--key-file "$DIR/munge/key" --pid-file "$DIR/munge/pid" --seed-file "$DIR/munge/seed" \
			--log-file "$DIR/log/munged.log" --num-threads 10
}

mariadb_client() { mariadb-admin --no-defaults --socket="$DIR/mysql/socket" --user=root ping; }

start_mariadb() {
	STEP=mariadbd
	mkdir -p "$DIR/mysql/tmp" &&
		daemon_start mariadb-install mariadb-install-db --no-defaults --user=root --datadir="$DIR/mysql/data" \
			--auth-root-authentication-method=normal --skip-test-db &&
		wait $! || { REASON="its data directory could not be made: $(last_words mariadb-install)"; return 1; }
	daemon_up mariadbd 30 mariadb_client mariadbd --no-defaults --user=root --datadir="$DIR/mysql/data" \
		--tmpdir="$DIR/mysql/tmp" --socket="$DIR/mysql/socket" --pid-file="$DIR/mysql/pid" \
		--bind-address=127.0.0.1 --port=$((PORT_BASE + NODES + 2)) --innodb-buffer-pool-size=64M \
		--innodb-lock-wait-timeout=900 || return 1
	mariadb --no-defaults --socket="$DIR/mysql/socket" --user=root \
		--execute="CREATE USER slurm@'127.0.0.1'; GRANT ALL ON slurm_acct.* TO slurm@'127.0.0.1'" \
		>>"$DIR/log/mariadbd.out" 2>&1 || { REASON="the user slurm could not be made"; return 1; }
}

slurmdbd_answers() { ! port_is_free $((PORT_BASE + NODES + 1)); }

start_slurmdbd() {
	daemon_up slurmdbd 30 slurmdbd_answers slurmdbd -D
	# the cluster must be known before slurmctld reports its first job to it
	wait_for 10 sacctmgr --immediate add cluster testbed || { REASON="sacctmgr could not add the cluster"; return 1; }
}

slurmctld_answers() { scontrol ping | grep -q 'is UP'; }

start_slurmctld() { daemon_up slurmctld 20 slurmctld_answers slurmctld -D -c; }

nodes_are_idle() { [ "$(sinfo --noheader --Node --format %t | grep -c '^idle$')" -eq "$NODES" ]; }

start_slurmd() {
	local i

	for ((i = 1; i <= NODES; i++)); do
		mkdir -p "$DIR/slurmd/$NODE_PREFIX$i"
		daemon_start "slurmd.$NODE_PREFIX$i" slurmd -D -N "$NODE_PREFIX$i"
	done
	for ((i = 1; i <= NODES; i++)); do
		STEP=slurmd.$NODE_PREFIX$i
		daemon_wait "$STEP" 30 nodes_are_idle || return 1
	done
}

stintd_answers() {
	perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_SEQPACKET, 0) or exit 1; connect($s, sockaddr_un($ARGV[0])) or exit 1' \
		"$DIR/run/stintd.sock"
}

start_stintd() {
	STINT_LIBEXEC=$DIR/libexec daemon_up stintd 30 stintd_answers "$STINTD" --config "$DIR/etc/stint.conf"
}

testbed_restart_collector() {
	no_arguments restart-collector "$@"
	need_root
	need_testbed
	daemon_stop stintd
	start_stintd || die "stintd: $REASON; its log: $DIR/log/stintd.out"
}
